/** Codes of PostgreSQL for errors that a rule of ours expects. */
export const uniqueViolation = '23505';
export const foreignKeyViolation = '23503';
export const deadlockDetected = '40P01';
/** The error of each statement after one that has failed. */
export const failedTransaction = '25P02';
/** The error of a statement that took longer than its transaction allows. */
export const queryCanceled = '57014';
/** The error of a statement that waited for a lock longer than its transaction allows. */
export const lockNotAvailable = '55P03';
/** The error of a query on a standby if the replay of a change has to remove rows that the query may still see. */
export const conflictWithRecovery = '40001';
/** The error of a write on a standby. After a failover, a connection may still lead to the former primary. */
export const readOnlyDatabase = '25006';

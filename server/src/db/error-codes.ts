/** Codes of PostgreSQL for errors that a rule of ours expects. */
export const uniqueViolation = '23505';
export const foreignKeyViolation = '23503';

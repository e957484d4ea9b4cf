/** The lengths of the hour and the day. */
export const hourSeconds = 3_600;
export const daySeconds = 24 * hourSeconds;

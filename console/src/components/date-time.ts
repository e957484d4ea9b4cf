/** Dates and times as text in the reader's language. */

/** `date`: 4 May 2026. `datetime`: with the minute. `end`: the day in UTC on which a decision ends. */
export type TimeStyle = 'date' | 'datetime' | 'end';

const formats: Record<TimeStyle, Intl.DateTimeFormat> = {
  date: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }),
  datetime: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }),
  // Documents, messages and the command line show the same day.
  end: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' }),
};

export function dateTime(date: Date, as: TimeStyle): string {
  return formats[as].format(date);
}

/** Days of the reader's calendar, and the time bounds that they mean for the API. */

/** True only for a text such as `2026-05-04`. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(new Date(`${text}T00:00:00`).getTime());
}

/** Returns the start of the day in the reader's zone. Other text is returned as it is. */
export function startOf(text: string | undefined): string | undefined {
  return text !== undefined && isDay(text) ? dayStart(text, 0) : text;
}

/** Returns the end of the day in the reader's zone. Other text is returned as it is. */
export function endOf(text: string | undefined): string | undefined {
  return text !== undefined && isDay(text) ? dayStart(text, 1) : text;
}

/** Returns the day so many days before another: 3 days before 4 May 2026 is `2026-05-01`. */
export function daysBefore(date: Date, days: number): string {
  const day = new Date(date.getFullYear(), date.getMonth(), date.getDate() - days);
  const two = (number: number) => String(number).padStart(2, '0');
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

function dayStart(day: string, later: number): string {
  const start = new Date(`${day}T00:00:00`);
  start.setDate(start.getDate() + later);
  return start.toISOString();
}

/** Days of the reader's calendar as bounds of the API. */

/** `2026-05-04`, and nothing else. */
export function isDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(new Date(`${text}T00:00:00`).getTime());
}

/** When the day begins here; other text as it is. */
export function startOf(text: string | undefined): string | undefined {
  return text !== undefined && isDay(text) ? dayStart(text, 0) : text;
}

/** When the day has ended here; other text as it is. */
export function endOf(text: string | undefined): string | undefined {
  return text !== undefined && isDay(text) ? dayStart(text, 1) : text;
}

function dayStart(day: string, later: number): string {
  const start = new Date(`${day}T00:00:00`);
  start.setDate(start.getDate() + later);
  return start.toISOString();
}

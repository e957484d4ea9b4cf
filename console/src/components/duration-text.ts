/** Writes a duration: 3 h, 2.5 days, 41 days. */
export function durationText(seconds: number | null): string {
  if (seconds === null) return '–';
  const hours = seconds / 3600;
  if (hours < 1) return `${Math.max(1, Math.round(seconds / 60))} min`;
  if (hours < 48) return `${Math.round(hours)} h`;
  const days = hours / 24;
  return `${days < 10 ? days.toFixed(1) : Math.round(days).toLocaleString()} days`;
}

/** Returns the initials of a name: Ada Lovelace → AL. */
export function initials(name: string): string {
  const nameParts = name.split(/\s+/).filter((part) => part !== '');
  const letters = nameParts.length > 1 ? [nameParts[0], nameParts.at(-1)] : nameParts;
  return letters.map((part) => Array.from(part ?? '')[0]?.toUpperCase() ?? '').join('');
}

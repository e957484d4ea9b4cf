/**
 * The small text tables of the demo's data: one row for each line, with ` | ` between the cells.
 *
 * It only cuts text into cells and never guesses: a row with a missing or an extra cell is an error, so that a mistake
 * in a table is found when the demo is built.
 */

/** The rows of a table as objects with the given keys, in the order of the text; empty lines are skipped. */
export function readTable<Key extends string>(keys: readonly Key[], text: string): Record<Key, string>[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const cells = line.split(/\s\|\s/).map((cell) => cell.trim());
      if (cells.length !== keys.length) {
        throw new Error(`a row of ${keys.length} cells was expected: ${line.trim()}`);
      }
      return Object.fromEntries(keys.map((key, index) => [key, cells[index] ?? ''])) as Record<Key, string>;
    });
}

/** A cell that may be empty, written as `-`. */
export function optionalCell(cell: string): string | null {
  return cell === '-' ? null : cell;
}

/** A cell that lists several values, separated by commas. */
export function listCell(cell: string): string[] {
  return cell === '-' ? [] : cell.split(',').map((value) => value.trim());
}

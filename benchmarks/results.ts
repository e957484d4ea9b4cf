/** Writes the results of the last run as small files, which are committed. */
import { mkdirSync, writeFileSync } from 'node:fs';

const directory = new URL('results/', import.meta.url);

/** Writes `results/NAME.json`. */
export function writeResult(name: string, result: object): void {
  mkdirSync(directory, { recursive: true });
  const day = new Date().toISOString().slice(0, 10);
  writeFileSync(new URL(`${name}.json`, directory), `${JSON.stringify({ day, ...result }, null, 1)}\n`);
}

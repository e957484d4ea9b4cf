/** Reads from the sources which file imports which. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

/** File → the files of the folder that it imports, type imports too. */
export function importsOf(folder: URL): Map<string, string[]> {
  const source = fileURLToPath(folder);
  const files = globSync('**/*.{ts,tsx}', { cwd: source }).filter((file) => !file.endsWith('.test.ts'));
  return new Map(
    files.map((file) => {
      const text = readFileSync(join(source, file), 'utf8');
      const named = [...text.matchAll(/^(?:import|export)\b[^;]*?from '(\.[^']+)';/gms)];
      const lazy = [...text.matchAll(/\bimport\('(\.[^']+)'\)/g)];
      return [file, [...named, ...lazy].map((match) => normalize(join(dirname(file), match[1] ?? '')))];
    }),
  );
}

/** The module of a file of the server: its folder in `src/`, or the file itself. */
export const moduleOf = (file: string): string => (file.split('/', 1)[0] ?? '').replace(/\.ts$/, '');

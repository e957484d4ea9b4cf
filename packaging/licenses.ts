/** The notices of the libraries in a bundle, which their licenses require. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Throws if a library has no license file. */
export function licensesOf(moduleIds: readonly string[]): string {
  const folders = new Set(
    moduleIds.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []),
  );
  const notices = [...folders].sort().map((folder) => {
    const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    if (file === undefined) throw new Error(`${name} has no file of its license`);
    return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}`;
  });
  return `/*!\n${notices.join('\n\n---\n\n').replaceAll('*/', '* /')}\n*/`;
}

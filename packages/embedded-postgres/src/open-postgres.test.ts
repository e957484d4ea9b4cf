/**
 * Tests of the embedded PostgreSQL with its real programs, each in its own directory: which process starts it, joins it
 * and stops it, and what happens after a crash. No test may leave a PostgreSQL running.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { prepareBinaries, repairNative } from './binaries.ts';
import { EmbeddedPostgresError } from './error.ts';
import { keepRunning } from './keep-running.ts';
import { type EmbeddedPostgres, openPostgres } from './open-postgres.ts';
import { isRunning, readPostmaster } from './postmaster.ts';
import { chooseRunUser } from './run-user.ts';

const isRoot = process.getuid?.() === 0;
const roots: string[] = [];
const children: ChildProcess[] = [];
const opened: EmbeddedPostgres[] = [];
const name = 'example';

after(async () => {
  for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
  await Promise.allSettled(opened.map((database) => database.stop()));
  for (const root of roots) {
    const postmaster = readPostmaster(join(root, 'data', 'postgres'));
    if (postmaster !== undefined && isRunning(join(root, 'data', 'postgres'))) {
      process.kill(postmaster.pid, 'SIGKILL');
      await sleep(200);
    }
    rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
});

function newDataDir(): string {
  const root = mkdtempSync(join(tmpdir(), 'embedded-postgres-'));
  chmodSync(root, 0o711); // Root's PostgreSQL runs as another user, who must pass through.
  roots.push(root);
  return join(root, 'data');
}

async function open(dataDir: string, said: string[] = []): Promise<EmbeddedPostgres> {
  const database = await openPostgres({
    dataDir,
    name,
    settings: [
      ['shared_buffers', '32MB', 'the tests are small'],
      ['jit', 'off', 'a setting that is not a default'],
    ],
    hints: { data_dir_unusable: 'Set DATA.', data_dir_unreachable: 'Set DATA.', failed: 'Ask for help.' },
    log: (message) => said.push(message),
  });
  opened.push(database);
  return database;
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

function postmasterPid(dataDir: string): number {
  const found = readPostmaster(join(dataDir, 'postgres'));
  assert.ok(found, 'there is a postmaster.pid');
  return found.pid;
}

function runs(dataDir: string): boolean {
  return isRunning(join(dataDir, 'postgres'));
}

async function until(holds: () => boolean): Promise<void> {
  for (const end = Date.now() + 60_000; !holds(); await sleep(2)) assert.ok(Date.now() < end, String(holds));
}

interface Opened {
  startedHere: boolean;
  port: number;
  said: string[];
}

/** Another process that opens the directory, and stops it at a line on its standard input. */
function openInChild(dataDir: string, options: { detached?: boolean } = {}) {
  const script = `
    import { openPostgres } from ${JSON.stringify(new URL('./open-postgres.ts', import.meta.url).href)};
    process.on('SIGINT', () => console.log(JSON.stringify({ interrupted: true })));
    const said = [];
    const options = ${JSON.stringify({ dataDir, name })};
    const database = await openPostgres({ ...options, log: (message) => said.push(message) });
    console.log(JSON.stringify({ startedHere: database.startedHere, port: database.port, said }));
    process.stdin.once('data', async () => { await database.stop(); process.exit(0); });
  `;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: options.detached ?? false,
  });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async (): Promise<unknown> => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error('the process ended without a word');
    return JSON.parse(value);
  };
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  return {
    child,
    nextLine,
    opened: async () => (await nextLine()) as Opened,
    stop: async () => {
      child.stdin.write('stop\n');
      await ended;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

describe('embedded PostgreSQL', { concurrency: 4 }, () => {
  test('a fresh directory gets a database, and a second start finds the data', async () => {
    const dataDir = newDataDir();
    const database = await open(dataDir);
    assert.equal(database.startedHere, true);
    assert.match(
      database.ownerUrl,
      /^postgresql:\/\/example_owner:[0-9A-Za-z]{32}@127\.0\.0\.1:\d+\/example$/,
    );
    assert.equal(
      database.appUrl,
      `postgresql://example_app:${database.appPassword}@127.0.0.1:${database.port}/example`,
    );
    assert.equal(statSync(join(dataDir, 'postgres-credentials.json')).mode & 0o777, 0o600);
    const [row] = await query(
      database.ownerUrl,
      `select pg_encoding_to_char(encoding) as encoding, datcollate as collate, current_setting('fsync') as fsync,
              current_setting('synchronous_commit') as commit, current_setting('listen_addresses') as listen,
              current_setting('unix_socket_directories') as sockets, current_setting('password_encryption') as auth,
              current_setting('shared_buffers') as buffers, current_setting('jit') as jit
         from pg_database where datname = 'example'`,
    );
    assert.deepEqual(row, {
      encoding: 'UTF8',
      collate: 'C',
      fsync: 'on',
      commit: 'on',
      listen: '127.0.0.1',
      sockets: '',
      auth: 'scram-sha-256',
      buffers: '32MB',
      jit: 'off',
    });
    const wrong = database.ownerUrl.replace(/:[0-9A-Za-z]{32}@/, ':wrong@');
    await assert.rejects(query(wrong, 'select 1'), { code: '28P01' });
    await query(database.ownerUrl, 'create table kept (n int)');
    await database.stop();
    await database.stop();
    assert.equal(runs(dataDir), false);

    const begun = performance.now();
    const again = await open(dataDir);
    const tookMs = performance.now() - begun;
    assert.ok(tookMs < 15_000, `an existing cluster took ${tookMs} ms; alone it takes well under 500`);
    assert.deepEqual(await query(again.ownerUrl, 'select n from kept'), []);
    assert.equal(again.appPassword, database.appPassword);
    await again.stop();
  });

  test('a second process uses the running PostgreSQL, and the last process that ends stops it', async () => {
    const dataDir = newDataDir();
    const server = await open(dataDir);
    const visitor = openInChild(dataDir);
    assert.deepEqual(await visitor.opened(), { startedHere: false, port: server.port, said: [] });
    await visitor.stop();
    assert.equal(runs(dataDir), true, 'a visitor leaves it running');

    const stayer = openInChild(dataDir);
    await stayer.opened();
    await server.stop();
    assert.equal(runs(dataDir), true, 'the other process still uses it');
    await query(server.ownerUrl, 'select 1');
    await stayer.stop();
    assert.equal(runs(dataDir), false);
  });

  test('a second process that was killed does not keep PostgreSQL running', async () => {
    const dataDir = newDataDir();
    const server = await open(dataDir);
    const visitor = openInChild(dataDir);
    await visitor.opened();
    await visitor.kill();
    await server.stop();
    assert.equal(runs(dataDir), false);
    assert.deepEqual(readdirSync(join(dataDir, 'leases')), []);
  });

  test('of four simultaneous starts on a fresh directory exactly one makes and starts it', async () => {
    const dataDir = newDataDir();
    const processes = Array.from({ length: 4 }, () => openInChild(dataDir));
    const results = await Promise.all(processes.map((each) => each.opened()));
    assert.equal(results.filter((result) => result.startedHere).length, 1);
    assert.equal(
      results.flatMap((result) => result.said).length,
      1,
      'one of them said that it makes a database',
    );
    assert.equal(new Set(results.map((result) => result.port)).size, 1);
    await Promise.all(processes.map((each) => each.stop()));
    assert.equal(runs(dataDir), false);
  });

  test('one process may open the directory twice', async () => {
    const dataDir = newDataDir();
    const [first, second] = await Promise.all([open(dataDir), open(dataDir)]);
    assert.equal(first.port, second.port);
    await first.stop();
    await query(second.ownerUrl, 'select 1');
    await second.stop();
    assert.equal(runs(dataDir), false);
  });

  test('the PostgreSQL of a killed server is adopted', async () => {
    const dataDir = newDataDir();
    const server = openInChild(dataDir);
    const { port } = await server.opened();
    const orphan = postmasterPid(dataDir);
    await server.kill();
    assert.equal(runs(dataDir), true, 'it outlives its server');
    const said: string[] = [];
    const database = await open(dataDir, said);
    assert.equal(database.startedHere, false);
    assert.equal(database.port, port);
    assert.equal(postmasterPid(dataDir), orphan);
    assert.match(said.join(), /without its server/);
    await database.stop();
    assert.equal(runs(dataDir), false, 'who adopts it stops it');
  });

  test('an orphan that does not answer is replaced, and committed data is still there', async () => {
    const dataDir = newDataDir();
    const server = openInChild(dataDir);
    await server.opened();
    const before = JSON.parse(readFileSync(join(dataDir, 'postgres-credentials.json'), 'utf8'));
    const orphan = readPostmaster(join(dataDir, 'postgres'));
    assert.ok(orphan);
    const url = `postgresql://example_owner:${before.ownerPassword}@127.0.0.1:${orphan.port}/example`;
    await query(url, 'create table kept as select 1 as n');
    await server.kill();
    process.kill(orphan.pid, 'SIGSTOP');
    const database = await open(dataDir);
    assert.equal(database.startedHere, true);
    assert.notEqual(postmasterPid(dataDir), orphan.pid);
    assert.deepEqual(await query(database.ownerUrl, 'select n from kept'), [{ n: 1 }]);
    await database.stop();
  });

  test('a PostgreSQL that crashed comes back on its port with what was committed', async () => {
    const dataDir = newDataDir();
    const first = await open(dataDir);
    await query(first.ownerUrl, 'create table kept as select 1 as n');
    process.kill(postmasterPid(dataDir), 'SIGKILL');
    const second = await open(dataDir);
    assert.equal(second.startedHere, true);
    assert.equal(second.port, first.port, 'so that those who were connected find it again');
    assert.deepEqual(await query(first.ownerUrl, 'select n from kept'), [{ n: 1 }]);
    await second.stop();
    assert.equal(runs(dataDir), true);
    await first.stop();
    assert.equal(runs(dataDir), false);
  });

  test('a postmaster.pid that names another program, or nothing, does not stop the start', async () => {
    const dataDir = newDataDir();
    await (await open(dataDir)).stop();
    const file = join(dataDir, 'postgres', 'postmaster.pid');
    for (const content of [
      `${process.pid}\n/elsewhere\n1\n1\n\n127.0.0.1\n\nready\n`,
      '4194399\n/elsewhere\n',
      '',
    ]) {
      writeFileSync(file, content);
      const database = await open(dataDir);
      assert.equal(database.startedHere, true);
      await query(database.ownerUrl, 'select 1');
      await database.stop();
    }
  });

  test('a copy of a running directory gets its own PostgreSQL', async () => {
    const dataDir = newDataDir();
    const original = await open(dataDir);
    const copyDir = newDataDir();
    mkdirSync(copyDir);
    chmodSync(copyDir, 0o711);
    await query(original.ownerUrl, 'checkpoint');
    cpSync(dataDir, copyDir, { recursive: true });
    const copy = await open(copyDir);
    assert.equal(copy.startedHere, true);
    assert.notEqual(copy.port, original.port);
    await copy.stop();
    await query(original.ownerUrl, 'select 1');
    await original.stop();
  });

  test('an initdb that was interrupted is done again', async () => {
    const dataDir = newDataDir();
    const server = openInChild(dataDir);
    const incomplete = () =>
      existsSync(dataDir) && readdirSync(dataDir).some((entry) => entry.startsWith('postgres.incomplete-'));
    await until(incomplete);
    // The process that is stopped cannot complete it.
    server.child.kill('SIGSTOP');
    await sleep(30);
    await server.kill();
    assert.equal(existsSync(join(dataDir, 'postgres')), false, 'killed before it was complete');
    const database = await open(dataDir);
    assert.equal(database.startedHere, true);
    await query(database.ownerUrl, 'select 1');
    await database.stop();
    await sleep(300);
    await (await open(dataDir)).stop();
    assert.deepEqual(readdirSync(dataDir).sort(), [
      'leases',
      'postgres',
      'postgres-credentials.json',
      'postgres.lock',
      'postgres.log',
    ]);
  });

  test('Ctrl-C in the terminal reaches the server, not PostgreSQL', async () => {
    const dataDir = newDataDir();
    const server = openInChild(dataDir, { detached: true });
    await server.opened();
    const pid = postmasterPid(dataDir);
    assert.ok(server.child.pid);
    process.kill(-server.child.pid, 'SIGINT');
    assert.deepEqual(await server.nextLine(), { interrupted: true });
    await sleep(300);
    assert.equal(runs(dataDir), true);
    assert.equal(postmasterPid(dataDir), pid);
    await server.stop();
    assert.equal(runs(dataDir), false);
  });

  test('data of another major version is refused by name, and left alone', async () => {
    const dataDir = newDataDir();
    await (await open(dataDir)).stop();
    writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '14\n');
    await assert.rejects(open(dataDir), (error) => {
      assert.ok(error instanceof EmbeddedPostgresError);
      assert.equal(error.code, 'other_version');
      assert.match(error.message, /made by PostgreSQL 14.*PostgreSQL 18/);
      return true;
    });
    assert.ok(existsSync(join(dataDir, 'postgres', 'base')));
  });

  test('a directory with other things in it is refused, and left alone', async () => {
    const dataDir = newDataDir();
    mkdirSync(join(dataDir, 'postgres'), { recursive: true });
    writeFileSync(join(dataDir, 'postgres', 'thesis.txt'), 'my only copy');
    await assert.rejects(open(dataDir), {
      code: 'data_dir_unusable',
      message: /is not empty and holds no PostgreSQL data/,
    });
    assert.equal(readFileSync(join(dataDir, 'postgres', 'thesis.txt'), 'utf8'), 'my only copy');
  });

  test('lost passwords are reported, and not replaced in a finished cluster', async () => {
    const dataDir = newDataDir();
    await (await open(dataDir)).stop();
    unlinkSync(join(dataDir, 'postgres-credentials.json'));
    await assert.rejects(open(dataDir), {
      code: 'credentials',
      message: /postgres-credentials\.json is missing/,
    });
    assert.equal(existsSync(join(dataDir, 'postgres-credentials.json')), false);
  });

  test('a start that PostgreSQL refuses shows the end of its log', async () => {
    const dataDir = newDataDir();
    await (await open(dataDir)).stop();
    const local = join(dataDir, 'postgres', 'example-local.conf');
    writeFileSync(local, 'shared_buffers = nonsense\n');
    await assert.rejects(open(dataDir), {
      code: 'failed',
      message: /postgres\.log:[\s\S]*nonsense[\s\S]*\nAsk for help\.$/,
    });
    writeFileSync(local, "work_mem = '32MB'\n");
    const database = await open(dataDir);
    assert.deepEqual(await query(database.ownerUrl, 'show work_mem'), [{ work_mem: '32MB' }]);
    await database.stop();
  });

  test('a log or a lock that leads to another file is refused, and that file is left alone', async () => {
    const dataDir = newDataDir();
    await (await open(dataDir)).stop();
    const other = join(dirname(dataDir), 'other');
    writeFileSync(other, 'untouched', { mode: 0o644 });
    for (const name of ['postgres.log', 'postgres.lock']) {
      const file = join(dataDir, name);
      rmSync(file, { force: true });
      symlinkSync(other, file);
      await assert.rejects(open(dataDir), { code: 'data_dir_unusable', message: /is a symbolic link/ });
      assert.equal(readFileSync(other, 'utf8'), 'untouched');
      assert.equal(statSync(other).mode & 0o777, 0o644);
      rmSync(file);
    }
    await (await open(dataDir)).stop();
  });

  test('a data directory that cannot be created is refused with the reason', async () => {
    const root = dirname(newDataDir());
    writeFileSync(join(root, 'file'), '');
    await assert.rejects(open(join(root, 'file', 'data')), {
      code: 'data_dir_unusable',
      message: /cannot be used by .* Set DATA\.$/,
    });
  });

  test('a data directory without write permission is refused with the reason', {
    skip: isRoot && 'root can write anywhere',
  }, async () => {
    const root = dirname(newDataDir());
    chmodSync(root, 0o500);
    await assert.rejects(open(join(root, 'data')), {
      code: 'data_dir_unusable',
      message: /cannot be used by .* Set DATA\.$/,
    });
    chmodSync(root, 0o700);
  });

  test('as root PostgreSQL runs as its own user', { skip: !isRoot && 'only for root' }, async () => {
    const dataDir = newDataDir();
    const database = await open(dataDir);
    assert.notEqual(statSync(join(dataDir, 'postgres')).uid, 0);
    assert.notEqual(statSync(join(dataDir, 'postgres', 'postmaster.pid')).uid, 0);
    assert.equal(statSync(join(dataDir, 'postgres-credentials.json')).uid, 0);
    await database.stop();
  });

  test('as root a directory that its user cannot reach is named', {
    skip: !isRoot && 'only for root',
  }, async () => {
    const dataDir = newDataDir();
    const root = dirname(dataDir);
    const user = chooseRunUser(dataDir, join(dataDir, 'postgres'));
    assert.ok(user);
    chmodSync(root, 0o700);
    await assert.rejects(open(dataDir), (error) => {
      assert.ok(error instanceof EmbeddedPostgresError);
      for (const part of [dataDir, `may not enter ${root}`, `"${user.name}"`, 'chmod', 'Set DATA.']) {
        assert.ok(error.message.includes(part), `${part} is in: ${error.message}`);
      }
      return true;
    });
    chmodSync(root, 0o711);
    await (await open(dataDir)).stop();
  });

  test('an invalid name for a role is refused', async () => {
    await assert.rejects(openPostgres({ dataDir: newDataDir(), name: 'my app' }), TypeError);
  });

  test('a PostgreSQL that is killed is started again on its port', async () => {
    const dataDir = newDataDir();
    const said: string[] = [];
    const database = await open(dataDir);
    const keeper = keepRunning(database, { dataDir, name, log: (message) => said.push(message) });
    const before = postmasterPid(dataDir);
    process.kill(before, 'SIGKILL');
    await until(() => runs(dataDir) && postmasterPid(dataDir) !== before);
    await keeper.stop();
    await query(database.ownerUrl, 'select 1');
    const messages = said.filter((message) => !message.includes('still starting'));
    assert.deepEqual(messages, ['PostgreSQL has ended: starting it anew']);
    await database.stop();
    assert.equal(runs(dataDir), false);
  });

  test('the example of the README runs as it is', async () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    const example = /^```ts\n(.*?)^```$/ms.exec(readme)?.[1];
    assert.ok(example);
    const dataDir = newDataDir();
    const child = spawn(
      process.execPath,
      ['--input-type=module-typescript', '-e', example.replace("'./data'", JSON.stringify(dataDir))],
      { cwd: new URL('..', import.meta.url), stdio: ['ignore', 'pipe', 'inherit'] },
    );
    children.push(child);
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    const code = await new Promise((resolve) => child.once('close', resolve));
    assert.equal(code, 0);
    assert.match(output, /^PostgreSQL 18\.\d+ at 127\.0\.0\.1:\d+\n$/);
    assert.ok(
      existsSync(join(dataDir, 'postgres', 'PG_VERSION')),
      'the example used the directory of the test',
    );
    assert.equal(runs(dataDir), false);
  });

  test('links and executable bits that an install without scripts leaves out are repaired', async () => {
    const { native, expected } = copyOfNative(newDataDir());
    assert.equal(repairNative(native), '');
    assert.equal(repairNative(native), '', 'and again, with nothing to do');
    for (const link of expected) assert.ok(existsSync(join(dirname(native), link)), link);
    assert.equal(statSync(join(native, 'bin', 'initdb')).mode & 0o111, 0o111);
  });

  test('programs that cannot be used where npm put them are copied once', {
    skip: !isRoot && 'only for root',
  }, async () => {
    const dataDir = newDataDir();
    mkdirSync(dataDir);
    chmodSync(dataDir, 0o711);
    const { native } = copyOfNative(newDataDir());
    chmodSync(dirname(native), 0o700);
    const user = chooseRunUser(dataDir, join(dataDir, 'postgres'));
    const found = { name: '@embedded-postgres/test', version: '0.0.1', native };
    const binaries = prepareBinaries(dataDir, user, found);
    assert.equal(binaries.postgres, join(dataDir, 'native', '0.0.1', 'bin', 'postgres'));
    assert.equal(binaries.major, '18');
    rmSync(native, { recursive: true });
    mkdirSync(native);
    assert.deepEqual(prepareBinaries(dataDir, user, found), binaries, 'the copy is used again');
  });
});

/** The package's folder in the state in which npm leaves it if it runs no scripts. */
function copyOfNative(to: string): { native: string; expected: string[] } {
  const dataDir = newDataDir();
  mkdirSync(dataDir);
  chmodSync(dataDir, 0o711);
  const { postgres } = prepareBinaries(dataDir, chooseRunUser(dataDir, join(dataDir, 'postgres')));
  const native = join(to, 'native');
  cpSync(dirname(dirname(postgres)), native, { recursive: true, verbatimSymlinks: true });
  const list = join(native, 'pg-symlinks.json');
  const links = existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as { target: string }[]) : [];
  for (const { target } of links) rmSync(join(to, target));
  for (const program of readdirSync(join(native, 'bin'))) chmodSync(join(native, 'bin', program), 0o644);
  return { native, expected: links.map((link) => link.target) };
}

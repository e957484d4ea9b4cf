/**
 * `merlond backup` and `restore`: a whole install as one file; `merlond workspace export` and `import`: one workspace.
 */
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { writeWhole } from '@merlon/terminal';
import type { Command } from 'commander';
import type { Piece } from '../backup/pieces.ts';
import type { Restored, RestoreProgress } from '../backup/write-rows.ts';
import type { Config } from '../config.ts';
import { unbindSecret } from '../db/bound-secret.ts';
import { importTx, openDatabase } from '../db/database.ts';
import { installSecret, loadInstallSecret } from '../db/install-secret.ts';
import { type PreparedDatabase, prepareDatabase, secretFileOf } from '../db/prepare-database.ts';
import { invalidInput } from '../domain/errors.ts';
import type { TenantId } from '../domain/ids.ts';
import type { Sentence } from '../domain/sentence.ts';
import { openQueue, sendImportJob, sendPolicyJob } from '../jobs/queue.ts';
import { CommandError } from './command-error.ts';
import { everyTwoSeconds } from './every-two-seconds.ts';
import { printJson, say } from './output.ts';
import { readConfig, readConfigOfInstall } from './read-config.ts';
import { ownerUrlOf } from './with-database.ts';

export function addBackupCommands(program: Command): void {
  program
    .command('backup <file>')
    .description('Write the whole install to a file, while it is in use; - is standard output')
    .option(
      '--include-secret',
      'include the secret of the install; anyone who has the file then has all its keys',
    )
    .option('--recipient <key>', 'encrypt for this public key of age (age1…)')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  merlond backup merlon.backup --recipient age1…\nMore: docs/backup.md',
    )
    .action(async (file: string, options: WriteOptions & { includeSecret?: true }) => {
      await writeBackup(file, options, async (read, secretFile) => {
        const { readInstall } = await import('../backup/backup.ts');
        return readInstall({ ...read, secret: options.includeSecret ? await readFile(secretFile) : null });
      });
      if (options.includeSecret && options.recipient === undefined) {
        say(
          'The secret is in it, and it is not encrypted: everybody who has this file has all keys of the install.',
        );
      }
      if (!options.includeSecret) {
        say(`The secret is not in it. Keep a copy of ${secretFileOf(readConfig())} elsewhere.`);
      }
    });
  program
    .command('restore <file>')
    .description('Fill an empty database from a backup; - is standard input')
    .option('--identity <file>', 'the secret key of age (AGE-SECRET-KEY-1…), for an encrypted backup')
    .option('--another-secret', 'accept that the secret differs from that of the backup')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  MERLON_DATA_DIR=new merlond restore merlon.backup --identity key.txt\nMore: docs/backup.md',
    )
    .action(async (file: string, options: ReadOptions) => {
      const { tenantIds: _, ...restored } = await readBackup(file, options, restoreAdvice, async (from) => {
        const { restoreInstall } = await import('../backup/restore.ts');
        return restoreInstall(ownerUrlOf(from, 'to restore into a server'), from.pieces, from.progress);
      });
      if (options.json) printJson(restored);
      else {
        say(
          `restored ${restored.rows} rows of ${restored.workspaces} workspaces, as of ${restored.createdAt}, in ${restored.seconds} seconds`,
        );
      }
    });
}

export function addWorkspaceFileCommands(workspace: Command): void {
  workspace
    .command('export <slug> <file>')
    .description('Write one workspace to a file, for another install; - is standard output')
    .option('--recipient <key>', 'encrypt for this public key of age (age1…)')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  merlond workspace export acme acme.workspace\nMore: docs/backup.md')
    .action(async (slug: string, file: string, options: WriteOptions) => {
      await writeBackup(file, options, async (read) => {
        const { readWorkspace } = await import('../backup/backup.ts');
        return readWorkspace(slug, read);
      });
    });
  workspace
    .command('import <file>')
    .description('Add the workspace of a file to this install, while it is in use; - is standard input')
    .option('--slug <slug>', 'another slug than the one in the file')
    .option('--identity <file>', 'the secret key of age (AGE-SECRET-KEY-1…), for an encrypted file')
    .option('--another-secret', 'accept that the secret differs from that of the source install')
    .option('--json', 'print JSON')
    .addHelpText('after', '\nExample:\n  merlond workspace import acme.workspace\nMore: docs/backup.md')
    .action(async (file: string, options: ReadOptions & { slug?: string }) => {
      const imported = await readBackup(file, options, importAdvice, async ({ appUrl, pieces, progress }) => {
        const { importWorkspace } = await import('../backup/import-workspace.ts');
        return importWorkspace(appUrl, options.slug ?? null, pieces, progress);
      });
      const { slug, rows, createdAt, seconds } = imported;
      if (options.json) printJson({ slug, rows, createdAt, seconds });
      else say(`workspace ${slug}: ${rows} rows, as of ${createdAt}, in ${seconds} seconds`);
    });
}

interface WriteOptions {
  recipient?: string;
  json?: true;
}

interface ReadOptions {
  identity?: string;
  anotherSecret?: true;
  json?: true;
}

const restoreAdvice =
  'Put the secret of the backup there. With --another-secret, cursors end, waiting reports are lost, and secrets that are found again count as new.';
const importAdvice =
  'Give --another-secret: waiting and kept reports of the file cannot be read here, and secrets that are found again count as new. Do not change the secret of this install.';

type Reading = Parameters<typeof import('../backup/backup.ts').readWorkspace>[1];

/** Writes the pieces of `read` to a file. The file is then complete, or does not exist. */
async function writeBackup(
  file: string,
  options: WriteOptions,
  read: (reading: Reading, secretFile: string) => Promise<Pieces>,
): Promise<void> {
  const config = readConfigOfInstall();
  if (file !== '-' && existsSync(file))
    throw new CommandError(`The file ${file} already exists: remove it, or name another file.`);
  const startedAt = performance.now();
  const { packed } = await import('../backup/backup-file.ts');
  const { writePieces } = await import('../backup/pieces.ts');
  const prepared = await prepareDatabase(config, say);
  try {
    const secretFile = secretFileOf(config);
    const throttled = everyTwoSeconds();
    let rows = 0;
    const reading: Reading = {
      url: prepared.ownerUrl ?? prepared.appUrl,
      secretFingerprint: (await loadInstallSecret(secretFile, false)).fingerprint,
      progress: (at) => {
        rows = at.rows;
        throttled(() =>
          say(`workspace ${at.workspace} of ${at.workspaces}, ${at.table}: ${rows} rows so far`),
        );
      },
    };
    const content = await packed(writePieces(await read(reading, secretFile)), options.recipient ?? null);
    await (file === '-'
      ? pipeline(content, process.stdout)
      : writeWhole(file, (path, flags) =>
          pipeline(content, createWriteStream(path, { flags, mode: 0o600, flush: true })),
        ));
    const seconds = secondsSince(startedAt);
    if (options.json && file !== '-') printJson({ file, rows, seconds });
    else say(`${rows} rows in ${seconds} seconds`);
  } finally {
    await prepared.close();
  }
}

interface From extends PreparedDatabase {
  pieces: Pieces;
  progress: (at: RestoreProgress) => void;
}

/** Opens a backup, checks the secret, lets `write` insert the rows, and sends waiting jobs to the queue. */
async function readBackup<R extends Restored>(
  file: string,
  { identity, anotherSecret }: ReadOptions,
  secretAdvice: Sentence,
  write: (from: From) => Promise<R>,
): Promise<R & { workspaces: number; seconds: number }> {
  const config = readConfig();
  const startedAt = performance.now();
  const { unpacked } = await import('../backup/backup-file.ts');
  const { damaged, readPieces } = await import('../backup/pieces.ts');
  const key = identity === undefined ? null : await readIdentity(identity);
  const source = file === '-' ? process.stdin : createReadStream(file);
  let undo = async (): Promise<void> => {};
  let close = async (): Promise<void> => {};
  try {
    const pieces: Pieces = readPieces(unpacked(source, key));
    const { value: first } = await pieces.next();
    if (first?.head.kind !== 'merlon-backup') throw damaged('it does not begin as one');
    const { value: second } = await pieces.next();
    const secretFile = secretFileOf(config);
    const { workspace, secretFingerprint } = first.head;
    // Only a backup of a whole install contains a secret, because the target becomes that install.
    const made =
      second?.head.kind === 'secret' &&
      workspace === null &&
      fingerprintOf(second.bytes.toString('utf8')) === secretFingerprint &&
      (await putSecret(secretFile, second.bytes));
    if (made) undo = () => rm(secretFile, { force: true });
    // The start of an embedded database would create another secret.
    if (!anotherSecret) await checkSecret(secretFile, secretFingerprint, secretAdvice);
    const prepared = await prepareDatabase(config, say);
    ({ close } = prepared);
    if (made && prepared.isNewlyBound) {
      // If the file alone were removed, the empty database would still belong to its secret, and refuse every other
      // one.
      undo = async () => {
        await unbind(prepared.appUrl, secretFingerprint);
        await rm(secretFile, { force: true });
      };
    }
    const throttled = everyTwoSeconds();
    const restored = await write({
      ...prepared,
      pieces: rejoined([first, second], pieces),
      progress: (at) =>
        throttled(() => say(`workspace ${at.workspaces}, ${at.table}: ${at.rows} rows so far`)),
    });
    undo = async () => {};
    await sendJobs(config, prepared.appUrl, restored.tenantIds as TenantId[]);
    return { ...restored, workspaces: restored.tenantIds.length, seconds: secondsSince(startedAt) };
  } catch (error) {
    await undo().catch((failure: Error) => say(`The secret of the backup stays: ${failure.message}`));
    throw error;
  } finally {
    await close();
    source.destroy();
  }
}

type Pieces = AsyncGenerator<Piece>;

async function* rejoined(read: Awaited<ReturnType<Pieces['next']>>['value'][], rest: Pieces): Pieces {
  for (const piece of read) if (piece) yield piece;
  yield* rest;
}

/** Keeps an existing secret and then returns false, because it may be that of another install. */
async function putSecret(path: string, content: Buffer): Promise<boolean> {
  await mkdir(dirname(path), { recursive: true });
  return writeFile(path, content, { mode: 0o600, flag: 'wx' }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
      return false;
    },
  );
}

async function unbind(appUrl: string, fingerprint: string): Promise<void> {
  const db = openDatabase(appUrl, { commitSteps: [], maxConnections: 1 });
  try {
    await unbindSecret(db.pool, fingerprint);
  } finally {
    await db.close();
  }
}

const fingerprintOf = (text: string): string => installSecret(Buffer.from(text.trim(), 'hex')).fingerprint;

async function checkSecret(path: string, fingerprint: string, advice: Sentence): Promise<void> {
  const text = await readFile(path, 'utf8').catch(() => null);
  const found = text === null ? null : fingerprintOf(text);
  if (found === fingerprint) return;
  throw new CommandError(
    `The file ${path} ${found === null ? 'is missing' : 'holds another secret than that of the backup'}. ${advice}`,
  );
}

/** Sends the jobs that waited when the backup was made, because a backup does not contain the queue. */
async function sendJobs(config: Config, appUrl: string, tenantIds: TenantId[]): Promise<void> {
  const { connectDatabase } = await import('../open.ts');
  const { db } = await connectDatabase(config, appUrl);
  try {
    const boss = await openQueue(db, { supervise: false });
    for (const tenantId of tenantIds) {
      await importTx(db, tenantId, async (tx) => {
        await sendImportJob(boss, tx, false);
        await sendPolicyJob(boss, tx);
      });
    }
    await boss.stop({ graceful: false });
  } finally {
    await db.close();
  }
}

async function readIdentity(file: string): Promise<string> {
  const key = /^AGE-SECRET-KEY-\S+/m.exec(await readFile(file, 'utf8'))?.[0];
  if (key === undefined) throw invalidInput(`The file ${file} has no secret key of age.`, 'identity');
  return key;
}

function secondsSince(startedAt: number): number {
  return Math.round((performance.now() - startedAt) / 100) / 10;
}

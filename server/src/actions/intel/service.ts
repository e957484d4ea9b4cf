/**
 * Imports the feeds from files that a person has downloaded. Each file is imported completely or not at all, and both
 * in one transaction. It uses no network. It also returns the loaded releases and their times.
 */

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { type Database, type InstallTx, installTx, switchTenant } from '../../db/database.ts';
import { conflictingInput, invalidInput } from '../../domain/errors.ts';
import { readPath } from '../../domain/named-path.ts';
import { isLaterThanTomorrow } from '../../domain/time.ts';
import { marksOf } from '../../policies/definition/ages.ts';
import { listPolicies } from '../../policies/definition/store.ts';
import { noteChangedCves } from './changed-cves.ts';
import { readEpss } from './epss.ts';
import { notKev, parseKev } from './kev.ts';
import {
  deleteEpss,
  type FeedName,
  type FeedRow,
  insertChanges,
  insertEpss,
  type KevDifference,
  keepEpss,
  listCrossed,
  listFeeds,
  listTenantIds,
  loadedScores,
  lockFeeds,
  replaceKev,
  upsertFeed,
} from './store.ts';

export interface IntelFiles {
  /** Paths of the files. Null leaves the feed unchanged. */
  kev: string | null;
  epss: string | null;
  /**
   * If true, it also accepts a release that is older than the loaded one, has a date in the future, or has lost
   * entries.
   */
  force: boolean;
}

export interface IntelImport {
  /** Null if no file was given, or if the file is already loaded. */
  kev: KevDifference | null;
  epss: { rows: number } | null;
}

// The catalogue has about one megabyte and is parsed as a whole, so a much larger file is not KEV.
const maxKevBytes = 64 * 1024 * 1024;
// A file with less than this share of the loaded entries may be incomplete. CISA removes a few entries of the catalogue
// in a year. Hardly any score is ever removed, and the last hundredth of the file has the newest CVEs.
const leastShare = { kev: 0.9, epss: 0.99 };

/** Imports the files. Throws DomainError with the name of a file that is refused; then nothing has changed. */
export async function importIntel(db: Database, files: IntelFiles, now: Date): Promise<IntelImport> {
  return installTx(db, async (tx) => {
    await lockFeeds(tx);
    const loaded = new Map((await listFeeds(tx)).map((feed) => [feed.name, feed]));
    const { force } = files;
    const epss = await named(files.epss, (path) => importEpss(tx, path, loaded.get('epss'), force, now));
    const kev = await named(files.kev, (path) => importKev(tx, path, loaded.get('kev'), force, now));
    if (epss) await askEpssPolicies(tx);
    await insertChanges(tx, [
      ...(kev === null ? [] : [...kev.added, ...kev.removed, ...kev.updated]),
      ...(epss === null ? [] : [loadedScores]),
    ]);
    return { kev, epss };
  });
}

// Scores change every day, and few policies use them. So only CVEs whose score passes a mark of a policy are evaluated
// again.
async function askEpssPolicies(installTx: InstallTx): Promise<void> {
  const crossed = new Map<string, string[]>();
  for (const id of await listTenantIds(installTx)) {
    const tx = switchTenant(installTx, id);
    const marks = marksOf(await listPolicies(tx), 'epss_score');
    if (marks.length === 0) continue;
    // Most workspaces have the same policies.
    const key = marks.join();
    const cves = crossed.get(key) ?? (await listCrossed(tx, marks));
    crossed.set(key, cves);
    await noteChangedCves(tx, cves, ['epss_score']);
  }
}

async function named<T>(path: string | null, work: (path: string) => Promise<T>): Promise<T | null> {
  if (path === null) return null;
  return readPath(path, async () => {
    // The file is read twice, which a pipe does not allow.
    if (!(await stat(path)).isFile()) throw conflictingInput('It is not a file.');
    return work(path).catch((error: NodeJS.ErrnoException) => {
      if (!error.code?.startsWith('Z_')) throw error;
      throw invalidInput('The gzip data is cut off or damaged.');
    });
  });
}

async function importKev(
  tx: InstallTx,
  path: string,
  loaded: FeedRow | undefined,
  force: boolean,
  now: Date,
): Promise<KevDifference | null> {
  if ((await stat(path)).size > maxKevBytes) throw notKev('it is too large');
  const sha256 = await digestOf(path);
  if (sha256 === loaded?.sha256 && !force) return null;
  const { version, publishedAt, entries } = parseKev(await readFile(path, 'utf8'));
  checkAge(publishedAt, loaded, force, now);
  checkSize(entries.length, loaded, force, leastShare.kev);
  const difference = await replaceKev(tx, entries);
  const rows = entries.length;
  await upsertFeed(tx, { name: 'kev', version, published_at: publishedAt, rows, sha256, imported_at: now });
  return difference;
}

async function importEpss(
  tx: InstallTx,
  path: string,
  loaded: FeedRow | undefined,
  force: boolean,
  now: Date,
): Promise<{ rows: number } | null> {
  const sha256 = await digestOf(path);
  if (sha256 === loaded?.sha256 && !force) return null;
  const file = await readEpss(await inflated(path));
  checkAge(file.publishedAt, loaded, force, now);
  await keepEpss(tx);
  await deleteEpss(tx);
  let rows = 0;
  for await (const batch of file.rows) {
    await insertEpss(tx, batch);
    rows += batch.length;
  }
  checkSize(rows, loaded, force, leastShare.epss);
  const { version, publishedAt } = file;
  await upsertFeed(tx, { name: 'epss', version, published_at: publishedAt, rows, sha256, imported_at: now });
  return { rows };
}

function checkAge(publishedAt: Date, loaded: FeedRow | undefined, force: boolean, now: Date): void {
  if (force) return;
  // A date of next year would make every release until then an older one.
  if (isLaterThanTomorrow(publishedAt, now)) {
    const ahead = publishedAt.toISOString();
    throw conflictingInput(`Its date, ${ahead}, is later than tomorrow. Use --force to load it.`);
  }
  if (!loaded || publishedAt >= loaded.published_at) return;
  const [ours, theirs] = [loaded.published_at, publishedAt].map((date) => date.toISOString());
  throw conflictingInput(
    `Its date, ${theirs}, is before that of the loaded one, ${ours}. Use --force to load it.`,
  );
}

function checkSize(rows: number, loaded: FeedRow | undefined, force: boolean, share: number): void {
  if (rows === 0) throw invalidInput('It has no entries.');
  if (force || !loaded || rows >= loaded.rows * share) return;
  throw conflictingInput(
    `It has ${rows} entries, and the loaded one has ${loaded.rows}, so it may be incomplete. Use --force to load it.`,
  );
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Uint8Array);
  return hash.digest('hex');
}

async function inflated(path: string): Promise<AsyncIterable<Uint8Array>> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
    const isGzip = bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
    if (!isGzip) return createReadStream(path);
    // The pipeline passes the error of either stream to the reader.
    return pipeline(createReadStream(path), createGunzip(), () => {});
  } finally {
    await file.close();
  }
}

export interface Feed {
  version: string;
  published_at: Date;
  imported_at: Date;
  entries: number;
}

/** Returns null for a feed that was never imported. */
export async function getFeeds(db: Database): Promise<Record<FeedName, Feed | null>> {
  const feeds = await installTx(db, (tx) => listFeeds(tx));
  const of = (name: FeedName): Feed | null => {
    const feed = feeds.find((row) => row.name === name);
    if (!feed) return null;
    const { version, published_at, imported_at, rows } = feed;
    return { version, published_at, imported_at, entries: rows };
  };
  return { kev: of('kev'), epss: of('epss'), osv: of('osv'), ssvc: of('ssvc') };
}

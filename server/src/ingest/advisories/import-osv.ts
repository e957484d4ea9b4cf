/**
 * Imports advisories of OSV from files that a person has downloaded. Records that are loaded already are left alone,
 * so that an import again costs what has changed. The files are taken as a whole or not at all, and no network is used.
 */

import { createHash } from 'node:crypto';
import { listFeeds, lockFeeds, upsertFeed } from '../../actions/intel/store.ts';
import {
  allowLongStatements,
  type Database,
  type InstallTx,
  installTx,
  switchTenant,
} from '../../db/database.ts';
import { conflictingInput, invalidInput } from '../../domain/errors.ts';
import { readPath } from '../../domain/named-path.ts';
import { isLaterThanTomorrow } from '../../domain/time.ts';
import { osvFiles } from './osv-files.ts';
import { type OsvRecord, readOsvRecord } from './osv-record.ts';
import {
  collectChangedPackages,
  countAdvisories,
  findAdvisories,
  listMatchingTenants,
  lockMatching,
  markChangedPackages,
  replaceAdvisories,
  replaceEcosystems,
} from './osv-store.ts';

export interface OsvImport {
  /** Numbers of records. */
  added: number;
  updated: number;
  unchanged: number;
  /** The loaded record is newer, or it alone has a time of change. */
  older: number;
  withdrawn: number;
  /** Packages in records that are not matched (`OsvRecord.skipped`). */
  skippedPackages: number;
  /** Records by ecosystem. */
  ecosystems: Record<string, number>;
  /** Packages in use whose advisories have changed, in all workspaces. */
  packagesToMatch: number;
  /** Files that are no record. */
  unreadable: NamedFiles;
  /** Records that are left out, because it is not clear whether they are withdrawn or which versions they affect. */
  unclear: NamedFiles;
}

interface CountsOfArchive {
  taken: number;
  unclear: number;
  unreadable: number;
}

interface NamedFiles {
  count: number;
  first: string[];
}

// A statement carries some megabytes at most.
const maxBatchRecords = 500;
const maxBatchBytes = 4 * 1024 * 1024;
const namedFiles = 5;
// The archives of OSV have no file that is no record, and few unclear ones. One that has more than this share of them
// may be damaged, or of a form that is not known.
const mostLeftOut = 0.01;
const fewUnclear = 5;

/**
 * Imports the files. `force` also takes a record that is older than the loaded one, and an archive with many files that
 * are no records. Throws DomainError with the name of a path that is refused; then nothing has changed.
 */
export async function importOsv(
  db: Database,
  { paths, force }: { paths: string[]; force: boolean },
  now: Date,
): Promise<OsvImport> {
  return installTx(db, async (tx) => {
    await allowLongStatements(tx);
    await lockFeeds(tx);
    await collectChangedPackages(tx);
    const importer = new OsvImporter(tx, force, now);
    for (const path of paths) await readPath(path, () => importer.take(path));
    await importer.flush();
    const { result } = importer;
    const { loaded, newest } = await countAdvisories(tx);
    if (result.added + result.updated > 0) {
      await replaceEcosystems(tx);
      await lockMatching(tx);
      for (const id of await listMatchingTenants(tx)) {
        result.packagesToMatch += await markChangedPackages(switchTenant(tx, id), now);
      }
    }
    await recordFeed(tx, importer, { loaded, newest }, now);
    return result;
  });
}

class OsvImporter {
  readonly result: OsvImport = {
    added: 0,
    updated: 0,
    unchanged: 0,
    older: 0,
    withdrawn: 0,
    skippedPackages: 0,
    ecosystems: {},
    packagesToMatch: 0,
    unreadable: { count: 0, first: [] },
    unclear: { count: 0, first: [] },
  };
  /** The newest time in a record. */
  newestAt: Date | null = null;
  readonly digest = createHash('sha256');

  readonly #tx: InstallTx;
  readonly #force: boolean;
  readonly #now: Date;
  #waiting = new Map<string, OsvRecord>();
  #bytes = 0;

  constructor(tx: InstallTx, force: boolean, now: Date) {
    this.#tx = tx;
    this.#force = force;
    this.#now = now;
  }

  async take(path: string): Promise<void> {
    let records = 0;
    const archives = new Map<string, CountsOfArchive>();
    for await (const { name, archive, bytes } of osvFiles(path)) {
      const ofArchive = archives.get(archive ?? '') ?? { taken: 0, unclear: 0, unreadable: 0 };
      if (archive !== null) archives.set(archive, ofArchive);
      const record = bytes === null ? null : readOsvRecord(bytes, this.#now);
      if (bytes === null || record === null) {
        ofArchive.unreadable++;
        noteFile(this.result.unreadable, name);
        continue;
      }
      records++;
      if (record === 'unclear') {
        ofArchive.unclear++;
        noteFile(this.result.unclear, name);
        continue;
      }
      ofArchive.taken++;
      this.digest.update(record.digest);
      // One record may be in several files of an import; the statement can write it once only.
      if (this.#waiting.has(record.id)) await this.flush();
      this.#waiting.set(record.id, record);
      this.#bytes += bytes.length;
      if (this.#waiting.size >= maxBatchRecords || this.#bytes >= maxBatchBytes) await this.flush();
    }
    if (records === 0) throw invalidInput('It has no OSV record. Give the all.zip of an ecosystem.');
    for (const [name, counts] of archives) this.#checkArchive(name, counts);
  }

  #checkArchive(name: string, { taken, unclear, unreadable }: CountsOfArchive): void {
    const files = taken + unclear + unreadable;
    if (taken === 0) throw invalidInput(`The ZIP archive ${name} has no OSV record that can be loaded.`);
    if (this.#force) return;
    if (unreadable > files * mostLeftOut) {
      throw conflictingInput(
        `In the ZIP archive ${name}, ${unreadable} of ${files} files are no records, so it may be damaged. Use --force to load it.`,
      );
    }
    if (unclear > Math.max(fewUnclear, files * mostLeftOut)) {
      throw conflictingInput(
        `In the ZIP archive ${name}, ${unclear} of ${files} records do not say clearly whether they are withdrawn or which versions they affect. Use --force to load the others.`,
      );
    }
  }

  async flush(): Promise<void> {
    const records = [...this.#waiting.values()];
    this.#waiting = new Map();
    this.#bytes = 0;
    if (records.length === 0) return;
    const known = await findAdvisories(
      this.#tx,
      records.map(({ id }) => id),
    );
    const { result } = this;
    const written = records.filter((record) => {
      this.#note(record);
      const before = known.get(record.id);
      if (before === undefined) {
        result.added++;
        return true;
      }
      if (before.digest === record.digest) {
        result.unchanged++;
        return false;
      }
      const { modifiedAt } = record;
      const loadedAt = before.modified_at;
      // A time later than tomorrow was loaded while the clock was wrong. It says nothing.
      const mayBeOlder =
        loadedAt !== null &&
        !isLaterThanTomorrow(loadedAt, this.#now) &&
        (modifiedAt === null || modifiedAt < loadedAt);
      if (mayBeOlder && !this.#force) {
        result.older++;
        return false;
      }
      result.updated++;
      return true;
    });
    if (written.length > 0) await replaceAdvisories(this.#tx, written);
  }

  #note({ withdrawnAt, skipped, ecosystems, modifiedAt, publishedAt }: OsvRecord): void {
    if (withdrawnAt !== null) this.result.withdrawn++;
    this.result.skippedPackages += skipped;
    for (const name of ecosystems) {
      this.result.ecosystems[name] = (this.result.ecosystems[name] ?? 0) + 1;
    }
    const latest = modifiedAt ?? publishedAt;
    if (latest !== null && (this.newestAt === null || latest > this.newestAt)) this.newestAt = latest;
  }
}

function noteFile(files: NamedFiles, name: string): void {
  files.count++;
  if (files.first.length < namedFiles) files.first.push(name);
}

/** The release of the advisories is the newest change of one, because their files name none. */
async function recordFeed(
  tx: InstallTx,
  importer: OsvImporter,
  { loaded, newest }: { loaded: number; newest: Date | null },
  now: Date,
): Promise<void> {
  const before = (await listFeeds(tx)).find(({ name }) => name === 'osv');
  const times = [importer.newestAt, newest, before?.published_at ?? null].flatMap((time) =>
    time === null || isLaterThanTomorrow(time, now) ? [] : [time.getTime()],
  );
  const publishedAt = times.length === 0 ? now : new Date(Math.max(...times));
  await upsertFeed(tx, {
    name: 'osv',
    version: publishedAt.toISOString().slice(0, 10),
    published_at: publishedAt,
    rows: loaded,
    sha256: importer.digest.digest('hex'),
    imported_at: now,
  });
}

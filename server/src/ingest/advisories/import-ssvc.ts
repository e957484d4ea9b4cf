/**
 * Imports CISA's assessments of CVEs (SSVC) from files that a person has downloaded: a folder, an archive, or single
 * CVE records. An assessment that is older than the loaded one is left out. All files are taken or none.
 */

import { createHash } from 'node:crypto';
import { noteChangedCves } from '../../actions/intel/changed-cves.ts';
import { listTenantIds, lockFeeds, upsertFeed } from '../../actions/intel/store.ts';
import {
  allowLongStatements,
  type Database,
  type InstallTx,
  installTx,
  switchTenant,
} from '../../db/database.ts';
import { invalidInput } from '../../domain/errors.ts';
import { readPath } from '../../domain/named-path.ts';
import { osvFiles } from './osv-files.ts';
import { readAssessment, type SsvcAssessment } from './ssvc-record.ts';
import { countAssessments, upsertAssessments } from './ssvc-store.ts';

export interface SsvcImport {
  /** CVE records with an assessment. */
  assessed: number;
  /** Assessments that were new or have changed. */
  written: number;
  /** CVE records without an assessment of CISA. */
  unassessed: number;
  unreadable: number;
}

// A statement carries a megabyte at most.
const batchSize = 5_000;

/** Throws DomainError with the name of a path that is refused; then nothing has changed. */
export async function importSsvc(
  db: Database,
  { paths, force }: { paths: string[]; force: boolean },
  now: Date,
): Promise<SsvcImport> {
  return installTx(db, async (tx) => {
    await allowLongStatements(tx);
    await lockFeeds(tx);
    const result: SsvcImport = { assessed: 0, written: 0, unassessed: 0, unreadable: 0 };
    const changed: string[] = [];
    const digest = createHash('sha256');
    let waiting = new Map<string, SsvcAssessment>();
    const flush = async (): Promise<void> => {
      const cves = await upsertAssessments(tx, [...waiting.values()], { force, now });
      waiting = new Map();
      for (const cve of cves) changed.push(cve);
    };
    for (const path of paths) {
      await readPath(path, async () => {
        const before = result.assessed + result.unassessed;
        for await (const { bytes } of osvFiles(path)) {
          const found = bytes === null ? null : readAssessment(bytes, now);
          if (bytes === null || found === null) result.unreadable++;
          else if (found === 'unassessed') result.unassessed++;
          else {
            result.assessed++;
            digest.update(bytes);
            const other = waiting.get(found.cve);
            if (force || other === undefined || other.assessedAt <= found.assessedAt) {
              waiting.set(found.cve, found);
            }
            if (waiting.size === batchSize) await flush();
          }
        }
        if (result.assessed + result.unassessed === before) {
          throw invalidInput('It has no CVE record. Give a copy of the repository cisagov/vulnrichment.');
        }
      });
    }
    await flush();
    result.written = changed.length;
    await recordFeed(tx, digest.digest('hex'), now);
    if (changed.length > 0) {
      for (const id of await listTenantIds(tx)) {
        await noteChangedCves(switchTenant(tx, id), changed, ['automatable', 'technical_impact']);
      }
    }
    return result;
  });
}

async function recordFeed(tx: InstallTx, sha256: string, now: Date): Promise<void> {
  const { count, newest: assessedAt } = await countAssessments(tx);
  const newest = assessedAt ?? now;
  const publishedAt = newest > now ? now : newest;
  await upsertFeed(tx, {
    name: 'ssvc',
    version: publishedAt.toISOString().slice(0, 10),
    published_at: publishedAt,
    rows: count,
    sha256,
    imported_at: now,
  });
}

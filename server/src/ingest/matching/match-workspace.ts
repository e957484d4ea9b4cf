/**
 * Matches what is due in a workspace: packages whose advisories have changed, and the references that have them. Each
 * transaction handles some hundred packages, or one reference, so that nobody waits for long.
 */
import { type ChangeTx, type Database, importTx, rehearse, tenantReadTx } from '../../db/database.ts';
import { formatId, newId, nilId, type ReferenceId, type TenantId } from '../../domain/ids.ts';
import { type ImportCounts, noCounts } from '../../domain/written-scan.ts';
import { isolateFailures, rethrow } from '../../inventory/repositories/isolate-failures.ts';
import { lockRepository, tryLockRepository } from '../../inventory/repositories/lock.ts';
import { listComparedWith } from '../../policies/verdict/compared-reference-store.ts';
import { holdAdvisories } from '../advisories/osv-store.ts';
import { mergePending } from '../import/late-aliases.ts';
import { retireSeries } from '../series/scan-series.ts';
import { matchReference } from './match-reference.ts';
import {
  findMatchSeries,
  hasMatchesDue,
  insertMatchScan,
  listReferencesToMatch,
  listReferencesWithPackages,
  listVersionsOfPackages,
  listVersionsOfReference,
  lockMatchedReference,
  markReferencesWith,
  matchTool,
  type ReferenceToMatch,
  takePackages,
  takeReference,
} from './match-store.ts';
import { learnAdvisoryNames } from './match-uploaded.ts';
import { matchVersions } from './match-versions.ts';
import { isMatching } from './setting.ts';

// A package has some ten versions and some ten advisories in use, so a transaction takes a moment.
const packagesAtOnce = 200;
const referencesAtOnce = 500;

export interface WorkspaceMatch {
  packages: number;
  references: number;
  counts: Pick<ImportCounts, 'new' | 'reopened' | 'fixed' | 'closing_held'>;
}

interface MatchOptions {
  /** False if the match should stop, and leave the rest due. */
  mayGoOn?: () => boolean;
  /** Receives the error of a reference, which stays due. If it is not given, the error ends the match. */
  failed?: (error: unknown) => void;
  /** Leaves repositories due that an import has locked, perhaps for minutes, in place of waiting for it. */
  skipsLocked?: boolean;
}

/** Matches all that is due. An error in one reference does not stop the others, unless the database is unavailable. */
export async function matchWorkspace(
  db: Database,
  tenantId: TenantId,
  now: () => Date,
  { mayGoOn = () => true, failed = rethrow, skipsLocked = false }: MatchOptions = {},
): Promise<WorkspaceMatch> {
  const done: WorkspaceMatch = {
    packages: 0,
    references: 0,
    counts: { new: 0, reopened: 0, fixed: 0, closing_held: 0 },
  };
  if (!(await tenantReadTx(db, tenantId, hasMatchesDue))) return done;
  while (mayGoOn()) {
    const { packages, advisoryIds } = await matchPackages(db, tenantId, now());
    // Names come before the findings that they join. A short transaction of its own keeps imports from waiting.
    await importTx(db, tenantId, (tx) =>
      learnAdvisoryNames(tx, advisoryIds, { id: null, repository_id: nilId }),
    );
    done.packages += packages;
    if (packages === 0) break;
  }
  for (let afterId: ReferenceId | null = null; mayGoOn(); ) {
    const after: ReferenceId | null = afterId;
    const due: ReferenceToMatch[] = await tenantReadTx(db, tenantId, (tx) =>
      listReferencesToMatch(tx, after, referencesAtOnce),
    );
    for (const reference of due) {
      if (!mayGoOn()) break;
      const match = async (): Promise<void> => {
        const counts = await matchDueReference(db, tenantId, reference, now(), skipsLocked);
        if (counts === null) return;
        done.references++;
        add(done.counts, counts);
      };
      await isolateFailures([reference], match, failed);
    }
    afterId = due.at(-1)?.reference_id ?? null;
    if (due.length < referencesAtOnce) break;
  }
  return done;
}

function add(sum: WorkspaceMatch['counts'], counts: ImportCounts): void {
  for (const key of ['new', 'reopened', 'fixed', 'closing_held'] as const) sum[key] += counts[key];
}

async function matchPackages(
  db: Database,
  tenantId: TenantId,
  now: Date,
): Promise<{ packages: number; advisoryIds: string[] }> {
  return importTx(db, tenantId, async (tx) => {
    await holdAdvisories(tx);
    const packages = await takePackages(tx, packagesAtOnce);
    if (packages.length === 0 || !(await isMatching(tx)))
      return { packages: packages.length, advisoryIds: [] };
    const { changedVersions, advisoryIds } = await matchVersions(
      tx,
      await listVersionsOfPackages(tx, packages),
    );
    await markReferencesWith(tx, changedVersions, now);
    return { packages: packages.length, advisoryIds };
  });
}

/**
 * Returns null if another worker was faster, if there is nothing to match, or if the repository is locked and left due.
 */
async function matchDueReference(
  db: Database,
  tenantId: TenantId,
  { reference_id: referenceId, repository_id: repositoryId }: ReferenceToMatch,
  now: Date,
  skipsLocked: boolean,
): Promise<ImportCounts | null> {
  return importTx(db, tenantId, async (tx) => {
    if (!skipsLocked) await lockRepository(tx, repositoryId);
    else if (!(await tryLockRepository(tx, repositoryId))) return null;
    await holdAdvisories(tx);
    if (!(await takeReference(tx, referenceId))) return null;
    if (await isMatching(tx)) return writeMatch(tx, referenceId, now);
    const series = await findMatchSeries(tx, referenceId);
    if (series === undefined) return null;
    const actor = { actorId: null, apiKeyId: null, requestId: null };
    const reason = 'The workspace does not match its packages with advisories any more.';
    const { fixed } = await retireSeries(tx, formatId('series', series.id), actor, { reason });
    return { ...noCounts, fixed };
  });
}

/** Writes a scan without a report, and what the match of the reference finds. */
async function writeMatch(tx: ChangeTx, referenceId: ReferenceId, now: Date): Promise<ImportCounts | null> {
  const reference = await lockMatchedReference(tx, referenceId);
  // An inactive reference is matched when its next report comes.
  if (reference === undefined || !reference.active) return null;
  const scanId = newId<'scan'>();
  await insertMatchScan(tx, scanId, reference, now);
  await mergePending(tx, reference.repository_id, { scanId, actorId: null, at: now });
  tx.changes.at = now;
  const { counts, warnings } = await matchReference(tx, {
    scanId,
    repositoryId: reference.repository_id,
    reference: {
      id: reference.id,
      fullRef: reference.full_ref,
      isDefault: reference.is_default,
      tracked: reference.tracked,
      active: reference.active,
    },
    scannedAt: now,
    mayConfirm: false,
  });
  tx.changes.markVerdicts(await listComparedWith(tx, reference.repository_id, reference.full_ref));
  tx.changes.scan = {
    id: scanId,
    repositoryId: reference.repository_id,
    referenceId,
    isDryRun: false,
    scannedAt: now,
    format: matchTool,
    tools: [matchTool],
    counts,
    warnings,
    unreadable: [],
  };
  return counts;
}

/**
 * Says what a match of the whole workspace would do, and changes nothing. Each reference is matched in a transaction
 * that is rolled back.
 */
export async function rehearseMatch(
  db: Database,
  tenantId: TenantId,
  now: () => Date,
): Promise<Omit<WorkspaceMatch, 'packages'>> {
  const done = { references: 0, counts: { new: 0, reopened: 0, fixed: 0, closing_held: 0 } };
  for (let afterId: ReferenceId | null = null; ; ) {
    const after: ReferenceId | null = afterId;
    const found: ReferenceToMatch[] = await tenantReadTx(db, tenantId, (tx) =>
      listReferencesWithPackages(tx, after, referencesAtOnce),
    );
    for (const { reference_id: referenceId, repository_id: repositoryId } of found) {
      const counts = await importTx(db, tenantId, async (tx) => {
        await lockRepository(tx, repositoryId);
        await holdAdvisories(tx);
        return rehearse(db, tx, async (rehearsal) => {
          const matched = await matchVersions(
            rehearsal,
            await listVersionsOfReference(rehearsal, referenceId),
          );
          await learnAdvisoryNames(rehearsal, matched.advisoryIds, { id: null, repository_id: nilId });
          return writeMatch(rehearsal, referenceId, now());
        });
      });
      if (counts === null) continue;
      done.references++;
      add(done.counts, counts);
    }
    afterId = found.at(-1)?.reference_id ?? null;
    if (found.length < referencesAtOnce) return done;
  }
}

/** Reads scans: the list, and the state of a reference or commit for CI. */

import { Type } from 'typebox';
import { type Database, type Tx, tenantReadTx } from '../../db/database.ts';
import { commitPattern } from '../../domain/commit.ts';
import { invalidInput, orNotFound, resourceNotFound } from '../../domain/errors.ts';
import { formatId, getId, type ReferenceId, type ScanId, type TenantId } from '../../domain/ids.ts';
import type { Verdict } from '../../domain/policy-enums.ts';
import { listParameter } from '../../http/input.ts';
import { declareFilters, type QueryOf, repositoryText, textFilter } from '../../http/page.ts';
import type { SharedWaits } from '../../http/shared-wait.ts';
import {
  findNamedReference,
  getRepository,
  type ReferenceOwner,
} from '../../inventory/repositories/service.ts';
import { listReferencesOfCommit, type ReferenceRow } from '../../inventory/repositories/store.ts';
import { stillBlocks } from '../../policies/verdict/open-violations-store.ts';
import { readVerdict, strictest } from '../../policies/verdict/verdict.ts';
import { isUnproven } from '../../policies/verdict/verdict-store.ts';
import { referenceOf } from '../../vulnerabilities/schema.ts';
import { sumCounts } from './schema.ts';
import {
  findScan,
  listNewestBySeries,
  listUnapplied,
  type ScanFilter,
  type ScanStatus,
  type SeriesScanRow,
  type ShownOutcome,
  type StateScanRow,
  scanStatuses,
} from './store.ts';

const filters = {
  repo: { schema: repositoryText },
  ref: {
    schema: textFilter(255, 'Reference of the repository: short or full name, or HEAD. Needs `repo`.'),
  },
  sha: { schema: Type.String({ pattern: commitPattern, description: 'Scanned commit, or its beginning.' }) },
  status: { schema: listParameter('Status.', { values: scanStatuses }) },
  tool: { schema: textFilter(255, 'Tool, such as trivy.') },
};
export const scanFilters = declareFilters(filters);

/** Returns null if the filters name a reference that does not exist. Throws 404 and 422. */
export async function resolveScanFilter(tx: Tx, query: QueryOf<typeof filters>): Promise<ScanFilter | null> {
  if (query.ref !== undefined && query.repo === undefined) {
    throw invalidInput('The repo field is required with ref.', 'repo');
  }
  const repository = query.repo === undefined ? null : await getRepository(tx, query.repo);
  let referenceId: ReferenceId | null = null;
  if (repository && query.ref !== undefined) {
    const reference = await findNamedReference(tx, repository, query.ref);
    if (!reference) return null;
    referenceId = reference.id;
  }
  return {
    repositoryId: repository?.id ?? null,
    referenceId,
    sha: query.sha?.toLowerCase() ?? null,
    statuses: query.status ?? null,
    tool: query.tool?.toLowerCase() ?? null,
  };
}

/** Returns the id of the scan that the caller named. Throws 404. */
export async function getScanId(tx: Tx, text: string): Promise<ScanId> {
  return orNotFound(await findScan(tx, getId('scan', text))).id;
}

export interface ScanStateQuery {
  repo: string;
  ref?: string;
  sha?: string;
  expect?: string[];
}

/** Waits up to `waitSeconds` until the state is final: no scan runs and no expected tool is missing. */
export async function waitForScanState(
  { db, waits }: { db: Database; waits: SharedWaits },
  tenantId: TenantId,
  query: ScanStateQuery,
  waitSeconds: number,
  signal: AbortSignal,
) {
  const question = {
    tenantId,
    key: `scan state ${JSON.stringify(query, Object.keys(query).sort())}`,
    read: () => tenantReadTx(db, tenantId, (tx) => readScanState(tx, query)),
    isFinal: (state: ScanState) => !isUnderWay(state) && (state.missing.length === 0 || didNotSucceed(state)),
  };
  return waits.ask(question, waitSeconds, signal);
}

type ScanState = Awaited<ReturnType<typeof readScanState>>;

interface Answered {
  status: string | null;
  missing: string[];
  scans: { tool: string | null; outcome: string | null }[];
}

function isUnderWay({ status }: Answered): boolean {
  return status === 'queued' || status === 'running';
}

/** True if a run failed, scanned nothing or is incomplete. Waiting longer would not bring its result. */
export function didNotSucceed(state: Answered): boolean {
  const tools = state.scans.flatMap(({ tool, outcome }) =>
    outcome === null || outcome === 'succeeded' ? [] : [tool],
  );
  // Another expected tool may still come.
  return !isUnderWay(state) && tools.length > 0 && state.missing.every((tool) => tools.includes(tool));
}

async function readScanState(tx: Tx, query: ScanStateQuery) {
  const repository = await getRepository(tx, query.repo);
  return scanStateOf(tx, repository, await listStateReferences(tx, repository, query), query);
}

/** Returns the state of these references, or of a commit on them. The state of no reference is empty. */
export async function scanStateOf(
  tx: Tx,
  repository: ReferenceOwner,
  references: ReferenceRow[],
  query: ScanStateQuery,
) {
  const expected = [...new Set((query.expect ?? []).map((tool) => tool.toLowerCase()))];
  const sha = query.sha?.toLowerCase() ?? null;
  const ids = references.map(({ id }) => id);
  const seriesList = await listNewestBySeries(tx, ids, sha);
  const waiting = await listUnapplied(tx, ids, sha);
  const scans = [
    ...waiting.map((scan) => scanOf(scan, null, scan.category, null)),
    ...seriesList.map((scan) =>
      scanOf(scan, scan.series_tool, scan.series_category, scan.late ? null : scan.outcome),
    ),
  ];
  const rows = new Map([...seriesList, ...waiting].map((scan) => [scan.id, scan]));
  const completed = seriesList.filter((scan) => scan.status === 'completed');
  const seen = new Set(completed.map((scan) => scan.series_tool));
  // A tool is missing as soon as one of its series did not succeed, because the findings of that run are unknown.
  for (const scan of completed) if (scan.late || scan.outcome !== 'succeeded') seen.delete(scan.series_tool);
  const missing = expected.filter((tool) => !seen.has(tool));
  const status = leastFinished([...rows.values()]);
  const isFinished =
    status === 'completed' && missing.length === 0 && !(sha !== null && completed.some(isUnseen));
  const verdicts: ReferenceVerdict[] = [];
  for (const reference of isFinished ? references : []) {
    const own = seriesList.filter((scan) => scan.reference_id === reference.id);
    // A reference that only has a document of the commit, such as VEX, says nothing about it.
    if (own.length > 0) verdicts.push(await verdictOn(tx, reference, own, sha));
    // No verdict is the strictest.
    if (verdicts.at(-1)?.verdict === null) break;
  }
  const { verdict, reference } = strictest(verdicts) ?? { verdict: null, reference: references[0] };
  // No policy matches on an inactive reference, so without an active one only a stored block is a verdict.
  const isKnown = verdict === 'block' || verdicts.some((each) => each.reference.active);
  return {
    repository: { id: formatId('repository', repository.id), full_name: repository.full_name },
    reference: reference === undefined ? null : briefOf(reference),
    status,
    verdict: isKnown ? verdict : null,
    counts: sumCounts([...rows.values()].map((scan) => scan.counts)),
    scans,
    missing,
    /** One for each reference, up to the first without a verdict; empty before all scans have succeeded. */
    verdicts,
  };
}

export interface ReferenceVerdict {
  reference: ReferenceRow;
  verdict: Verdict | null;
  /**
   * The times at which the violations of a superseded commit count: those of its scans, and now as long as the
   * reference shows it. Null if it is not superseded. Every commit of an inactive reference is.
   */
  violationsAt: Date[] | null;
}

/** `seriesList` has the newest scans of the series of this reference. */
async function verdictOn(
  tx: Tx,
  reference: ReferenceRow,
  seriesList: SeriesScanRow[],
  sha: string | null,
): Promise<ReferenceVerdict> {
  const isHead = reference.active && (sha === null || (reference.head_sha?.startsWith(sha) ?? false));
  const isSuperseded =
    !isHead || (sha !== null && seriesList.some((scan) => scan.id !== scan.series_last_scan_id));
  const superseded = isSuperseded ? seriesList.filter((scan) => scan.status === 'completed') : [];
  return {
    reference,
    verdict: await verdictOf(tx, reference, { isHead, superseded }),
    violationsAt: isSuperseded
      ? [...superseded.map((scan) => scan.scanned_at), ...(isHead ? [new Date()] : [])]
      : null,
  };
}

export function briefOf(reference: ReferenceRow) {
  return referenceOf({
    reference_id: reference.id,
    full_ref: reference.full_ref,
    reference_sha: reference.head_sha,
    reference_type: reference.type,
  });
}

// A late, failed or empty run does not show the open findings of the commit. A partial report without findings does not
// count as such a run, because it removes nothing from the other reports. Neither does an incomplete run, which shows
// what could be read and closes nothing: it only satisfies no expectation.
function isUnseen({ late, outcome, partial }: SeriesScanRow): boolean {
  return late || outcome === 'failed' || (outcome === 'scanned_nothing' && !partial);
}

// More than the branches, tags and pull requests that share a commit. All of them count, or none: if only some counted,
// a key that may upload could push out the one that blocks. Each is asked by several statements.
const maxReferences = 20;

/**
 * Returns the references that the query names: directly, or all with a scan of its commit, active or not (ADR 91).
 * Throws 404 for a commit without a scan, and 422 for one on too many references.
 */
export async function listStateReferences(
  tx: Tx,
  repository: ReferenceOwner,
  { ref, sha }: ScanStateQuery,
): Promise<ReferenceRow[]> {
  if (ref !== undefined || sha === undefined) {
    const named = await findNamedReference(tx, repository, ref ?? 'HEAD');
    return named ? [named] : [];
  }
  const found = await listReferencesOfCommit(tx, repository.id, sha.toLowerCase(), maxReferences + 1);
  if (found.length === 0) throw resourceNotFound();
  if (found.length > maxReferences) {
    throw invalidInput(
      `More than ${maxReferences} references have a scan of this commit: name one with ref.`,
      'ref',
    );
  }
  return found;
}

function scanOf(
  scan: StateScanRow,
  tool: string | null,
  category: string | null,
  outcome: ShownOutcome | null,
) {
  return {
    id: formatId('scan', scan.id),
    reference: referenceOf(scan),
    tool,
    category,
    status: scan.status,
    outcome,
  };
}

// The list goes from the least finished to the most finished, because a script must not take an unfinished scan for a
// finished one.
const finishOrder: ScanStatus[] = ['queued', 'running', 'failed', 'canceled', 'completed'];

function leastFinished(scans: StateScanRow[]): ScanStatus | null {
  const names = scans.map((scan) => scan.status);
  return finishOrder.find((name) => names.includes(name)) ?? null;
}

// Returns the current verdict of the reference for the commit that it shows. A superseded commit has the worst verdict
// of its newest scans too, because each of them has the verdict of the time when it was the newest of its series. It is
// also blocked if one of their violations blocks now: an exception or a snooze may have ended since. No policy matches
// on an inactive reference, so it has the verdicts of its scans alone.
async function verdictOf(
  tx: Tx,
  reference: { id: ReferenceId; active: boolean },
  { isHead, superseded }: { isHead: boolean; superseded: SeriesScanRow[] },
): Promise<Verdict | null> {
  const stored = superseded.map(({ verdict }) => ({ verdict }));
  const then = strictest(stored)?.verdict ?? null;
  if (!reference.active) return then;
  if (await isUnproven(tx, reference.id)) return null;
  if (isHead)
    return strictest([...stored, { verdict: await readVerdict(tx, reference.id) }])?.verdict ?? null;
  if (then === null || then === 'block') return then;
  const at = superseded.map((scan) => scan.scanned_at);
  return (await stillBlocks(tx, reference.id, at)) ? 'block' : then;
}

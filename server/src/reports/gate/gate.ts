/**
 * The gate gives everything that CI prints in one call: the current verdict of a reference against its base. For a
 * commit that is not the newest of the reference, it gives the worst verdict of its scans.
 */

import { type Database, type Tx, tenantReadTx } from '../../db/database.ts';
import { formatId, type ReferenceId, type TenantId } from '../../domain/ids.ts';
import { packageName } from '../../domain/package-name.ts';
import { unpackState } from '../../domain/packed-state.ts';
import type { Verdict } from '../../domain/policy-enums.ts';
import { parseBranch, shortRef } from '../../domain/reference-name.ts';
import { isBlocking, unpackViolation } from '../../domain/violation-state.ts';
import { personOf, timestamp, timestampOrNull } from '../../http/schema.ts';
import type { SharedWaits } from '../../http/shared-wait.ts';
import {
  briefOf,
  didNotSucceed,
  listStateReferences,
  type ReferenceVerdict,
  scanStateOf,
} from '../../ingest/scans/service.ts';
import { getRepository } from '../../inventory/repositories/service.ts';
import { isPending } from '../../policies/definition/policy.ts';
import { listPolicies } from '../../policies/definition/store.ts';
import { isRepositoryPending } from '../../policies/evaluation/scope-store.ts';
import { type Base, findBase } from '../../policies/verdict/base.ts';
import { findComparedReference } from '../../policies/verdict/compared-reference-store.ts';
import {
  listOpenViolations,
  type OpenViolation,
  type OpenViolations,
  readOpenViolations,
  readOpenViolationsAt,
} from '../../policies/verdict/open-violations-store.ts';
import { strictest, verdictAgainst, verdictOf } from '../../policies/verdict/verdict.ts';
import { describeTargets, type TargetItem } from '../../policies/violations/targets.ts';
import type { GateItem } from './gate-schema.ts';
import { type Blocking, fixVersion, unblockSteps } from './unblock.ts';

export interface GateQuery {
  repo: string;
  ref?: string;
  sha?: string;
  /** The base to compare with, instead of the base from the reports. */
  base_ref?: string;
  /** With `true`, all violations count and not only new ones. */
  all?: 'true' | 'false';
  expect?: string[];
}

// A person reads fewer in a log. The others are only counted.
const maxShown = 500;

/**
 * Waits up to `waitSeconds` for a verdict, and for the evaluation of changed policies, which may make a block of a
 * pass. With `mayNameBase`, the caller's `base_ref` counts even if a policy blocks
 * and it is not the default branch. Throws 404, 422.
 */
export async function waitForGate(
  { db, waits }: { db: Database; waits: SharedWaits },
  tenantId: TenantId,
  query: GateQuery,
  mayNameBase: boolean,
  waitSeconds: number,
  signal: AbortSignal,
) {
  const question = {
    tenantId,
    // The right to name a base is a part of the question, because the answers differ.
    key: `gate ${mayNameBase} ${JSON.stringify(query, Object.keys(query).sort())}`,
    read: () => tenantReadTx(db, tenantId, (tx) => readGate(tx, query, mayNameBase)),
    isFinal: (gate: Gate) =>
      gate.verdict === null
        ? gate.status === 'failed' || gate.status === 'canceled' || didNotSucceed(gate)
        : gate.verdict === 'block' || !gate.policies_pending,
  };
  return waits.ask(question, waitSeconds, signal);
}

type Gate = Awaited<ReturnType<typeof readGate>>;

/** Adds the pages of the console; `pageOf` turns a path in the workspace into an address. */
export function withPages(gate: Gate, pageOf: (path: string) => string) {
  const own = gate.scans.filter(({ reference }) => reference.id === gate.reference?.id);
  const done = own.filter(({ status }) => status === 'completed');
  const shown = [done, own, gate.scans].find((scans) => scans.length > 0) ?? [];
  // The ids are in the order of arrival.
  const newest = shown
    .map(({ id }) => id)
    .sort()
    .at(-1);
  return {
    ...gate,
    page: newest === undefined ? null : pageOf(`scans/${newest}`),
    violations: gate.violations.map((item) => ({ ...item, page: pageOf(`violations/${item.id}`) })),
  };
}

async function readGate(tx: Tx, query: GateQuery, mayNameBase: boolean) {
  const repository = await getRepository(tx, query.repo);
  const references = await listStateReferences(tx, repository, query);
  const state = await scanStateOf(tx, repository, references, query);
  const policies = await listPolicies(tx);
  const answer = {
    repository: state.repository,
    reference: state.reference,
    sha: query.sha?.toLowerCase() ?? references[0]?.head_sha ?? null,
    superseded: false,
    verdict: null as Verdict | null,
    status: state.status,
    policies_pending: policies.some(isPending) || (await isRepositoryPending(tx, repository.id, new Date())),
    active_policies: policies.filter((policy) => policy.status === 'active').length,
    scans: state.scans,
    missing: state.missing,
    base: shownBase({ state: 'none' }),
    summary: { blocking: 0, warning: 0, on_base: 0 },
    violations: [] as GateItem[],
    truncated: false,
    unblock: unblockSteps([]),
  };
  // The answer must not be pass before all expected scans have succeeded.
  if (state.verdict === null) return answer;
  const compared: ReferenceVerdict[] = [];
  for (const each of state.verdicts) {
    compared.push({ ...each, verdict: await verdictAsAsked(tx, each, query, mayNameBase) });
    // All of them have a verdict, so a block is the strictest.
    if (compared.at(-1)?.verdict === 'block') break;
  }
  const deciding = strictest(compared);
  if (deciding === undefined) return answer;
  const { reference, verdict, violationsAt } = deciding;
  const superseded = violationsAt !== null;
  const base = await baseOf(tx, reference.id, query, mayNameBase);
  const open = await openViolations(tx, deciding, countedBase(base, query), maxShown);
  return {
    ...answer,
    reference: briefOf(reference),
    superseded,
    verdict,
    base: query.all === 'true' ? { ...shownBase(base), state: 'ignored' } : shownBase(base),
    summary: { blocking: open.blocking, warning: open.warning, on_base: open.onBase },
    truncated: open.blocking + open.warning > open.ids.length,
    ...(await showOpenViolations(tx, reference.id, open, superseded)),
  };
}

/**
 * The verdict of the comparison that the query asks for. A superseded commit keeps a stricter one that it has anyway.
 */
async function verdictAsAsked(
  tx: Tx,
  each: ReferenceVerdict,
  query: GateQuery,
  mayNameBase: boolean,
): Promise<Verdict | null> {
  if (query.all !== 'true' && query.base_ref === undefined) return each.verdict;
  const { id } = each.reference;
  const base = countedBase(await baseOf(tx, id, query, mayNameBase), query);
  if (each.violationsAt === null) return verdictAgainst(tx, id, base);
  const open = await openViolations(tx, each, base, 0);
  const asked = { verdict: verdictOf(open.blocking > 0, open.warning > 0) };
  return strictest([each, asked])?.verdict ?? null;
}

function openViolations(
  tx: Tx,
  { reference, violationsAt }: ReferenceVerdict,
  base: Base,
  limit: number,
): Promise<OpenViolations> {
  return violationsAt === null
    ? readOpenViolations(tx, reference.id, base, limit)
    : readOpenViolationsAt(tx, reference.id, base, violationsAt, limit);
}

function countedBase(base: Base, { all }: GateQuery): Base {
  return all === 'true' ? { state: 'none' } : base;
}

async function baseOf(
  tx: Tx,
  referenceId: ReferenceId,
  query: GateQuery,
  mayNameBase: boolean,
): Promise<Base> {
  const reference = await findComparedReference(tx, referenceId);
  if (!reference) return { state: 'none' };
  const other = query.base_ref === undefined ? null : parseBranch(query.base_ref, 'base_ref').fullRef;
  return findBase(tx, reference, other === null ? null : { baseRef: other, approved: mayNameBase });
}

function shownBase(base: Base) {
  if (base.state === 'none') return { state: 'none', ref: null, sha: null, at: null };
  return {
    state: base.state as string,
    ref: base.fullRef === null ? null : shortRef(base.fullRef),
    sha: base.sha,
    at: base.state === 'compared' ? timestamp(base.at) : null,
  };
}

async function showOpenViolations(
  tx: Tx,
  referenceId: ReferenceId,
  open: OpenViolations,
  superseded: boolean,
) {
  const rows = await listOpenViolations(tx, open.ids, referenceId);
  const targets = await describeTargets(
    tx,
    rows.map((row) => ({ type: row.target_type, id: row.target_id })),
    referenceId,
  );
  const byId = new Map(rows.map((row) => [row.id, row]));
  const ordered = open.ids.flatMap((id) => byId.get(id) ?? []);
  const violations = ordered.map((row) => gateItem(row, targets.get(row.target_id), superseded));
  const blocking = ordered.filter((_, i) => violations[i]?.blocking);
  return {
    violations,
    unblock: unblockSteps(blocking.map((row) => blockingOf(row, targets.get(row.target_id)))),
  };
}

function gateItem(row: OpenViolation, target: TargetItem | undefined, superseded: boolean): GateItem {
  const traits = unpackViolation(row.packed_state);
  return {
    id: formatId('violation', row.id),
    status: traits.status,
    enforcement_mode: traits.enforcement,
    // For a superseded commit it is true if the violation blocked then.
    blocking: superseded ? traits.enforcement === 'block' : isBlocking(traits),
    snoozed_until: traits.snoozed ? timestampOrNull(row.snoozed_until) : null,
    due_at: timestamp(row.due_at),
    remaining_seconds: Math.floor((row.due_at.getTime() - Date.now()) / 1000),
    policy: { id: formatId('policy', row.policy_id), key: row.policy_key, name: row.policy_name },
    title: row.title ?? titleOf(row, target),
    advisory: row.advisory,
    rule: row.rule,
    severity: severityOf(row),
    target: target ?? [],
    location: row.path === null ? null : { path: row.path, line: row.line },
    package:
      row.purl === null ? null : { purl: row.purl, name: packageName(row.purl), versions: row.versions },
    fix_version: fixVersion(row.purl, row.versions, row.fixed_versions),
    owner: personOf(row.owner),
  };
}

function severityOf(row: OpenViolation): string | null {
  if (row.vulnerability_packed_state !== null) return unpackState(row.vulnerability_packed_state).severity;
  return row.policy_severity;
}

// A target that is not a vulnerability has its name as title.
function titleOf(row: OpenViolation, target: TargetItem | undefined): string {
  if (target === undefined || Array.isArray(target)) return row.policy_name;
  switch (target.type) {
    case 'package_version':
      return `${packageName(row.purl ?? target.purl)} ${target.version}`;
    case 'package':
      return packageName(target.purl);
    case 'manifest':
      return target.display_name;
    case 'analysis':
      return `${target.analysis_type}: ${(target.vulnerable_reason ?? 'current').replaceAll('_', ' ')}`;
    case 'asset':
      return target.name;
    default:
      return row.policy_name;
  }
}

function blockingOf(row: OpenViolation, target: TargetItem | undefined): Blocking {
  return {
    id: formatId('violation', row.id),
    targetType: row.target_type,
    title: row.title ?? titleOf(row, target),
    vulnerabilityType:
      row.vulnerability_packed_state === null ? null : unpackState(row.vulnerability_packed_state).type,
    purl: row.purl,
    versions: row.versions,
    fixedVersions: row.fixed_versions,
    path: row.path,
    line: row.line,
  };
}

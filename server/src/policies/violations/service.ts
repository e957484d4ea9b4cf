/** Reads violations: the list of a repository with its exact summary, and a single one with all its details. */
import { type Database, type Tx, tenantReadTx } from '../../db/database.ts';
import { orNotFound, resourceNotFound } from '../../domain/errors.ts';
import { formatId, getId, type ReferenceId, type TenantId, type ViolationId } from '../../domain/ids.ts';
import { shortRef } from '../../domain/reference-name.ts';
import { type Cursors, idIn, openPage, type PageQuery } from '../../http/page.ts';
import { timestampOrNull } from '../../http/schema.ts';
import { getRepository } from '../../inventory/repositories/service.ts';
import { listPolicies } from '../definition/store.ts';
import { repositoryFilters, resolveViolationFilter, type ViolationQuery } from './filters.ts';
import {
  countByPackedState,
  listViolationKeys,
  listViolations,
  type ViolationPosition,
  type ViolationRow,
} from './read.ts';
import { policyBrief, ruleOf, violationItem, violationScopeOf, violationSummaryOf } from './schema.ts';
import { findException, findSeeingScan } from './store.ts';
import { describeTargets, type TargetItem } from './targets.ts';

export type ViolationListRequest = ViolationQuery & PageQuery;

/** Throws 404, 422. */
export async function listPolicyViolations(
  db: Database,
  cursors: Cursors,
  tenantId: TenantId,
  query: ViolationListRequest,
) {
  const list = openPage(cursors, [tenantId, 'listPolicyViolations'], query);
  const after = list.after && positionOf(list.after);
  return tenantReadTx(db, tenantId, async (tx) => {
    const { repository, reference, scope, packedStates, policyIds } = await resolveViolationFilter(tx, query);
    const all = scope ? await countByPackedState(tx, scope, policyIds) : [];
    const counts = all.filter(({ packed_state: packedState }) => packedStates.includes(packedState));
    const keys = scope
      ? await listViolationKeys(
          tx,
          scope,
          counts.map(({ packed_state: packedState }) => packedState),
          policyIds,
          after,
          list.take,
        )
      : [];
    const referenceId = scope && 'referenceId' in scope ? scope.referenceId : null;
    return {
      repository: { id: formatId('repository', repository.id), full_name: repository.full_name },
      reference,
      filters: repositoryFilters.echoOf(query),
      summary: violationSummaryOf(counts),
      ...(await list.readAnswer(
        keys,
        (shown) =>
          showViolations(
            tx,
            shown.map(({ id }) => id),
            referenceId,
          ),
        (last) => [last.due_at.getTime(), last.id],
      )),
    };
  });
}

/** The position in a list by due date, from the values of its cursor. */
export function positionOf(values: (string | number)[]): ViolationPosition {
  const [time, id] = values;
  return { dueAt: new Date(Number(time)), id: idIn(id) };
}

/** The items come in the order of the ids. */
export async function showViolations(tx: Tx, ids: ViolationId[], referenceId: ReferenceId | null) {
  return (await readViolations(tx, ids, referenceId)).map(({ item }) => item);
}

/** The same as `showViolations`, each item with its repository. */
export async function showInRepositories(tx: Tx, ids: ViolationId[]) {
  const read = await readViolations(tx, ids, null);
  return read.map(({ row, item }) => ({
    ...item,
    repository: { id: formatId('repository', row.repository_id), full_name: row.repository_full_name },
  }));
}

async function readViolations(tx: Tx, ids: ViolationId[], referenceId: ReferenceId | null) {
  const rows = await listViolations(tx, ids, referenceId);
  const targets = await targetsOf(tx, rows, referenceId);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = byId.get(id);
    return row ? [{ row, item: violationItem(row, targets.get(row.target_id)) }] : [];
  });
}

function targetsOf(
  tx: Tx,
  rows: ViolationRow[],
  referenceId: ReferenceId | null,
): Promise<Map<string, TargetItem>> {
  return describeTargets(
    tx,
    rows.map((row) => ({ type: row.target_type, id: row.target_id })),
    referenceId,
  );
}

/** Throws 404 if the id is unknown or malformed, or if the violation is in another repository than `repo`. */
export async function getPolicyViolation(tx: Tx, violation: string, repo: string | undefined) {
  const [found] = await listViolations(tx, [getId('violation', violation)], null);
  const row = orNotFound(found);
  if (repo !== undefined && (await getRepository(tx, repo)).id !== row.repository_id) {
    throw resourceNotFound();
  }
  const targets = await targetsOf(tx, [row], null);
  const policy = (await listPolicies(tx)).find((one) => one.id === row.policy_id);
  const override = row.exception_id === null ? undefined : await findException(tx, row.exception_id);
  const scan = await findSeeingScan(tx, row.target_type, row);
  const item = violationItem(row, targets.get(row.target_id));
  return {
    violation: item,
    policy: {
      ...policyBrief(row),
      config: policy?.config ?? null,
      condition: policy?.condition ?? {},
      actions: policy?.actions ?? {},
    },
    override: override
      ? {
          id: formatId('exception', override.id),
          mode: override.mode,
          enforcement_mode: override.enforcement_mode,
        }
      : null,
    rule: fullRuleOf(row),
    scope: violationScopeOf(row),
    target: item.target,
    scan: scan
      ? {
          id: formatId('scan', scan.id),
          status: 'completed',
          ref: shortRef(scan.full_ref),
          sha: scan.sha,
          started_at: timestampOrNull(scan.started_at),
          finished_at: timestampOrNull(scan.finished_at),
        }
      : null,
  };
}

function fullRuleOf(row: ViolationRow) {
  const rule = ruleOf(row);
  if (!rule) return null;
  return {
    ...rule,
    action: row.rule_excludes ? 'exclude' : 'include',
    enforcement_mode: row.rule_enforcement,
  };
}

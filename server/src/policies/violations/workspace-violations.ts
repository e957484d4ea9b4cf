/** Violations of all repositories of a workspace, and those of one vulnerability. */

import { type Database, listReadTx, listSearchTx, type Tx } from '../../db/database.ts';
import { dueRange } from '../../domain/due.ts';
import type { TenantId, VulnerabilityId } from '../../domain/ids.ts';
import { packedStatesWhere } from '../../domain/violation-state.ts';
import { type Cursors, openPage, type PageQuery } from '../../http/page.ts';
import { getRepository } from '../../inventory/repositories/service.ts';
import { checkedTerms } from '../../vulnerabilities/filters.ts';
import { boundedSearch } from '../../vulnerabilities/list.ts';
import {
  findPolicies,
  packedStateFilter,
  type WorkspaceViolationQuery,
  workspaceFilters,
} from './filters.ts';
import { violationSummaryOf } from './schema.ts';
import { positionOf, showInRepositories } from './service.ts';
import {
  countWorkspaceViolations,
  listKeysOfVulnerability,
  listWorkspaceViolationKeys,
} from './workspace-violations-read.ts';
import { searchWorkspaceViolations } from './workspace-violations-search.ts';

export type WorkspaceViolationRequest = WorkspaceViolationQuery & PageQuery;

/** One page of violations, soonest due first. Throws 404, 422. */
export async function listWorkspaceViolations(
  db: Database,
  cursors: Cursors,
  tenantId: TenantId,
  query: WorkspaceViolationRequest,
) {
  const list = openPage(cursors, [tenantId, 'listAllPolicyViolations'], query);
  const after = list.after && positionOf(list.after);
  const matching = packedStatesWhere(packedStateFilter(query));
  const terms = query.q === undefined ? [] : checkedTerms(query.q);
  const read = query.q === undefined ? listReadTx : listSearchTx;
  return read(db, tenantId, async (tx) => {
    // 422 comes before 404.
    const policyIds = query.policy === undefined ? null : await findPolicies(tx, query.policy);
    const repository = query.repo === undefined ? null : await getRepository(tx, query.repo);
    const filter = {
      repositoryId: repository?.id ?? null,
      policyIds,
      due: dueRange(query.due, new Date()),
      terms,
    };
    const { counts, keys } = await boundedSearch(tx, filter, async () => {
      if (terms.length > 0) return searchWorkspaceViolations(tx, filter, matching, after, list.take);
      const counts = await countWorkspaceViolations(tx, filter, matching);
      const packedStates = counts.map(({ packed_state: packedState }) => packedState);
      return { counts, keys: await listWorkspaceViolationKeys(tx, filter, packedStates, after, list.take) };
    });
    return {
      filters: workspaceFilters.echoOf(query),
      summary: violationSummaryOf(counts),
      ...(await list.readAnswer(
        keys,
        (shown) =>
          showInRepositories(
            tx,
            shown.map(({ id }) => id),
          ),
        (last) => [last.due_at.getTime(), last.id],
      )),
    };
  });
}

/** Unresolved violations come first. The list holds at most one violation for each policy. */
export async function listViolationsOfVulnerability(tx: Tx, vulnerabilityId: VulnerabilityId) {
  return showInRepositories(tx, await listKeysOfVulnerability(tx, vulnerabilityId));
}

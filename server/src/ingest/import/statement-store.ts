/** SQL of the VEX statements of a repository. */

import { insertRows } from '../../db/bulk.ts';
import type { Tx } from '../../db/database.ts';
import type { RepositoryId, VulnerabilityId } from '../../domain/ids.ts';

/** Returns those of these advisories for which the repository has a statement. */
export async function listStated(
  tx: Tx,
  repositoryId: RepositoryId,
  advisories: string[],
): Promise<Set<string>> {
  const rows = await tx.query<{ advisory: string }>(
    `select distinct advisory from vex_statement
      where tenant_id = $1 and repository_id = $2 and advisory = any($3::text[])`,
    [tx.tenantId, repositoryId, advisories],
  );
  return new Set(rows.map((row) => row.advisory));
}

/** Counts those of these statements that are about a known vulnerability of the repository, in any version. */
export async function countMatched(
  tx: Tx,
  repositoryId: RepositoryId,
  statements: { advisory: string; package: string }[],
): Promise<number> {
  const [row] = await tx.query<{ matched: number }>(
    `select count(*)::int as matched from unnest($3::text[], $4::text[]) as k (advisory, package)
      where exists (select 1 from vulnerability v
                     where v.tenant_id = $1 and v.repository_id = $2 and v.advisory = k.advisory
                       and k.package in (v.package, ''))`,
    [
      tx.tenantId,
      repositoryId,
      statements.map((statement) => statement.advisory),
      statements.map((statement) => statement.package),
    ],
  );
  return row?.matched ?? 0;
}

/** Inserts or replaces statements. Returns the vulnerabilities that those which have changed are about. */
export async function upsertStatements(
  tx: Tx,
  repositoryId: RepositoryId,
  rows: object[],
): Promise<VulnerabilityId[]> {
  const written = await insertRows<{ advisory: string }>(tx, 'vex_statement', rows, {
    conflict: `(tenant_id, repository_id, advisory, package, version) do update set status = excluded.status,
     reason = excluded.reason, stated_at = excluded.stated_at, reference_id = excluded.reference_id,
     scan_id = excluded.scan_id, may_decide = excluded.may_decide, overrides_policy = excluded.overrides_policy,
     -- A document that is sent again does not cover the names that were joined since it was first sent.
     received_at = case when (excluded.status, excluded.may_decide, excluded.overrides_policy) = (t.status, t.may_decide, t.overrides_policy)
                        then t.received_at else excluded.received_at end
    -- A statement that decides replaces every suggestion, and no suggestion replaces it, however they are dated.
    -- Between two of the same kind the newer one stands.
    where (excluded.may_decide > t.may_decide or excluded.may_decide = t.may_decide and excluded.stated_at >= t.stated_at)
      and (excluded.status, excluded.reason, excluded.stated_at, excluded.may_decide, excluded.overrides_policy)
          is distinct from (t.status, t.reason, t.stated_at, t.may_decide, t.overrides_policy)`,
    returning: 't.advisory',
  });
  const concerned = await tx.query<{ id: VulnerabilityId }>(
    `select id from vulnerability where tenant_id = $1 and repository_id = $2 and advisory = any($3::text[])`,
    [tx.tenantId, repositoryId, [...new Set(written.map((row) => row.advisory))]],
  );
  return concerned.map((row) => row.id);
}

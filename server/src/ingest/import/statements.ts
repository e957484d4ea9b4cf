/**
 * VEX statements of a repository: the newest statement for each advisory, package and version is kept, also for
 * vulnerabilities that no tool has reported yet. `reconcile` computes the decision of a statement.
 */

import { insertRows } from '../../db/bulk.ts';
import type { ChangeTx, Tx } from '../../db/database.ts';
import type { RepositoryId, VulnerabilityId } from '../../domain/ids.ts';
import type { VexStatement } from '../../parsers/report.ts';
import { reconcile } from '../../vulnerabilities/reconcile.ts';
import type { VexStatus } from '../../vulnerabilities/status.ts';
import { resolveAdvisories } from './advisories.ts';
import type { ImportContext } from './import-context.ts';

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

/** Stores the statements and reconciles the vulnerabilities that they are about. */
export async function writeStatements(
  tx: ChangeTx,
  context: ImportContext,
  statements: VexStatement[],
): Promise<void> {
  if (statements.length === 0) return;
  const { repositoryId, scanId, scannedAt } = context;
  const cause = { scanId, actorId: null, at: scannedAt };
  const { canonical, learned } = await resolveAdvisories(tx, repositoryId, statements);
  const receivedAt = new Date();
  type Row = ReturnType<typeof rowOf>;
  const newest = new Map<string, Row>();
  for (const statement of statements) {
    // A statement under a learned name of the advisory still counts as a decision, but it does not override policies
    // that block.
    const overridesPolicy = context.overridesPolicy && learned(statement) === null;
    const row = rowOf(statement, canonical(statement), scannedAt, receivedAt, overridesPolicy);
    const key = `${keyOf(row)} ${statement.product ?? ''}`;
    const before = newest.get(key);
    const isNewer = !before || before.stated_at < row.stated_at;
    if (isNewer || (before.stated_at === row.stated_at && isWorse(row, before))) newest.set(key, row);
  }
  const rows = new Map<string, Row>();
  for (const row of newest.values()) {
    const before = rows.get(keyOf(row));
    if (!before || isWorse(row, before)) rows.set(keyOf(row), row);
  }
  const shared = {
    repository_id: repositoryId,
    reference_id: context.reference.id,
    scan_id: scanId,
    may_decide: context.mayDecide && context.reference.tracked,
    received_at: receivedAt,
  };
  const written = await insertRows<{ advisory: string }>(
    tx,
    'vex_statement',
    [...rows.values()].map((row) => ({ ...row, ...shared })),
    {
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
    },
  );
  const concerned = await tx.query<{ id: VulnerabilityId }>(
    `select id from vulnerability where tenant_id = $1 and repository_id = $2 and advisory = any($3::text[])`,
    [tx.tenantId, repositoryId, [...new Set(written.map((row) => row.advisory))]],
  );
  const ids = concerned.map((row) => row.id);
  await reconcile(tx, { ids, cause, changes: tx.changes });
}

const keyOf = (row: { advisory: string; package: string; version: string }): string =>
  `${row.advisory} ${row.package} ${row.version}`;

// A document about several products may make several statements about one package here. The newest about each product
// counts, and of these the worst status. This list puts the worst first.
const byWorry = [
  'exploitable',
  'affected',
  'under_investigation',
  'fixed',
  'not_affected',
  'false_positive',
] as const;

function isWorse(row: { status: VexStatus }, than: { status: VexStatus }): boolean {
  const worry = ({ status }: { status: VexStatus }): number => byWorry.indexOf(status);
  return worry(row) < worry(than);
}

// A date later than the arrival is set to the arrival. Otherwise a document with a future date would come after every
// later one.
function rowOf(
  statement: VexStatement,
  advisory: string,
  scannedAt: Date,
  receivedAt: Date,
  overridesPolicy: boolean,
) {
  const stated = statement.at === null ? scannedAt : new Date(statement.at);
  return {
    advisory,
    package: statement.package?.purl ?? '',
    version: statement.package?.version ?? '',
    status: statement.status,
    reason: statement.reason,
    stated_at: (stated > receivedAt ? receivedAt : stated).toISOString(),
    overrides_policy: overridesPolicy,
  };
}

/**
 * VEX statements of a repository: the newest statement for each advisory, package and version is kept, also for
 * vulnerabilities that no tool has reported yet. `reconcile` computes the decision of a statement.
 */

import type { ChangeTx } from '../../db/database.ts';
import type { VexStatus } from '../../domain/vex-status.ts';
import type { StatementCounts } from '../../domain/written-scan.ts';
import type { VexStatement } from '../../parsers/report.ts';
import { reconcile } from '../../vulnerabilities/reconcile.ts';
import type { ImportContext } from './import-context.ts';
import { resolveAdvisories } from './learned-names.ts';
import { countMatched, upsertStatements } from './statement-store.ts';

/** Stores the statements and reconciles the vulnerabilities that they are about. Returns null if there are none. */
export async function writeStatements(
  tx: ChangeTx,
  context: ImportContext,
  statements: VexStatement[],
): Promise<StatementCounts | null> {
  if (statements.length === 0) return null;
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
  const ids = await upsertStatements(
    tx,
    repositoryId,
    [...rows.values()].map((row) => ({ ...row, ...shared })),
  );
  await reconcile(tx, { ids, cause });
  const matched = await countMatched(tx, repositoryId, [...rows.values()]);
  return {
    decided: shared.may_decide ? matched : 0,
    suggested: shared.may_decide ? 0 : matched,
    unmatched: rows.size - matched,
  };
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

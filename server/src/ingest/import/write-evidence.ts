/**
 * Writes the evidence from a tool's newest report of each vulnerability. A vulnerability has one evidence for each
 * tool: that of its first finding in the report that has any. Reports of the default branch replace that of other
 * references, never the reverse, so that a branch does not change the evidence for the code in use.
 */
import { insertRows } from '../../db/bulk.ts';
import type { Tx } from '../../db/database.ts';
import type { RepositoryId, VulnerabilityId } from '../../domain/ids.ts';
import { packText } from '../../vulnerabilities/evidence.ts';
import type { FindingReader } from '../prepare/finding-reader.ts';
import { keyOf } from '../prepare/identity.ts';
import type { PreparedEvidence, PreparedFinding } from '../prepare/prepared-report.ts';
import type { ImportContext } from './import-context.ts';
import type { Group } from './written-rows.ts';

type Findings = Group<{ finding: PreparedFinding }>;

/** Writes the evidence of new vulnerabilities. */
export async function insertEvidence(
  tx: Tx,
  context: ImportContext,
  tool: string,
  findings: FindingReader,
  groups: Findings[],
): Promise<void> {
  const shown = evidenceOf(findings, groups);
  await Promise.all([
    insertHelps(tx, context, findings, shown),
    insertRows(tx, 'vulnerability_evidence', rowsOf(context, tool, shown)),
  ]);
}

/**
 * Updates the evidence of known vulnerabilities to the findings of the report, and deletes explanations that are no
 * longer used. Writes nothing if nothing has changed.
 */
export async function replaceEvidence(
  tx: Tx,
  context: ImportContext,
  tool: string,
  findings: FindingReader,
  groups: Findings[],
): Promise<void> {
  const shown = evidenceOf(findings, groups);
  const withoutAny = groups.filter(({ vulnerabilityId }) => !shown.has(vulnerabilityId));
  const { isDefault } = context.reference;
  await insertHelps(tx, context, findings, shown);
  const replaced = await insertRows(tx, 'vulnerability_evidence', rowsOf(context, tool, shown), {
    conflict: `(tenant_id, vulnerability_id, tool) do update set
       on_default = excluded.on_default, help_key = excluded.help_key, content = excluded.content
      where (excluded.on_default or not t.on_default)
        and (excluded.on_default, excluded.help_key, excluded.content) is distinct from (t.on_default, t.help_key, t.content)`,
    returning: 't.vulnerability_id',
  });
  const deleted = await deleteEvidence(
    tx,
    tool,
    isDefault,
    withoutAny.map((group) => group.vulnerabilityId),
  );
  if (replaced.length + deleted.length > 0) await deleteUnusedHelps(tx, context.repositoryId);
}

/** Vulnerability → its evidence in the report, for those that have any. */
function evidenceOf(findings: FindingReader, groups: Findings[]): Map<string, PreparedEvidence> {
  const rows = groups.flatMap(({ vulnerabilityId, rows }) =>
    rows.map(({ finding }) => ({ vulnerabilityId, ordinal: finding.ordinal })),
  );
  const evidence = findings.evidenceOf(rows.map((row) => row.ordinal));
  const shown = new Map<string, PreparedEvidence>();
  for (const [index, { vulnerabilityId }] of rows.entries()) {
    const found = evidence[index] ?? null;
    if (found !== null && !shown.has(vulnerabilityId)) shown.set(vulnerabilityId, found);
  }
  return shown;
}

// The key is one of the repository, so that no row of another repository counts as a use of the text.
const helpKeyOf = ({ repositoryId }: ImportContext, help: string): string => keyOf(repositoryId, help);

function rowsOf(context: ImportContext, tool: string, shown: Map<string, PreparedEvidence>) {
  return Array.from(shown, ([vulnerabilityId, { content, help }]) => ({
    vulnerability_id: vulnerabilityId,
    tool,
    on_default: context.reference.isDefault,
    help_key: help === null ? null : helpKeyOf(context, help),
    content: packText(content),
  }));
}

/** Writes the explanations that the repository does not have yet. */
async function insertHelps(
  tx: Tx,
  context: ImportContext,
  findings: FindingReader,
  shown: Map<string, PreparedEvidence>,
): Promise<void> {
  const keys = new Map<string, string>();
  for (const { help } of shown.values()) if (help !== null) keys.set(helpKeyOf(context, help), help);
  if (keys.size === 0) return;
  const known = await tx.query<{ key: string }>(
    'select key from rule_help where tenant_id = $1 and repository_id = $2 and key = any($3::uuid[])',
    [tx.tenantId, context.repositoryId, [...keys.keys()]],
  );
  for (const { key } of known) keys.delete(key);
  const rows = Array.from(keys, ([key, help]) => ({
    repository_id: context.repositoryId,
    key,
    text: packText(findings.helps.get(help) ?? ''),
  }));
  await insertRows(tx, 'rule_help', rows, { conflict: '(tenant_id, repository_id, key) do nothing' });
}

async function deleteEvidence(
  tx: Tx,
  tool: string,
  isDefault: boolean,
  vulnerabilityIds: VulnerabilityId[],
): Promise<unknown[]> {
  if (vulnerabilityIds.length === 0) return [];
  return tx.query(
    `delete from vulnerability_evidence
      where tenant_id = $1 and tool = $2 and (not on_default or $3) and vulnerability_id = any($4::uuid[])
     returning vulnerability_id`,
    [tx.tenantId, tool, isDefault, vulnerabilityIds],
  );
}

async function deleteUnusedHelps(tx: Tx, repositoryId: RepositoryId): Promise<void> {
  await tx.query(
    `delete from rule_help h
      where h.tenant_id = $1 and h.repository_id = $2
        and not exists (select 1 from vulnerability_evidence e where e.tenant_id = $1 and e.help_key = h.key)`,
    [tx.tenantId, repositoryId],
  );
}

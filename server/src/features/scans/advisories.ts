/**
 * Which advisory a package finding is about, whatever the tool calls it. A report that names exactly one CVE
 * among its ids teaches that the others mean the same; several CVEs, and advisories of distributions, are
 * references and no aliases. Aliases are a workspace's own: one tenant's report cannot merge another's.
 */
import type { Tx } from '../../db/database.ts';

interface NamedAdvisories {
  advisories: string[];
}

const cvePattern = /^CVE-\d{4}-\d{4,}$/i;
// One of these may fix several problems at once: it is not another name of one of them.
const distroPattern =
  /^(?:RHSA|RHBA|RHEA|DSA|DLA|USN|ALAS\w*|ELSA|SUSE-|openSUSE-|MGASA|ASA|GLSA|CESA|ALSA|RLSA)[-:]?/i;

/** The CVE that the ids agree on, if there is exactly one. */
function onlyCve(ids: string[]): string | undefined {
  const cves = new Set(ids.filter((id) => cvePattern.test(id)).map((id) => id.toUpperCase()));
  return cves.size === 1 ? [...cves][0] : undefined;
}

/** Maps the first id of each finding to its canonical advisory, and keeps what the findings teach. */
export async function resolveAdvisories(
  tx: Tx,
  tenantId: string,
  findings: NamedAdvisories[],
): Promise<(finding: NamedAdvisories) => string> {
  const taught = new Map<string, string>();
  const asked = new Set<string>();
  for (const { advisories } of findings) {
    const cve = onlyCve(advisories);
    for (const id of advisories) {
      if (cve !== undefined && !cvePattern.test(id) && !distroPattern.test(id)) taught.set(id, cve);
    }
    const [first] = advisories;
    if (cve === undefined && first !== undefined) asked.add(first);
  }
  if (taught.size > 0) await insertAliases(tx, tenantId, taught);
  const known = asked.size > 0 ? await findAliases(tx, tenantId, [...asked]) : new Map<string, string>();
  return ({ advisories }) => {
    const [first = ''] = advisories;
    return onlyCve(advisories) ?? known.get(first) ?? first;
  };
}

async function insertAliases(tx: Tx, tenantId: string, aliases: Map<string, string>): Promise<void> {
  await tx.query(
    `insert into advisory_alias (tenant_id, alias, advisory)
     select $1, a.alias, a.advisory from unnest($2::text[], $3::text[]) as a (alias, advisory)
      order by a.alias collate "C"
     on conflict (tenant_id, alias) do nothing`,
    [tenantId, [...aliases.keys()], [...aliases.values()]],
  );
}

async function findAliases(tx: Tx, tenantId: string, ids: string[]): Promise<Map<string, string>> {
  const rows = await tx.query<{ alias: string; advisory: string }>(
    'select alias, advisory from advisory_alias where tenant_id = $1 and alias = any($2::text[])',
    [tenantId, ids],
  );
  return new Map(rows.map((row) => [row.alias, row.advisory]));
}

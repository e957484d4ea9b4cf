/**
 * Which advisory a package finding is about, whatever the tool calls it. A report that names exactly one CVE
 * among its ids teaches that the others mean the same; several CVEs, and advisories of distributions, are
 * references and no aliases. Aliases are a workspace's own: one tenant's report cannot merge another's.
 */
import type { Tx } from '../../../db/database.ts';

interface NamedAdvisories {
  advisories: string[];
}

export interface ResolvedAdvisories {
  /** The canonical advisory of a finding: the first of its ids, under the name that joins all who report it. */
  canonical(finding: NamedAdvisories): string;
  /** When CISA's catalogue of known exploited vulnerabilities took the advisory in; null: it has not. */
  exploitedSince(advisory: string): Date | null;
  /** Ids that were not known to be aliases before this report. */
  learned: string[];
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

/** Keeps what the findings teach, and knows what was taught before. */
export async function resolveAdvisories(
  tx: Tx,
  tenantId: string,
  findings: NamedAdvisories[],
): Promise<ResolvedAdvisories> {
  const taught = new Map<string, string>();
  const asked = new Set<string>();
  const cves = new Set<string>();
  for (const { advisories } of findings) {
    const cve = onlyCve(advisories);
    for (const id of advisories) {
      if (cve !== undefined && !cvePattern.test(id) && !distroPattern.test(id)) taught.set(id, cve);
    }
    const [first] = advisories;
    if (cve !== undefined) cves.add(cve);
    else if (first !== undefined) asked.add(first);
  }
  const learned = taught.size > 0 ? await insertAliases(tx, tenantId, taught) : [];
  const known = asked.size > 0 ? await findAliases(tx, tenantId, [...asked]) : new Map<string, string>();
  for (const cve of known.values()) cves.add(cve);
  const exploited = await findExploited(tx, [...cves]);
  return {
    canonical: ({ advisories }) => {
      const [first = ''] = advisories;
      return onlyCve(advisories) ?? known.get(first) ?? first;
    },
    exploitedSince: (advisory) => exploited.get(advisory) ?? null,
    learned,
  };
}

/**
 * Gives the aliases that are new. One that stands for another CVE already knows two and joins nothing from now on.
 */
async function insertAliases(tx: Tx, tenantId: string, aliases: Map<string, string>): Promise<string[]> {
  const rows = await tx.query<{ alias: string; is_new: boolean }>(
    `insert into advisory_alias as k (tenant_id, alias, advisory)
     select $1, a.alias, a.advisory from unnest($2::text[], $3::text[]) as a (alias, advisory)
      order by a.alias collate "C"
     on conflict (tenant_id, alias) do update set ambiguous = true
      where k.advisory <> excluded.advisory and not k.ambiguous
     returning k.alias, not k.ambiguous as is_new`,
    [tenantId, [...aliases.keys()], [...aliases.values()]],
  );
  return rows.filter((row) => row.is_new).map((row) => row.alias);
}

async function findAliases(tx: Tx, tenantId: string, ids: string[]): Promise<Map<string, string>> {
  const rows = await tx.query<{ alias: string; advisory: string }>(
    'select alias, advisory from advisory_alias where tenant_id = $1 and alias = any($2::text[]) and not ambiguous',
    [tenantId, ids],
  );
  return new Map(rows.map((row) => [row.alias, row.advisory]));
}

async function findExploited(tx: Tx, cves: string[]): Promise<Map<string, Date>> {
  if (cves.length === 0) return new Map();
  const rows = await tx.query<{ cve: string; added_on: Date }>(
    'select cve, added_on::timestamptz as added_on from kev where cve = any($1::text[])',
    [cves],
  );
  return new Map(rows.map((row) => [row.cve, row.added_on]));
}

/**
 * Which advisory a package finding is about, whatever the tool calls it. Aliases are a workspace's own: one tenant's
 * report cannot merge another's. What a report teaches is learned before its import, in a short transaction: imports
 * side by side never wait for each other's names.
 */
import type { Tx } from '../../../db/database.ts';
import { onlyCve, type TaughtName } from '../prepare/advisory-names.ts';
import { markPendingMerges } from './late-aliases.ts';

interface NamedAdvisories {
  advisories: string[];
}

export interface ResolvedAdvisories {
  /** The canonical advisory of a finding: the first of its ids, under the name that joins all who report it. */
  canonical(finding: NamedAdvisories): string;
  /** When CISA's catalogue of known exploited vulnerabilities took the advisory in; null: it has not. */
  exploitedSince(advisory: string): Date | null;
}

/**
 * Keeps the names that are new, and marks the repositories in which two may be one by them. A name that stands for
 * another CVE already knows two, and joins nothing from now on.
 */
export async function learnNames(tx: Tx, tenantId: string, taught: TaughtName[]): Promise<void> {
  if (taught.length === 0) return;
  const known = await tx.query<{ alias: string; advisory: string; ambiguous: boolean }>(
    'select alias, advisory, ambiguous from advisory_alias where tenant_id = $1 and alias = any($2::text[])',
    [tenantId, taught.map(({ alias }) => alias)],
  );
  const before = new Map(known.map((row) => [row.alias, row]));
  // Without a lock on what is known: nearly always that is all.
  const changed = taught.filter(({ alias, advisory }) => {
    const row = before.get(alias);
    return !row || (row.advisory !== advisory && !row.ambiguous);
  });
  if (changed.length === 0) return;
  const rows = await tx.query<{ alias: string; ambiguous: boolean }>(
    `insert into advisory_alias as k (tenant_id, alias, advisory, ambiguous)
     select $1, a.alias, coalesce(a.advisory, ''), a.advisory is null
       from unnest($2::text[], $3::text[]) as a (alias, advisory) order by a.alias collate "C"
     on conflict (tenant_id, alias) do update set ambiguous = true
      where k.advisory <> excluded.advisory and not k.ambiguous
     returning k.alias, k.ambiguous`,
    [tenantId, changed.map(({ alias }) => alias), changed.map(({ advisory }) => advisory)],
  );
  await markPendingMerges(
    tx,
    tenantId,
    rows.filter((row) => !row.ambiguous).map((row) => row.alias),
  );
}

/** Knows what was taught of the findings' ids. */
export async function resolveAdvisories(
  tx: Tx,
  tenantId: string,
  findings: NamedAdvisories[],
): Promise<ResolvedAdvisories> {
  const asked = new Set<string>();
  const cves = new Set<string>();
  for (const { advisories } of findings) {
    const cve = onlyCve(advisories);
    const [first] = advisories;
    if (cve !== undefined) cves.add(cve);
    else if (first !== undefined) asked.add(first);
  }
  const known = asked.size > 0 ? await findAliases(tx, tenantId, [...asked]) : new Map<string, string>();
  for (const cve of known.values()) cves.add(cve);
  const exploited = await findExploited(tx, [...cves]);
  return {
    canonical: ({ advisories }) => {
      const [first = ''] = advisories;
      return onlyCve(advisories) ?? known.get(first) ?? first;
    },
    exploitedSince: (advisory) => exploited.get(advisory) ?? null,
  };
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

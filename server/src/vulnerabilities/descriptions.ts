/**
 * Descriptions: what tools say of a vulnerability besides the facts in its row. The same advisory or rule is described
 * alike in every repository, so that a workspace stores each description once. A row never changes; a vulnerability
 * that is described in another way leads to another row.
 */
import { hash } from 'node:crypto';
import { insertRows, rowsOf } from '../db/bulk.ts';
import type { Tx } from '../db/database.ts';
import { rowByKey } from '../db/planner-hints.ts';
import { uuidOfDigest, type VulnerabilityId } from '../domain/ids.ts';

export interface Description {
  description: string | null;
  links: string[];
  cvss_vector: string | null;
}

/** Advisories list dozens of mirrors of one text, and a person follows a few. */
export const maxStoredLinks = 50;

/** The ids and weaknesses of a vulnerability, which are in its row, and its description. */
export interface Details extends Description {
  vulnerability_id: VulnerabilityId;
  advisory: string | null;
  /** The ids besides the advisory. */
  identifiers: string[];
  cwes: string[];
  /** Null if the description says nothing. */
  description_key: string | null;
}

export function detailsWithKey(details: Omit<Details, 'description_key'>): Details {
  return { ...details, description_key: keyOf(details) };
}

function keyOf({ description, links, cvss_vector }: Description): string | null {
  if (description === null && links.length === 0 && cvss_vector === null) return null;
  return uuidOfDigest(hash('sha256', JSON.stringify([description, links, cvss_vector]), 'hex'));
}

/**
 * SQL of the weaknesses of the vulnerability v. They are stored as one text, because an array of one takes 26 bytes
 * more.
 */
export const sqlCwes = `coalesce(string_to_array(v.cwes, ' '), '{}')`;

/** The columns of `vulnerability` that have the details. */
export function detailColumns({ identifiers, cwes, description_key }: Details) {
  return {
    identifiers: identifiers.length === 0 ? null : identifiers,
    cwes: cwes.length === 0 ? null : cwes.join(' '),
    description_key,
  };
}

/** The keys that a transaction has written, because the slices of a large import have many descriptions in common. */
const written = new WeakMap<Tx, Set<string>>();

/** Stores the descriptions that the workspace lacks. */
export async function insertDescriptions(tx: Tx, details: readonly Details[]): Promise<void> {
  const before = written.get(tx) ?? new Set();
  written.set(tx, before);
  const rows = details.flatMap(({ description_key: key, description, links, cvss_vector }) => {
    if (key === null || before.has(key)) return [];
    before.add(key);
    return [{ key, description, links, cvss_vector }];
  });
  await insertRows(tx, 'vulnerability_description', rows, { order: 's.key', conflict: 'do nothing' });
}

/**
 * Reads the details of these vulnerabilities, in no order. Nobody else changes them while their repository is locked.
 */
export async function readDetails(tx: Tx, ids: VulnerabilityId[]): Promise<Details[]> {
  return tx.query<Details>(
    `select v.id as vulnerability_id, v.advisory, coalesce(v.identifiers, '{}') as identifiers,
            ${sqlCwes} as cwes,
            v.description_key, d.description, coalesce(d.links, '{}') as links, d.cvss_vector
       from unnest($2::uuid[]) k (id)
      cross join lateral ${rowByKey('vulnerability v', 'k.id')}
       left join lateral ${rowByKey('vulnerability_description d', 'v.description_key', { column: 'key' })} on true`,
    [tx.tenantId, ids],
  );
}

/** Gives vulnerabilities other details. */
export async function updateDetails(tx: Tx, details: readonly Details[]): Promise<void> {
  if (details.length === 0) return;
  await insertDescriptions(tx, details);
  const rows = details.map((row) => ({ id: row.vulnerability_id, ...detailColumns(row) }));
  await tx.query(
    `update vulnerability v set identifiers = s.identifiers, cwes = s.cwes, description_key = s.description_key
       from ${rowsOf('vulnerability', '$2')} s
      where v.tenant_id = $1 and v.id = s.id`,
    [tx.tenantId, JSON.stringify(rows)],
  );
}

/** The texts of all lists, each once and sorted. */
export function union(...lists: readonly string[][]): string[] {
  return [...new Set(lists.flat())].sort();
}

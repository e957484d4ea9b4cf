/**
 * The setting of a workspace whether its packages are matched with the loaded advisories, and what a change of it makes
 * due. It is on by default (docs/adr/0060).
 */
import type { Tx } from '../../db/database.ts';
import { holdAdvisories } from '../advisories/osv-store.ts';
import { markAllPackages, markAllReferences, markMatchedReferences } from './match-store.ts';

/** The first one is the default. */
export const advisoryMatching = ['on', 'off'] as const;
export type AdvisoryMatching = (typeof advisoryMatching)[number];

/** True if packages of the workspace are matched, and there are advisories. */
export async function isMatching(tx: Tx): Promise<boolean> {
  const [row] = await tx.query<{ yes: boolean }>(
    `select coalesce(settings->>'advisory_matching', $2) = 'on' and exists (select 1 from intel_feed where name = 'osv') as yes
       from tenant where id = $1`,
    [tx.tenantId, advisoryMatching[0]],
    'is-matching',
  );
  return row?.yes ?? false;
}

/** Marks all packages and references of the workspace. */
export async function markAll(tx: Tx, at: Date): Promise<void> {
  await holdAdvisories(tx);
  await markAllPackages(tx, at);
  await markAllReferences(tx, at);
}

/** Marks what a changed setting makes due: all packages are matched, or what was matched is closed. */
export async function markByMatching(tx: Tx, matching: AdvisoryMatching, at: Date): Promise<void> {
  if (matching === 'off') await markMatchedReferences(tx, at);
  else await markAll(tx, at);
}

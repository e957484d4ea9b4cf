/**
 * Deletes data that is older than the settings of the install allow: fixed vulnerabilities, resolved violations,
 * what old references have shown, scans, the audit log.
 */
import type pg from 'pg';
import type { Database } from '../db/database.ts';
import type { TenantId } from '../domain/ids.ts';
import { dayMs } from '../domain/time.ts';
import { asOwner, deleteWhere } from './as-owner.ts';
import { forgetFixed } from './forget-fixed.ts';
import { emptyOldReferences } from './old-references.ts';
import { deleteOldScans } from './old-scans.ts';
import { deleteOldViolations } from './old-violations.ts';
import { deleteUnusedTexts } from './unused-texts.ts';
import { deleteZeroCounters } from './zero-counters.ts';

/** Days; 0 means that data is kept for ever. */
export interface Retention {
  keepFixedDays: number;
  keepReferencesDays: number;
  keepScansDays: number;
  keepAuditDays: number;
}

export interface Pruned {
  vulnerabilities: number;
  /** Entries of histories. */
  events: number;
  /** Descriptions and search terms that no vulnerability has any more. */
  texts: number;
  /** Those of vulnerabilities do not count. */
  violations: number;
  references: number;
  scans: number;
  audit: number;
}

/**
 * Goes through all workspaces, in transactions of some thousand rows, and reports after each how much it has deleted so
 * far. An interrupted run continues with the next call. `ownerUrl` is the address of the owner of the tables. Throws at
 * the end if a workspace failed; the others are pruned.
 */
export async function prune(
  { db, ownerUrl }: { db: Database; ownerUrl: string },
  { keepFixedDays, keepReferencesDays, keepScansDays, keepAuditDays }: Retention,
  now: Date,
  progress: (workspace: string, pruned: Pruned) => void,
): Promise<Pruned> {
  const before = (days: number): Date => new Date(now.getTime() - days * dayMs);
  const pruned: Pruned = {
    vulnerabilities: 0,
    events: 0,
    texts: 0,
    violations: 0,
    references: 0,
    scans: 0,
    audit: 0,
  };
  const pruneWorkspace = async (id: TenantId, owner: pg.Client): Promise<void> => {
    // Vulnerabilities and scans that nothing but an old reference needs are deleted after it.
    if (keepReferencesDays > 0) {
      pruned.references += await emptyOldReferences(db, id, before(keepReferencesDays));
      // Each pull request adds one for every vulnerability that it shows, and only the history itself shows them.
      const seen = "kind = 'seen_on_reference' and at < $2";
      pruned.events += await deleteWhere(owner, id, 'vulnerability_event', seen, [
        before(keepReferencesDays),
      ]);
    }
    if (keepFixedDays > 0) {
      pruned.vulnerabilities += await forgetFixed(db, id, before(keepFixedDays));
      pruned.events += await deleteEventsWithout(owner, id);
      pruned.texts += await deleteUnusedTexts(owner, id);
      pruned.violations += await deleteOldViolations(db, id, before(keepFixedDays));
    }
    if (keepScansDays > 0) pruned.scans += await deleteOldScans(db, id, before(keepScansDays));
    if (keepAuditDays > 0) {
      pruned.audit += await deleteWhere(owner, id, 'audit_event', 'at < $2', [before(keepAuditDays)]);
    }
    await deleteZeroCounters(db, id);
  };
  await asOwner(ownerUrl, async (owner) => {
    const { rows: tenants } = await owner.query<{ id: TenantId; slug: string }>(
      'select id, slug from tenant where deleted_at is null order by slug',
    );
    const failed: { slug: string; error: unknown }[] = [];
    for (const { id, slug } of tenants) {
      try {
        await pruneWorkspace(id, owner);
      } catch (error) {
        // One that fails each night must not keep the data of those after it for ever.
        failed.push({ slug, error });
      }
      progress(slug, pruned);
    }
    const [first] = failed;
    if (first !== undefined) {
      const slugs = failed.map(({ slug }) => slug).join(', ');
      throw new Error(`Not pruned as a whole: ${slugs}. ${(first.error as Error).message}`, {
        cause: first.error,
      });
    }
  });
  return pruned;
}

/** Deletes the events of vulnerabilities that no longer exist under their own id or another. */
function deleteEventsWithout(owner: pg.Client, tenantId: TenantId): Promise<number> {
  return deleteWhere(
    owner,
    tenantId,
    'vulnerability_event e',
    `not exists (select 1 from vulnerability v where v.tenant_id = $1 and v.id = e.vulnerability_id)
     and not exists (select 1 from vulnerability_redirect r where r.tenant_id = $1 and r.id = e.vulnerability_id)`,
  );
}

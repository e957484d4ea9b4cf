/**
 * A reference is compared with its base, so that only its own violations count. The comparison uses the moment of the
 * scan of the base's commit. If that commit has no scan, it uses the time of the reference's first scan on top of it.
 */
import type { Tx } from '../../db/database.ts';
import type { ReferenceId } from '../../domain/ids.ts';
import { requiresApproval } from '../exceptions/requires-approval.ts';
import { type ComparedReference, findBaseReference, isScannedBy } from './compared-reference-store.ts';
import { listUnmetOnBase } from './unmet-on-base.ts';

/**
 * All violations count unless the state is `compared`. `none`: the reference has no base. `missing`: the base has no
 * scan. `untracked`: a policy blocks in the repository, the base is not the default branch, and no key that may decide
 * there has named it, so it may be a decoy. A key that may upload can also create a branch with a tracked name.
 */
export type Base =
  | { state: 'none' }
  | { state: 'missing' | 'untracked'; fullRef: string | null; sha: string | null }
  | {
      state: 'compared';
      referenceId: ReferenceId;
      fullRef: string;
      sha: string | null;
      /**
       * Violations that were live on the base at this time are not new. A series that has scanned `sha` counts with
       * that scan.
       */
      at: Date;
      /**
       * The same time for targets without observations, such as packages: all series that list them have scanned `sha`.
       */
      listedAt: Date;
      /** Open violations that are new although the base has their vulnerabilities (`listUnmetOnBase`). */
      unmet: string[];
    };

/**
 * `given` is a base that the caller names, as a full reference name, instead of the one from the reports; its newest
 * state counts. `approved` says whether the caller may decide where a policy blocks.
 */
export async function findBase(
  tx: Tx,
  reference: ComparedReference,
  given: { baseRef: string; approved: boolean } | null = null,
): Promise<Base> {
  const baseRef = given?.baseRef ?? null;
  const isOther = baseRef !== null && baseRef !== reference.base_ref;
  const sha = isOther ? null : reference.base_sha;
  const fullRef = baseRef ?? reference.base_ref;
  if (reference.tracked || (fullRef === null && sha === null)) return { state: 'none' };
  const row = await findBaseReference(tx, reference, fullRef, sha);
  const missing: Base = { state: 'missing', fullRef, sha };
  // The base does not exist, or it is the reference itself.
  if (!row) return missing;
  const approved = isOther ? given?.approved === true : reference.base_approved;
  if (!row.is_default && !approved && (await requiresApproval(tx, reference.repository_id))) {
    return { ...missing, state: 'untracked' };
  }
  const at = row.scanned_base_at ?? row.first_scan_at ?? new Date();
  if (!(await isScannedBy(tx, row.id, at))) return missing;
  const compared = {
    referenceId: row.id,
    fullRef: row.full_ref,
    sha,
    at,
    listedAt: row.listed_base_at ?? at,
  };
  return { state: 'compared', ...compared, unmet: await listUnmetOnBase(tx, reference.id, compared, false) };
}

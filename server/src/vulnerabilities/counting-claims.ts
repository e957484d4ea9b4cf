/**
 * A claim counts while its series sees the vulnerability (`live`) and the reference of the series is active. So the
 * severity of a closed pull request or a deleted branch no longer counts (ADR 114).
 */
import { rowByKey } from '../db/planner-hints.ts';

/**
 * SQL of a join: the reference `f` of the series of the claim with this alias. One look-up for both tables is
 * remembered for each series, whose claims are about many vulnerabilities.
 */
export const sqlClaimReference = (claim: string): string =>
  `cross join lateral (
     select f.* from ${rowByKey('scan_series s', `${claim}.series_id`)}
      cross join lateral ${rowByKey('reference f', 's.reference_id')} limit 1) f`;

/** SQL of a condition after `sqlClaimReference`: the claim counts. */
export const sqlClaimCounts = (claim: string): string => `(${claim}.live and f.active)`;

/**
 * SQL of a condition after `sqlClaimReference`: the suppression of a claim that counts decides. On a reference that is
 * not tracked it is a suggestion.
 */
export const sqlSuppressionDecides = (claim: string): string =>
  `(${claim}.suppressed and ${claim}.suppression_may_decide and f.tracked)`;

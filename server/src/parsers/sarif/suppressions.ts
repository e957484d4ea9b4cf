/**
 * SARIF's suppressions: whether one was in force when the tool ran. It must never compare with the server's clock,
 * because a report must be read alike at any time.
 */
import { arrayAt, asRecord, type JsonRecord, recordAt, stringAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { readTimestamp, safeText } from '../reading/text.ts';
import type { ReportFinding } from '../report.ts';

const expiryKeys = ['expiration', 'expirationDate', 'expires', 'expiresAt', 'expiryUtc', 'expiry'] as const;

/**
 * A result is suppressed if its list holds only accepted suppressions (no status means accepted) and at least one had
 * not ended at the time of the run. If the time of the run is unknown, the end is passed on without a check.
 */
export function suppressionOf(
  result: JsonRecord,
  ranAt: string | null,
  context: ParseContext,
): ReportFinding['suppression'] {
  const suppressions = arrayAt(result, 'suppressions');
  if (suppressions.length === 0) return null;
  const inForce: NonNullable<ReportFinding['suppression']>[] = [];
  for (const suppression of suppressions) {
    if (asRecord(suppression) === null) continue;
    if ((stringAt(suppression, 'status') ?? 'accepted') !== 'accepted') return null;
    const expiresAt = expiryOf(suppression);
    if (expiresAt !== null && ranAt !== null && expiresAt <= ranAt) continue;
    inForce.push({
      // A location that counts as fixed has no end.
      by: stringAt(suppression, 'kind') === 'inSource' && expiresAt === null ? 'source' : 'file',
      reason: safeText(stringAt(suppression, 'justification'), context),
      expiresAt,
    });
  }
  if (inForce.length === 0) return null;
  const ends = inForce.map(({ expiresAt }) => expiresAt).filter((end) => end !== null);
  return {
    by: inForce.some(({ by }) => by === 'source') ? 'source' : 'file',
    reason: inForce.find(({ reason }) => reason !== null)?.reason ?? null,
    // The longest suppression counts, and one without an end is the longest.
    expiresAt: ends.length < inForce.length ? null : (ends.sort().at(-1) ?? null),
  };
}

/** Returns the time of the run: the latest end of its invocations, else the latest start. */
export function ranAt(run: JsonRecord): string | null {
  for (const key of ['endTimeUtc', 'startTimeUtc']) {
    const times = arrayAt(run, 'invocations')
      .map((invocation) => readTimestamp(stringAt(invocation, key)))
      .filter((time) => time !== null);
    const latest = times.sort().at(-1);
    if (latest !== undefined) return latest;
  }
  return null;
}

function expiryOf(suppression: unknown): string | null {
  for (const record of [suppression, recordAt(suppression, 'properties')]) {
    for (const key of expiryKeys) {
      const time = readTimestamp(stringAt(record, key));
      if (time !== null) return time;
    }
  }
  return null;
}

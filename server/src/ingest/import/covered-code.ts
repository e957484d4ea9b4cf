/**
 * A decision, an exception or a snooze covers the code that the default branch has shown. Other code is a new
 * vulnerability, even if it stands at the line of the decided one, or if a report of a pull request has joined the two.
 */
import type { Tx } from '../../db/database.ts';
import type { CodeFinding, CodeMatch } from './match-code.ts';
import { findUndecided, listCodeOnDefault } from './resolve-store.ts';

/** The fingerprint and the code of a finding or of a location. */
type Evidence = Pick<CodeFinding, 'fingerprintKey' | 'codeKey'>;

/** Returns the matches without those that would bring other code to a vulnerability about which somebody has decided. */
export async function coveredMatches(
  tx: Tx,
  findings: CodeFinding[],
  matches: CodeMatch[],
): Promise<CodeMatch[]> {
  const byOrdinal = new Map(findings.map((finding) => [finding.ordinal, finding]));
  const doubtful = matches.flatMap((match) => {
    const finding = byOrdinal.get(match.ordinal);
    return finding === undefined || isSameOnDefault(finding, match) ? [] : { match, finding };
  });
  if (doubtful.length === 0) return matches;
  const ids = [...new Set(doubtful.map(({ match }) => match.candidate.vulnerabilityId))];
  const undecided = await findUndecided(tx, ids);
  const decided = doubtful.filter(({ match }) => !undecided.has(match.candidate.vulnerabilityId));
  if (decided.length === 0) return matches;
  const onDefault = await listCodeOnDefault(tx, [
    ...new Set(decided.map(({ match }) => match.candidate.vulnerabilityId)),
  ]);
  const refused = new Set(
    decided
      .filter(({ match: { candidate }, finding }) => {
        const shown = onDefault.get(candidate.vulnerabilityId) ?? [candidate];
        return !shown.some((evidence) => isSame(finding, evidence));
      })
      .map(({ match }) => match.ordinal),
  );
  return matches.filter((match) => !refused.has(match.ordinal));
}

/** True if the default branch shows the same there. A report without the code says nothing against the same line. */
function isSameOnDefault(finding: CodeFinding, { candidate }: CodeMatch): boolean {
  if (!candidate.onDefault) return false;
  const oneWithoutCode = finding.codeKey === null || candidate.codeKey === null;
  return isSame(finding, candidate) || (oneWithoutCode && finding.line === candidate.line);
}

/** Two findings without code are the same, because nothing shows that the code has changed. */
function isSame(a: Evidence, b: Evidence): boolean {
  return a.codeKey === b.codeKey || (a.fingerprintKey !== null && a.fingerprintKey === b.fingerprintKey);
}

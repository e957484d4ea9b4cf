/**
 * A decision, an exception or a snooze covers the code that the default branch has shown. Other code is a new
 * vulnerability, even if it stands at the line of the decided one, or if a report of a pull request has joined the two.
 */
import type { Tx } from '../../db/database.ts';
import {
  type AlreadyMatched,
  type Candidate,
  type CodeFinding,
  type CodeMatch,
  isNear,
  matchCode,
} from './match-code.ts';
import { findUndecided, type KnownCode, listCode } from './resolve-store.ts';

// A refused finding may match another location in the next round. What is refused in the last one is new.
const rounds = 3;

/** Matches by the match rules, and brings no other code to a vulnerability about which somebody has decided. */
export async function matchCoveredCode(
  tx: Tx,
  findings: CodeFinding[],
  candidates: Candidate[],
  taken: AlreadyMatched,
): Promise<CodeMatch[]> {
  const byOrdinal = new Map(findings.map((finding) => [finding.ordinal, finding]));
  const refused = new Map<number, Set<string>>();
  for (let round = 1; ; round++) {
    const matches = matchCode(findings, candidates, taken, refused);
    const uncovered = await findUncovered(tx, byOrdinal, matches);
    if (uncovered.size === 0) return matches;
    if (round === rounds) return matches.filter((match) => !uncovered.has(match));
    for (const { ordinal, candidate } of uncovered) {
      refused.set(ordinal, (refused.get(ordinal) ?? new Set()).add(candidate.vulnerabilityId));
    }
  }
}

async function findUncovered(
  tx: Tx,
  findings: ReadonlyMap<number, CodeFinding>,
  matches: CodeMatch[],
): Promise<Set<CodeMatch>> {
  const doubtful = matches.flatMap((match) => {
    const finding = findings.get(match.ordinal);
    return finding === undefined || isSame(finding, match.candidate) ? [] : { match, finding };
  });
  if (doubtful.length === 0) return new Set();
  const ids = [...new Set(doubtful.map(({ match }) => match.candidate.vulnerabilityId))];
  const undecided = await findUndecided(tx, ids);
  const decided = ids.filter((id) => !undecided.has(id));
  if (decided.length === 0) return new Set();
  const known = Map.groupBy(await listCode(tx, decided), (code) => code.vulnerabilityId);
  return new Set(
    doubtful.flatMap(({ match, finding }) => {
      const id = match.candidate.vulnerabilityId;
      return undecided.has(id) || isCovered(finding, known.get(id) ?? []) ? [] : match;
    }),
  );
}

/** True if the location shows at once that the finding is covered. */
function isSame(finding: CodeFinding, candidate: Candidate): boolean {
  if (finding.codeKey !== null) {
    return finding.codeKey === candidate.codeKey && (candidate.onDefault || candidate.here);
  }
  return candidate.onDefault && finding.fingerprintKey === candidate.fingerprintKey;
}

/**
 * The code decides if both sides have it, then the fingerprint, and the line in the file only where neither can be
 * compared. A vulnerability that was never on the default branch is compared with its locations elsewhere, and only with
 * those of the same rule: it may have several, after a merge by hand.
 */
function isCovered(finding: CodeFinding, known: KnownCode[]): boolean {
  const ofRule = known.filter((code) => code.ruleKey === finding.ruleKey);
  const onDefault = ofRule.filter((code) => code.onDefault);
  const shown = onDefault.length > 0 ? onDefault : ofRule;
  const codes = new Set(shown.flatMap((code) => code.codeKey ?? []));
  if (finding.codeKey !== null && codes.size > 0) return codes.has(finding.codeKey);
  const sameScheme = shown.filter((code) => code.fingerprintScheme === finding.fingerprintScheme);
  const fingerprints = new Set(sameScheme.flatMap((code) => code.fingerprintKey ?? []));
  if (finding.fingerprintKey !== null && fingerprints.size > 0) {
    return fingerprints.has(finding.fingerprintKey);
  }
  return shown.some(
    ({ fileKey, line }) =>
      (fileKey === finding.fileKey || fileKey === finding.fileKeyBefore) && isNear(line, finding.line),
  );
}

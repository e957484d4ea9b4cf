/**
 * A decision, an exception or a snooze covers the code that the default branch shows, if it shows any. Other code is a
 * new vulnerability, even if it stands at the line of the decided one, or if a report of a pull request has joined the
 * two.
 */
import type { Tx } from '../../db/database.ts';
import type { VulnerabilityId } from '../../domain/ids.ts';
import {
  type AlreadyMatched,
  type Candidate,
  type CodeFinding,
  type CodeMatch,
  isNear,
  matchCode,
} from './match-code.ts';
import { findUndecided, type KnownCode, listCode } from './resolve-store.ts';

/** Matches by the match rules, and brings no other code to a vulnerability about which somebody has decided. */
export async function matchCoveredCode(
  tx: Tx,
  findings: CodeFinding[],
  candidates: Candidate[],
  taken: AlreadyMatched,
): Promise<CodeMatch[]> {
  const matches = matchCode(findings, candidates, taken);
  const byOrdinal = new Map(findings.map((finding) => [finding.ordinal, finding]));
  const doubtful = matches.flatMap(({ ordinal, candidate }) => {
    const finding = byOrdinal.get(ordinal);
    return finding === undefined || isSame(finding, candidate) ? [] : candidate;
  });
  const decided = await findDecided(tx, doubtful);
  if (decided.length === 0) return matches;
  // A location that one finding may not match is left to another, so the rules need all decided vulnerabilities.
  const covered = new CoveredCode(await listCode(tx, await findDecided(tx, candidates)));
  return matchCode(
    findings,
    candidates,
    taken,
    (finding, candidate) => isSame(finding, candidate) || covered.has(finding, candidate),
  );
}

async function findDecided(tx: Tx, candidates: Candidate[]): Promise<VulnerabilityId[]> {
  const ids = [...new Set(candidates.map(({ vulnerabilityId }) => vulnerabilityId))];
  if (ids.length === 0) return [];
  const undecided = await findUndecided(tx, ids);
  return ids.filter((id) => !undecided.has(id));
}

/**
 * True if the location has the code of the finding, on the default branch or already on the reference of the report.
 */
function isSame(finding: CodeFinding, candidate: Candidate): boolean {
  if (finding.codeKey !== null) {
    return finding.codeKey === candidate.codeKey && candidate.live && (candidate.onDefault || candidate.here);
  }
  return candidate.onDefault && candidate.live && finding.fingerprintKey === candidate.fingerprintKey;
}

/** The code of one rule that a decision covers. */
interface Shown {
  codes: Set<string>;
  locations: KnownCode[];
}

/**
 * The code of decided vulnerabilities, as the default branch has shown it since the decision, or as other references
 * show it if the default branch has not. After a merge by hand a vulnerability may have several rules, each with its
 * own code.
 */
class CoveredCode {
  readonly #decided: Set<string>;
  /** Vulnerability and rule → their code. */
  readonly #shown = new Map<string, Shown>();

  constructor(known: KnownCode[]) {
    this.#decided = new Set(known.map((code) => code.vulnerabilityId));
    for (const [key, list] of Map.groupBy(
      known,
      ({ vulnerabilityId, ruleKey }) => `${vulnerabilityId} ${ruleKey}`,
    )) {
      const shown = list.filter((code) => code.shown);
      const onDefault = shown.filter((code) => code.onDefault);
      const locations = onDefault.length > 0 ? onDefault : shown;
      this.#shown.set(key, { codes: new Set(locations.flatMap((code) => code.codeKey ?? [])), locations });
    }
  }

  /**
   * The code decides if both sides have it, then the fingerprint in the same file, and the line in the file only where
   * neither can be compared.
   */
  has(finding: CodeFinding, { vulnerabilityId, live, onDefault, fileKey }: Candidate): boolean {
    if (!this.#decided.has(vulnerabilityId)) return true;
    const shown = this.#shown.get(`${vulnerabilityId} ${finding.ruleKey}`);
    if (shown === undefined) return false;
    if (finding.codeKey !== null && shown.codes.size > 0) {
      // A location of the default branch that was closed before the decision is not covered by equal code in another
      // file.
      if (onDefault && !live) {
        return shown.locations.some((code) => code.fileKey === fileKey && code.codeKey === finding.codeKey);
      }
      return shown.codes.has(finding.codeKey);
    }
    const comparable = shown.locations.filter(
      (code) => code.fileKey === finding.fileKey && code.fingerprintScheme === finding.fingerprintScheme,
    );
    if (finding.fingerprintKey !== null && comparable.length > 0) {
      return comparable.some((code) => code.fingerprintKey === finding.fingerprintKey);
    }
    return shown.locations.some(
      ({ fileKey, line }) =>
        (fileKey === finding.fileKey || fileKey === finding.fileKeyBefore) && isNear(line, finding.line),
    );
  }
}

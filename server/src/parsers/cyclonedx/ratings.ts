/**
 * The choice among the ratings of a vulnerability: one severity and one CVSS score, by a rule that does not depend on
 * their order. It must never treat a score by another formula as CVSS.
 */
import { compareText } from '../../domain/comparators/digits.ts';
import type { Severity } from '../../domain/packed-state.ts';
import { cvssOf, severityOf } from '../reading/cvss.ts';
import { severityOfScore } from '../reading/finding.ts';
import { arrayAt, type JsonRecord, numberAt, recordAt, stringAt } from '../reading/json.ts';
import type { ReportFinding } from '../report.ts';

interface Rating {
  severity: Severity;
  cvss: ReportFinding['cvss'];
  source: string;
  /** The rank of the source; a smaller number is better. */
  rank: number;
  /** The age of the CVSS version; 0 is the newest. */
  age: number;
}

/**
 * The vulnerability's own source comes first, because tools rate by it. Then come ratings without a source, then the
 * well-known sources, then the rest by name. Within one source the newest CVSS version wins.
 */
export function chooseRating(vulnerability: JsonRecord): Pick<ReportFinding, 'severity' | 'cvss'> {
  const own = (stringAt(recordAt(vulnerability, 'source'), 'name') ?? '').toLowerCase();
  const ratings = arrayAt(vulnerability, 'ratings')
    .map((row) => ratingOf(row, own))
    .sort((a, b) => a.rank - b.rank || compareText(a.source, b.source) || a.age - b.age);
  const cvss = ratings.find((rating) => rating.cvss !== null)?.cvss ?? null;
  const known = ratings.find(({ severity }) => severity !== 'unknown')?.severity;
  return { severity: known ?? severityOfScore(cvss?.score ?? null) ?? 'unknown', cvss };
}

const wellKnown: readonly string[] = ['nvd', 'github', 'ghsa', 'redhat'];

function ratingOf(row: unknown, own: string): Rating {
  const source = (stringAt(recordAt(row, 'source'), 'name') ?? '').toLowerCase();
  const known = wellKnown.indexOf(source);
  const method = stringAt(row, 'method');
  const age = ageOf(method ?? '', stringAt(row, 'vector') ?? '');
  // The extension before 1.4 writes the score as an object.
  const score = numberAt(row, 'score') ?? numberAt(recordAt(row, 'score'), 'base');
  const isCvss = age < versions.length || method === null;
  const cvss = isCvss ? cvssOf(score, vectorOf(stringAt(row, 'vector'), age)) : null;
  const isOwn = source !== '' && source === own;
  return {
    // A score of the source that the vulnerability names counts before the severity of another one. Some tools write 0
    // for no score.
    severity: severityOf(stringAt(row, 'severity'), (isOwn && cvss?.score) || null),
    cvss,
    source,
    rank: isOwn ? 0 : source === '' ? 1 : known === -1 ? 99 : 2 + known,
    age,
  };
}

/** The newest version comes first: the spelling of its method and the prefix of its vector. */
const versions: readonly { method: RegExp; prefix: string }[] = [
  { method: /^cvssv?4/i, prefix: 'CVSS:4.0/' },
  { method: /^cvssv?3\.?1/i, prefix: 'CVSS:3.1/' },
  { method: /^cvssv?3/i, prefix: 'CVSS:3.0/' },
  { method: /^cvssv?2/i, prefix: '' },
];

function ageOf(method: string, vector: string): number {
  const index = versions.findIndex(
    (version) => version.method.test(method) || (version.prefix !== '' && vector.startsWith(version.prefix)),
  );
  return index === -1 ? versions.length : index;
}

/** Adds the prefix of the version, which some tools leave out. */
function vectorOf(vector: string | null, age: number): string | null {
  return vector === null || vector.startsWith('CVSS:') ? vector : `${versions[age]?.prefix ?? ''}${vector}`;
}

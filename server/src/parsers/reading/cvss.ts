/**
 * Owns CVSS vectors: what of one may be kept, and the base score of a version 3 vector that comes without its
 * score. Must never guess a score for another version: those need tables that the reports' own words replace.
 */
import type { Severity } from '../../domain/packed-state.ts';
import type { ReportFinding } from '../report.ts';
import { severityOfScore, severityOfWord } from './finding.ts';

type Cvss = NonNullable<ReportFinding['cvss']>;

/** Null for what is no score from 0 to 10. A text that is no vector is left out. */
export function cvssOf(score: number | null, vector: string | null): Cvss | null {
  if (score === null || score < 0 || score > 10) return null;
  return { score, vector: vector !== null && /^[A-Za-z0-9:./]{1,256}$/.test(vector) ? vector : null };
}

/** A vector alone; null unless it is a whole one of version 3. */
export function cvssOfVector(vector: string): Cvss | null {
  return cvssOf(baseScore(vector), vector);
}

/** The tool's word; the score's band where the word says nothing. */
export function severityOf(word: string | null, score: number | null): Severity {
  const severity = severityOfWord(word);
  return severity === 'unknown' ? (severityOfScore(score) ?? 'unknown') : severity;
}

const impacts: Readonly<Record<string, number>> = { H: 0.56, L: 0.22, N: 0 };
const weights: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  AV: { N: 0.85, A: 0.62, L: 0.55, P: 0.2 },
  AC: { L: 0.77, H: 0.44 },
  UI: { N: 0.85, R: 0.62 },
  C: impacts,
  I: impacts,
  A: impacts,
};
const privileges = {
  U: { N: 0.85, L: 0.62, H: 0.27 },
  C: { N: 0.85, L: 0.68, H: 0.5 },
} as const;

/** The equations of section 7.1 of the specification of CVSS 3.1, which 3.0 shares. */
function baseScore(vector: string): number | null {
  if (!/^CVSS:3\.[01]\/[A-Z:/]{1,200}$/.test(vector)) return null;
  const metrics = new Map(vector.split('/').map((part) => part.split(':', 2) as [string, string]));
  const scope = metrics.get('S');
  const privilege = metrics.get('PR');
  if ((scope !== 'U' && scope !== 'C') || (privilege !== 'N' && privilege !== 'L' && privilege !== 'H')) {
    return null;
  }
  const weigh = (name: string): number => weights[name]?.[metrics.get(name) ?? ''] ?? Number.NaN;
  const missed = 1 - (1 - weigh('C')) * (1 - weigh('I')) * (1 - weigh('A'));
  const exploitability = 8.22 * weigh('AV') * weigh('AC') * privileges[scope][privilege] * weigh('UI');
  const impact = scope === 'U' ? 6.42 * missed : 7.52 * (missed - 0.029) - 3.25 * (missed - 0.02) ** 15;
  if (Number.isNaN(impact) || Number.isNaN(exploitability)) return null;
  if (impact <= 0) return 0;
  return roundUp(Math.min((scope === 'U' ? 1 : 1.08) * (impact + exploitability), 10));
}

/** To the next tenth, over whole numbers so that a binary fraction does not tip it. */
function roundUp(value: number): number {
  const whole = Math.round(value * 100_000);
  return whole % 10_000 === 0 ? whole / 100_000 : (Math.floor(whole / 10_000) + 1) / 10;
}

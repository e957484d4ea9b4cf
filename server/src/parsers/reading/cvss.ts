/**
 * CVSS vectors: which part of a vector is kept, and the base score of a vector without its score. It must never guess a
 * score if a base metric is missing.
 */

import calculator from 'ae-cvss-calculator';
import { LRUCache } from 'lru-cache';
import type { Severity } from '../../domain/packed-state.ts';
import type { ReportFinding } from '../report.ts';
import { severityOfLabel, severityOfScore } from './finding.ts';
import { numberAt, stringAt } from './json.ts';

type Cvss = NonNullable<ReportFinding['cvss']>;

const safeVector = /^[A-Za-z0-9:./]{1,256}$/;

/** Returns null if the score is not from 0 to 10. A text that is no vector is left out. */
export function cvssOf(score: number | null, vector: string | null): Cvss | null {
  if (score === null || score < 0 || score > 10) return null;
  return { score, vector: vector !== null && safeVector.test(vector) ? vector : null };
}

/** Reads a vector of CVSS 2, 3.0, 3.1 or 4.0 without its score. Gives null unless all its base metrics are there. */
export function cvssOfVector(vector: string): Cvss | null {
  const known = scores.get(vector);
  if (known !== undefined) return cvssOf(known.base, vector);
  const base = baseScore(vector);
  if (vector.length <= maxRemembered) scores.set(vector, { base });
  return cvssOf(base, vector);
}

/**
 * Returns the vector if its base score is the score. The score is the highest that any report gives and the vector that
 * of the newest report, so that they may be of different ratings.
 */
export function vectorOfScore(score: number | null, vector: string | null): string | null {
  return vector !== null && score !== null && cvssOfVector(vector)?.score.toFixed(1) === score.toFixed(1)
    ? vector
    : null;
}

/** Returns the score of the newest CVSS version among the vectors of one vulnerability. */
export function cvssOfVectors(vectors: readonly string[]): Cvss | null {
  const newestFirst = [...vectors].sort((a, b) => versionOf(b) - versionOf(a));
  return newestFirst.map(cvssOfVector).find((cvss) => cvss !== null) ?? null;
}

/** The names that a format gives to the fields of a score. */
interface CvssFields {
  version: string;
  score: string;
  vector: string;
}

/**
 * Returns the first valid score of one vulnerability, newest version of CVSS first. A vulnerability has a few scores,
 * so 100 are enough, and a hostile report cannot make the sort expensive.
 */
export function newestCvss(scores: readonly unknown[], fields: CvssFields): Cvss | null {
  const version = (score: unknown): number => numberAt(score, fields.version) ?? 0;
  return (
    scores
      .slice(0, 100)
      .sort((a, b) => version(b) - version(a))
      .map((score) => cvssOf(numberAt(score, fields.score), stringAt(score, fields.vector)))
      .find((cvss) => cvss !== null) ?? null
  );
}

/** Uses the tool's label, or the band of the score if the label is unknown. */
export function severityOf(label: string | null, score: number | null): Severity {
  const severity = severityOfLabel(label);
  return severity === 'unknown' ? (severityOfScore(score) ?? 'unknown') : severity;
}

// A score of CVSS 4.0 takes 0.2 ms, and a report may have 250,000 findings with few different vectors. A cached entry
// takes less than a kilobyte, so a thousand of them need little memory.
const scores = new LRUCache<string, { base: number | null }>({ max: 1000 });
const maxRemembered = 256;

// The calculator writes a warning to the process for a pair without a metric or a value.
const completePairs = /^(?:[A-Za-z]+:[A-Za-z0-9.]+(?:\/|$))+$/;

// A vector of version 2 has no prefix.
function versionOf(vector: string): number {
  return Number(/^CVSS:([0-9](?:\.[0-9])?)\//.exec(vector)?.[1] ?? 2);
}

function baseScore(vector: string): number | null {
  if (!safeVector.test(vector) || !completePairs.test(vector)) return null;
  try {
    return calculateBaseScore(vector);
  } catch {
    // The calculator throws on metrics and values that the version does not have.
    return null;
  }
}

function calculateBaseScore(vector: string): number | null {
  const { Cvss2, Cvss3P0, Cvss3P1, Cvss4P0 } = calculator;
  if (vector.startsWith('CVSS:4.0/')) {
    const cvss = new Cvss4P0(vector);
    return cvss.isBaseFullyDefined() ? (cvss.calculateScores().baseMetricsOnly ?? null) : null;
  }
  const cvss = vector.startsWith('CVSS:3.1/')
    ? new Cvss3P1(vector)
    : vector.startsWith('CVSS:3.0/')
      ? new Cvss3P0(vector)
      : vector.startsWith('AV:')
        ? new Cvss2(vector)
        : null;
  return cvss?.isBaseFullyDefined() ? (cvss.calculateScores().base ?? null) : null;
}

/** The vulnerabilities of an SPDX 3 graph: their ids and texts, and the scores that are given to them. */
import { cvssOf, cvssOfVector } from '../reading/cvss.ts';
import {
  advisoriesIn,
  cwesOf,
  severityOfLabel,
  severityOfScore,
  sortAdvisories,
} from '../reading/finding.ts';
import { arrayAt, asNumber, type JsonRecord, stringAt, stringsAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { cleanName, safeLinks, safeText } from '../reading/text.ts';
import type { ReportFinding } from '../report.ts';
import { type Element, externalIdentifiersOf, propertyAt, referencesOf } from './elements.ts';

export interface GraphVulnerability {
  /** The id as reported comes first, then the ids that mean the same. */
  advisories: string[];
  /** The fields that all findings of the vulnerability share. */
  facts: Pick<ReportFinding, 'description' | 'relatedAdvisories' | 'cwes' | 'links'>;
  summary: string | null;
  isWithdrawn: boolean;
}

/** `element` is null for a vulnerability of another document. Gives null for one without an id. */
export function readSpdxVulnerability(
  id: string,
  element: Element | null,
  context: ParseContext,
): GraphVulnerability | null {
  const record: JsonRecord = element?.record ?? {};
  const name = stringAt(record, 'name');
  const identifiers = externalIdentifiersOf(record, ['cve', 'securityother', 'other']);
  // A name may also be a sentence.
  const [first, ...others] = [
    ...(name !== null && /^[A-Za-z]{2,20}-[\w.:-]{1,100}$/.test(name) ? [name] : []),
    ...identifiers,
    ...advisoriesIn(name ?? ''),
    ...advisoriesIn(id),
  ].map((text) => cleanName(text, context));
  if (first === undefined || first === '') return null;
  const { same, related } = sortAdvisories(first, others);
  const references = element === null ? [] : referencesOf(element);
  const ofType = (isWanted: (type: string) => boolean): string[] =>
    references.filter(({ type }) => isWanted(type)).flatMap(({ locators }) => locators);
  const locators = arrayAt(record, 'externalIdentifier').flatMap((row) =>
    stringsAt(row, 'identifierLocator'),
  );
  return {
    advisories: same,
    facts: {
      description: safeText(stringAt(record, 'description') ?? stringAt(record, 'summary'), context),
      relatedAdvisories: related,
      cwes: cwesOf(ofType((type) => type === 'cwe')),
      links: safeLinks([...locators, ...ofType((type) => type !== 'cwe')]),
    },
    summary: stringAt(record, 'summary') ?? stringAt(record, 'description'),
    isWithdrawn: propertyAt(record, 'security', 'withdrawnTime') !== null,
  };
}

export interface Rating extends Pick<ReportFinding, 'severity' | 'cvss'> {
  /** The number of the CVSS version. */
  version: number;
}

/** Returns null for an element that is no score. */
export function ratingOf({ kind, record }: Element): Rating | null {
  const version = /^CvssV([234])VulnAssessmentRelationship$/.exec(kind)?.[1];
  if (version === undefined) return null;
  const vector = propertyAt(record, 'security', 'vectorString');
  const score = asNumber(propertyAt(record, 'security', 'score'));
  const cvss = cvssOf(score, vector) ?? (vector === null ? null : cvssOfVector(vector));
  const word = severityOfLabel(propertyAt(record, 'security', 'severity'));
  const severity = word === 'unknown' ? (severityOfScore(cvss?.score ?? null) ?? 'unknown') : word;
  return { version: Number(version), severity, cvss };
}

/** Returns the highest rating of the newest version of CVSS, independent of their order. */
export function betterRating(a: Rating | null, b: Rating): Rating {
  if (a === null) return b;
  if (a.version !== b.version) return a.version > b.version ? a : b;
  return rankOf(a) >= rankOf(b) ? a : b;
}

function rankOf({ cvss, severity }: Rating): string {
  return `${(cvss?.score ?? 0).toFixed(1).padStart(4, '0')} ${cvss?.vector ?? ''} ${severity}`;
}

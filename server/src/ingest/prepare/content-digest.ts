/** The digest of what a report may change about a finding without making it another one. */
import { hash } from 'node:crypto';
import type { ReportFinding } from '../../parsers/report.ts';
import type { PreparedEvidence } from './prepared-report.ts';

/** Gives hex of 8 bytes, by which the import sees that a finding has changed. */
export function contentDigest(finding: ReportFinding, evidence: PreparedEvidence | null): string {
  const { cvss, suppression, description } = finding;
  // Each text has its length before it, so that no two contents give the same text.
  const text =
    `${textOf(finding.path)}${finding.line} ${finding.severity} ${textOf(finding.title)}${textOf(description)}` +
    `${listOf(finding.fixedVersions)}${cvss === null ? '' : `${cvss.score} ${textOf(cvss.vector)}`}` +
    `${listOf(finding.cwes)}${listOf(finding.links)}${listOf(finding.relatedAdvisories)}` +
    `${suppression === null ? '' : JSON.stringify(suppression)}${finding.verified} ${finding.exploitable} ` +
    `${evidence === null ? '' : `${textOf(evidence.content)}${textOf(evidence.help)}`}`;
  return hash('sha256', text, 'hex').slice(0, 16);
}

function textOf(text: string | null): string {
  return text === null ? '-' : `${text.length}:${text}`;
}

function listOf(texts: readonly string[]): string {
  let all = `${texts.length};`;
  for (const text of texts) all += textOf(text);
  return all;
}

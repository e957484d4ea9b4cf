/** The digest of the content that a report may change in a finding without making it another finding. */
import { hash } from 'node:crypto';
import type { ReportFinding } from '../../parsers/report.ts';
import type { PreparedEvidence } from './prepared-report.ts';

/** Computes the digests of findings, which come sorted: those of one rule often have the same texts. */
export class ContentDigests {
  #texts: Pick<ReportFinding, 'title' | 'description' | 'links'> | null = null;
  #digestOfTexts = '';

  /** Returns hex of 8 bytes, by which the import sees that a finding has changed. */
  of(finding: ReportFinding, evidence: PreparedEvidence | null): string {
    const { cvss, suppression } = finding;
    // Each text has its length before it, so that no two contents give the same text.
    const text =
      `${this.#textsOf(finding)}${textOf(finding.path)}${finding.line} ${finding.type} ${finding.severity} ` +
      `${listOf(finding.fixedVersions)}${cvss === null ? '' : `${cvss.score} ${textOf(cvss.vector)}`}` +
      `${listOf(finding.cwes)}${listOf(finding.relatedAdvisories)}${finding.verified} ${finding.exploitable} ` +
      `${suppression === null ? '' : JSON.stringify(suppression)}` +
      `${evidence === null ? '' : `${textOf(evidence.content)}${textOf(evidence.help)}`}`;
    return hash('sha256', text, 'hex').slice(0, 16);
  }

  #textsOf(finding: ReportFinding): string {
    const { title, description, links } = finding;
    const before = this.#texts;
    const isRepeated =
      before !== null &&
      before.title === title &&
      before.description === description &&
      before.links === links;
    if (isRepeated) return this.#digestOfTexts;
    this.#texts = finding;
    this.#digestOfTexts = `${textOf(title)}${textOf(description)}${listOf(links)}`;
    // A digest must not depend on the finding before, so only the length decides which form the texts take.
    if (this.#digestOfTexts.length > longTexts)
      this.#digestOfTexts = hash('sha256', this.#digestOfTexts, 'hex');
    return this.#digestOfTexts;
  }
}

/** Shorter texts cost less to repeat than to hash. */
const longTexts = 300;

function textOf(text: string | null): string {
  return text === null ? '-' : `${text.length}:${text}`;
}

function listOf(texts: readonly string[]): string {
  let all = `${texts.length};`;
  for (const text of texts) all += textOf(text);
  return all;
}

/** Prepares the evidence of findings in the parser's thread: as text that is stored, each explanation once. */
import { hash } from 'node:crypto';
import type { ReportEvidence, ReportSnippet } from '../../parsers/report.ts';
import type { EvidenceContent } from '../../vulnerabilities/evidence.ts';
import type { PreparedEvidence } from './prepared-report.ts';

/** Maximum number of characters of one finding's evidence, without the explanation of its rule. */
const maxContentLength = 64 * 1024;
/**
 * Maximum number of characters of all evidence of a report. A report of 256 MB may name one long text from many
 * findings, and the importing process holds all of them.
 */
const maxTotalLength = 128 * 1024 * 1024;

export class EvidencePreparer {
  /** Key → explanation, for the evidence that was prepared. */
  readonly helps = new Map<string, string>();
  readonly #keys = new Map<string, string>();
  readonly #maxTotal: number;
  #total = 0;
  #isFull = false;

  constructor(maxTotal: number = maxTotalLength) {
    this.#maxTotal = maxTotal;
  }

  get warnings(): string[] {
    return this.#isFull
      ? ['The report shows more code and explanations than are kept: some findings have none.']
      : [];
  }

  /** Returns null for a finding without evidence, and for all findings after the report's limit. */
  prepare(evidence: ReportEvidence | null): PreparedEvidence | null {
    if (evidence === null || this.#isFull) return null;
    const content = contentOf(evidence);
    const { help } = evidence;
    const key = help === null ? null : this.#keyOf(help);
    const isNewHelp = help !== null && key !== null && !this.helps.has(key);
    this.#total += content.length + (isNewHelp ? help.length : 0);
    this.#isFull = this.#total > this.#maxTotal;
    if (this.#isFull) return null;
    if (isNewHelp) this.helps.set(key, help);
    return content === '{}' && key === null ? null : { content, help: key };
  }

  // A rule's explanation is long and belongs to many findings, so its digest is computed once.
  #keyOf(help: string): string {
    const known = this.#keys.get(help);
    if (known !== undefined) return known;
    const key = hash('sha256', help, 'hex').slice(0, 32);
    this.#keys.set(help, key);
    return key;
  }
}

/** Gives the same text as JSON.stringify, in a third of the time. */
function jsonOfSnippet({ text, firstLine, markedFrom, markedTo }: ReportSnippet): string {
  const lines = `"firstLine":${firstLine},"markedFrom":${markedFrom},"markedTo":${markedTo}`;
  return `{"snippet":{"text":${JSON.stringify(text)},${lines}}}`;
}

/** Evidence beyond the limit is left out, the largest part first. */
function contentOf({ snippet, dataFlow, remediation, dependencyPaths }: ReportEvidence): string {
  // Most findings have only a few lines of code as evidence.
  if (dataFlow.length + dependencyPaths.length === 0 && remediation === null) {
    const text = snippet === null ? '{}' : jsonOfSnippet(snippet);
    if (text.length <= maxContentLength) return text;
  }
  const content: EvidenceContent = {
    ...(snippet === null ? {} : { snippet }),
    ...(dataFlow.length === 0 ? {} : { dataFlow }),
    ...(remediation === null ? {} : { remediation }),
    ...(dependencyPaths.length === 0 ? {} : { dependencyPaths }),
  };
  const text = JSON.stringify(content);
  if (text.length <= maxContentLength) return text;
  const kept: Record<string, unknown> = {};
  const parts = Object.entries(content).map(([name, part]) => ({
    name,
    part,
    size: JSON.stringify(part).length,
  }));
  for (const { name, part } of parts.sort((a, b) => a.size - b.size)) {
    if (JSON.stringify({ ...kept, [name]: part }).length > maxContentLength) break;
    kept[name] = part;
  }
  return JSON.stringify(kept);
}

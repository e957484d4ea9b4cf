/**
 * Bounds the texts that each vulnerability and each statement keeps for itself. One row of a report may have a text of
 * a megabyte and name thousands of packages, so that a small report could grow into a large one.
 */
import type { Sentence } from '../domain/sentence.ts';
import { maxDescriptionLength } from './reading/limits.ts';
import type { Report } from './report.ts';

/** Bounds in characters. */
interface TextLimits {
  maxLength: number;
  /** The length of all texts of the report together. */
  maxTotal: number;
  /** The length of each text beyond that. */
  shortLength: number;
}

const megabyte = 1024 * 1024;
/** A report of the largest size keeps all that it has. Equal descriptions count once. */
const descriptionLimits = { maxLength: maxDescriptionLength, maxTotal: 256 * megabyte, shortLength: 1_000 };
/** Statements about packages and ignore files have some sentences. */
const reasonLimits = { maxLength: 10_000, maxTotal: 64 * megabyte, shortLength: 200 };

/** Cuts descriptions, and the reasons of statements and suppressions. A warning says so. */
export function boundTexts(
  report: Report,
  limits: { descriptions: TextLimits; reasons: TextLimits } = {
    descriptions: descriptionLimits,
    reasons: reasonLimits,
  },
): Report {
  const descriptions = new TextCutter(limits.descriptions);
  const reasons = new TextCutter(limits.reasons);
  const cut = new Map<string, string>();
  for (const finding of report.runs.flatMap((run) => run.findings)) {
    const { description, suppression } = finding;
    if (description !== null) {
      let kept = cut.get(description);
      if (kept === undefined) {
        kept = descriptions.cut(description);
        cut.set(description, kept);
      }
      if (kept !== description) finding.description = kept;
    }
    if (suppression !== null && suppression.reason !== null)
      finding.suppression = { ...suppression, reason: reasons.cut(suppression.reason) };
  }
  for (const statement of report.statements) {
    if (statement.reason !== null) statement.reason = reasons.cut(statement.reason);
  }
  const warnings = [
    ...(descriptions.hasCut ? [cutWarning('descriptions', limits.descriptions)] : []),
    ...(reasons.hasCut ? [cutWarning('reasons', limits.reasons)] : []),
  ];
  return warnings.length === 0 ? report : { ...report, warnings: [...report.warnings, ...warnings] };
}

function cutWarning(texts: string, { maxLength, maxTotal }: TextLimits): Sentence {
  return `Some ${texts} were cut: one has at most ${maxLength} characters, and those of a report together ${maxTotal}.`;
}

class TextCutter {
  hasCut = false;
  readonly #limits: TextLimits;
  #total = 0;

  constructor(limits: TextLimits) {
    this.#limits = limits;
  }

  cut(text: string): string {
    const { maxLength, maxTotal, shortLength } = this.#limits;
    this.#total += Math.min(text.length, maxLength);
    const length = this.#total > maxTotal ? shortLength : maxLength;
    if (text.length <= length) return text;
    this.hasCut = true;
    return text.slice(0, length).toWellFormed();
  }
}

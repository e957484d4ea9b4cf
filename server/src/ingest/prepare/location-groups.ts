/** The locations that one row of a report names. They are one problem. */
import { compareText } from '../../domain/comparators/digits.ts';
import { uuidOfDigest } from '../../domain/ids.ts';
import type { ReportFinding } from '../../parsers/report.ts';
import { compareFindings } from './order-findings.ts';
import type { PreparedFinding } from './prepared-report.ts';

/**
 * Collects the findings in code that one row of the report names as locations of one problem. If two rows name the same
 * location with the same texts, it belongs to one of them, independent of their order, because two rows are two
 * problems.
 */
export class LocationGroups {
  readonly keys: string[][] = [];
  readonly #numbers = new Map<string, number>();
  /** Row → its locations as text, by which rows are compared. */
  readonly #texts = new Map<string, string>();

  constructor(findings: readonly ReportFinding[]) {
    const ofRows = findings.filter(({ sharedRow }) => sharedRow !== null).sort(compareFindings);
    for (const { sharedRow, path, line, fingerprint } of ofRows) {
      if (sharedRow === null) continue;
      const before = this.#texts.get(sharedRow) ?? '';
      this.#texts.set(sharedRow, `${before}${path}:${line}:${fingerprint?.value ?? ''}\n`);
    }
  }

  /**
   * Findings with the same content are compared by the text of their rows. A finding whose row names several locations
   * comes first.
   */
  compare(a: ReportFinding, b: ReportFinding): number {
    if (a.sharedRow === b.sharedRow) return 0;
    if (a.sharedRow === null || b.sharedRow === null) return a.sharedRow === null ? 1 : -1;
    return compareText(this.#texts.get(a.sharedRow) ?? '', this.#texts.get(b.sharedRow) ?? '');
  }

  /** Returns the number of the group, or null for a finding without a group. */
  add(
    { sharedRow }: ReportFinding,
    { kind, key }: { kind: PreparedFinding['kind']; key: string },
  ): number | null {
    // Packages and secrets have an identity that does not depend on their locations.
    if (sharedRow === null || kind !== 'code') return null;
    const number = this.#numbers.get(sharedRow) ?? this.keys.length;
    this.#numbers.set(sharedRow, number);
    const group = this.keys[number] ?? [];
    group.push(uuidOfDigest(key));
    this.keys[number] = group;
    return number;
  }
}

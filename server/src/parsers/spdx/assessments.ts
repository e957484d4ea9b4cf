/**
 * The data about vulnerabilities in packages of an SPDX 3 graph: the associations, the scores, and the statements of
 * VEX. A vulnerability and a package are one row, whatever the number of relationships between the two.
 */
import { newEvidence } from '../reading/evidence.ts';
import { newFinding } from '../reading/finding.ts';
import { field, type JsonRecord, stringAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { packageOfPurl, typeOfPackage } from '../reading/packages.ts';
import { safeTitle } from '../reading/text.ts';
import type { ReportFinding, ReportPackage, VexStatement } from '../report.ts';
import { creationTimes, type Element, type GraphPackage, lastName, refsAt } from './elements.ts';
import { newerVex, type Vex, vexOf, vexStatusOf } from './vex.ts';
import {
  betterRating,
  type GraphVulnerability,
  type Rating,
  ratingOf,
  readSpdxVulnerability,
} from './vulnerabilities.ts';

export interface Assessments {
  findings: ReportFinding[];
  statements: VexStatement[];
}

/** A vulnerability and an element that it affects, or does not. */
interface Pair {
  vulnerability: string;
  target: string;
  /** The first relationship between the two. */
  pointer: string;
  /** The newest statement of VEX. */
  vex: Vex | null;
}

export function readAssessments(
  elements: readonly Element[],
  packages: ReadonlyMap<string, GraphPackage>,
  subject: string | null,
  context: ParseContext,
): Assessments {
  const { pairs, ratings, exploited } = collect(elements, context);
  const byId = new Map(elements.filter(({ kind }) => kind === 'Vulnerability').map((row) => [row.id, row]));
  const known = new Map<string, GraphVulnerability | null>();
  const assessments: Assessments = { findings: [], statements: [] };
  for (const { vulnerability: id, target, pointer, vex } of pairs.values()) {
    let vulnerability = known.get(id);
    if (vulnerability === undefined) {
      vulnerability = readSpdxVulnerability(id, byId.get(id) ?? null, context);
      known.set(id, vulnerability);
    }
    if (vulnerability === null) {
      context.addUnreadable(pointer, 'The vulnerability has no id.');
      continue;
    }
    const named = packages.get(target)?.named ?? packageOfPurl(target, null, null, context);
    if (named === null) {
      context.warn('Vulnerabilities of elements that are no packages of this document were left out.');
      continue;
    }
    const isSubject = target === subject;
    const { advisories } = vulnerability;
    if (vex !== null) {
      const { action: _, ...statement } = vex;
      assessments.statements.push({ ...statement, advisories, package: isSubject ? null : named });
    }
    if (vulnerability.isWithdrawn) context.warn('Vulnerabilities that were withdrawn are no findings.');
    else if (vex === null || (!isSubject && isOpen(vex))) {
      const rating = ratings.get(id, target) ?? ratings.get(id, null) ?? null;
      assessments.findings.push(
        findingOf(vulnerability, named, { pointer, vex, rating, exploitable: exploited.has(id) }, context),
      );
    }
  }
  return assessments;
}

/** A package that is fixed or not affected has no finding, only a statement. */
function isOpen({ status }: Vex): boolean {
  return status === 'affected' || status === 'under_investigation';
}

interface Details {
  pointer: string;
  vex: Vex | null;
  rating: Rating | null;
  exploitable: boolean;
}

function findingOf(
  { advisories, facts, summary }: GraphVulnerability,
  named: ReportPackage,
  { pointer, vex, rating, exploitable }: Details,
  context: ParseContext,
): ReportFinding {
  const rule = advisories[0] ?? '';
  return newFinding({
    ...facts,
    pointer,
    type: typeOfPackage(named),
    severity: rating?.severity ?? 'unknown',
    title: safeTitle(summary ?? `${rule} in ${named.name}`, context) || rule,
    rule,
    advisories,
    package: named,
    cvss: rating?.cvss ?? null,
    exploitable,
    evidence: newEvidence({ remediation: vex?.action ?? null }, context),
  });
}

/** Values by a vulnerability and an element. */
class PairMap<T> {
  readonly #inner = new Map<string, Map<string | null, T>>();

  get(vulnerability: string, target: string | null): T | undefined {
    return this.#inner.get(vulnerability)?.get(target);
  }

  set(vulnerability: string, target: string | null, value: T): void {
    const inner = this.#inner.get(vulnerability) ?? new Map<string | null, T>();
    this.#inner.set(vulnerability, inner.set(target, value));
  }

  has(vulnerability: string): boolean {
    return this.#inner.has(vulnerability);
  }

  *values(): Generator<T> {
    for (const inner of this.#inner.values()) yield* inner.values();
  }
}

interface Collected {
  pairs: PairMap<Pair>;
  /** A rating without an element is that of the vulnerability with any element. */
  ratings: PairMap<Rating>;
  /** The vulnerabilities that a catalogue calls exploited. */
  exploited: Set<string>;
}

function collect(elements: readonly Element[], context: ParseContext): Collected {
  const pairs = new PairMap<Pair>();
  const ratings = new PairMap<Rating>();
  const exploited = new Set<string>();
  const createdAt = creationTimes(elements);
  const scores: { vulnerability: string; targets: string[]; pointer: string }[] = [];
  const pairOf = (vulnerability: string, target: string, pointer: string): Pair => {
    const known = pairs.get(vulnerability, target);
    if (known !== undefined) return known;
    context.addRows(1, pointer);
    const pair: Pair = { vulnerability, target, pointer, vex: null };
    pairs.set(vulnerability, target, pair);
    return pair;
  };
  for (const element of elements) {
    const { kind, record, pointer } = element;
    const [from] = refsAt(record, 'from');
    if (!kind.endsWith('Relationship') || from === undefined) continue;
    const targets = targetsOf(record);
    const rating = ratingOf(element);
    const status = vexStatusOf(element);
    if (lastName(stringAt(record, 'relationshipType') ?? '') === 'hasAssociatedVulnerability') {
      for (const to of targets) pairOf(to, from, pointer);
    } else if (rating !== null) {
      scores.push({ vulnerability: from, targets, pointer });
      for (const target of [null, ...targets]) {
        ratings.set(from, target, betterRating(ratings.get(from, target) ?? null, rating));
      }
    } else if (status !== null) {
      const vex = vexOf(element, status, createdAt(element), context);
      for (const target of vex === null ? [] : targets) {
        const pair = pairOf(from, target, pointer);
        pair.vex = newerVex(pair.vex, vex);
      }
    } else if (isExploited(kind, record)) {
      exploited.add(from);
    }
  }
  // A score alone says that the vulnerability concerns the package.
  for (const { vulnerability, targets, pointer } of scores.filter(
    (score) => !pairs.has(score.vulnerability),
  )) {
    for (const target of targets) pairOf(vulnerability, target, pointer);
  }
  return { pairs, ratings, exploited };
}

/** The assessed element is the part of a product that the assessment is about. */
function targetsOf(record: JsonRecord): string[] {
  const parts = ['security_assessedElement', 'assessedElement'].flatMap((key) => refsAt(record, key));
  return parts.length > 0 ? parts : refsAt(record, 'to');
}

function isExploited(kind: string, record: JsonRecord): boolean {
  return (
    kind === 'ExploitCatalogVulnAssessmentRelationship' &&
    [field(record, 'security_exploited'), field(record, 'exploited')].some((value) => value === true)
  );
}

/**
 * The statements of a VEX document, in the terms that its three formats share: what each open or decided vulnerability
 * means for the packages of a repository. It runs no query.
 */
import { withoutVersion } from '../../domain/package-name.ts';
import { unpackState } from '../../domain/packed-state.ts';
import { allIds } from '../../vulnerabilities/identifiers.ts';
import type { VexRow } from './vex-store.ts';

/** The words of OpenVEX and CSAF for the reason why a product is not affected. */
export const justifications = [
  'component_not_present',
  'vulnerable_code_not_present',
  'vulnerable_code_not_in_execute_path',
  'vulnerable_code_cannot_be_controlled_by_adversary',
  'inline_mitigations_already_exist',
] as const;
export type Justification = (typeof justifications)[number];

export type StatementStatus = 'not_affected' | 'affected' | 'under_investigation';

export type Remedy = 'vendor_fix' | 'no_fix_planned' | 'none_available';

export interface Statement {
  advisory: string;
  /** Other ids that mean the same. */
  aliases: string[];
  title: string;
  status: StatementStatus;
  /** The tool was wrong: the package does not have the vulnerability. */
  isFalsePositive: boolean;
  justification: Justification | null;
  /** The reason in words. A denial and an affected product have one. */
  text: string | null;
  /** The remedy that users of an affected product can expect, in the terms of CSAF; null of any other status. */
  remedy: Remedy | null;
  at: Date;
  product: VexProduct;
  /** Package URLs of the affected parts, with their versions where they are known. */
  parts: string[];
}

/** A repository. */
export interface VexProduct {
  id: string;
  name: string;
}

export interface VexDocument {
  /** Differs for each scope, and is the same each time. */
  id: string;
  title: string;
  /** The name of the workspace. */
  author: string;
  /** An address of the author. */
  namespace: string;
  at: Date;
  /** Grows with the time of the document. */
  version: number;
  statements: Statement[];
}

export function statementOf(row: VexRow): Statement {
  const { status, confirmed } = unpackState(row.packed_state);
  return {
    advisory: row.advisory,
    aliases: aliasesOf(row),
    title: row.title,
    ...meaningOf(row, status, confirmed),
    at: (row.decision_covers_names ? row.decided_at : null) ?? row.updated_at,
    product: productOf(row),
    parts: row.purls.length > 0 ? row.purls : [row.package],
  };
}

/**
 * The statements without those that deny a vulnerability in a package which another statement does not deny, as after a
 * split: a reader of both would take either. Statements mean the same vulnerability if they share any id. A part
 * without a version means all versions. `productOf` is for formats that name products; packages alone count for others.
 */
export function withoutContradictions(
  statements: readonly Statement[],
  productOf: (statement: Statement) => string,
): Statement[] {
  const keysOf = (statement: Statement, part: string): string[] =>
    [statement.advisory, ...statement.aliases].map((id) => JSON.stringify([productOf(statement), id, part]));
  const undenied = new Set<string>();
  const undeniedInSomeVersion = new Set<string>();
  for (const statement of statements) {
    if (statement.status === 'not_affected') continue;
    for (const part of statement.parts) {
      for (const key of keysOf(statement, part)) undenied.add(key);
      for (const key of keysOf(statement, withoutVersion(part))) undeniedInSomeVersion.add(key);
    }
  }
  const isContradicted = (statement: Statement, part: string): boolean => {
    const whole = withoutVersion(part);
    const keys = keysOf(statement, whole);
    return part === whole
      ? keys.some((key) => undeniedInSomeVersion.has(key))
      : [...keys, ...keysOf(statement, part)].some((key) => undenied.has(key));
  };
  return statements.flatMap((statement) => {
    if (statement.status !== 'not_affected') return statement;
    const parts = statement.parts.filter((part) => !isContradicted(statement, part));
    return parts.length === 0 ? [] : { ...statement, parts };
  });
}

// With several CVEs, none of the ids is another name of this one.
function aliasesOf(row: VexRow): string[] {
  const cves = new Set(allIds(row).filter((name) => name.startsWith('CVE-')));
  return cves.size > 1 ? [] : row.identifiers;
}

type Meaning = Pick<Statement, 'status' | 'isFalsePositive' | 'justification' | 'text' | 'remedy'>;

const investigated: Meaning = {
  status: 'under_investigation',
  isFalsePositive: false,
  justification: null,
  text: null,
  remedy: null,
};

function meaningOf(row: VexRow, status: string, confirmed: boolean): Meaning {
  const { reason, fix_version: fix } = row;
  const affected = (text: string, remedy: Remedy): Meaning => ({
    status: 'affected',
    isFalsePositive: false,
    justification: null,
    text,
    remedy,
  });
  const remedy = fix === null ? 'none_available' : 'vendor_fix';
  // A package that only tests use is no part of the product.
  if (status === 'rejected' || (status === 'ignored' && row.resolution === 'test_code')) {
    // A name was joined after the decision.
    return row.decision_covers_names ? denialOf(row) : investigated;
  }
  if (status === 'accepted') {
    const until =
      row.accepted_until === null ? '' : ` until ${row.accepted_until.toISOString().slice(0, 10)}`;
    const known = fix === null ? '' : ` Version ${fix} fixes it.`;
    return affected(withReason(`The risk is accepted${until}.${known}`, reason), remedy);
  }
  if (status === 'ignored') return affected(withReason('It will not be fixed.', reason), 'no_fix_planned');
  if (confirmed)
    return affected(fix === null ? withReason('No fix is known.', reason) : `Update to ${fix}.`, remedy);
  return investigated;
}

function withReason(text: string, reason: string | null): string {
  return reason === null ? text : `${text} ${reason}`;
}

function denialOf({ resolution, reason }: VexRow): Meaning {
  const [, word = '', rest = ''] = /^(\w+)(?:: ([\s\S]+))?$/.exec(reason ?? '') ?? [];
  const justification = justifications.find((known) => known === word) ?? null;
  const isFalsePositive = resolution === 'false_positive';
  const fallback = isFalsePositive
    ? 'The report is a false positive.'
    : resolution === 'test_code'
      ? 'The package is used in tests only.'
      : 'The product is not affected.';
  const text = justification === null ? (reason ?? fallback) : rest === '' ? null : rest;
  return { status: 'not_affected', isFalsePositive, justification, text, remedy: null };
}

/** The items without equal ones, which the schemas of CycloneDX and OpenVEX forbid in a list. */
export function distinct<Item extends object>(items: Item[]): Item[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}

/** The reason as one text, as the readers of these formats put it together. */
export function reasonOf({ justification, text }: Pick<Statement, 'justification' | 'text'>): string | null {
  const parts = [justification, text].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.join(': ');
}

function productOf({ full_name: name, source }: VexRow): VexProduct {
  const type = source === 'ghc' ? 'github' : source === 'bitbucket' ? 'bitbucket' : 'generic';
  const path = name.split('/').map(encodeURIComponent).join('/');
  return { id: `pkg:${type}/${type === 'generic' ? path : path.toLowerCase()}`, name };
}

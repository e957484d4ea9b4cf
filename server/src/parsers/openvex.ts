/**
 * OpenVEX: its author's statements about vulnerabilities in products. It has no findings and is no run of a tool. It
 * must never widen a statement: a statement about a package holds for that package only.
 */
import { isDenial } from '../domain/vex-status.ts';
import type { Format } from './format.ts';
import type { ReportDocument } from './reading/decode.ts';
import { advisoriesIn, sortAdvisories } from './reading/finding.ts';
import { arrayAt, asRecord, asString, field, recordAt, stringAt, stringsAt } from './reading/json.ts';
import type { ParseContext } from './reading/limits.ts';
import { packageOfPurl } from './reading/packages.ts';
import { isPackageIdentifier } from './reading/purl.ts';
import { newReport } from './reading/rows.ts';
import { cleanName, productKey, readTimestamp, safeText } from './reading/text.ts';
import type { Report, VexStatement } from './report.ts';

export const openvex: Format = {
  name: 'openvex',
  marks: ['@context', 'author', 'statements'],
  recognises,
  parse,
};

function recognises({ json }: ReportDocument): boolean {
  return stringsAt(json, '@context').some((context) =>
    /^https?:\/\/openvex\.dev\/ns(?:[/@]|$)/.test(context),
  );
}

function parse({ json }: ReportDocument, context: ParseContext): Report {
  const rows = arrayAt(json, 'statements');
  context.addRows(rows.length, '/statements');
  const documentTime =
    readTimestamp(stringAt(json, 'last_updated')) ?? readTimestamp(stringAt(json, 'timestamp'));
  const statements: VexStatement[] = [];
  for (const [index, row] of rows.entries()) {
    const pointer = `/statements/${index}`;
    const said = readStatement(row, pointer, documentTime, context);
    if ('unreadable' in said) {
      context.addUnreadable(pointer, said.unreadable);
      continue;
    }
    if (said.statements.length === 0) {
      context.addUnreadable(pointer, 'The statement is about products or parts that are no packages.');
      continue;
    }
    for (const statement of said.statements) statements.push(statement);
  }
  return { ...newReport(openvex.name, context, []), read: rows.length, statements };
}

const statuses: ReadonlySet<string> = new Set<VexStatement['status']>([
  'not_affected',
  'affected',
  'fixed',
  'under_investigation',
]);

function isStatus(text: string | null): text is VexStatement['status'] {
  return text !== null && statuses.has(text);
}

function readStatement(
  row: unknown,
  pointer: string,
  documentTime: string | null,
  context: ParseContext,
): { statements: VexStatement[] } | { unreadable: string } {
  const record = asRecord(row);
  if (record === null) return { unreadable: 'The statement is not an object.' };
  const advisories = advisoriesOf(field(record, 'vulnerability'), context);
  if (advisories === null) return { unreadable: 'The statement names no vulnerability.' };
  const status = stringAt(record, 'status');
  if (!isStatus(status)) return { unreadable: 'The statement has no status that OpenVEX knows.' };
  if (!hasLists(record)) return { unreadable: 'The products or the parts of the statement are no list.' };
  const texts = ['justification', 'impact_statement', 'action_statement', 'status_notes'].map((key) =>
    stringAt(record, key),
  );
  const statement: Omit<VexStatement, 'pointer' | 'package'> = {
    advisories,
    status,
    reason: safeText(texts.filter((text) => text !== null).join(': '), context),
    at:
      readTimestamp(stringAt(record, 'last_updated')) ??
      readTimestamp(stringAt(record, 'timestamp')) ??
      documentTime,
  };
  return {
    statements: subjectsOf(record, isDenial(status), pointer, context).map((subject) => ({
      ...statement,
      ...subject,
    })),
  };
}

/**
 * False if products or parts are named in another way than by a list. Without them, the statement would be too wide.
 */
function hasLists(statement: unknown): boolean {
  const isListOrAbsent = (holder: unknown, key: string): boolean => {
    const value = field(holder, key) ?? null;
    return value === null || Array.isArray(value);
  };
  return (
    isListOrAbsent(statement, 'products') &&
    [statement, ...arrayAt(statement, 'products')].every((holder) => isListOrAbsent(holder, 'subcomponents'))
  );
}

/** Up to version 0.0.1 of OpenVEX this is only a name. Since then it is a record with aliases. */
function advisoriesOf(vulnerability: unknown, context: ParseContext): string[] | null {
  const address = stringAt(vulnerability, '@id');
  const name =
    asString(vulnerability) ??
    stringAt(vulnerability, 'name') ??
    (address === null ? null : (advisoriesIn(address)[0] ?? null));
  if (name === null) return null;
  const aliases = stringsAt(vulnerability, 'aliases').map((alias) => cleanName(alias, context));
  return sortAdvisories(cleanName(name, context), aliases).same;
}

type Subject = Pick<VexStatement, 'pointer' | 'package' | 'product'>;

/** Returns the vulnerable parts of a product if they are named, else the product itself. */
function subjectsOf(record: unknown, denies: boolean, pointer: string, context: ParseContext): Subject[] {
  const subjects: Subject[] = [];
  const products = arrayAt(record, 'products');
  // Up to version 0.0.1 of OpenVEX the parts are beside the products and belong to each of them.
  const shared = partsOf(record, pointer, context);
  for (const [index, product] of products.entries()) {
    const here = `${pointer}/products/${index}`;
    const parts = partsOf(product, here, context);
    const named =
      parts === null && shared === null
        ? productOf(product, denies, here, context)
        : [...(parts ?? []), ...(shared ?? [])];
    // One row may name thousands of products with thousands of parts. They count against the limit, but not as rows.
    context.addRows(subjects.length === 0 ? Math.max(0, named.length - 1) : named.length, pointer);
    const key = productKey(purlOf(product));
    for (const subject of named) subjects.push({ ...subject, product: key });
  }
  if (products.length > 0) return subjects;
  context.addRows(Math.max(0, (shared?.length ?? 0) - 1), pointer);
  return shared ?? [{ pointer, package: null }];
}

/**
 * Gives null if no parts are named. A part that is no package is left out, because the statement must not cover the
 * whole product.
 */
function partsOf(holder: unknown, pointer: string, context: ParseContext): Subject[] | null {
  const parts = arrayAt(holder, 'subcomponents');
  if (parts.length === 0) return null;
  const subjects: Subject[] = [];
  for (const [index, part] of parts.entries()) {
    const named = packageOfPurl(purlOf(part), null, null, context);
    if (named !== null) subjects.push({ pointer: `${pointer}/subcomponents/${index}`, package: named });
    else context.warn('Statements about parts of a product that are no packages were left out.');
  }
  return subjects;
}

/**
 * A product that is no package stands for the repository: an image, or a product with its own kind of name. A denial
 * about one without a name, or that only a CPE or a digest identifies, is left out, because it may be any part of the
 * repository.
 */
function productOf(product: unknown, denies: boolean, pointer: string, context: ParseContext): Subject[] {
  const purl = purlOf(product);
  if (purl !== null && /^pkg:(?:oci|docker)\//i.test(purl)) return [{ pointer, package: null }];
  const named = packageOfPurl(purl, null, null, context);
  if (named === null && denies && mayBePart(product, purl)) {
    context.warn(
      'Statements that a product is not affected were left out if it has no name, or a CPE, a digest or an invalid package URL only.',
    );
    return [];
  }
  if (named === null) {
    context.warn(
      'Statements name products that are no packages: they are read as statements about the whole repository.',
    );
  }
  return [{ pointer, package: named }];
}

function mayBePart(product: unknown, name: string | null): boolean {
  const identifiers = recordAt(product, 'identifiers');
  const hasCpe = ['cpe22', 'cpe23'].some((key) => stringAt(identifiers, key) !== null);
  const hasDigest = Object.keys(recordAt(product, 'hashes') ?? {}).length > 0;
  return hasCpe || hasDigest || name === null || isPackageIdentifier(name);
}

function purlOf(component: unknown): string | null {
  const identified = stringAt(recordAt(component, 'identifiers'), 'purl');
  return identified ?? stringAt(component, '@id') ?? asString(component);
}

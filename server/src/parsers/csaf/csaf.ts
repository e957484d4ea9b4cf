/**
 * CSAF 2.0 and 2.1, advisories and VEX: what a vulnerability means for each product. It has no findings and is no run
 * of a tool. It must never widen a statement: a product whose package is unknown makes none.
 */
import type { Format } from '../format.ts';
import type { ReportDocument } from '../reading/decode.ts';
import { sortAdvisories } from '../reading/finding.ts';
import {
  arrayAt,
  asRecord,
  asString,
  field,
  type JsonRecord,
  pointerStep,
  recordAt,
  stringAt,
} from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { newReport } from '../reading/rows.ts';
import { cleanName, readTimestamp } from '../reading/text.ts';
import { type Report, ReportError, type VexStatement } from '../report.ts';
import { type CsafProduct, type NoPackage, type ProductTree, readProductTree } from './product-tree.ts';
import { justificationsOf, type Reasons, remediationsOf } from './reasons.ts';

export const csaf: Format = {
  name: 'csaf',
  marks: ['document', 'product_tree', 'vulnerabilities'],
  recognises: ({ json }) => versionOf(json) !== null,
  parse,
};

function versionOf(json: unknown): string | null {
  return stringAt(recordAt(json, 'document'), 'csaf_version');
}

/** The statements so far, and what is counted while they are read. */
interface Reading {
  tree: ProductTree;
  at: string | null;
  read: number;
  statements: VexStatement[];
  unmatched: Record<NoPackage | 'nameless', number>;
}

function parse({ json }: ReportDocument, context: ParseContext): Report {
  if (!/^2(?:\.|$)/.test(versionOf(json) ?? '')) {
    throw new ReportError(
      'UNKNOWN_FORMAT',
      'This version of CSAF is not supported. Send version 2.0 or 2.1.',
      {
        pointer: '/document/csaf_version',
      },
    );
  }
  const tracking = recordAt(recordAt(json, 'document'), 'tracking');
  const reading: Reading = {
    tree: readProductTree(json, context),
    at:
      readTimestamp(stringAt(tracking, 'current_release_date')) ??
      readTimestamp(stringAt(tracking, 'initial_release_date')),
    read: 0,
    statements: [],
    unmatched: { nameless: 0, unnamed: 0, image: 0, range: 0 },
  };
  for (const [index, row] of arrayAt(json, 'vulnerabilities').entries()) {
    readVulnerability(row, `/vulnerabilities/${index}`, reading, context);
  }
  warnOfUnmatched(reading, context);
  const { read, statements } = reading;
  return { ...newReport(csaf.name, context, []), read, statements };
}

function warnOfUnmatched({ read, unmatched }: Reading, context: ParseContext): void {
  const warn = (count: number, subjects: string): void => {
    if (count === 0) return;
    context.warn(
      `${count} of ${read} statements are about ${subjects}, which cannot be matched, so they were ignored.`,
    );
  };
  warn(unmatched.nameless, 'vulnerabilities without an id');
  warn(unmatched.unnamed, 'products without a package URL');
  warn(unmatched.image, 'images');
  warn(unmatched.range, 'ranges of versions');
}

/** Null means a status that decides nothing about the vulnerability in the product. */
const statuses: ReadonlyMap<string, VexStatement['status'] | null> = new Map([
  ['known_affected', 'affected'],
  ['first_affected', 'affected'],
  ['last_affected', 'affected'],
  ['under_investigation', 'under_investigation'],
  ['fixed', 'fixed'],
  ['first_fixed', 'fixed'],
  ['known_not_affected', 'not_affected'],
  ['recommended', null],
  ['unknown', null],
]);

interface StatedProduct {
  /** The first position at which the product has a status. */
  pointer: string;
  statuses: Set<VexStatement['status']>;
  product: CsafProduct | null;
}

function readVulnerability(row: unknown, pointer: string, reading: Reading, context: ParseContext): void {
  const record = asRecord(row);
  if (record === null) {
    context.addRows(1, pointer);
    reading.read++;
    context.addUnreadable(pointer, 'The vulnerability is not an object.');
    return;
  }
  const products = statedProducts(record, pointer, reading, context);
  reading.read += products.size;
  if (products.size === 0) {
    context.warn('Vulnerabilities without a status of any product were ignored.');
    return;
  }
  const advisories = advisoriesOf(record, context);
  if (advisories !== null) countStatements(products, context);
  const vulnerability: Vulnerability = {
    advisories,
    disputed: advisories === null ? new Set() : disputedPackages(products),
    justifications: justificationsOf(record, reading.tree, context),
    remediations: remediationsOf(record, reading.tree, context),
  };
  for (const [id, product] of products) readProduct(id, product, vulnerability, reading, context);
}

/** Thousands of products may have the same thousands of packages, so these are counted before they are read. */
function countStatements(products: ReadonlyMap<string, StatedProduct>, context: ParseContext): void {
  for (const { pointer, statuses: stated, product } of products.values()) {
    context.addLocations((product?.packages.length ?? 0) * stated.size - 1, pointer);
  }
}

interface Vulnerability {
  advisories: string[] | null;
  /** Package URLs that are affected in one product or version at least. */
  disputed: ReadonlySet<string>;
  justifications: Reasons;
  remediations: Reasons;
}

function readProduct(
  id: string,
  { pointer, statuses: stated, product }: StatedProduct,
  { advisories, disputed, justifications, remediations }: Vulnerability,
  reading: Reading,
  context: ParseContext,
): void {
  if (product === null) {
    context.addUnreadable(pointer, 'The product tree has no such product.');
    return;
  }
  if (advisories === null) {
    reading.unmatched.nameless++;
    return;
  }
  if (stated.size === 0) {
    context.warn('Products that are only recommended, or whose status is unknown, were ignored.');
    return;
  }
  if (product.noPackage !== null) reading.unmatched[product.noPackage]++;
  for (const status of stated) {
    const isDenial = status === 'not_affected';
    const reason = (isDenial ? justifications : remediations)(id);
    for (const named of product.packages) {
      if (isDenial && named.version === null && disputed.has(named.purl)) {
        context.warn(allVersions);
        continue;
      }
      reading.statements.push({ pointer, advisories, status, reason, package: named, at: reading.at });
    }
  }
}

const allVersions =
  'Statements that no version of a package is affected were left out if the document says that one of its versions is affected: they are about parts of other products.';

/** Returns the products with a status by their ids. Ids that are no text are unreadable rows. */
function statedProducts(
  vulnerability: JsonRecord,
  pointer: string,
  reading: Reading,
  context: ParseContext,
): Map<string, StatedProduct> {
  const products = new Map<string, StatedProduct>();
  for (const [key, ids] of Object.entries(recordAt(vulnerability, 'product_status') ?? {})) {
    if (!Array.isArray(ids)) continue;
    const status = statuses.get(key) ?? null;
    const list = `${pointer}/product_status/${pointerStep(key)}`;
    context.addRows(ids.length, list);
    for (const [index, value] of ids.entries()) {
      const id = asString(value);
      const here = `${list}/${index}`;
      if (id === null) {
        reading.read++;
        context.addUnreadable(here, 'The product is not named.');
        continue;
      }
      const known = products.get(id) ?? {
        pointer: here,
        statuses: new Set(),
        product: reading.tree.productOf(id),
      };
      products.set(id, known);
      if (status !== null) known.statuses.add(status);
    }
  }
  return products;
}

/**
 * Gives the packages that are affected in one product or version at least. A part without a version may be unaffected
 * in one product and affected in another, and the statement about a package does not name the product.
 */
function disputedPackages(products: ReadonlyMap<string, StatedProduct>): ReadonlySet<string> {
  const disputed = new Set<string>();
  for (const { statuses: stated, product } of products.values()) {
    if (![...stated].some((status) => status !== 'not_affected')) continue;
    for (const { purl } of product?.packages ?? []) disputed.add(purl);
  }
  return disputed;
}

/** The CVE comes first, else the first id of any system. Ids for some products alone do not name the vulnerability. */
function advisoriesOf(vulnerability: JsonRecord, context: ParseContext): string[] | null {
  const ids = arrayAt(vulnerability, 'ids')
    .filter((row) => field(row, 'product_ids') === undefined && field(row, 'group_ids') === undefined)
    .map((row) => stringAt(row, 'text'))
    .filter((text) => text !== null);
  const [first, ...others] = [stringAt(vulnerability, 'cve'), ...ids].filter((id) => id !== null);
  if (first === undefined) return null;
  const names = others.map((id) => cleanName(id, context));
  return sortAdvisories(cleanName(first, context), names).same;
}

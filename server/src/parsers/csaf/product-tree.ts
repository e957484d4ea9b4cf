/**
 * The products of a CSAF document: which packages a product id means. It must never widen a product: one without a
 * package URL, or of a range of versions, has no package here.
 */
import { arrayAt, asRecord, field, recordAt, stringAt, stringsAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { packageOfPurl } from '../reading/packages.ts';
import type { ReportPackage } from '../report.ts';

/** The reason why a product has no package: `unnamed` has no package URL, or one of an unknown shape. */
export type NoPackage = 'unnamed' | 'image' | 'range';

export interface CsafProduct {
  packages: readonly ReportPackage[];
  /** Null if the product has packages. */
  noPackage: NoPackage | null;
}

export interface ProductTree {
  /** Null for an id that the tree does not define. */
  productOf(id: string): CsafProduct | null;
  /** The ids of the product groups with this product, at most `maxGroups`. */
  groupsOf(id: string): readonly string[];
}

interface Definition {
  purls: readonly string[];
  version: BranchVersion;
  /** The product that this one is when it is part of another one; null if it is none. */
  component: string | null;
}

/** The version of a product according to the branches above it. */
type BranchVersion = { kind: 'none' | 'range' } | { kind: 'version'; name: string };

const noVersion: BranchVersion = { kind: 'none' };
const undefinedProduct: Definition = { purls: [], version: noVersion, component: null };
/** Groups only explain a status. The bound keeps the work for each product constant. */
const maxGroups = 20;

export function readProductTree(document: unknown, context: ParseContext): ProductTree {
  const tree = recordAt(document, 'product_tree');
  const definitions = new Map<string, Definition>();
  const define = (product: unknown, version: BranchVersion, component: string | null): void => {
    const id = stringAt(product, 'product_id');
    if (id !== null && !definitions.has(id)) {
      definitions.set(id, { purls: purlsOf(product), version, component });
    }
  };
  for (const product of arrayAt(tree, 'full_product_names')) define(product, noVersion, null);
  const defineBranches = (branches: readonly unknown[], above: BranchVersion): void => {
    for (const branch of branches) {
      const version = versionOfBranch(branch) ?? above;
      define(field(branch, 'product'), version, null);
      defineBranches(arrayAt(branch, 'branches'), version);
    }
  };
  defineBranches(arrayAt(tree, 'branches'), noVersion);
  for (const row of arrayAt(tree, 'relationships')) {
    define(field(row, 'full_product_name'), noVersion, stringAt(row, 'product_reference'));
  }
  // Version 2.1 writes paths instead of relationships.
  for (const row of arrayAt(tree, 'product_paths')) {
    define(field(row, 'full_product_name'), noVersion, stringAt(row, 'beginning_product_reference'));
  }
  const groups = groupsOfProducts(tree);
  const known = new Map<string, CsafProduct>();
  return {
    productOf: (id) => resolve(id, definitions, known, context),
    groupsOf: (id) => groups.get(id) ?? [],
  };
}

/** Returns null for a branch without a version. */
function versionOfBranch(branch: unknown): BranchVersion | null {
  const category = stringAt(branch, 'category');
  const name = stringAt(branch, 'name') ?? '';
  if (category === 'product_version_range') {
    return /^vers:[a-z]{1,40}\/\*$/.test(name) ? noVersion : { kind: 'range' };
  }
  return category === 'product_version' ? { kind: 'version', name } : null;
}

/** Version 2.1 has a list of package URLs where version 2.0 has one. */
function purlsOf(product: unknown): string[] {
  const helper = recordAt(product, 'product_identification_helper');
  return [...stringsAt(helper, 'purl'), ...stringsAt(helper, 'purls')];
}

/** Follows a component to its own definition. Circles of references end, and each id is resolved once. */
function resolve(
  id: string,
  definitions: ReadonlyMap<string, Definition>,
  known: Map<string, CsafProduct>,
  context: ParseContext,
): CsafProduct | null {
  if (!definitions.has(id)) return null;
  const passed = new Set<string>();
  let at = id;
  let product = known.get(at);
  while (product === undefined) {
    passed.add(at);
    const { purls, version, component } = definitions.get(at) ?? undefinedProduct;
    if (purls.length > 0 || component === null || passed.has(component)) {
      product = productOf(purls, version, context);
    } else {
      at = component;
      product = known.get(at);
    }
  }
  for (const each of passed) known.set(each, product);
  return product;
}

function productOf(purls: readonly string[], version: BranchVersion, context: ParseContext): CsafProduct {
  const packages: ReportPackage[] = [];
  let noPackage: NoPackage = 'unnamed';
  for (const purl of purls) {
    if (/^pkg:(?:oci|docker)\//i.test(purl)) {
      noPackage = 'image';
      continue;
    }
    const named = packageOfPurl(purl, null, null, context);
    if (named === null) continue;
    if (named.version !== null) packages.push(named);
    else if (version.kind === 'range') noPackage = 'range';
    else packages.push(packageOfBranch(purl, named, version, context));
  }
  return { packages, noPackage: packages.length > 0 ? null : noPackage };
}

/** Red Hat's branches of versions have the name of the package where they mean all versions. */
function packageOfBranch(
  purl: string,
  named: ReportPackage,
  version: BranchVersion,
  context: ParseContext,
): ReportPackage {
  const isVersion =
    version.kind === 'version' && /^v?[0-9]/i.test(version.name) && !version.name.startsWith(named.name);
  return (isVersion ? packageOfPurl(purl, null, version.name, context) : null) ?? named;
}

function groupsOfProducts(tree: unknown): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const row of arrayAt(tree, 'product_groups')) {
    const group = stringAt(asRecord(row), 'group_id');
    if (group === null) continue;
    for (const id of stringsAt(row, 'product_ids')) {
      const known = groups.get(id);
      if (known === undefined) groups.set(id, [group]);
      else if (known.length < maxGroups) known.push(group);
    }
  }
  return groups;
}

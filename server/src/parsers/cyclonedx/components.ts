/**
 * The components of a BOM: their names, packages and paths, and which of them the product depends on directly. Must
 * walk any dependency graph in linear time, also one with circles.
 */

import { DependencyChains } from '../reading/dependency-chains.ts';
import { type DistributionFacts, distributionOf, qualifiersOf } from '../reading/distributions.ts';
import { imageCategory, parseImage } from '../reading/images.ts';
import { arrayAt, asRecord, type JsonRecord, recordAt, stringAt, stringsAt } from '../reading/json.ts';
import { licensesOf } from '../reading/licenses.ts';
import type { ParseContext } from '../reading/limits.ts';
import { listedPackage, newManifest, packageOfName } from '../reading/packages.ts';
import { normalisePath, repositoryPath } from '../reading/paths.ts';
import { isSystemPurl } from '../reading/purl.ts';
import { cleanName } from '../reading/text.ts';
import type { ReportImage, ReportInventoryPackage, ReportManifest, ReportPackage } from '../report.ts';
import type { Bom } from './bom.ts';

export interface BomComponent {
  /** The name that dependencies and vulnerabilities use; null if the component has none. */
  ref: string | null;
  /** Null for a component that is no package: a file, an operating system, a lock file. */
  package: ReportPackage | null;
  /** The release and the source, if it is a package of a distribution. */
  facts: DistributionFacts;
  path: string | null;
  pathIsTarget: boolean;
  licenses: string[];
  /** The component is the subject of the BOM, not a part of it. */
  isSubject: boolean;
}

export interface BomComponents {
  list: readonly BomComponent[];
  byRef: ReadonlyMap<string, BomComponent>;
  /** The image that the BOM describes. */
  image: ReportImage | null;
  /** See `imageCategory`. It is empty for any other subject. */
  category: string;
  manifest: ReportManifest;
  /** The dependency path to the component with this ref, as `name@version`. */
  chainTo(ref: string): string[];
}

export function readComponents(bom: Bom, context: ParseContext): BomComponents {
  const subject = recordAt(bom.metadata, 'component');
  const subjectName = cleanName(stringAt(subject, 'name') ?? '', context);
  const image = stringAt(subject, 'type') === 'container' ? subjectName : null;
  const list: BomComponent[] = [];
  const groups: Group[] = [];
  const add = (row: unknown, isSubject: boolean): void => {
    const record = asRecord(row);
    if (record === null) return;
    const component = componentOf(record, isSubject, image, context);
    list.push(component);
    const lockFile = lockFileOf(record);
    if (lockFile !== null && component.ref !== null) groups.push({ ref: component.ref, path: lockFile });
    for (const child of arrayAt(record, 'components')) add(child, false);
  };
  if (subject !== null) add(subject, true);
  for (const row of bom.components) add(row, false);
  const byRef = new Map<string, BomComponent>();
  for (const component of list) {
    if (component.ref !== null && !byRef.has(component.ref)) byRef.set(component.ref, component);
  }
  const graph = graphOf(bom);
  locationByLockFile(groups, graph, byRef);
  return {
    list,
    byRef,
    image: parseImage(image, stringAt(subject, 'version')),
    category: image === null ? '' : imageCategory(image),
    manifest: manifestOf(
      list,
      byRef,
      graph,
      image === null ? null : imageCategory(image),
      subject,
      systemOf(bom),
    ),
    chainTo: chainsOf(list, byRef, graph),
  };
}

function componentOf(
  record: JsonRecord,
  isSubject: boolean,
  image: string | null,
  context: ParseContext,
): BomComponent {
  const named = packageOf(record, context);
  const isSystem = named !== null && isSystemPurl(named.purl);
  const file = isSystem ? null : fileOf(record);
  const path = file === null ? null : image === null ? repositoryPath(file) : normalisePath(file);
  const target = path === null && image !== null ? normalisePath(image) : null;
  return {
    ref: stringAt(record, 'bom-ref') ?? stringAt(record, 'purl'),
    package: named,
    facts: isSystem ? factsOf(record) : { distro: null, source: null },
    path: path ?? target,
    pathIsTarget: target !== null,
    licenses: licensesOf(declaredLicenses(record), context),
    isSubject,
  };
}

function packageOf(record: JsonRecord, context: ParseContext): ReportPackage | null {
  const version = stringAt(record, 'version');
  const written = listedPackage(stringAt(record, 'purl'), stringAt(record, 'name'), version, context);
  if (written !== null) return written;
  // For other types, such as files and lock files, only a package URL shows that the component is a package.
  const type = stringAt(record, 'type');
  if (type !== 'library' && type !== 'framework') return null;
  const names = [stringAt(record, 'group'), stringAt(record, 'name')].filter((name) => name !== null);
  return packageOfName({ type: 'generic', namespace: null }, names.join('/'), version, context);
}

/** Trivy writes the source into properties, Syft into the package URL. */
function factsOf(record: JsonRecord): DistributionFacts {
  const written = qualifiersOf(stringAt(record, 'purl'));
  const property = (key: string): string | null =>
    propertyOf(record, (name) => name === `aquasecurity:trivy:Src${key}`);
  const [name, version, release, epoch] = ['Name', 'Version', 'Release', 'Epoch'].map(property);
  if (!name || !version) return written;
  return {
    ...written,
    source: { name, version: `${epoch ? `${epoch}:` : ''}${version}${release ? `-${release}` : ''}` },
  };
}

/** Returns the operating system with its version, `debian-12.4`, if the BOM has one. */
function systemOf(bom: Bom): string | null {
  const systems = bom.components.filter((row) => stringAt(row, 'type') === 'operating-system');
  const [name, version] = [stringAt(systems[0], 'name'), stringAt(systems[0], 'version')];
  return systems.length === 1 && name !== null && version !== null ? `${name}-${version}` : null;
}

/** Trivy, Syft and cdxgen put the path of a package's own file, or of its manifest, into these properties. */
const fileProperties: ReadonlySet<string> = new Set([
  'aquasecurity:trivy:FilePath',
  'syft:location:0:path',
  'SrcFile',
]);

function fileOf(record: JsonRecord): string | null {
  const property = propertyOf(record, (name) => fileProperties.has(name));
  return property ?? stringAt(arrayAt(recordAt(record, 'evidence'), 'occurrences')[0], 'location');
}

/** Returns the path of a lock file. Trivy writes it as a component whose dependencies are its packages. */
function lockFileOf(record: JsonRecord): string | null {
  if (stringAt(record, 'type') !== 'application' || stringAt(record, 'purl') !== null) return null;
  const kind = propertyOf(record, (name) => name === 'aquasecurity:trivy:Class');
  return kind === 'lang-pkgs' ? stringAt(record, 'name') : null;
}

function propertyOf(record: JsonRecord, isWanted: (name: string) => boolean): string | null {
  for (const property of arrayAt(record, 'properties')) {
    if (isWanted(stringAt(property, 'name') ?? '')) return stringAt(property, 'value');
  }
  return null;
}

function declaredLicenses(record: JsonRecord): string[] {
  return arrayAt(record, 'licenses').flatMap((choice) => {
    const license = recordAt(choice, 'license');
    return stringAt(choice, 'expression') ?? stringAt(license, 'id') ?? stringAt(license, 'name') ?? [];
  });
}

type Graph = ReadonlyMap<string, readonly string[]>;

function graphOf(bom: Bom): Graph {
  const graph = new Map<string, string[]>();
  for (const row of bom.dependencies) {
    const ref = stringAt(row, 'ref');
    if (ref === null) continue;
    const known = graph.get(ref);
    const on = stringsAt(row, 'dependsOn');
    if (known === undefined) graph.set(ref, on);
    else for (const other of on) known.push(other);
  }
  return graph;
}

interface Group {
  ref: string;
  path: string;
}

/** A package without its own file belongs to the first lock file from which it can be reached. */
function locationByLockFile(
  groups: readonly Group[],
  graph: Graph,
  byRef: ReadonlyMap<string, BomComponent>,
): void {
  const seen = new Set(groups.map(({ ref }) => ref));
  for (const { ref, path } of groups) {
    const open = [ref];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      for (const other of graph.get(next) ?? []) {
        if (seen.has(other)) continue;
        seen.add(other);
        open.push(other);
        const component = byRef.get(other);
        if (component === undefined || component.package === null) continue;
        if (component.path !== null && !component.pathIsTarget) continue;
        component.path = repositoryPath(path);
        component.pathIsTarget = false;
      }
    }
  }
}

/**
 * Gives the refs that the product names itself. Groups of packages, such as a lock file or a system, are replaced by
 * their members.
 */
function directRefs(root: string, graph: Graph, byRef: ReadonlyMap<string, BomComponent>): Set<string> {
  const direct = new Set<string>();
  const seen = new Set([root]);
  const open = [root];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    for (const other of graph.get(next) ?? []) {
      if (seen.has(other)) continue;
      seen.add(other);
      if (byRef.get(other)?.package) direct.add(other);
      else open.push(other);
    }
  }
  return direct;
}

/** Dependency paths begin at the product's own dependencies. Groups of packages are no steps of a path. */
function chainsOf(
  list: readonly BomComponent[],
  byRef: ReadonlyMap<string, BomComponent>,
  graph: Graph,
): (ref: string) => string[] {
  const root = list.find(({ isSubject }) => isSubject)?.ref ?? null;
  if (root === null || !graph.get(root)?.length) return () => [];
  const chains = new DependencyChains(graph, directRefs(root, graph, byRef));
  return (ref) =>
    chains.to(ref).flatMap((step) => {
      const named = byRef.get(step)?.package ?? null;
      return named === null ? [] : [named.version === null ? named.name : `${named.name}@${named.version}`];
    });
}

function manifestOf(
  list: readonly BomComponent[],
  byRef: ReadonlyMap<string, BomComponent>,
  graph: Graph,
  image: string | null,
  subject: JsonRecord | null,
  system: string | null,
): ReportManifest {
  const root = list.find(({ isSubject }) => isSubject)?.ref ?? null;
  // Without the product's own dependencies, the BOM does not say which packages are direct.
  const direct = root === null || !graph.get(root)?.length ? null : directRefs(root, graph, byRef);
  const packages: ReportInventoryPackage[] = [];
  for (const { ref, package: named, facts, licenses, isSubject } of list) {
    if (named === null || isSubject) continue;
    const isKnown = ref !== null && direct !== null && !isSystemPurl(named.purl);
    const isDirect = isKnown && direct.has(ref) ? true : isKnown && graph.has(ref) ? false : null;
    packages.push({
      ...named,
      licenses,
      direct: isDirect,
      ...distributionOf(named, facts, system),
    });
  }
  const names = [stringAt(subject, 'group'), stringAt(subject, 'name')].filter((name) => name !== null);
  const path = image ?? repositoryPath(names.join('/')) ?? 'sbom';
  return newManifest(path, packages, image === null ? mixedType(packages) : 'image');
}

/** Returns null if all packages have one type. */
function mixedType(packages: readonly ReportInventoryPackage[]): string | null {
  const types = new Set(packages.map(({ purl }) => purl.slice(0, purl.indexOf('/'))));
  return types.size === 1 ? null : 'sbom';
}

/**
 * The vulnerabilities of a BOM: one finding for each affected component of this document, and one statement for each
 * product of an analysis. It must never make a finding about a component of another document if an analysis says what
 * it means.
 */
import { isDenial, type VexStatus } from '../../domain/vex-status.ts';
import { newEvidence } from '../reading/evidence.ts';
import { cwesOf, newFinding, sortAdvisories } from '../reading/finding.ts';
import { arrayAt, asRecord, field, type JsonRecord, recordAt, stringAt, stringsAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { packageOfPurl, plainVersion, typeOfPackage } from '../reading/packages.ts';
import { isPackageIdentifier } from '../reading/purl.ts';
import { cleanName, productKey, readTimestamp, safeLinks, safeText, safeTitle } from '../reading/text.ts';
import { toolFamily } from '../reading/tools.ts';
import type { ReportFinding, ReportPackage, VexStatement } from '../report.ts';
import type { Bom } from './bom.ts';
import type { BomComponent, BomComponents } from './components.ts';
import { chooseRating } from './ratings.ts';

export interface BomVerdict {
  findings: ReportFinding[];
  statements: VexStatement[];
  /** True if the analysis calls the vulnerability resolved for a component of this document. It is then no finding. */
  hasResolved: boolean;
}

export function readBomVulnerability(
  row: unknown,
  pointer: string,
  bom: Bom,
  components: BomComponents,
  isStatementsOnly: boolean,
  context: ParseContext,
): BomVerdict | { unreadable: string } {
  const record = asRecord(row);
  if (record === null) return { unreadable: 'The vulnerability is not an object.' };
  const reported = stringAt(record, 'id');
  if (reported === null) return { unreadable: 'The vulnerability has no id.' };
  const base = baseOf(record, cleanName(reported, context), pointer, context);
  const statement = statementOf(record, base, bom, context);
  const affected = affectedOf(record, bom, components, context);
  if (
    statement === null &&
    isStatementsOnly &&
    affected.every(({ target }) => target === null || target.isSubject)
  ) {
    context.warn(
      'The document only has analyses of known vulnerabilities, so rows without an analysis were ignored.',
    );
    return { findings: [], statements: [], hasResolved: false };
  }
  const fixes = fixesOf(record);
  if (affected.length === 0) {
    if (statement !== null) return { findings: [], statements: [statement], hasResolved: false };
    const fixed = fixedVersionsOf(fixes, null, true, context);
    return { findings: [findingOf(base, record, null, fixed, context)], statements: [], hasResolved: false };
  }
  // One row may affect thousands of components. Each counts against the limit, although none is a row.
  context.addRows(affected.length - 1, pointer);
  const verdict: BomVerdict = { findings: [], statements: [], hasResolved: false };
  let skipped = false;
  for (const [index, { target, product, mayBePart, versions, spared, chain }] of affected.entries()) {
    const here = `${pointer}/affects/${index}`;
    const isPart = target !== null && !target.isForeign && !target.isSubject;
    if (statement !== null && isPart && target.package === null) {
      // Without its package, the statement would apply to the whole repository.
      context.warn('Statements about components that are no packages were left out.');
      skipped = true;
    } else if (statement !== null && isDenial(statement.status) && target === null && mayBePart) {
      context.warn(
        'Statements that a product is not affected were left out if only a link to another document, a CPE or an invalid package URL names it.',
      );
      skipped = true;
    } else if (statement !== null) {
      const named = target === null || target.isSubject ? null : target.package;
      const stated = statedPackages(named, versions, statement.status, context);
      context.addRows(Math.max(0, stated.length - 1), here);
      const key = productKey(product);
      for (const each of stated) {
        verdict.statements.push({ ...statement, pointer: here, package: each, product: key });
      }
      skipped ||= stated.length === 0;
      if (target === null) context.warn(unknownProduct);
    }
    if (spared) {
      context.warn('Versions that the report calls unaffected are no findings.');
      skipped = true;
    } else if (isPart && statement?.status === 'fixed') {
      context.warn('Vulnerabilities that the analysis calls resolved are counted and are no findings.');
      verdict.hasResolved = true;
    } else if (isPart || (statement === null && target !== null)) {
      const fixed = fixedVersionsOf(fixes, target?.package ?? null, affected.length === 1, context);
      verdict.findings.push(findingOf(base, record, target, fixed, context, chain));
    }
  }
  if (verdict.findings.length === 0 && verdict.statements.length === 0 && !skipped) {
    context.warn(
      'Vulnerabilities affect components that are not in this document: their packages are unknown.',
    );
    const fixed = fixedVersionsOf(fixes, null, true, context);
    verdict.findings.push(findingOf(base, record, null, fixed, context));
  }
  return verdict;
}

/**
 * Dependency-Track and others export their decisions as a BOM without components, in which every row affects the
 * project itself. Such a row is not a vulnerability without a package beside the real one.
 */
export function hasOnlyStatements({ vulnerabilities, metadata }: Bom, components: BomComponents): boolean {
  if (components.list.some(({ isSubject }) => !isSubject)) return false;
  const tools = field(metadata, 'tools');
  const named = [...(Array.isArray(tools) ? tools : []), ...arrayAt(tools, 'components')];
  return (
    named.some((tool) => toolFamily(stringAt(tool, 'name')) === 'dependency-track') ||
    (vulnerabilities ?? []).some(({ row }) => recordAt(row, 'analysis') !== null)
  );
}

const unknownProduct =
  'Statements name products that are not in this document: they are read as statements about the whole repository.';

/** Gives a package without a version once for each version that a denial names, because it does not deny the others. */
function statedPackages(
  named: ReportPackage | null,
  versions: readonly unknown[],
  status: VexStatus,
  context: ParseContext,
): (ReportPackage | null)[] {
  if (named === null || named.version !== null || versions.length === 0 || !isDenial(status)) return [named];
  return versions.flatMap((entry) => {
    if (stringAt(entry, 'status') !== 'unaffected') return [];
    const version = cleanName(stringAt(entry, 'version') ?? '', context);
    if (version !== '') return [{ ...named, version: plainVersion(named.purl, version) }];
    context.warn('Ranges of versions that an analysis calls unaffected were left out.');
    return [];
  });
}

interface Affected {
  /** The ref of the component. Several components may be the same package. */
  product: string;
  /** The dependency path to the component. */
  chain: string[];
  /** The versions and ranges of the component that the row is about, each with a status. */
  versions: readonly unknown[];
  /** Null means that only the name is known. */
  target: (Omit<BomComponent, 'licenses' | 'facts'> & { isForeign: boolean }) | null;
  /** True for a link to another document, a CPE or a package URL: if its target is unknown, it may be any part. */
  mayBePart: boolean;
  /** True if the report says that this version is not affected. */
  spared: boolean;
}

function affectedOf(
  record: JsonRecord,
  bom: Bom,
  components: BomComponents,
  context: ParseContext,
): Affected[] {
  const affected: Affected[] = [];
  for (const row of arrayAt(record, 'affects')) {
    const ref = stringAt(row, 'ref');
    if (ref === null) continue;
    const link = linkOf(ref, bom);
    const target = targetOf(ref, link, components, context);
    const version = target?.package?.version ?? null;
    const versions = arrayAt(row, 'versions');
    const spared =
      version !== null &&
      versions.some(
        (entry) => stringAt(entry, 'version') === version && stringAt(entry, 'status') === 'unaffected',
      );
    const chain = target === null || target.ref === null ? [] : components.chainTo(target.ref);
    affected.push({
      target,
      product: target?.ref ?? ref,
      mayBePart: link?.isOwn === false || isPackageIdentifier(decoded(link?.name ?? ref)),
      versions,
      spared,
      chain,
    });
  }
  return affected;
}

interface BomLink {
  /** The name of the component in the document of the link. */
  name: string;
  /** True if the link leads into this document. */
  isOwn: boolean;
}

/** Returns null for a ref that is no BOM-Link. */
function linkOf(ref: string, bom: Bom): BomLink | null {
  const [whole, id, name = ''] =
    /^urn:cdx:([0-9a-f-]{1,64})\/[0-9]{1,9}(?:#(.*))?$/is.exec(ref.slice(0, 4096)) ?? [];
  if (whole === undefined) return null;
  return { name, isOwn: bom.serialNumber?.toLowerCase() === `urn:uuid:${id?.toLowerCase()}` };
}

/** The ref is a component's name, a BOM-Link to this document or another, or a bare package URL. */
function targetOf(
  ref: string,
  link: BomLink | null,
  components: BomComponents,
  context: ParseContext,
): Affected['target'] {
  const names = link === null ? [ref] : [link.name, decoded(link.name)];
  if (link?.isOwn !== false) {
    for (const name of names) {
      const component = components.byRef.get(name);
      if (component !== undefined) return { ...component, isForeign: false };
    }
  }
  for (const name of names) {
    const written = packageOfPurl(name, null, null, context);
    if (written !== null) {
      // Trivy refers to packages that it left out of the list.
      return {
        ref: null,
        package: written,
        path: null,
        pathIsTarget: false,
        isSubject: false,
        isForeign: true,
      };
    }
  }
  return null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

type Base = Omit<Parameters<typeof newFinding>[0], 'type' | 'title'> &
  Pick<ReportFinding, 'advisories' | 'description'>;

/** Builds the common part of all findings of one vulnerability. */
function baseOf(record: JsonRecord, id: string, pointer: string, context: ParseContext): Base {
  const references = arrayAt(record, 'references');
  const others = references.map((reference) => stringAt(reference, 'id')).filter((other) => other !== null);
  const { same, related } = sortAdvisories(
    id,
    others.map((other) => cleanName(other, context)),
  );
  const texts = ['description', 'detail', 'recommendation'].map((key) => stringAt(record, key));
  return {
    pointer,
    ...chooseRating(record),
    description: safeText(texts.filter((text) => text !== null).join('\n\n'), context),
    rule: id,
    advisories: same,
    relatedAdvisories: related,
    cwes: cwesOf(stringsAt(record, 'cwes')),
    links: safeLinks([
      stringAt(recordAt(record, 'source'), 'url'),
      ...arrayAt(record, 'advisories').map((advisory) => stringAt(advisory, 'url') ?? asLink(advisory)),
      ...references.map((reference) => stringAt(recordAt(reference, 'source'), 'url')),
    ]),
    exploitable: stringAt(recordAt(record, 'analysis'), 'state') === 'exploitable',
  };
}

function asLink(advisory: unknown): string | null {
  return typeof advisory === 'string' ? advisory : null;
}

function findingOf(
  base: Base,
  record: JsonRecord,
  target: Affected['target'],
  fixedVersions: string[],
  context: ParseContext,
  chain: string[] = [],
): ReportFinding {
  const named = target?.package ?? null;
  const fallback = named === null ? base.rule : `${base.rule} in ${named.name}`;
  return newFinding({
    ...base,
    type: typeOfPackage(named),
    // CycloneDX has no title.
    title: safeTitle(stringAt(record, 'description') ?? fallback, context) || base.rule,
    package: named,
    fixedVersions,
    path: target?.path ?? null,
    pathIsTarget: target?.pathIsTarget ?? false,
    evidence: newEvidence(
      {
        remediation: stringAt(record, 'recommendation') ?? stringAt(record, 'workaround'),
        dependencyPaths: [chain],
      },
      context,
    ),
  });
}

/** The fixed versions that a row names, as written. */
interface Fixes {
  ofAll: string[];
  /** Name of a component → its versions. */
  byName: ReadonlyMap<string, string[]>;
  /** The only sentence of the advice has one, whose component may have another name. */
  isOnly: boolean;
}

/** A package has a fixed version for each of its branches. More would be read again for each component. */
const maxFixes = 100;

/** CycloneDX has no field for fixed versions. Trivy writes a sentence for each package, Grype a property. */
function fixesOf(record: JsonRecord): Fixes {
  const ofAll = arrayAt(record, 'properties')
    .filter((property) => stringAt(property, 'name') === 'grype:fixed_versions')
    .flatMap((property) => versionsIn(stringAt(property, 'value') ?? ''));
  const byName = new Map<string, string[]>();
  const advice = (stringAt(record, 'recommendation') ?? '').slice(0, 4096).split(/;\s/);
  for (const sentence of advice) {
    const [, name, fixed] =
      /^\s?Upgrade (\S+) to version ([^\s;]+(?:, [^\s;]+)*)(?: or higher\.?)?$/.exec(sentence) ?? [];
    if (name === undefined || fixed === undefined) continue;
    byName.set(name, [...(byName.get(name) ?? []), ...versionsIn(fixed)]);
  }
  return { ofAll, byName, isOnly: advice.length === 1 };
}

function versionsIn(text: string): string[] {
  return text.split(/[\s,]+/).filter((version) => version !== '');
}

function fixedVersionsOf(
  { ofAll, byName, isOnly }: Fixes,
  named: ReportPackage | null,
  isOnlyComponent: boolean,
  context: ParseContext,
): string[] {
  const [only] = isOnly && isOnlyComponent ? byName.values() : [];
  const ofName = only ?? (named === null ? undefined : byName.get(named.name)) ?? [];
  const written = [...ofAll.slice(0, maxFixes), ...ofName.slice(0, maxFixes)];
  return [...new Set(written.map((version) => plainVersion(named?.purl ?? '', cleanName(version, context))))];
}

const statuses: ReadonlyMap<string, VexStatement['status']> = new Map([
  ['resolved', 'fixed'],
  ['resolved_with_pedigree', 'fixed'],
  ['exploitable', 'exploitable'],
  ['in_triage', 'under_investigation'],
  ['false_positive', 'false_positive'],
  ['not_affected', 'not_affected'],
]);

/**
 * Gives the statement of the analysis, not yet about a product. Gives null if there is no analysis or its state is
 * unknown.
 */
function statementOf(record: JsonRecord, base: Base, bom: Bom, context: ParseContext): VexStatement | null {
  const analysis = recordAt(record, 'analysis');
  const state = stringAt(analysis, 'state');
  if (state === null) return null;
  const status = statuses.get(state.trim());
  if (status === undefined) {
    context.warn('An analysis has a state that CycloneDX does not define, so it was ignored.');
    return null;
  }
  const texts = [stringAt(analysis, 'justification'), stringAt(analysis, 'detail')];
  return {
    pointer: base.pointer,
    advisories: base.advisories,
    status,
    reason: safeText(texts.filter((text) => text !== null).join(': '), context),
    package: null,
    at:
      readTimestamp(stringAt(analysis, 'lastUpdated')) ??
      readTimestamp(stringAt(analysis, 'firstIssued')) ??
      readTimestamp(stringAt(bom.metadata, 'timestamp')),
  };
}

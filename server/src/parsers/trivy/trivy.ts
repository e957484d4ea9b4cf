/**
 * The shapes of Trivy's JSON: the object of schema 2, the list that versions before 0.20 wrote, and the cluster report
 * of `trivy k8s`. Rows are read in `packages.ts` and `checks.ts`. The same scan in an old and a new shape must give the
 * same findings.
 */

import type { Format } from '../format.ts';
import type { ReportDocument } from '../reading/decode.ts';
import { newRun } from '../reading/finding.ts';
import { pathGaps } from '../reading/gaps.ts';
import { imageCategory, nameOfImage, parseImage, splitTarget } from '../reading/images.ts';
import {
  arrayAt,
  asRecord,
  field,
  type JsonRecord,
  numberAt,
  recordAt,
  stringAt,
  stringsAt,
} from '../reading/json.ts';
import { listAt } from '../reading/json-rows.ts';
import type { ParseContext } from '../reading/limits.ts';
import { normalisePath } from '../reading/paths.ts';
import { newReport } from '../reading/rows.ts';
import { cleanName, safeText } from '../reading/text.ts';
import type { Report, ReportFinding, ReportImage } from '../report.ts';
import { Advisories } from './advisories.ts';
import { readMisconfiguration, readSecret } from './checks.ts';
import { chainsOf, manifestsOf } from './inventory.ts';
import { readLicense, readTrivyVulnerability } from './packages.ts';
import { declaredAnalysesOf, type TrivyReader, type TrivyResult, type TrivyRow } from './result.ts';

const readers: readonly (readonly [string, TrivyReader])[] = [
  ['Vulnerabilities', readTrivyVulnerability],
  ['Secrets', readSecret],
  ['Misconfigurations', readMisconfiguration],
  ['Licenses', readLicense],
];

const readersByKind: ReadonlyMap<string, TrivyReader> = new Map([
  ['vulnerability', readTrivyVulnerability],
  ['secret', readSecret],
  ['misconfiguration', readMisconfiguration],
  ['license', readLicense],
]);

/** The keys under which `trivy k8s` lists its resources: newer versions, summaries, older versions. */
const clusterLists = ['Resources', 'Findings', 'Vulnerabilities', 'Misconfigurations'] as const;

export const trivy: Format = {
  name: 'trivy',
  writesLists: true,
  marks: ['SchemaVersion', 'ArtifactName', 'Results'],
  runFields: ['CreatedAt', 'ReportID'],
  recognises,
  readsRowLists: true,
  parse,
};

function recognises({ json }: ReportDocument): boolean {
  if (Array.isArray(json)) {
    const first = json.find((element) => asRecord(element) !== null);
    return typeof field(first, 'Target') === 'string';
  }
  if (typeof field(json, 'ClusterName') === 'string') return true;
  return (
    numberAt(json, 'SchemaVersion') !== null &&
    (typeof field(json, 'ArtifactName') === 'string' || Array.isArray(field(json, 'Results')))
  );
}

function parse({ json }: ReportDocument, context: ParseContext): Report {
  const shape = Array.isArray(json)
    ? legacyShape(json, context)
    : typeof field(json, 'ClusterName') === 'string'
      ? clusterShape(json, context)
      : objectShape(json, context);
  const advisories = new Advisories();
  const findings: ReportFinding[] = [];
  for (const result of shape.results) readResult({ ...result, advisories }, findings, context);
  const looked = declaredAnalysesOf(shape.results);
  return newReport(trivy.name, context, [
    newRun({
      tool: 'trivy',
      toolVersion: cleanName(stringAt(recordAt(json, 'Trivy'), 'Version'), context),
      category: cleanName(shape.category, context),
      showsScan: shape.results.length > 0,
      gaps: pathGaps(shape.unscanned ?? []),
      findings,
      ...(looked === null ? {} : { analysisTypes: looked }),
      image: shape.image,
      manifests: manifestsOf(shape.results, cleanName(shape.category, context), context),
    }),
  ]);
}

interface Shape {
  results: TrivyResult[];
  category: string;
  image: ReportImage | null;
  /** The resources of a cluster that Trivy could not scan. */
  unscanned?: string[];
}

function objectShape(json: unknown, context: ParseContext): Shape {
  const rows = [...listAt(json, 'Results', '', context)];
  const artifactType = stringAt(json, 'ArtifactType');
  const hasSystem = rows.some((row) => stringAt(row, 'Class') === 'os-pkgs');
  const isContainer = artifactType === null ? hasSystem : artifactType === 'container_image';
  const isImage = isContainer || artifactType === 'vm' || artifactType === 'vm_image';
  const metadata = recordAt(json, 'Metadata');
  const system = recordAt(metadata, 'OS');
  const family = stringAt(system, 'Family');
  const bracketed = systemOf(rows);
  const results = elements(rows, '/Results', context, (record, pointer, target) => ({
    record,
    pointer,
    target,
    scope: isImage ? 'image' : 'files',
    system: family ?? bracketed,
    distro: distroOf(system, bracketed),
    resource: null,
  }));
  const name = nameOfImage(
    stringAt(json, 'ArtifactName') ?? imageOf(results),
    stringsAt(metadata, 'RepoTags'),
    stringsAt(metadata, 'RepoDigests'),
  );
  return {
    results,
    category: isImage ? imageCategory(name ?? '') : '',
    image: isContainer ? parseImage(name) : null,
  };
}

function legacyShape(rows: readonly unknown[], context: ParseContext): Shape {
  const system = systemOf(rows);
  const isImage = system !== null;
  const results = elements(rows, '', context, (record, pointer, target) => ({
    record,
    pointer,
    target,
    scope: isImage ? 'image' : 'files',
    system,
    distro: distroOf(null, system),
    resource: null,
  }));
  const name = isImage ? imageOf(results) : null;
  return { results, category: imageCategory(name ?? ''), image: parseImage(name) };
}

function clusterShape(json: unknown, context: ParseContext): Shape {
  const results: TrivyResult[] = [];
  const unscanned: string[] = [];
  for (const list of clusterLists) {
    for (const [index, resource] of listAt(json, list, '', context).entries()) {
      const pointer = `/${list}/${index}`;
      const names = ['Namespace', 'Kind', 'Name'].map((key) => stringAt(resource, key));
      const path = normalisePath(names.filter((name) => name !== null).join('/'));
      if (stringAt(resource, 'Error') !== null) {
        context.warn('Trivy could not scan every resource of the cluster.');
        if (path !== null) unscanned.push(path);
      }
      const images = arrayAt(resource, 'Metadata');
      results.push(
        ...elements(
          [...listAt(resource, 'Results', pointer, context)],
          `${pointer}/Results`,
          context,
          (record, at, target) => ({
            record,
            pointer: at,
            target,
            scope: 'cluster',
            ...systemOfImage(images, target),
            resource: path,
          }),
        ),
      );
    }
  }
  return { results, category: stringAt(json, 'ClusterName') ?? '', image: null, unscanned };
}

/** A resource may have several images. The target names the system of its own one. */
function systemOfImage(images: readonly unknown[], target: string): Pick<TrivyResult, 'system' | 'distro'> {
  const bracketed = splitTarget(target)?.system ?? null;
  const system = bracketed === null && images.length === 1 ? recordAt(images[0], 'OS') : null;
  return { system: stringAt(system, 'Family') ?? bracketed, distro: distroOf(system, bracketed) };
}

function elements(
  rows: readonly unknown[],
  pointer: string,
  context: ParseContext,
  make: (record: JsonRecord, pointer: string, target: string) => TrivyResult,
): TrivyResult[] {
  const results: TrivyResult[] = [];
  for (const [index, row] of rows.entries()) {
    const record = asRecord(row);
    const at = `${pointer}/${index}`;
    if (record === null) {
      context.addRows(1, at);
      context.addUnreadable(at, 'The result is not an object.');
    } else results.push({ ...make(record, at, stringAt(record, 'Target') ?? ''), chainTo: chainsOf(record) });
  }
  return results;
}

/** Reads a system of the report, else the one in brackets: `debian 10.2`. */
function distroOf(system: JsonRecord | null, bracketed: string | null): string | null {
  const [family, version] = [stringAt(system, 'Family'), stringAt(system, 'Name')];
  return family !== null && version !== null
    ? `${family}-${version}`
    : (bracketed?.replace(' ', '-') ?? null);
}

/** Returns the system in the brackets of the first target that has some. Versions before schema 2 name it there. */
function systemOf(rows: readonly unknown[]): string | null {
  for (const row of rows) {
    const split = splitTarget(stringAt(row, 'Target') ?? '');
    if (split !== null) return split.system;
  }
  return null;
}

function imageOf(results: readonly TrivyResult[]): string | null {
  for (const { target } of results) {
    const split = splitTarget(target);
    if (split !== null) return split.name;
  }
  return null;
}

function readResult(result: TrivyResult, findings: ReportFinding[], context: ParseContext): void {
  const take = (row: TrivyRow, pointer: string): ReportFinding | null => {
    if ('unreadable' in row) context.addUnreadable(pointer, row.unreadable);
    else if ('skip' in row) context.warn(row.skip);
    else {
      findings.push(row);
      return row;
    }
    return null;
  };
  for (const [list, read] of readers) {
    const rows = listAt(result.record, list, result.pointer, context);
    context.addRows(rows.length, `${result.pointer}/${list}`);
    for (const [index, row] of rows.entries()) {
      const pointer = `${result.pointer}/${list}/${index}`;
      take(read(row, pointer, result, context), pointer);
    }
  }
  // With `--show-suppressed` the report lists what an ignore file or a VEX document has suppressed.
  const modified = listAt(result.record, 'ExperimentalModifiedFindings', result.pointer, context);
  context.addRows(modified.length, `${result.pointer}/ExperimentalModifiedFindings`);
  for (const [index, row] of modified.entries()) {
    const pointer = `${result.pointer}/ExperimentalModifiedFindings/${index}`;
    const read = readersByKind.get(stringAt(row, 'Type') ?? '');
    const finding =
      read === undefined
        ? take({ unreadable: 'The suppressed finding is of no known type.' }, pointer)
        : take(read(field(row, 'Finding'), pointer, result, context), pointer);
    if (finding === null) continue;
    const reason = stringAt(row, 'Statement') ?? stringAt(row, 'Status');
    finding.suppression = { by: 'file', reason: safeText(reason, context), expiresAt: null };
  }
}

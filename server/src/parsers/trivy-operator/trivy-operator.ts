/**
 * The reports that the Trivy Operator keeps in a cluster as custom resources. Their rows are Trivy's own under other
 * names, so they are read as Trivy's are. The reports of one kind and namespace are a run, because `kubectl` exports
 * them together.
 */
import type { VulnerabilityType } from '../../domain/packed-state.ts';
import { bomOf, isBomJson } from '../cyclonedx/bom.ts';
import { readComponents } from '../cyclonedx/components.ts';
import type { Format } from '../format.ts';
import { newRun } from '../reading/finding.ts';
import { parseImage } from '../reading/images.ts';
import { arrayAt, asRecord, field, recordAt, stringAt } from '../reading/json.ts';
import { listAt } from '../reading/json-rows.ts';
import type { ParseContext } from '../reading/limits.ts';
import { newManifest } from '../reading/packages.ts';
import { normalisePath } from '../reading/paths.ts';
import { newReport, takeRow } from '../reading/rows.ts';
import { cleanName } from '../reading/text.ts';
import { toolFamily } from '../reading/tools.ts';
import type {
  Report,
  ReportFinding,
  ReportImage,
  ReportInventoryPackage,
  ReportManifest,
  Run,
} from '../report.ts';
import type { TrivyRow } from '../trivy/result.ts';
import { type OperatorResource, resourcesIn } from './resources.ts';
import { readConfigCheck, readSecretRow, readVulnerabilityRow } from './rows.ts';

export const trivyOperator: Format = {
  name: 'trivy-operator',
  marks: ['apiVersion', 'kind', 'metadata', 'report'],
  recognises: ({ json }) => resourcesIn(json) !== null,
  parse: ({ json }, context) => parse(json, context),
};

function parse(json: unknown, context: ParseContext): Report {
  const { resources, broken, hasOthers } = resourcesIn(json) ?? {
    resources: [],
    broken: [],
    hasOthers: false,
  };
  if (hasOthers) context.warn('Resources of the cluster that are no reports were left out.');
  for (const pointer of broken) context.addUnreadable(pointer, 'The report is not an object.');
  context.addRows(broken.length, '');
  const isSingle = resources.length === 1 && resources[0]?.pointer === '';
  const groups = new Map<string, OperatorResource[]>();
  for (const resource of resources) {
    const { kind, namespace, workload, container } = resource;
    // One resource does not cover the others of its namespace.
    const parts = isSingle ? [kind, workload, container] : [kind, namespace];
    const category = cleanName(parts.filter((part) => part !== '').join('/'), context);
    const known = groups.get(category);
    if (known === undefined) groups.set(category, [resource]);
    else known.push(resource);
  }
  const runs = [...groups].map(([category, group]) => readGroup(category, group, context));
  if (runs.length === 0) {
    context.warn('There is no report in the document: the run has no results, so it closes nothing.');
    runs.push(newRun({ tool: 'trivy', outcome: 'scanned_nothing', analysisTypes: [] }));
  }
  return newReport(trivyOperator.name, context, runs);
}

function analysisTypesOf(kind: string): VulnerabilityType[] {
  if (/vulnerabilityreport$/i.test(kind)) return ['dependency', 'container'];
  if (/exposedsecretreport$/i.test(kind)) return ['secret'];
  return /sbomreport$/i.test(kind) ? [] : ['iac'];
}

function readGroup(category: string, group: readonly OperatorResource[], context: ParseContext): Run {
  context.addRun(group[0]?.pointer ?? '');
  const findings: ReportFinding[] = [];
  const versions = new Set<string>();
  for (const resource of group) {
    for (const finding of readResource(resource, context)) findings.push(finding);
    const report = bodyOf(resource);
    const version = stringAt(recordAt(report, 'scanner'), 'version');
    if (version !== null) versions.add(version);
  }
  const [version] = versions;
  return newRun({
    tool: toolFamily(stringAt(recordAt(bodyOf(group[0]), 'scanner'), 'name') ?? 'Trivy'),
    toolVersion: version === undefined || versions.size > 1 ? null : cleanName(version, context),
    category,
    findings,
    analysisTypes: analysisTypesOf(group[0]?.kind ?? ''),
    image: group.length === 1 ? imageOf(group[0]) : null,
    manifests: manifestsOf(group, context),
  });
}

/** A report about compliance is the status of its resource. */
function bodyOf(resource: OperatorResource | undefined): unknown {
  return recordAt(resource?.record, 'report') ?? recordAt(resource?.record, 'status');
}

function imageOf(resource: OperatorResource | undefined): ReportImage | null {
  const report = bodyOf(resource);
  const artifact = recordAt(report, 'artifact');
  const repository = stringAt(artifact, 'repository');
  const server = stringAt(recordAt(report, 'registry'), 'server');
  if (repository === null) return null;
  const name =
    server === null || repository.startsWith(`${server}/`) ? repository : `${server}/${repository}`;
  return parseImage(name, stringAt(artifact, 'tag'));
}

const lists = [
  ['vulnerabilities', readVulnerabilityRow],
  ['secrets', readSecretRow],
  ['checks', readConfigCheck],
] as const;

function readResource(resource: OperatorResource, context: ParseContext): ReportFinding[] {
  const report = bodyOf(resource);
  const at = `${resource.pointer}/${recordAt(resource.record, 'report') === null ? 'status' : 'report'}`;
  const findings: ReportFinding[] = [];
  const take = (row: TrivyRow, pointer: string): void => takeRow(row, pointer, findings, context);
  for (const [key, read] of lists) {
    for (const [index, row] of listAt(report, key, at, context).entries()) {
      if (hasPassed(row)) continue;
      const pointer = `${at}/${key}/${index}`;
      context.addRows(1, pointer);
      take(read(row, pointer, resource, context), pointer);
    }
  }
  // A benchmark lists its controls, each with its checks in full or with the number of failures.
  const detail = recordAt(report, 'detailReport') ?? report;
  const inDetail = detail === report ? '' : '/detailReport';
  const controls = listAt(detail, 'results', `${at}${inDetail}`, context);
  for (const [index, control] of controls.entries()) {
    const here = `${at}${inDetail}/results/${index}`;
    for (const [number, row] of listAt(control, 'checks', here, context).entries()) {
      if (hasPassed(row)) continue;
      const pointer = `${here}/checks/${number}`;
      context.addRows(1, pointer);
      take(readConfigCheck(row, pointer, resource, context), pointer);
    }
  }
  if (Array.isArray(field(detail, 'results'))) return findings;
  for (const [index, control] of arrayAt(recordAt(report, 'summaryReport'), 'controlCheck').entries()) {
    if (field(control, 'totalFail') === 0) continue;
    const pointer = `${at}/summaryReport/controlCheck/${index}`;
    context.addRows(1, pointer);
    take(readConfigCheck(controlOf(control), pointer, resource, context), pointer);
  }
  return findings;
}

/** Passed checks are listed with the failed ones. They are no rows. */
function hasPassed(row: unknown): boolean {
  return field(row, 'success') === true;
}

function controlOf(control: unknown): unknown {
  const record = asRecord(control);
  return record === null ? null : { ...record, checkID: record.id, title: record.name };
}

function manifestsOf(group: readonly OperatorResource[], context: ParseContext): ReportManifest[] {
  const byPath = new Map<string, ReportInventoryPackage[]>();
  for (const resource of group) {
    const json = recordAt(bodyOf(resource), 'components');
    if (!isBomJson(json) || !/sbomreport$/i.test(resource.kind)) continue;
    const bom = bomOf({ json, text: '', jsonError: null, archive: null }, context);
    const { packages } = readComponents(bom, context).manifest;
    if (packages.length === 0) continue;
    const parts = [resource.workload, resource.container].filter((part) => part !== '');
    const path = normalisePath(parts.join('/')) ?? '.';
    const known = byPath.get(path);
    if (known === undefined) byPath.set(path, [...packages]);
    else for (const named of packages) known.push(named);
  }
  return [...byPath].map(([path, packages]) => newManifest(path, packages, 'image'));
}

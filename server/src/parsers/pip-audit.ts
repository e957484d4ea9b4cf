/**
 * The JSON of pip-audit: the object with `dependencies`, and the list of versions before 2.0. The report names no file,
 * so its packages belong to the repository itself.
 */
import type { Format } from './format.ts';
import { advisoryTitle } from './reading/advisory-title.ts';
import type { ReportDocument } from './reading/decode.ts';
import { newFinding, newRun, sortAdvisories } from './reading/finding.ts';
import { arrayAt, asRecord, field, stringAt, stringsAt } from './reading/json.ts';
import { listAt } from './reading/json-rows.ts';
import type { ParseContext } from './reading/limits.ts';
import { newManifest, packageOfName } from './reading/packages.ts';
import { newReport } from './reading/rows.ts';
import { cleanName, safeText } from './reading/text.ts';
import type { Gap, Report, ReportFinding, ReportInventoryPackage, ReportPackage } from './report.ts';

export const pipAudit: Format = {
  name: 'pip-audit',
  writesLists: true,
  marks: ['dependencies', 'fixes'],
  recognises,
  parse,
};

function recognises({ json }: ReportDocument): boolean {
  if (Array.isArray(json)) {
    const first: unknown = json.find((element) => asRecord(element) !== null);
    return isDependency(first) && Object.keys(asRecord(first) ?? {}).every((key) => fields.has(key));
  }
  const dependencies = field(json, 'dependencies');
  if (!Array.isArray(dependencies)) return false;
  const first: unknown = dependencies.find((element) => asRecord(element) !== null);
  if (first !== undefined) return isDependency(first);
  return Object.keys(asRecord(json) ?? {}).every((key) => key === 'dependencies' || key === 'fixes');
}

const fields = new Set(['name', 'version', 'vulns', 'skip_reason']);

function isDependency(value: unknown): boolean {
  return (
    typeof field(value, 'name') === 'string' &&
    (Array.isArray(field(value, 'vulns')) || typeof field(value, 'skip_reason') === 'string')
  );
}

function parse({ json }: ReportDocument, context: ParseContext): Report {
  const findings: ReportFinding[] = [];
  const packages: ReportInventoryPackage[] = [];
  const gaps: Gap[] = [];
  const isList = Array.isArray(json);
  for (const [index, row] of (isList ? json : arrayAt(json, 'dependencies')).entries()) {
    const pointer = isList ? `/${index}` : `/dependencies/${index}`;
    const named = packageOfName(
      { type: 'pypi', namespace: null },
      stringAt(row, 'name'),
      stringAt(row, 'version'),
      context,
    );
    const rows = listAt(row, 'vulns', pointer, context);
    if (named === null) {
      // A dependency counts as many rows as it has vulnerabilities, and at least one, so that the count misses none.
      context.addRows(Math.max(1, rows.length), pointer);
      context.addUnreadable(pointer, 'The dependency has no name.');
      continue;
    }
    packages.push({ ...named, licenses: [], direct: null });
    if (stringAt(row, 'skip_reason') !== null) {
      context.warn(
        'pip-audit skipped dependencies that it could not look up, so their vulnerabilities are unknown.',
      );
      gaps.push({ package: named.purl });
    }
    context.addRows(rows.length, `${pointer}/vulns`);
    for (const [at, vulnerability] of rows.entries()) {
      const finding = readVulnerability(vulnerability, `${pointer}/vulns/${at}`, named, context);
      if (finding !== null) findings.push(finding);
      else context.addUnreadable(`${pointer}/vulns/${at}`, 'The vulnerability has no id.');
    }
  }
  return newReport(pipAudit.name, context, [
    newRun({
      tool: 'pip-audit',
      gaps,
      findings,
      manifests: packages.length === 0 ? [] : [newManifest('.', packages)],
    }),
  ]);
}

function readVulnerability(
  row: unknown,
  pointer: string,
  named: ReportPackage,
  context: ParseContext,
): ReportFinding | null {
  const reported = stringAt(row, 'id');
  if (reported === null) return null;
  const id = cleanName(reported, context);
  const { same, related } = sortAdvisories(
    id,
    stringsAt(row, 'aliases').map((alias) => cleanName(alias, context)),
  );
  const description = stringAt(row, 'description');
  return newFinding({
    pointer,
    type: 'dependency',
    severity: 'unknown',
    title: advisoryTitle({ summary: null, description }, id, named.name, context),
    description: safeText(description, context),
    rule: id,
    advisories: same,
    relatedAdvisories: related,
    package: named,
    fixedVersions: stringsAt(row, 'fix_versions').map((version) => cleanName(version, context)),
  });
}

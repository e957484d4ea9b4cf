/**
 * The JSON of cargo-audit: vulnerabilities, and the warnings beside them. A warning with an advisory is a finding, as
 * other tools report the same advisory: of low severity if the crate is unsound, else (unmaintained, notice) for
 * information. It is not counted in `read`, because the tool does not count it either.
 */
import type { Severity } from '../domain/packed-state.ts';
import type { Format } from './format.ts';
import { advisoryTitle } from './reading/advisory-title.ts';
import { cvssOfVector, severityOf } from './reading/cvss.ts';
import type { ReportDocument } from './reading/decode.ts';
import { newFinding, newRun, severityOfLabel, sortAdvisories } from './reading/finding.ts';
import { severityGaps } from './reading/gaps.ts';
import {
  arrayAt,
  asArray,
  asRecord,
  field,
  numberAt,
  pointerStep,
  recordAt,
  stringAt,
  stringsAt,
} from './reading/json.ts';
import type { ParseContext } from './reading/limits.ts';
import { packageOfName } from './reading/packages.ts';
import { patchedFrom } from './reading/ranges.ts';
import { newReport, readRows } from './reading/rows.ts';
import { cleanName, safeLinks, safeText } from './reading/text.ts';
import type { Gap, Report, ReportFinding } from './report.ts';

export const cargoAudit: Format = {
  name: 'cargo-audit',
  marks: ['database', 'lockfile', 'vulnerabilities', 'warnings'],
  recognises,
  parse,
};

function recognises({ json }: ReportDocument): boolean {
  const list = field(recordAt(json, 'vulnerabilities'), 'list');
  return (
    (Array.isArray(list) || list === null) &&
    (recordAt(json, 'lockfile') !== null || recordAt(json, 'database') !== null)
  );
}

function parse({ json }: ReportDocument, context: ParseContext): Report {
  const rows = arrayAt(recordAt(json, 'vulnerabilities'), 'list');
  const findings = readRows(rows, '/vulnerabilities/list', context, (row, pointer) => {
    const finding = readAdvisory(row, pointer, null, context);
    return finding ?? { unreadable: 'The vulnerability has no advisory id or no package.' };
  });
  const read = context.rows;
  for (const warning of warningsOf(field(json, 'warnings'))) {
    context.addRows(1, warning.pointer);
    const finding = readWarning(warning, context);
    if (finding !== null) findings.push(finding);
  }
  return {
    ...newReport(cargoAudit.name, context, [
      newRun({
        tool: 'cargo-audit',
        showsScan: (numberAt(recordAt(json, 'lockfile'), 'dependency-count') ?? 0) > 0,
        gaps: filteredGaps(json, context),
        findings,
      }),
    ]),
    read,
  };
}

/** The settings name ignored advisories, and the least severity of the vulnerabilities that the report lists. */
function filteredGaps(json: unknown, context: ParseContext): Gap[] {
  const settings = recordAt(json, 'settings');
  const ignored = stringsAt(settings, 'ignore').map((id) => ({ advisory: cleanName(id, context) }));
  const gaps = [...ignored, ...severityGaps(severityOfLabel(stringAt(settings, 'severity')))];
  if (gaps.length > 0)
    context.warn('cargo-audit left out ignored advisories, or vulnerabilities below a severity.');
  return gaps;
}

interface Warning {
  row: unknown;
  pointer: string;
  kind: string;
}

/** Newer versions list warnings by kind; versions before 0.13 have one list. */
function warningsOf(warnings: unknown): Warning[] {
  if (Array.isArray(warnings)) {
    return warnings.map((row, index) => ({
      row,
      pointer: `/warnings/${index}`,
      kind: stringAt(row, 'kind') ?? '',
    }));
  }
  return Object.entries(asRecord(warnings) ?? {}).flatMap(([kind, rows]) =>
    asArray(rows).map((row, index) => ({
      row,
      pointer: `/warnings/${pointerStep(kind)}/${index}`,
      kind: stringAt(row, 'kind') ?? kind,
    })),
  );
}

function readWarning({ row, pointer, kind }: Warning, context: ParseContext): ReportFinding | null {
  if (kind === 'yanked') {
    context.warn('The lock file has yanked crates. They are no findings, because no advisory is about them.');
    return null;
  }
  const finding = readAdvisory(row, pointer, kind === 'unsound' ? 'low' : 'info', context);
  if (finding === null)
    context.warn('Warnings of cargo-audit without an advisory or a package were ignored.');
  return finding;
}

/**
 * `informational` is the severity of an advisory that is no vulnerability. With null, the advisory's own severity
 * counts.
 */
function readAdvisory(
  row: unknown,
  pointer: string,
  informational: Severity | null,
  context: ParseContext,
): ReportFinding | null {
  const advisory = recordAt(row, 'advisory');
  const affected = recordAt(row, 'package');
  const reported = stringAt(advisory, 'id');
  const named = packageOfName(
    { type: 'cargo', namespace: null },
    stringAt(affected, 'name') ?? stringAt(advisory, 'package'),
    stringAt(affected, 'version'),
    context,
  );
  if (reported === null || named === null) return null;
  const id = cleanName(reported, context);
  const clean = (ids: string[]): string[] => ids.map((other) => cleanName(other, context));
  const { same, related } = sortAdvisories(id, clean(stringsAt(advisory, 'aliases')));
  const others = new Set(clean(stringsAt(advisory, 'related'))).difference(new Set(same));
  const description = stringAt(advisory, 'description');
  const cvss = cvssOfVector(stringAt(advisory, 'cvss') ?? '');
  const patched = stringsAt(recordAt(row, 'versions'), 'patched').flatMap(patchedFrom);
  return newFinding({
    pointer,
    type: 'dependency',
    severity: informational ?? severityOf(stringAt(advisory, 'severity'), cvss?.score ?? null),
    title: advisoryTitle({ summary: stringAt(advisory, 'title'), description }, id, named.name, context),
    description: safeText(description, context),
    rule: id,
    advisories: same,
    relatedAdvisories: [...new Set([...related, ...others])],
    package: named,
    fixedVersions: [...new Set(clean(patched))],
    cvss,
    links: safeLinks([
      // The advisory's own page is used, because the report's address is that of the discussion.
      /^RUSTSEC-\d{4}-\d{4}$/.test(id) ? `https://rustsec.org/advisories/${id}` : null,
      stringAt(advisory, 'url'),
      ...stringsAt(advisory, 'references'),
    ]),
  });
}

/**
 * The findings of Dependency-Track: its Finding Packaging Format, and the list that its REST API gives. Each row is one
 * vulnerability of one component, and each project is a run. Identity is as in its export as CycloneDX: the id of the
 * vulnerability and the package.
 */
import type { Format } from './format.ts';
import { advisoryTitle } from './reading/advisory-title.ts';
import { cvssOf, cvssOfVector, severityOf } from './reading/cvss.ts';
import type { ReportDocument } from './reading/decode.ts';
import { newEvidence } from './reading/evidence.ts';
import { cwesOf, newFinding, newRun, sortAdvisories } from './reading/finding.ts';
import { arrayAt, asRecord, field, type JsonRecord, numberAt, recordAt, stringAt } from './reading/json.ts';
import type { ParseContext } from './reading/limits.ts';
import { listedPackage, packageOfName, typeOfPackage } from './reading/packages.ts';
import { mayBeFullPage, outcomeOfPage } from './reading/pages.ts';
import { type NoFinding, newReport } from './reading/rows.ts';
import { cleanName, safeLinks, safeText } from './reading/text.ts';
import { toolFamily } from './reading/tools.ts';
import { addressesIn } from './reading/web-locations.ts';
import type { Report, ReportFinding, ReportPackage } from './report.ts';

export const dependencyTrack: Format = {
  name: 'dependency-track',
  writesLists: true,
  marks: ['meta', 'project', 'findings'],
  recognises,
  parse,
};

/** A project without findings has an empty list, `null`, or no list at all. */
function recognises({ json }: ReportDocument): boolean {
  if (Array.isArray(json)) return isRow(json.find((row) => asRecord(row) !== null));
  const findings = field(json, 'findings') ?? [];
  if (!Array.isArray(findings)) return false;
  if (toolFamily(stringAt(recordAt(json, 'meta'), 'application')) === 'dependency-track') return true;
  const isProject = recordAt(json, 'meta') !== null && recordAt(json, 'project') !== null;
  return isProject && isRow(findings.find((row) => asRecord(row) !== null));
}

function isRow(row: unknown): boolean {
  const hasParts = recordAt(row, 'component') !== null && recordAt(row, 'vulnerability') !== null;
  return hasParts && (stringAt(row, 'matrix') !== null || recordAt(row, 'analysis') !== null);
}

function parse({ json }: ReportDocument, context: ParseContext): Report {
  const at = Array.isArray(json) ? '' : '/findings';
  const rows: readonly unknown[] = Array.isArray(json) ? json : arrayAt(json, 'findings');
  context.addRows(rows.length, at);
  const project = stringAt(recordAt(json, 'project'), 'name');
  // A list of the API may have the findings of several projects.
  const projects = new Map<string, ReportFinding[]>();
  for (const [index, row] of rows.entries()) {
    const pointer = `${at}/${index}`;
    const finding = readRow(row, pointer, context);
    if ('unreadable' in finding) {
      context.addUnreadable(pointer, finding.unreadable);
      continue;
    }
    const name = project ?? stringAt(recordAt(row, 'component'), 'projectName') ?? '';
    const findings = findingsOf(projects, name, pointer, context);
    if ('skip' in finding) context.warn(finding.skip);
    else findings.push(finding);
  }
  if (projects.size === 0) findingsOf(projects, project ?? '', at, context);
  const meta = recordAt(json, 'meta');
  // The API gives 100 findings at once, or as many as it was asked for, and the total in a header alone.
  const outcome = outcomeOfPage(mayBeFullPage(json), context);
  return newReport(
    dependencyTrack.name,
    context,
    [...projects].map(([category, findings]) =>
      newRun({
        tool: 'dependency-track',
        toolVersion: cleanName(stringAt(meta, 'version'), context),
        category,
        outcome,
        findings,
      }),
    ),
  );
}

function findingsOf(
  projects: Map<string, ReportFinding[]>,
  name: string,
  pointer: string,
  context: ParseContext,
): ReportFinding[] {
  const category = cleanName(name, context);
  const known = projects.get(category);
  if (known !== undefined) return known;
  context.addRun(pointer);
  const findings: ReportFinding[] = [];
  projects.set(category, findings);
  return findings;
}

type Row = ReportFinding | NoFinding;

function readRow(row: unknown, pointer: string, context: ParseContext): Row {
  const about = recordAt(row, 'vulnerability');
  const component = recordAt(row, 'component');
  const reported = stringAt(about, 'vulnId');
  const named = component === null ? null : packageOf(component, context);
  if (about === null || reported === null) return { unreadable: 'The finding has no id of a vulnerability.' };
  if (named === null) return { unreadable: 'The finding names no component.' };
  const analysis = recordAt(row, 'analysis');
  if (stateOf(analysis) === 'RESOLVED') {
    return { skip: 'Findings that Dependency-Track calls resolved are counted and are no findings.' };
  }
  const id = cleanName(reported, context);
  const { same, related } = sortAdvisories(id, aliasesOf(about, context));
  const cvss = cvssIn(about);
  const description = stringAt(about, 'description');
  return newFinding({
    pointer,
    type: typeOfPackage(named),
    severity: severityOf(stringAt(about, 'severity'), cvss?.score ?? null),
    title: advisoryTitle({ summary: stringAt(about, 'title'), description }, id, named.name, context),
    description: safeText(description, context),
    rule: id,
    advisories: same,
    relatedAdvisories: related,
    package: named,
    cvss,
    cwes: weaknessesOf(about),
    links: safeLinks([
      stringAt(recordAt(row, 'attribution'), 'referenceUrl'),
      ...addressesIn(stringAt(about, 'references') ?? ''),
    ]),
    suppression: suppressionOf(analysis, context),
    exploitable: stateOf(analysis) === 'EXPLOITABLE',
    evidence: newEvidence({ remediation: stringAt(about, 'recommendation') }, context),
  });
}

/** A component without a package URL gets the one that it gets in a BOM. */
function packageOf(component: JsonRecord, context: ParseContext): ReportPackage | null {
  const version = stringAt(component, 'version');
  const names = [stringAt(component, 'group'), stringAt(component, 'name')].filter((name) => name !== null);
  return (
    listedPackage(stringAt(component, 'purl'), stringAt(component, 'name'), version, context) ??
    packageOfName({ type: 'generic', namespace: null }, names.join('/'), version, context)
  );
}

const aliasKeys = ['cveId', 'ghsaId', 'osvId', 'snykId', 'sonatypeId', 'gsdId', 'vulnDbId'] as const;

function aliasesOf(about: JsonRecord, context: ParseContext): string[] {
  return arrayAt(about, 'aliases')
    .slice(0, 100)
    .flatMap((alias) => aliasKeys.map((key) => stringAt(alias, key)))
    .filter((id) => id !== null)
    .map((id) => cleanName(id, context));
}

/** Returns the score of the newest version. Exports before 4.13 have no vectors. */
function cvssIn(about: JsonRecord): ReportFinding['cvss'] {
  for (const [version, key] of [
    ['cvssV4', 'cvssV4Score'],
    ['cvssV3', 'cvssV3BaseScore'],
    ['cvssV2', 'cvssV2BaseScore'],
  ] as const) {
    // Version 2 has its vector in brackets.
    const vector = stringAt(about, `${version}Vector`)?.replace(/^\((.*)\)$/, '$1') ?? null;
    const cvss =
      cvssOf(numberAt(about, key), vector) ?? (vector === null ? null : cvssOfVector(vector.slice(0, 256)));
    if (cvss !== null) return cvss;
  }
  return null;
}

function weaknessesOf(about: JsonRecord): string[] {
  const listed = arrayAt(about, 'cwes').map((cwe) => stringAt(cwe, 'cweId'));
  return cwesOf([...listed, stringAt(about, 'cweId')].filter((cwe) => cwe !== null).slice(0, 100));
}

function stateOf(analysis: JsonRecord | null): string {
  return (stringAt(analysis, 'state') ?? '').trim().toUpperCase();
}

const reviews: ReadonlyMap<string, string> = new Map([
  ['FALSE_POSITIVE', 'Marked as a false positive in Dependency-Track.'],
  ['NOT_AFFECTED', 'Marked as not affected in Dependency-Track.'],
]);

function suppressionOf(analysis: JsonRecord | null, context: ParseContext): ReportFinding['suppression'] {
  const isSuppressed = field(analysis, 'isSuppressed') === true;
  const reason = reviews.get(stateOf(analysis)) ?? (isSuppressed ? 'Suppressed in Dependency-Track.' : null);
  if (reason === null) return null;
  const detail = stringAt(analysis, 'detail') ?? stringAt(analysis, 'analysisDetails');
  return {
    by: 'file',
    reason: safeText(detail === null ? reason : `${reason} ${detail}`, context),
    expiresAt: null,
  };
}

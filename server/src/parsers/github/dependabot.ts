/**
 * Dependabot's alerts: the list of GitHub's REST API and the answers of GraphQL, in any of its nestings. The installed
 * version is rarely in an alert. GitHub keeps one list for a repository, whatever its manifests are.
 */
import type { Format } from '../format.ts';
import { advisoryTitle } from '../reading/advisory-title.ts';
import { cvssOf, cvssOfVector } from '../reading/cvss.ts';
import type { ReportDocument } from '../reading/decode.ts';
import {
  ecosystemOfFile,
  ecosystemOfPackageManager,
  ecosystemOfPackageName,
  type PurlEcosystem,
} from '../reading/ecosystems.ts';
import { cwesOf, newFinding, newRun, severityOfLabel, sortAdvisories } from '../reading/finding.ts';
import {
  arrayAt,
  asRecord,
  field,
  type JsonRecord,
  numberAt,
  pointerStep,
  recordAt,
  stringAt,
} from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { packageOfName, plainVersion } from '../reading/packages.ts';
import { outcomeOfPage } from '../reading/pages.ts';
import { repositoryPath } from '../reading/paths.ts';
import { newReport, takeRow } from '../reading/rows.ts';
import { cleanName, safeLinks, safeText } from '../reading/text.ts';
import type { Report, ReportFinding, RunOutcome } from '../report.ts';
import {
  type AlertRow,
  alertRows,
  alertStateOf,
  firstAlert,
  outcomeOfList,
  textAt,
  warnOfRepositories,
} from './alerts.ts';

export const githubDependabot: Format = {
  name: 'github-dependabot',
  writesLists: true,
  marks: ['security_advisory', 'security_vulnerability', 'dependency', 'state'],
  recognises,
  parse,
};

const graphList = 'vulnerabilityAlerts';

function recognises({ json }: ReportDocument): boolean {
  if (repositoriesOf(json).length > 0) return true;
  const first = firstAlert(json);
  const isAlert = ['state', 'number', 'html_url'].some((key) => Object.hasOwn(first ?? {}, key));
  return (
    isAlert && (recordAt(first, 'security_advisory') ?? recordAt(first, 'security_vulnerability')) !== null
  );
}

/** GraphQL names the same fields otherwise. */
const names = {
  rest: {
    advisory: 'security_advisory',
    vulnerability: 'security_vulnerability',
    fix: 'first_patched_version',
    id: 'ghsa_id',
    vector: 'vector_string',
    cwe: 'cwe_id',
  },
  graph: {
    advisory: 'securityAdvisory',
    vulnerability: 'securityVulnerability',
    fix: 'firstPatchedVersion',
    id: 'ghsaId',
    vector: 'vectorString',
    cwe: 'cweId',
  },
} as const;

interface Repository {
  alerts: unknown;
  pointer: string;
}

/** A query may ask for one repository, for a search, or for those of an owner, under any name. */
function repositoriesOf(json: unknown): Repository[] {
  const pages = Array.isArray(json) ? json : [json];
  return pages.flatMap((page: unknown, index) => {
    const data = recordAt(page, 'data');
    const at = `${Array.isArray(json) ? `/${index}` : ''}/data`;
    return Object.entries(data ?? {}).flatMap(([key, value]) => [
      ...withAlerts(value, `${at}/${pointerStep(key)}`),
      ...withAlerts(recordAt(value, 'repositories'), `${at}/${pointerStep(key)}/repositories`),
    ]);
  });
}

function withAlerts(value: unknown, pointer: string): Repository[] {
  return [{ value, pointer }, ...nodesOf(value, pointer)]
    .map(({ value: owner, pointer: at }) => ({
      alerts: recordAt(owner, graphList),
      pointer: `${at}/${graphList}`,
    }))
    .filter(({ alerts }) => alerts !== null);
}

/** A connection of GraphQL lists its nodes directly or in edges. */
function nodesOf(connection: unknown, pointer: string): AlertRow[] {
  const nodes = arrayAt(connection, 'nodes').map((value, index) => ({
    value,
    pointer: `${pointer}/nodes/${index}`,
  }));
  const edges = arrayAt(connection, 'edges').map((edge, index) => ({
    value: field(edge, 'node'),
    pointer: `${pointer}/edges/${index}/node`,
  }));
  return [...nodes, ...edges];
}

function parse({ json }: ReportDocument, context: ParseContext): Report {
  const repositories = repositoriesOf(json);
  const rows =
    repositories.length > 0
      ? repositories.flatMap(({ alerts, pointer }) => nodesOf(alerts, pointer))
      : alertRows(json);
  context.addRows(rows.length, '');
  warnOfRepositories(rows, context);
  const findings: ReportFinding[] = [];
  for (const { value, pointer } of rows) {
    const alert = asRecord(value);
    const read =
      alert === null ? { unreadable: 'The alert is not an object.' } : readAlert(alert, pointer, context);
    if (read !== null) takeRow(read, pointer, findings, context);
  }
  return newReport(githubDependabot.name, context, [
    newRun({
      tool: 'dependabot',
      outcome:
        repositories.length > 0 ? outcomeOfAnswer(repositories, context) : outcomeOfList(json, rows, context),
      findings,
    }),
  ]);
}

/** GraphQL gives no more alerts at once. */
const maxPage = 100;

/** An answer of GraphQL says whether there are more alerts only if the query asked for it. */
function outcomeOfAnswer(repositories: readonly Repository[], context: ParseContext): RunOutcome {
  const hasMore = ({ alerts, pointer }: Repository): boolean => {
    const next = field(recordAt(alerts, 'pageInfo'), 'hasNextPage');
    if (typeof next === 'boolean') return next;
    const given = nodesOf(alerts, pointer).length;
    const total = numberAt(alerts, 'totalCount');
    return total === null ? given === maxPage : total > given;
  };
  return outcomeOfPage(repositories.some(hasMore), context);
}

/** Returns null for an alert that is closed. */
function readAlert(
  alert: JsonRecord,
  pointer: string,
  context: ParseContext,
): ReportFinding | { unreadable: string } | null {
  const shape = recordAt(alert, names.graph.vulnerability) === null ? names.rest : names.graph;
  const vulnerability = recordAt(alert, shape.vulnerability);
  // GraphQL has the advisory in the vulnerability, and also beside it if a query asks for that.
  const advisory = recordAt(vulnerability, 'advisory') ?? recordAt(alert, shape.advisory);
  const ids = advisoryIds(advisory, shape.id, context);
  const id = ids[0];
  const named = packageOf(alert, vulnerability, context);
  if (id === undefined) return { unreadable: 'The alert has no advisory with an id.' };
  const state = alertStateOf(alert, context);
  if (state.isClosed) return null;
  const { same, related } = sortAdvisories(id, ids.slice(1));
  const manifest = manifestOf(alert);
  const texts = { summary: textAt(advisory, 'summary'), description: textAt(advisory, 'description') };
  const fix = textAt(recordAt(vulnerability, shape.fix), 'identifier') ?? textAt(vulnerability, shape.fix);
  return newFinding({
    pointer,
    type: isMalware(advisory) ? 'malware' : 'dependency',
    severity: severityOfLabel(textAt(vulnerability, 'severity') ?? textAt(advisory, 'severity')),
    title: advisoryTitle(texts, id, named?.name ?? null, context),
    description: safeText(texts.description, context),
    rule: id,
    advisories: same,
    relatedAdvisories: related,
    package: named,
    fixedVersions: fix === null ? [] : [plainVersion(named?.purl ?? '', cleanName(fix, context))],
    cvss: cvssOfAdvisory(advisory, shape.vector),
    cwes: weaknessesOf(advisory, shape.cwe),
    path: repositoryPath(manifest),
    links: safeLinks([
      textAt(alert, 'html_url'),
      ...arrayAt(advisory, 'references').map((reference) => stringAt(reference, 'url')),
    ]),
    suppression: state.suppression,
  });
}

/** The id of GitHub's advisory comes first, then the CVE. */
function advisoryIds(advisory: JsonRecord | null, key: string, context: ParseContext): string[] {
  const listed = arrayAt(advisory, 'identifiers').map((identifier) => stringAt(identifier, 'value'));
  const ids = [textAt(advisory, key), ...listed, textAt(advisory, 'cve_id')]
    .filter((id) => id !== null)
    .map((id) => cleanName(id, context))
    .filter((id) => id !== '');
  const isGithub = (id: string): boolean => id.startsWith('GHSA-');
  return [...new Set([...ids.filter(isGithub), ...ids.filter((id) => !isGithub(id))])];
}

function manifestOf(alert: JsonRecord): string | null {
  return (
    textAt(recordAt(alert, 'dependency'), 'manifest_path') ??
    textAt(alert, 'vulnerableManifestPath') ??
    textAt(alert, 'vulnerableManifestFilename')
  );
}

function packageOf(
  alert: JsonRecord,
  vulnerability: JsonRecord | null,
  context: ParseContext,
): ReportFinding['package'] {
  const named = recordAt(recordAt(alert, 'dependency'), 'package') ?? recordAt(vulnerability, 'package');
  const name = textAt(named, 'name');
  // Only GraphQL has it, and only for an exact requirement: `= 1.2.3`.
  const exact = /^=\s*([^\s,<>=|]{1,200})$/.exec(textAt(alert, 'vulnerableRequirements')?.trim() ?? '');
  return packageOfName(ecosystemOf(named, name, manifestOf(alert)), name, exact?.[1] ?? null, context);
}

function ecosystemOf(named: JsonRecord | null, name: string | null, manifest: string | null): PurlEcosystem {
  const word = textAt(named, 'ecosystem')?.toLowerCase() ?? '';
  if (word === 'actions') return { type: 'github', namespace: null };
  return (
    ecosystemOfPackageManager(word) ??
    ecosystemOfFile(manifest ?? '') ??
    ecosystemOfPackageName(name ?? '') ?? { type: 'generic', namespace: null }
  );
}

function isMalware(advisory: JsonRecord | null): boolean {
  return [textAt(advisory, 'classification'), textAt(advisory, 'type')].some(
    (word) => word?.toLowerCase() === 'malware',
  );
}

/** GitHub writes the score 0 if it has none. */
function cvssOfAdvisory(advisory: JsonRecord | null, key: string): ReportFinding['cvss'] {
  const severities = recordAt(advisory, 'cvss_severities') ?? recordAt(advisory, 'cvssSeverities');
  const all = [
    recordAt(advisory, 'cvss'),
    recordAt(severities, 'cvss_v4') ?? recordAt(severities, 'cvssV4'),
    recordAt(severities, 'cvss_v3') ?? recordAt(severities, 'cvssV3'),
  ];
  for (const one of all) {
    const vector = textAt(one, key);
    const score = numberAt(one, 'score');
    const cvss = score !== null && score > 0 ? cvssOf(score, vector) : cvssOfVector(vector ?? '');
    if (cvss !== null) return cvss;
  }
  return null;
}

function weaknessesOf(advisory: JsonRecord | null, key: string): string[] {
  const listed = [...arrayAt(advisory, 'cwes'), ...arrayAt(recordAt(advisory, 'cwes'), 'nodes')];
  return cwesOf(listed.map((cwe) => textAt(cwe, key)));
}

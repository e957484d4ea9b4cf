/**
 * The findings of Amazon Inspector 2: vulnerable packages, vulnerabilities in the code of functions, and ports that the
 * network reaches. A package finding gives one for each package on each resource.
 */
import type { Format } from './format.ts';
import {
  type CloudPackage,
  type CloudResource,
  locatedResources,
  packageFindings,
  resourceLocation,
  resourceName,
} from './reading/cloud-packages.ts';
import {
  accountCategory,
  type CloudRuns,
  cloudRows,
  cloudRun,
  firstCloudRow,
  isEmptyList,
  runsOrEmptyRun,
} from './reading/cloud-rows.ts';
import { newestCvss, severityOf } from './reading/cvss.ts';
import type { ReportDocument } from './reading/decode.ts';
import { newEvidence } from './reading/evidence.ts';
import { cwesOf, newFinding } from './reading/finding.ts';
import { parseImage } from './reading/images.ts';
import {
  arrayAt,
  asRecord,
  integerAt,
  type JsonRecord,
  numberAt,
  recordAt,
  stringAt,
  stringsAt,
} from './reading/json.ts';
import type { ParseContext } from './reading/limits.ts';
import { normalisePath } from './reading/paths.ts';
import { newReport } from './reading/rows.ts';
import { cleanName, safeLinks, safeText, safeTitle } from './reading/text.ts';
import type { Report, ReportFinding, ReportImage } from './report.ts';

export const awsInspector: Format = {
  name: 'aws-inspector',
  writesLists: true,
  marks: ['findings', 'findingArn', 'inspectorScore', 'awsAccountId'],
  recognises,
  alsoReads: (document) => isEmptyList(document, 'findings'),
  parse,
};

const details = ['packageVulnerabilityDetails', 'codeVulnerabilityDetails', 'networkReachabilityDetails'];

function recognises(document: ReportDocument): boolean {
  const first = firstCloudRow(document);
  if (first === null) return false;
  return (
    stringAt(first, 'findingArn') !== null ||
    (stringAt(first, 'awsAccountId') !== null && details.some((key) => recordAt(first, key) !== null))
  );
}

function parse(document: ReportDocument, context: ParseContext): Report {
  const { values, outcome } = cloudRows(document, context);
  const runs: CloudRuns = new Map();
  for (const { value, pointer } of values) {
    const record = asRecord(value);
    if (record === null) {
      context.addUnreadable(pointer, 'The finding is not an object.');
      continue;
    }
    const category = accountCategory(stringAt(record, 'awsAccountId'));
    const { findings } = cloudRun(runs, { tool: 'aws-inspector', category }, context);
    for (const finding of readRow(record, pointer, context)) findings.push(finding);
  }
  const image = onlyImage(values.map(({ value }) => value));
  return newReport(
    awsInspector.name,
    context,
    runsOrEmptyRun(runs, 'aws-inspector', outcome).map((run) => ({ ...run, image })),
  );
}

function readRow(record: JsonRecord, pointer: string, context: ParseContext): ReportFinding[] {
  const status = (stringAt(record, 'status') ?? '').trim().toUpperCase();
  if (status === 'CLOSED') {
    context.warn('Findings that are closed in Amazon Inspector are counted and are no findings.');
    return [];
  }
  const findings = readFinding(record, pointer, context);
  if (findings === null) {
    context.addUnreadable(pointer, 'The finding has neither a title nor a package with a name.');
    return [];
  }
  if (status === 'SUPPRESSED') {
    const reason = 'Suppressed by a rule in Amazon Inspector.';
    for (const finding of findings) finding.suppression = { by: 'file', reason, expiresAt: null };
  }
  return findings;
}

function readFinding(record: JsonRecord, pointer: string, context: ParseContext): ReportFinding[] | null {
  const resources = arrayAt(record, 'resources').map(
    (resource): CloudResource => ({ id: stringAt(resource, 'id'), region: stringAt(resource, 'region') }),
  );
  const packages = recordAt(record, 'packageVulnerabilityDetails');
  const code = recordAt(record, 'codeVulnerabilityDetails');
  const title = stringAt(record, 'title');
  const description = stringAt(record, 'description');
  const recommendation = recordAt(recordAt(record, 'remediation'), 'recommendation');
  const advice = stringAt(recommendation, 'text');
  const shared = {
    pointer,
    severity: severityOf(stringAt(record, 'severity'), numberAt(record, 'inspectorScore')),
    title: safeTitle(title ?? description ?? '', context),
    description: safeText(description, context),
  };
  const remediation = adviceOf(advice);
  const links = [stringAt(recommendation, 'Url') ?? stringAt(recommendation, 'url')];
  const id = stringAt(packages, 'vulnerabilityId');
  if (packages !== null && id !== null) {
    const platform = platformOf(record);
    const written = arrayAt(packages, 'vulnerablePackages').map((row) => packageOf(row, platform));
    const command =
      written.length === 0 ? null : stringAt(arrayAt(packages, 'vulnerablePackages')[0], 'remediation');
    const cvss = cvssOfRow(packages);
    return packageFindings(
      {
        ...shared,
        severity: severityOf(
          stringAt(record, 'severity'),
          numberAt(record, 'inspectorScore') ?? cvss?.score ?? null,
        ),
        id: cleanName(id, context),
        others: stringsAt(packages, 'relatedVulnerabilities').map((other) => cleanName(other, context)),
        title: shared.title || cleanName(id, context),
        cvss,
        links: safeLinks([
          stringAt(packages, 'sourceUrl'),
          ...stringsAt(packages, 'referenceUrls'),
          ...links,
        ]),
        evidence: newEvidence({ remediation: remediation ?? adviceOf(command) }, context),
      },
      written,
      resources,
      context,
    );
  }
  if (shared.title === '') return null;
  if (code !== null) return [codeFinding(code, resources, { ...shared, remediation, links }, context)];
  return resourceFindings(record, resources, { ...shared, remediation, links }, context);
}

/** Inspector writes these words if it has no advice. */
function adviceOf(text: string | null): string | null {
  return text === null || /^(?:none ?provided|not ?available)$/i.test(text.trim()) ? null : text;
}

interface Shared extends Pick<ReportFinding, 'pointer' | 'severity' | 'title' | 'description'> {
  remediation: string | null;
  links: (string | null)[];
}

function codeFinding(
  code: JsonRecord,
  resources: readonly CloudResource[],
  { remediation, links, ...shared }: Shared,
  context: ParseContext,
): ReportFinding {
  const named = recordAt(code, 'filePath');
  const file = stringAt(named, 'filePath') ?? stringAt(named, 'fileName');
  // Several functions have files of the same name.
  const [resource] = resources;
  const parts = [resource === undefined ? null : resourceName(resource), file].filter(
    (part) => part !== null,
  );
  return newFinding({
    ...shared,
    type: 'sast',
    rule: cleanName(stringAt(code, 'ruleId') ?? stringAt(code, 'detectorId') ?? '', context),
    cwes: cwesOf(stringsAt(code, 'cwes')),
    path: parts.length === 0 ? null : normalisePath(parts.join('/')),
    line: integerAt(named, 'startLine', 1),
    links: safeLinks([...stringsAt(code, 'referenceUrls'), ...links]),
    evidence: newEvidence({ remediation }, context),
  });
}

/** A port that can be reached is a setting of its resource. */
function resourceFindings(
  record: JsonRecord,
  resources: readonly CloudResource[],
  { remediation, links, ...shared }: Shared,
  context: ParseContext,
): ReportFinding[] {
  const network = recordAt(record, 'networkReachabilityDetails');
  const range = recordAt(network, 'openPortRange');
  const ports = [stringAt(network, 'protocol'), stringAt(range, 'begin'), stringAt(range, 'end')];
  const located = locatedResources(resources);
  context.addLocations(located.length, shared.pointer);
  return located.map((resource) => {
    const location = resourceLocation(resource, context);
    const code = [location.code, ...ports].filter((part) => part !== null).join(' ');
    return newFinding({
      ...shared,
      type: network === null ? 'other' : 'iac',
      rule: network === null ? '' : 'network-reachability',
      path: location.path,
      code: code === '' ? null : cleanName(code, context),
      links: safeLinks(links),
      sharedRow: located.length > 1 ? shared.pointer : null,
      evidence: newEvidence({ remediation }, context),
    });
  });
}

function packageOf(row: unknown, platform: string | null): CloudPackage {
  return {
    purl: stringAt(row, 'purl'),
    name: stringAt(row, 'name'),
    version: stringAt(row, 'version'),
    release: stringAt(row, 'release'),
    epoch: stringAt(row, 'epoch'),
    manager: stringAt(row, 'packageManager'),
    platform,
    file: stringAt(row, 'filePath'),
    fixedIn: stringsAt(row, 'fixedInVersion'),
  };
}

function platformOf(record: JsonRecord): string | null {
  for (const resource of arrayAt(record, 'resources')) {
    const about = recordAt(resource, 'details');
    for (const kind of ['awsEcrContainerImage', 'awsEc2Instance']) {
      const platform = stringAt(recordAt(about, kind), 'platform');
      if (platform !== null) return platform;
    }
  }
  return null;
}

/** The newest version comes first, and within it the database of NIST. */
function cvssOfRow(packages: JsonRecord): ReportFinding['cvss'] {
  const { ofNvd = [], others = [] } = Object.groupBy(arrayAt(packages, 'cvss'), (entry) =>
    stringAt(entry, 'source') === 'NVD' ? 'ofNvd' : 'others',
  );
  return newestCvss([...ofNvd, ...others], {
    version: 'version',
    score: 'baseScore',
    vector: 'scoringVector',
  });
}

/** Returns the image if all findings are about it. Its digest changes with each build. */
function onlyImage(rows: readonly unknown[]): ReportImage | null {
  let image: ReportImage | null = null;
  for (const row of rows) {
    const about = recordAt(recordAt(arrayAt(row, 'resources')[0], 'details'), 'awsEcrContainerImage');
    const found = parseImage(stringAt(about, 'repositoryName'), stringsAt(about, 'imageTags')[0] ?? null);
    if (found === null || (image !== null && image.name !== found.name)) return null;
    image ??= found;
  }
  return image;
}

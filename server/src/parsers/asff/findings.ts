/**
 * The reading of one finding of ASFF: its type, its rule, and a finding for each package and resource. A rule must
 * never hold an account or a detector, because it is the same in all of them.
 */
import type { Severity } from '../../domain/packed-state.ts';
import {
  type CloudPackage,
  type CloudResource,
  locatedResources,
  packageFindings,
  resourceLocation,
  resourceName,
} from '../reading/cloud-packages.ts';
import { newestCvss } from '../reading/cvss.ts';
import { newEvidence } from '../reading/evidence.ts';
import { cwesOf, newFinding, severityOfLabel } from '../reading/finding.ts';
import {
  arrayAt,
  asRecord,
  integerAt,
  type JsonRecord,
  numberAt,
  recordAt,
  stringAt,
  stringsAt,
} from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { normalisePath } from '../reading/paths.ts';
import { cleanName, safeLinks, safeText, safeTitle } from '../reading/text.ts';
import { typeOfFamily } from '../reading/tools.ts';
import type { ReportFinding } from '../report.ts';

/** Returns null for a finding without content. */
export function readAsffFinding(
  record: JsonRecord,
  pointer: string,
  tool: string,
  context: ParseContext,
): ReportFinding[] | null {
  const resources = arrayAt(record, 'Resources').map(
    (resource): CloudResource => ({
      id: stringAt(resource, 'Id'),
      region: stringAt(resource, 'Region') ?? stringAt(record, 'Region'),
    }),
  );
  const title = safeTitle(stringAt(record, 'Title') ?? stringAt(record, 'Description') ?? '', context);
  const recommendation = recordAt(recordAt(record, 'Remediation'), 'Recommendation');
  const shared: Shared = {
    pointer,
    severity: severityOf(record),
    title,
    description: safeText(stringAt(record, 'Description'), context),
    links: safeLinks([
      stringAt(recommendation, 'Url'),
      stringAt(recordAt(record, 'ProductFields'), 'RecommendationUrl'),
      stringAt(record, 'SourceUrl'),
    ]),
    evidence: newEvidence({ remediation: stringAt(recommendation, 'Text') }, context),
  };
  const rule = ruleOf(record, context);
  const found = vulnerabilityFindings(record, resources, { ...shared, rule }, context);
  if (found !== null) return found;
  if (title === '') return null;
  const located = locatedResources(resources);
  context.addLocations(located.length, pointer);
  const finding = newFinding({
    ...shared,
    type: isConfiguration(record, tool) ? 'iac' : 'other',
    rule,
    sharedRow: located.length > 1 ? pointer : null,
  });
  return located.map((resource) => ({ ...finding, ...resourceLocation(resource, context) }));
}

type Shared = Pick<ReportFinding, 'pointer' | 'severity' | 'title' | 'description' | 'links' | 'evidence'>;
type SharedWithRule = Shared & Pick<ReportFinding, 'rule'>;

function isConfiguration(record: JsonRecord, tool: string): boolean {
  if (recordAt(record, 'Compliance') !== null || typeOfFamily(tool) === 'iac') return true;
  return typesOf(record).some((type) => type.startsWith('Software and Configuration Checks'));
}

function typesOf(record: JsonRecord): string[] {
  return [...stringsAt(record, 'Types'), ...stringsAt(recordAt(record, 'FindingProviderFields'), 'Types')];
}

/** The word of the severity, or the one for the number that older reports have alone. */
export function severityName(record: JsonRecord): string | null {
  const severity = recordAt(record, 'Severity');
  const provider = recordAt(recordAt(record, 'FindingProviderFields'), 'Severity');
  const label = stringAt(severity, 'Label') ?? stringAt(provider, 'Label');
  return label ?? wordOfNumber(numberAt(severity, 'Normalized') ?? numberAt(provider, 'Normalized'));
}

/** AWS's own bands: 0, 1 to 39, 40 to 69, 70 to 89, 90 to 100. */
function wordOfNumber(number: number | null): string | null {
  if (number === null || number < 0 || number > 100) return null;
  if (number >= 90) return 'CRITICAL';
  if (number >= 70) return 'HIGH';
  if (number >= 40) return 'MEDIUM';
  return number > 0 ? 'LOW' : 'INFORMATIONAL';
}

function severityOf(record: JsonRecord): Severity {
  return severityOfLabel(severityName(record));
}

/**
 * The control of Security Hub, the kind of event of GuardDuty and Macie (`Persistence:IAMUser-NetworkPermissions`), the
 * rule of AWS Config, or the generator without what is different in each account.
 */
function ruleOf(record: JsonRecord, context: ParseContext): string {
  const fields = recordAt(record, 'ProductFields');
  const kind = typesOf(record)
    .map((type) => type.split('/').at(-1) ?? '')
    .find((type) => /^[A-Za-z0-9]+:[A-Za-z0-9]/.test(type));
  const control =
    stringAt(recordAt(record, 'Compliance'), 'SecurityControlId') ??
    stringAt(fields, 'ControlId') ??
    kind ??
    stringAt(fields, 'aws/config/ConfigRuleName');
  if (control !== undefined && control !== null) return cleanName(control, context);
  const generator = (stringAt(record, 'GeneratorId') ?? '').replace(
    /^arn:aws[a-z-]*:securityhub:::ruleset\//,
    '',
  );
  // A generator with an account in it is a detector or a rule under a random id. The title names the rule.
  if (generator === '' || /^arn:.*:[0-9]{12}:/.test(generator)) {
    return cleanName(stringAt(record, 'Title') ?? '', context);
  }
  return cleanName(generator.replace(/^(?:prowler-|security-control\/)/, ''), context);
}

/** Returns null if the finding has no vulnerability, or one that names neither a package nor a file. */
function vulnerabilityFindings(
  record: JsonRecord,
  resources: readonly CloudResource[],
  shared: SharedWithRule,
  context: ParseContext,
): ReportFinding[] | null {
  const platform = platformOf(record);
  const all: ReportFinding[] = [];
  for (const one of arrayAt(record, 'Vulnerabilities')) {
    if (asRecord(one) === null) continue;
    const found = findingsOfVulnerability(one, platform, resources, shared, context);
    if (found === null) return null;
    for (const finding of found) all.push(finding);
  }
  return all.length === 0 ? null : all;
}

function findingsOfVulnerability(
  vulnerability: unknown,
  platform: string | null,
  resources: readonly CloudResource[],
  shared: SharedWithRule,
  context: ParseContext,
): ReportFinding[] | null {
  const written = stringAt(vulnerability, 'Id');
  const facts = {
    ...shared,
    links: safeLinks([
      stringAt(recordAt(vulnerability, 'Vendor'), 'Url'),
      ...stringsAt(vulnerability, 'ReferenceUrls'),
      ...shared.links,
    ]),
  };
  const files = arrayAt(vulnerability, 'CodeVulnerabilities');
  if (files.length > 0) return codeFindings(files, resources, facts, context);
  const packages = arrayAt(vulnerability, 'VulnerablePackages');
  if (written === null || packages.length === 0) return null;
  const id = cleanName(written, context);
  return packageFindings(
    {
      ...facts,
      title: shared.title || id,
      id,
      others: stringsAt(vulnerability, 'RelatedVulnerabilities').map((other) => cleanName(other, context)),
      cvss: newestCvss(arrayAt(vulnerability, 'Cvss'), {
        version: 'Version',
        score: 'BaseScore',
        vector: 'BaseVector',
      }),
    },
    packages.map((row) => packageOf(row, platform)),
    resources,
    context,
  );
}

function codeFindings(
  files: readonly unknown[],
  resources: readonly CloudResource[],
  facts: SharedWithRule,
  context: ParseContext,
): ReportFinding[] | null {
  if (facts.title === '') return null;
  context.addLocations(files.length, facts.pointer);
  const [resource] = resources;
  return files.map((row) => {
    const named = recordAt(row, 'FilePath');
    const file = stringAt(named, 'FilePath') ?? stringAt(named, 'FileName');
    const name = resource === undefined ? null : resourceName(resource);
    const parts = [name, file].filter((part) => part !== null);
    return newFinding({
      ...facts,
      type: 'sast',
      rule: cleanName(stringAt(row, 'RuleId') ?? facts.rule, context),
      cwes: cwesOf(stringsAt(row, 'Cwes')),
      path: parts.length === 0 ? null : normalisePath(parts.join('/')),
      line: integerAt(named, 'StartLine', 1),
      sharedRow: files.length > 1 ? facts.pointer : null,
    });
  });
}

function packageOf(row: unknown, platform: string | null): CloudPackage {
  const fixed = stringsAt(row, 'FixedInVersion');
  return {
    purl: null,
    name: stringAt(row, 'Name'),
    version: stringAt(row, 'Version'),
    release: stringAt(row, 'Release'),
    epoch: stringAt(row, 'Epoch'),
    manager: stringAt(row, 'PackageManager'),
    platform,
    file: stringAt(row, 'FilePath'),
    fixedIn: fixed,
  };
}

/** Inspector writes the system among its own fields: `…/awsEcrContainerImageDetails/platform`. */
function platformOf(record: JsonRecord): string | null {
  const fields = recordAt(record, 'ProductFields');
  const key = Object.keys(fields ?? {}).find((name) => /^aws\/inspector\/.{1,200}\/platform$/.test(name));
  return key === undefined ? null : stringAt(fields, key);
}

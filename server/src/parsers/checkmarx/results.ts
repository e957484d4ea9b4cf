/**
 * One result of Checkmarx One as its command line and its API write it: SAST, infrastructure as code (KICS), packages
 * (SCA), container images, and supply chain security (SSCS), which finds secrets.
 */
import { cvssOf, severityOf } from '../reading/cvss.ts';
import { newEvidence } from '../reading/evidence.ts';
import { advisoriesIn, cwesOf, newFinding, severityOfLabel, sortAdvisories } from '../reading/finding.ts';
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
import { typeOfPackage } from '../reading/packages.ts';
import { normalisePath, repositoryPath } from '../reading/paths.ts';
import { maskLine } from '../reading/redact.ts';
import type { NoFinding } from '../reading/rows.ts';
import { secretLine } from '../reading/secrets.ts';
import { cleanName, safeLinks, safeText, safeTitle } from '../reading/text.ts';
import type { ReportFinding } from '../report.ts';
import {
  codeFinding,
  type FlowNode,
  fixedResult,
  isFixed,
  reviewOf,
  ruleOfQuery,
  similarity,
} from './findings.ts';
import { packageOfIdentifier, packageOfImage, packageOfManager } from './packages.ts';

export function isResult(row: unknown): boolean {
  const hasData = recordAt(row, 'data') !== null || stringAt(row, 'similarityId') !== null;
  return (
    stringAt(row, 'type') !== null && hasData && (stringAt(row, 'state') ?? stringAt(row, 'status')) !== null
  );
}

type Row = ReportFinding[] | NoFinding;

export function readResult(record: JsonRecord, pointer: string, context: ParseContext): Row {
  if (isFixed(stringAt(record, 'status'))) return { skip: fixedResult };
  const type = (stringAt(record, 'type') ?? '').trim().toLowerCase();
  const result: Result = {
    pointer,
    record,
    data: recordAt(record, 'data') ?? {},
    details: recordAt(record, 'vulnerabilityDetails'),
    suppression: reviewOf(stringAt(record, 'state'), false, commentOf(record), context),
  };
  // The API has other names for two engines: `dependency`, `infrastructure`.
  if (/^(?:sca|dependency)/.test(type)) return readPackages(result, context);
  if (/^container/.test(type)) return readImage(result, context);
  if (/secret/.test(type)) return readSecret(result, context);
  return readCode(result, type, context);
}

interface Result {
  pointer: string;
  record: JsonRecord;
  data: JsonRecord;
  details: JsonRecord | null;
  suppression: ReportFinding['suppression'];
}

/** The last comment is the newest. */
function commentOf(record: JsonRecord): string | null {
  const comments = recordAt(record, 'comments');
  return stringAt(comments, 'comments') ?? stringsAt(record, 'comments').at(-1) ?? null;
}

function readCode(
  { pointer, record, data, details, suppression }: Result,
  type: string,
  context: ParseContext,
): Row {
  const nodes = arrayAt(data, 'nodes')
    .filter((node) => asRecord(node) !== null)
    .map(nodeOf);
  const node = { file: fileOf(data), line: integerAt(data, 'line', 1), name: null, code: null };
  const query = stringAt(data, 'queryName') ?? stringAt(data, 'ruleName') ?? stringAt(data, 'ruleId');
  const description = stringAt(record, 'description') ?? stringAt(data, 'ruleDescription');
  if (query === null && description === null)
    return { unreadable: 'The result names no query and has no text.' };
  const isConfiguration = /^(?:kics|iac|infrastructure)/.test(type);
  const texts = [description, isConfiguration ? stringAt(data, 'value') : null];
  return [
    codeFinding(
      {
        pointer,
        type: isConfiguration ? 'iac' : type === 'sast' || nodes.length > 0 ? 'sast' : 'other',
        query: query ?? '',
        severity: stringAt(record, 'severity'),
        description: texts.filter((text) => text !== null).join('\n\n'),
        cwe: stringAt(details, 'cweId'),
        nodes: nodes.length > 0 ? nodes : [node],
        fingerprint: similarity('checkmarx-one', stringAt(record, 'similarityId')),
        links: [stringAt(record, 'link'), stringAt(data, 'remediationLink')],
        suppression,
        help: stringAt(record, 'help'),
        remediation:
          stringAt(record, 'recommendations') ??
          stringAt(data, 'remediation') ??
          stringAt(data, 'expectedValue'),
      },
      context,
    ),
  ];
}

/** Results about the whole repository have a sentence instead of the file. */
function fileOf(data: JsonRecord): string | null {
  const file = stringAt(data, 'filename') ?? stringAt(data, 'fileName');
  return file !== null && /^(?:Issue Found in|This alert has no) /.test(file) ? null : file;
}

function nodeOf(node: unknown): FlowNode {
  return {
    file: stringAt(node, 'fileName'),
    line: integerAt(node, 'line', 1),
    name: stringAt(node, 'name'),
    code: stringAt(node, 'code'),
  };
}

function readPackages(result: Result, context: ParseContext): Row {
  const { pointer, data } = result;
  const known = recordAt(data, 'scaPackageData');
  const chains = arrayAt(known, 'dependencyPaths')
    .slice(0, 50)
    .map((chain) => (Array.isArray(chain) ? chain : []).slice(0, 100));
  const identifier = stringAt(data, 'packageIdentifier') ?? stringAt(known, 'id');
  const named =
    packageOfIdentifier(identifier, chains.flat(), context) ??
    packageOfManager(
      stringAt(data, 'packageManager'),
      stringAt(data, 'packageName'),
      stringAt(data, 'packageVersion'),
      context,
    );
  const isMalware = /supply.?chain|malicious/i.test(stringAt(result.record, 'scaType') ?? '');
  const type = isMalware ? 'malware' : typeOfPackage(named);
  const shared = advisoryFinding(result, type, named, context);
  if (shared === null) return { unreadable: 'The result names no vulnerability.' };
  shared.fixedVersions = stringsAt(data, 'recommendedVersion').map((version) => cleanName(version, context));
  shared.evidence = newEvidence(
    {
      remediation: stringAt(result.record, 'recommendations'),
      dependencyPaths: chains.map((chain) => chain.map(nameOf).filter((name) => name !== '')),
    },
    context,
  );
  const written = stringsAt(known, 'locations');
  const files = written.length > 0 ? written : stringsAt(chains[0]?.[0], 'locations');
  context.addLocations(files.length - 1, pointer);
  const paths = [...new Set(files.map(repositoryPath))].sort();
  if (paths.length < 2) return [{ ...shared, path: paths[0] ?? null }];
  return paths.map((path) => ({ ...shared, path, sharedRow: pointer }));
}

function nameOf(step: unknown): string {
  const version = stringAt(step, 'version');
  const name = stringAt(step, 'name') ?? stringAt(step, 'id') ?? '';
  return version === null ? name : `${name}@${version}`;
}

/** The report names no distribution. Results in the file of the image belong to that file. */
function readImage(result: Result, context: ParseContext): Row {
  const { data } = result;
  const named = packageOfImage(stringAt(data, 'packageName'), stringAt(data, 'packageVersion'), context);
  const finding = advisoryFinding(result, 'container', named, context);
  if (finding === null) return { unreadable: 'The result names no vulnerability.' };
  const file = stringAt(data, 'imageFilePath');
  const image = stringAt(data, 'imageName');
  return [
    {
      ...finding,
      path: file === null ? (image === null ? null : normalisePath(image)) : repositoryPath(file),
      pathIsTarget: file === null && image !== null,
    },
  ];
}

/** Returns null if nothing names the vulnerability. */
function advisoryFinding(
  { pointer, record, data, details, suppression }: Result,
  type: ReportFinding['type'],
  named: ReportFinding['package'],
  context: ParseContext,
): ReportFinding | null {
  const cves = advisoriesIn(stringAt(details, 'cveName') ?? '');
  const written =
    stringAt(record, 'id') ?? stringAt(record, 'cveId') ?? cves[0] ?? stringAt(record, 'similarityId');
  if (written === null) return null;
  const id = advisoriesIn(written)[0] ?? cleanName(written, context);
  const { same, related } = sortAdvisories(id, cves);
  // A score of zero means that there is none.
  const score = numberAt(details, 'cvssScore');
  const cvss = score === 0 ? null : cvssOf(score, null);
  const description = safeText(stringAt(record, 'description'), context);
  return newFinding({
    pointer,
    type,
    severity: severityOf(stringAt(record, 'severity'), cvss?.score ?? null),
    title: named === null ? id : safeTitle(`${id} in ${named.name}`, context),
    description,
    rule: id,
    advisories: same,
    relatedAdvisories: related,
    package: named,
    cvss,
    cwes: cwesOf([stringAt(details, 'cweId')]),
    links: safeLinks([
      stringAt(record, 'link'),
      ...arrayAt(data, 'packageData').map((link) => stringAt(link, 'url')),
    ]),
    suppression,
  });
}

/** The snippet is the line with the secret. Checkmarx masks it, but not always. */
function readSecret({ pointer, record, data, suppression }: Result, context: ParseContext): Row {
  const query = stringAt(data, 'ruleName') ?? stringAt(data, 'queryName') ?? stringAt(data, 'ruleId');
  const file = fileOf(data);
  if (query === null && file === null) return { unreadable: 'The result names neither a rule nor a file.' };
  const rule = ruleOfQuery(query ?? '', context);
  const text = stringAt(data, 'ruleDescription') ?? stringAt(record, 'description');
  return [
    newFinding({
      pointer,
      type: 'secret',
      severity: severityOfLabel(stringAt(record, 'severity')),
      title: safeTitle(rule, context) || 'Secret',
      description: text === null ? null : safeText(maskLine(text.slice(0, 8000)) ?? text, context),
      rule,
      path: repositoryPath(file),
      line: integerAt(data, 'line', 1),
      secret: { value: null, maskedLine: secretLine(stringAt(data, 'snippet'), [], context) },
      links: safeLinks([stringAt(data, 'remediationLink')]),
      suppression,
      verified: /^valid$/i.test(stringAt(data, 'validity') ?? ''),
      evidence: newEvidence({ remediation: stringAt(data, 'remediation') }, context),
    }),
  ];
}

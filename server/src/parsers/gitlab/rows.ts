/**
 * The way from a row of a GitLab report to a finding. The kind of the scan decides which fields are its location: a
 * file, a package, an image or an address. Requests and responses are not stored, because they hold sessions and
 * personal data.
 */
import type { VulnerabilityType } from '../../domain/packed-state.ts';
import { newEvidence } from '../reading/evidence.ts';
import { newFinding, severityOfLabel } from '../reading/finding.ts';
import { parseImage } from '../reading/images.ts';
import { arrayAt, asRecord, integerAt, type JsonRecord, recordAt, stringAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { repositoryPath } from '../reading/paths.ts';
import { secretMask } from '../reading/secret-mask.ts';
import { assignedSecret, secretLine, withoutSecrets } from '../reading/secrets.ts';
import { cleanName, readTimestamp, safeCode, safeText, safeTitle, sourceCode } from '../reading/text.ts';
import { toolFamily, typeOfFamily } from '../reading/tools.ts';
import { webLocation } from '../reading/web-locations.ts';
import type { ReportFinding, ReportImage } from '../report.ts';
import { codeScopeOf, detailSnippetOf, flowOf } from './details.ts';
import { type Facts, type GitlabScan, linksOf, remediationOf } from './facts.ts';
import { cwesOfIdentifiers, identifiersOf, mainRuleOf, scannerOf } from './identifiers.ts';
import { isImage, packageFinding, resourceOf } from './packages.ts';

export interface GitlabFinding {
  finding: ReportFinding;
  /** The family of the scanner. */
  tool: string;
  /** The scanned image; null if the row names none. */
  image: ReportImage | null;
  /** A secret that the scanner found in a commit, and not in the files of the checkout. */
  inCommit: boolean;
}

export function readGitlabVulnerability(
  value: unknown,
  pointer: string,
  scan: GitlabScan,
  context: ParseContext,
): GitlabFinding | { unreadable: string } {
  const row = asRecord(value);
  if (row === null) return { unreadable: 'The vulnerability is not an object.' };
  const identifiers = identifiersOf(row);
  const name = stringAt(row, 'name') ?? stringAt(row, 'message');
  const description = stringAt(row, 'description');
  if (identifiers.length === 0 && name === null && description === null && stringAt(row, 'cve') === null) {
    return { unreadable: 'The vulnerability has neither an identifier nor a text.' };
  }
  const scanner = recordAt(row, 'scanner');
  const named = stringAt(scanner, 'id') ?? stringAt(scanner, 'name');
  const tool = named === null ? (scan.tool ?? toolFamily(scannerOf(identifiers))) : toolFamily(named);
  const facts: Facts = {
    pointer,
    row,
    location: recordAt(row, 'location'),
    identifiers,
    scan,
    name,
    description,
  };
  const type = typeOf(facts, tool);
  const image = type === 'container' && resourceOf(facts.location) === null ? imageOf(facts.location) : null;
  const finding =
    type === 'dependency' || type === 'container'
      ? packageFinding(facts, type, context)
      : type === 'secret'
        ? secretFinding(facts, context)
        : type === 'dast'
          ? webFinding(facts, context)
          : codeFinding(facts, type, context);
  return { finding, tool, image, inCommit: type === 'secret' && commitOf(facts.location) !== null };
}

function imageOf(location: JsonRecord | null): ReportImage | null {
  const target = stringAt(location, 'image');
  return target !== null && isImage(target) ? parseImage(target) : null;
}

const typesByKind: ReadonlyMap<string, VulnerabilityType> = new Map([
  ['dependency_scanning', 'dependency'],
  ['container_scanning', 'container'],
  ['cluster_image_scanning', 'container'],
  ['secret_detection', 'secret'],
  ['dast', 'dast'],
  ['api_fuzzing', 'dast'],
  ['coverage_fuzzing', 'other'],
]);

/** Scanners of infrastructure and of secrets also report as `sast`. */
export function typeOfKind(kind: string, tool: string): VulnerabilityType {
  const ofTool = typeOfFamily(tool);
  return typesByKind.get(kind) ?? (ofTool === 'secret' || ofTool === 'iac' ? ofTool : 'sast');
}

/** The row's own category comes first. Without any, the location shows the kind. */
function typeOf({ row, location, identifiers, scan }: Facts, tool: string): VulnerabilityType {
  const kind = stringAt(row, 'category') ?? scan.kind;
  if (kind === null) {
    const dependency = recordAt(location, 'dependency');
    if (stringAt(location, 'image') !== null) return 'container';
    if (stringAt(recordAt(dependency, 'package'), 'name') !== null) return 'dependency';
    if (stringAt(location, 'hostname') !== null) return 'dast';
  }
  if (identifiers.some(({ value }) => value?.startsWith('CKV_SECRET_'))) return 'secret';
  return typeOfKind(kind ?? 'sast', tool);
}

/** Returns the id of the commit. Without a repository the scanner writes zeros. */
function commitOf(location: JsonRecord | null): string | null {
  const sha = stringAt(recordAt(location, 'commit'), 'sha') ?? '';
  return /^[0-9a-f]{7,64}$/i.test(sha) && /[1-9a-f]/i.test(sha) ? sha : null;
}

function secretFinding(facts: Facts, context: ParseContext): ReportFinding {
  const { pointer, row, location, identifiers, name, description } = facts;
  const written = stringAt(row, 'raw_source_code_extract');
  const value = assignedSecret(written);
  const own = [...new Set([value, written].filter((text) => text !== null))];
  const scrub = (text: string): string => withoutSecrets(text, own);
  const rule = cleanName(scrub(mainRuleOf(identifiers, context)), context);
  const path = repositoryPath(stringAt(location, 'file'));
  const remediation = remediationOf(facts);
  const commit = commitOf(location);
  const texts = [description, commit === null ? null : `In commit ${commit}.`].filter(
    (text) => text !== null,
  );
  return newFinding({
    pointer,
    type: 'secret',
    severity: severityOfLabel(stringAt(row, 'severity')),
    title: safeTitle(scrub(name ?? description ?? ''), context) || rule || 'Secret',
    description: safeText(texts.length === 0 ? null : scrub(texts.join('\n\n')), context),
    rule,
    cwes: cwesOfIdentifiers(identifiers),
    path: path === null ? null : scrub(path),
    line: integerAt(location, 'start_line', 1),
    secret: { value, maskedLine: secretLine(written, own, context) },
    links: linksOf(facts).filter((link) => scrub(link) === link),
    // Without a repository the scanner writes the year 1.
    committedAt: readTimestamp(stringAt(recordAt(location, 'commit'), 'date')),
    evidence: newEvidence({ remediation: remediation === null ? null : scrub(remediation) }, context),
  });
}

function webFinding(facts: Facts, context: ParseContext): ReportFinding {
  const { row, location } = facts;
  const host = stringAt(location, 'hostname');
  const path = stringAt(location, 'path');
  const joined = [host?.replace(/\/+$/, ''), path?.replace(/^(?!\/)/, '/')].filter(
    (part) => part !== undefined,
  );
  const request = stringAt(recordAt(recordAt(row, 'evidence'), 'request'), 'url');
  const address = host === null ? (request ?? path) : joined.join('');
  // As in ZAP's own report: method and parameter name the location.
  const named = [stringAt(location, 'method'), stringAt(location, 'param')].filter((part) => part !== null);
  return newFinding({
    ...generalFacts(facts, 'dast', context),
    path: address === null ? null : webLocation(address),
    code: safeCode(named.join('\n'), context),
    evidence: newEvidence({ remediation: remediationOf(facts) }, context),
  });
}

function codeFinding(facts: Facts, type: VulnerabilityType, context: ParseContext): ReportFinding {
  const { row, location, identifiers, name, description } = facts;
  const names = ['class', 'method', 'crash_state']
    .map((key) => stringAt(location, key))
    .filter((part) => part !== null);
  const code = stringAt(row, 'raw_source_code_extract');
  const mask = secretMask(mainRuleOf(identifiers, context), cwesOfIdentifiers(identifiers), [code]);
  const texts = { name: mask.message(name), description: mask.message(description) };
  return newFinding({
    ...generalFacts({ ...facts, ...texts }, type, context),
    path: repositoryPath(stringAt(location, 'file')),
    line: integerAt(location, 'start_line', 1),
    ...(code === null
      ? sourceCode(codeScopeOf(row) ?? names.join('\n'), context)
      : sourceCode(code, context, mask.code(code))),
    evidence: newEvidence(
      {
        snippet: detailSnippetOf(row),
        dataFlow: flowOf(row),
        remediation: mask.message(remediationOf(facts)),
      },
      context,
      mask.code,
    ),
  });
}

function generalFacts(
  facts: Facts,
  type: VulnerabilityType,
  context: ParseContext,
): Parameters<typeof newFinding>[0] {
  const { pointer, row, identifiers, name, description } = facts;
  const rule = mainRuleOf(identifiers, context);
  // The name of ZAP's plug-in is shorter than its description.
  const named = identifiers[0]?.name ?? null;
  const title = name ?? (type === 'dast' ? (named ?? description) : (description ?? named)) ?? '';
  const flags = arrayAt(row, 'flags').map((flag) => stringAt(flag, 'description'));
  const texts = [description ?? name, ...flags.slice(0, 5)].filter((text) => text !== null);
  return {
    pointer,
    type,
    severity: severityOfLabel(stringAt(row, 'severity')),
    title: safeTitle(title, context) || rule || 'Vulnerability',
    description: safeText(texts.join('\n\n'), context),
    rule,
    cwes: cwesOfIdentifiers(identifiers),
    links: linksOf(facts),
  };
}

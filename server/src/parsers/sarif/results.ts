/**
 * The way from a SARIF result to a finding. The habits of single tools (packages, secrets) are in the files with those
 * names. Only `secrets.ts` handles a secret's value.
 */
import type { Severity, VulnerabilityType } from '../../domain/packed-state.ts';
import { cweOf, newFinding, severityOfLabel, severityOfScore } from '../reading/finding.ts';
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
import { maxDescriptionLength, type ParseContext } from '../reading/limits.ts';
import type { NoFinding } from '../reading/rows.ts';
import { noMask, type SecretMask, secretMask } from '../reading/secret-mask.ts';
import {
  cleanName,
  cleanText,
  safeCode,
  safeLinks,
  safeText,
  safeTitle,
  slug,
  sourceCode,
} from '../reading/text.ts';
import { fingerprintKeys, isFingerprint, typeOfFamily } from '../reading/tools.ts';
import type { ReportFinding } from '../report.ts';
import { maskBandit } from './bandit.ts';
import { checkmarxResult, checkmarxRule, checkmarxSeverity } from './checkmarx.ts';
import { checkovPackage, checkovSeverity } from './checkov.ts';
import { evidenceReader } from './evidence.ts';
import { gosecCode, gosecSeverity } from './gosec.ts';
import { Locations, messageText, type SarifLocation } from './locations.ts';
import { type PackageFacts, sarifPackageFacts } from './packages.ts';
import { Rules, type SarifRule, scoreOf, severityNameOf } from './rules.ts';
import { secretFacts } from './secrets.ts';
import { toolSeverity } from './severities.ts';
import { ranAt, suppressionOf } from './suppressions.ts';
import { trivyRule } from './trivy.ts';
import { veracodeRule } from './veracode.ts';

/** Gives a finding for each location, or the reason why the result is none. */
type ResultReader = (result: unknown, pointer: string) => ReportFinding[] | NoFinding;

/** The facts about one result that all its readers share. */
interface Facts {
  pointer: string;
  /** The tool's family. */
  tool: string;
  result: JsonRecord;
  ruleId: string;
  rule: SarifRule | null;
  /** The raw message, which may hold a secret. */
  message: string;
  /** The same with the related locations that it links to. */
  linked: string;
  location: SarifLocation;
  severity: Severity;
  score: number | null;
  mask: SecretMask;
}

const findingKinds = new Set(['fail', 'open', 'review']);

export function resultReader(run: JsonRecord, tool: string, context: ParseContext): ResultReader {
  const rules = new Rules(run, context);
  const locations = new Locations(run);
  const image = stringAt(recordAt(run, 'properties'), 'imageName');
  const time = ranAt(run);
  return (value, pointer) => {
    const record = asRecord(value);
    if (record === null) return { unreadable: 'The result is not an object.' };
    const isCheckmarx = tool === 'checkmarx';
    const result = isCheckmarx ? checkmarxResult(record) : record;
    if (!findingKinds.has(stringAt(result, 'kind') ?? 'fail')) {
      return {
        skip: 'Results that say pass, not applicable or informational are counted and are no findings.',
      };
    }
    if (stringAt(result, 'baselineState') === 'absent') {
      return { skip: 'Results that are in the baseline alone are counted and are no findings.' };
    }
    let rule = rules.find(result);
    const strings = [recordAt(rule?.record, 'messageStrings'), rule?.sharedStrings ?? null];
    const textOf = (related?: ReadonlyMap<string, string>): string =>
      messageText(field(result, 'message'), strings, related) ?? '';
    const message = textOf();
    const related = locations.related(result);
    const written =
      stringAt(result, 'ruleId') ?? stringAt(recordAt(result, 'rule'), 'id') ?? rule?.id ?? null;
    if (written === null && message === '')
      return { unreadable: 'The result has neither a rule nor a message.' };
    // Gitleaks 7 names its rule only in the message.
    if (written === null) rule = rules.findById(message.slice(0, 200).replace(/ secret detected$/, ''));
    const [location, ...others] = locations.all(result);
    const isSecret = typeOfFamily(tool) === 'secret';
    const writtenRule = cleanName(
      written ??
        rule?.id ??
        slug(isSecret ? secretFacts(result, tool, location, context).scrub(message) : message),
      context,
    );
    const level = stringAt(result, 'level') ?? rules.levelOf(rule, writtenRule);
    const known = isCheckmarx ? checkmarxRule(writtenRule, rule) : null;
    const type = known?.type ?? typeOf(tool, rule, writtenRule);
    const ruleId = known?.rule ?? stableId(tool, type, writtenRule);
    const score = scoreOf(recordAt(result, 'properties')) ?? rule?.score ?? null;
    const severity =
      (isCheckmarx ? checkmarxSeverity(score) : null) ??
      toolSeverity(tool, result, message, rule, score) ??
      severityOfScore(score) ??
      (tool === 'gosec' ? gosecSeverity(rule) : null) ??
      severityNameOf(recordAt(result, 'properties')) ??
      rule?.severityName ??
      (tool === 'checkov' ? checkovSeverity(level, type === 'secret') : null) ??
      severityOfLevel(level);
    const masked = tool === 'bandit' ? maskBandit(ruleId, message) : null;
    const maskLocation = (each: SarifLocation): SarifLocation => masked?.maskLocation(each) ?? each;
    const cwes = cwesOf(result, rule, rules);
    const codes = [location, ...others].map(({ code }) => code);
    // `maskBandit` masks the findings of Bandit, whose messages quote the password.
    const mayMask = tool !== 'bandit' && (type === 'sast' || type === 'iac' || type === 'other');
    const mask = mayMask ? secretMask(ruleId, cwes, codes) : noMask;
    const first: Facts = {
      ...{ pointer, tool, result, ruleId, rule, severity, mask },
      // Checkmarx writes no real score, only a number for its word.
      score: isCheckmarx ? null : score,
      message: masked?.message ?? mask.message(message),
      linked: masked?.message ?? mask.message(related.size === 0 ? message : textOf(related)),
      location: maskLocation(location),
    };
    context.addLocations(others.length, pointer);
    const evidenceOf = type === 'secret' ? null : evidenceReader(result, rule, locations, mask, context);
    const findings = [first.location, ...others.map(maskLocation)].map((each) => {
      const facts = each === first.location ? first : { ...first, location: each };
      const finding =
        type === 'secret'
          ? secretFinding(facts, context)
          : type === 'dependency' || type === 'container'
            ? packageFinding(facts, type, image, context)
            : codeFinding(facts, type, context);
      if (evidenceOf !== null) finding.evidence = evidenceOf(each);
      finding.cwes = cwes;
      finding.suppression = suppressionOf(result, time, context);
      // Its levels describe how the code reaches the module, and not the severity.
      if (tool === 'govulncheck') {
        Object.assign(finding, {
          severity: severityOfScore(score) ?? 'unknown',
          exploitable: level === 'error',
        });
      }
      if (others.length > 0) finding.sharedRow = pointer;
      // The fingerprint is the result's, so it belongs to the location that is shown.
      if (each !== first.location) finding.fingerprint = null;
      return finding;
    });
    return findings;
  };
}

/** `error` high, `warning` medium, `note` low, `none` info; SARIF's default is `warning`. */
function severityOfLevel(level: string | null): Severity {
  const severity = severityOfLabel(level);
  return severity === 'unknown' ? 'medium' : severity;
}

/** One tool may report several types. Trivy's rule names and Checkov's rule ids say which. */
function typeOf(tool: string, rule: SarifRule | null, ruleId: string): VulnerabilityType {
  const type = typeOfFamily(tool);
  if (tool === 'trivy') {
    const name = rule?.name ?? '';
    if (/misconfig/i.test(name)) return 'iac';
    if (/secret/i.test(name)) return 'secret';
    if (/license/i.test(name)) return 'license';
  }
  if (tool === 'checkov' && ruleId.startsWith('CKV_SECRET_')) return 'secret';
  if (tool === 'checkov' && (/^(?:CKV_)?CVE[-_]/.test(ruleId) || checkovPackage(ruleId) !== null))
    return 'dependency';
  return type;
}

/** Gives one spelling of the rule's id for all versions of the tool. */
function stableId(tool: string, type: VulnerabilityType, ruleId: string): string {
  if (tool === 'veracode') return veracodeRule(ruleId);
  return tool === 'trivy' ? trivyRule(type, ruleId) : ruleId;
}

function codeFinding(facts: Facts, type: VulnerabilityType, context: ParseContext): ReportFinding {
  const { pointer, tool, result, ruleId, rule, message, linked, location, severity, mask } = facts;
  const code = tool === 'gosec' ? gosecCode(location) : location.code;
  const shown = code ?? (location.names.join('\n') || null);
  return newFinding({
    pointer,
    type,
    severity,
    title: titleOf(rule?.title ?? message, facts, context),
    description: describe(safeText(withoutRepeatedLines(linked), context), rule, context),
    rule: ruleId,
    advisories: type === 'license' ? [ruleId] : [],
    path: location.path,
    line: location.line,
    // Tokens in the answers of a web application differ from scan to scan, so what is removed from them does not count.
    ...(type === 'dast'
      ? { code: safeCode(shown, context) }
      : sourceCode(location.rawCode ?? shown, context, code === null ? shown : mask.code(code))),
    fingerprint: fingerprintOf(result, tool),
    links: linksOf(facts),
  });
}

function packageFinding(
  facts: Facts,
  type: VulnerabilityType,
  image: string | null,
  context: ParseContext,
): ReportFinding {
  const { pointer, result, ruleId, rule, message, location, severity, score } = facts;
  const found: PackageFacts = sarifPackageFacts(ruleId, rule, message, location, result, context);
  const written = score ?? cvssScoreOf(result);
  const named = found.package;
  const advisory = found.advisories[0] ?? ruleId;
  const about = named === null ? message : `${advisory} in ${named.name}`;
  // Snyk writes "High severity - Denial of Service (DoS) vulnerability in …", but the severity has its own column.
  const title = rule?.title?.replace(/^(?:critical|high|medium|low) severity - /i, '') ?? about;
  return newFinding({
    pointer,
    type: found.isSystem ? 'container' : type,
    severity: score === null ? (severityOfScore(written) ?? unscoredSeverity(result) ?? severity) : severity,
    title: titleOf(title, facts, context),
    description: describe(safeText(message, context), rule, context),
    // If the package is known, the rule is only the advisory, because Grype's rule ids hold both.
    rule: named === null ? ruleId : advisory,
    advisories: found.advisories.map((id) => cleanName(id, context)),
    relatedAdvisories: found.related,
    package: named,
    fixedVersions: found.fixedVersions,
    cvss: written === null || written === 0 ? null : { score: written, vector: null },
    path: location.path,
    pathIsTarget: found.isSystem || (image !== null && location.uri === image),
    line: found.isSystem ? null : location.line,
    links: linksOf(facts),
  });
}

/** dependency-check writes `error` on every result, and the score into its own properties. */
function cvssScoreOf(result: JsonRecord): number | null {
  const properties = recordAt(result, 'properties');
  const scores = ['cvssv3_baseScore', 'cvssv2_score'].map((key) => numberAt(properties, key));
  return scores.find((score) => score !== null && score >= 0 && score <= 10) ?? null;
}

function unscoredSeverity(result: JsonRecord): Severity | null {
  const severity = severityOfLabel(stringAt(recordAt(result, 'properties'), 'severity'));
  return severity === 'unknown' ? null : severity;
}

function secretFinding(facts: Facts, context: ParseContext): ReportFinding {
  const { pointer, tool, result, ruleId, rule, message, location, severity } = facts;
  const { secret, verified, committedAt, scrub, isIn } = secretFacts(result, tool, location, context);
  return newFinding({
    pointer,
    type: 'secret',
    severity,
    title: titleOf(scrub(rule?.title ?? message), facts, context),
    description: safeText(scrub(message), context),
    rule: isIn(ruleId) ? '' : ruleId,
    path: location.path,
    line: location.line,
    secret,
    links: linksOf(facts).filter((link) => !isIn(link)),
    verified,
    committedAt,
  });
}

/** Falls back to the rule's name and then its id, so that a title is never empty. */
function titleOf(text: string, { rule, ruleId }: Facts, context: ParseContext): string {
  return safeTitle(text, context) || safeTitle(rule?.name ?? ruleId, context) || 'Finding without a rule';
}

/** Joins the message with what the rule adds to it, within the limit of one text. */
function describe(message: string | null, rule: SarifRule | null, context: ParseContext): string | null {
  const general = rule?.description ?? null;
  if (message === null) return general;
  // Many results may have one long message, and joining makes a text for each.
  if (message.length >= maxDescriptionLength) return message;
  if (general === null || message.includes(general) || general.includes(message))
    return longer(message, general);
  const joined = `${message}\n\n${general}`;
  return joined.length > context.limits.maxTextLength ? cleanText(joined, context) : joined;
}

/** CodeQL writes one line for each source, and some are the same. */
function withoutRepeatedLines(text: string): string {
  if (!text.includes('\n')) return text;
  const lines = text.split('\n');
  return lines.filter((line, index) => line.trim() === '' || line !== lines[index - 1]).join('\n');
}

function longer(message: string, general: string | null): string {
  return general !== null && general.length > message.length ? general : message;
}

function linksOf({ result, rule }: Facts): string[] {
  const own = stringAt(result, 'hostedViewerUri');
  return own === null ? (rule?.links ?? []) : safeLinks([own, ...(rule?.links ?? [])]);
}

function cwesOf(result: JsonRecord, rule: SarifRule | null, rules: Rules): string[] {
  const properties = recordAt(result, 'properties');
  const taxa = arrayAt(result, 'taxa');
  if (properties === null && taxa.length === 0) return rule?.cwes ?? [];
  const own = [
    ...stringsAt(properties, 'cwe').map(cweOf),
    ...stringsAt(properties, 'tags')
      .filter((tag) => /cwe[-:_/]/i.test(tag))
      .map(cweOf),
    ...rules.cwesOf(taxa),
  ].filter((cwe) => cwe !== null);
  return own.length === 0 ? (rule?.cwes ?? []) : [...new Set([...own, ...(rule?.cwes ?? [])])];
}

function fingerprintOf(result: JsonRecord, family: string): ReportFinding['fingerprint'] {
  const tables = [recordAt(result, 'fingerprints'), recordAt(result, 'partialFingerprints')];
  for (const { key, pathFree } of fingerprintKeys(family)) {
    for (const table of tables) {
      const value = stringAt(table, key);
      if (value !== null && isFingerprint(value)) return { scheme: key, value: value.trim(), pathFree };
    }
  }
  return null;
}

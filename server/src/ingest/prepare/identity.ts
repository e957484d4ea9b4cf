/**
 * Identity: it computes the keys by which Merlon recognises a finding of a report. It runs in the parser's thread, and
 * what leaves the thread has digests of secrets but never a secret.
 *
 * The keys never depend on the line (except as the last resort for code), the message, the order, or a random id of the
 * tool. There are three kinds of findings:
 * - package: advisory + package (purl without version); the import resolves the aliases of the advisory;
 * - secret: keyed hash of the secret, or rule + path + masked line if the report masks it;
 * - code: tool + rule + evidence (fingerprint, normalised code, file, line), matched by the match rules of
 *   `match-code.ts`.
 */
import { createHmac, hash } from 'node:crypto';
import type { Severity } from '../../domain/packed-state.ts';
import { purlTypeOf } from '../../domain/versions.ts';
import { stableRule } from '../../parsers/reading/tools.ts';
import type { Report, ReportFinding, Run } from '../../parsers/report.ts';
import { fixesAbove } from '../../vulnerabilities/status.ts';
import { taughtNames } from './advisory-names.ts';
import { EvidencePreparer } from './evidence.ts';
import {
  FindingPacker,
  type PreparedEvidence,
  type PreparedFinding,
  type PreparedReport,
  type PreparedRun,
} from './prepared-report.ts';

/** Computes keys for all findings. `secretKey` is the key of the installation for the identity of secrets. */
export function prepareReport(report: Report, secretKey: Buffer): PreparedReport {
  let ordinal = 0;
  const preparer = new EvidencePreparer();
  const runs = report.runs.map((run): PreparedRun => {
    const packer = new FindingPacker(ordinal, run.findings.length);
    const occurrences = new Occurrences();
    const keys = new Set<string>();
    // The findings are sorted, so that a shuffled report gets the same ordinals.
    const groups = new Groups(run.findings);
    const sorted = [...run.findings].sort(
      (a, b) => compareFindings(a, b) || groups.compare(a, b) || compareDetails(a, b),
    );
    let before: ReportFinding | null = null;
    for (const finding of sorted) {
      // A repeated row adds nothing.
      if (before !== null && compareFindings(before, finding) === 0) continue;
      before = finding;
      const evidence = preparer.prepare(finding.evidence);
      const prepared = prepareFinding(run, finding, evidence, secretKey, occurrences, packer.next);
      // If two rows are one finding, the first one counts. In this order it has the highest severity.
      if (keys.has(prepared.key)) continue;
      keys.add(prepared.key);
      packer.add({ ...prepared, group: groups.add(finding, prepared) }, evidence);
    }
    ordinal = packer.next;
    return { ...run, findings: packer.done(), groups: groups.keys };
  });
  return {
    ...report,
    runs,
    helps: preparer.helps,
    warnings: [...report.warnings, ...preparer.warnings],
    names: taughtNames([...report.runs.flatMap((run) => run.findings), ...report.statements]),
  };
}

/** Returns the identity of a vulnerability in a package, hex of 32 bytes. `advisory` is the canonical one. */
export function packageIdentity(advisory: string, purl: string): string {
  return sha('package', advisory, purl);
}

/**
 * Collects the findings in code that one row of the report names as locations of one problem. Where two rows name the
 * same location in the same words, it belongs to one of them, whatever their order: two rows are two problems.
 */
class Groups {
  readonly keys: string[][] = [];
  readonly #numbers = new Map<string, number>();
  /** Row → its locations as text, by which rows are compared. */
  readonly #texts = new Map<string, string>();

  constructor(findings: readonly ReportFinding[]) {
    const ofRows = findings.filter(({ sharedRow }) => sharedRow !== null).sort(compareFindings);
    for (const { sharedRow, path, line, fingerprint } of ofRows) {
      if (sharedRow === null) continue;
      const before = this.#texts.get(sharedRow) ?? '';
      this.#texts.set(sharedRow, `${before}${path}:${line}:${fingerprint?.value ?? ''}\n`);
    }
  }

  /** Of findings with the same content, the one whose row names several locations goes first, by their text. */
  compare(a: ReportFinding, b: ReportFinding): number {
    if (a.sharedRow === b.sharedRow) return 0;
    if (a.sharedRow === null || b.sharedRow === null) return a.sharedRow === null ? 1 : -1;
    return compareText(this.#texts.get(a.sharedRow) ?? '', this.#texts.get(b.sharedRow) ?? '');
  }

  /** Gives the number of the group, or null for a finding that stands for itself. */
  add(
    { sharedRow }: ReportFinding,
    { kind, key }: { kind: PreparedFinding['kind']; key: string },
  ): number | null {
    // Packages and secrets have an identity whatever their locations.
    if (sharedRow === null || kind !== 'code') return null;
    const number = this.#numbers.get(sharedRow) ?? this.keys.length;
    this.#numbers.set(sharedRow, number);
    const group = this.keys[number] ?? [];
    group.push(key);
    this.keys[number] = group;
    return number;
  }
}

/** Numbers repeated values, so that two equal locations in one file stay two. */
class Occurrences {
  readonly #seen = new Map<string, number>();

  next(key: string): number {
    const number = this.#seen.get(key) ?? 0;
    this.#seen.set(key, number + 1);
    return number;
  }
}

const severityOrder: Record<Severity, number> = {
  critical: 5,
  high: 4,
  medium: 3,
  low: 2,
  info: 1,
  unknown: 0,
};

function compareFindings(a: ReportFinding, b: ReportFinding): number {
  return (
    compareText(a.rule, b.rule) ||
    compareText(a.path ?? '', b.path ?? '') ||
    (a.line ?? 0) - (b.line ?? 0) ||
    compareText(a.package?.purl ?? '', b.package?.purl ?? '') ||
    compareText(a.package?.version ?? '', b.package?.version ?? '') ||
    severityOrder[b.severity] - severityOrder[a.severity] ||
    compareText(a.fingerprint?.value ?? '', b.fingerprint?.value ?? '') ||
    compareText(a.code ?? '', b.code ?? '') ||
    compareText(a.secret?.value ?? '', b.secret?.value ?? '') ||
    compareText(a.secret?.maskedLine ?? '', b.secret?.maskedLine ?? '') ||
    compareText(a.title, b.title) ||
    compareText(a.description ?? '', b.description ?? '') ||
    // Unsuppressed rows come first; the rest of the content then makes the order unique.
    Number(a.suppression !== null) - Number(b.suppression !== null) ||
    compareText(restOf(a), restOf(b))
  );
}

function restOf(finding: ReportFinding): string {
  const { fixedVersions, cvss, cwes, links, artifact, verified, exploitable, committedAt } = finding;
  return JSON.stringify([fixedVersions, cvss, cwes, links, artifact, verified, exploitable, committedAt]);
}

/** Orders rows that repeat each other in all else, so that the same one of them always counts. */
function compareDetails(a: ReportFinding, b: ReportFinding): number {
  const [left, right] = [detailsOf(a), detailsOf(b)];
  for (;;) {
    const [one, other] = [left.next(), right.next()];
    const order = compareText(one.value ?? '', other.value ?? '');
    if (order !== 0) return order;
    if (one.done === true && other.done === true) return 0;
  }
}

/** Gives the parts one by one, because most rows differ in the first ones and some have long texts. */
function* detailsOf({ suppression, evidence }: ReportFinding): Generator<string, undefined> {
  yield* [suppression?.by ?? '', suppression?.reason ?? '', suppression?.expiresAt ?? ''];
  if (evidence === null) return;
  const { snippet, dataFlow, help, remediation, dependencyPaths } = evidence;
  yield* [help ?? '', remediation ?? '', snippet?.text ?? ''];
  yield `${snippet?.firstLine} ${snippet?.markedFrom} ${snippet?.markedTo}`;
  for (const { path, line, text } of dataFlow) yield* [path ?? '', String(line), text];
  for (const names of dependencyPaths) yield names.join();
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function prepareFinding(
  run: Run,
  finding: ReportFinding,
  evidence: PreparedEvidence | null,
  secretKey: Buffer,
  occurrences: Occurrences,
  ordinal: number,
): Omit<PreparedFinding, 'group'> {
  const keys = finding.secret
    ? secretKeys(finding, finding.secret, secretKey, occurrences)
    : finding.package && finding.advisories.length > 0
      ? packageKeys(run, finding, finding.package)
      : codeKeys(run, finding, occurrences);
  const path = finding.path ?? '.';
  const purl = finding.package?.purl ?? null;
  return {
    ordinal,
    ...keys,
    digest: contentDigest(finding, evidence),
    advisories: finding.advisories,
    relatedAdvisories: finding.relatedAdvisories,
    purl,
    type: finding.type,
    severity: finding.severity,
    title: finding.title,
    description: finding.description,
    rule: finding.rule,
    fixedVersions: fixesAbove(purlTypeOf(purl), finding.package?.version ?? null, finding.fixedVersions),
    cvssScore: finding.cvss?.score ?? null,
    cvssVector: finding.cvss?.vector ?? null,
    cwes: finding.cwes,
    links: finding.links,
    path,
    line: finding.line,
    artifact: artifactOf(finding),
    suppressed: finding.suppression?.by === 'source',
    suppression:
      finding.suppression?.by === 'file'
        ? { reason: finding.suppression.reason, expiresAt: finding.suppression.expiresAt }
        : null,
    verified: finding.verified,
    exploitable: finding.exploitable,
    committedAt: finding.committedAt,
  };
}

type Keys = Pick<
  PreparedFinding,
  | 'kind'
  | 'key'
  | 'location'
  | 'identity'
  | 'masked'
  | 'ruleKey'
  | 'fileKey'
  | 'codeKey'
  | 'fingerprintKey'
  | 'fingerprintScheme'
>;

const noCode = {
  ruleKey: null,
  fileKey: null,
  codeKey: null,
  fingerprintKey: null,
  fingerprintScheme: null,
} as const;

function packageKeys(run: Run, finding: ReportFinding, pkg: { purl: string; version: string | null }): Keys {
  // The name of an image or target may change with its tag or its tarball, so the category identifies it.
  const where = finding.pathIsTarget ? ['target', run.category] : ['path', finding.path ?? ''];
  const location = keyOf('place', ...where, pkg.purl, pkg.version ?? '');
  const key = keyOf('package', finding.advisories[0] ?? '', pkg.purl, location);
  return { kind: 'package', key, location, identity: null, masked: false, ...noCode };
}

/** The scheme of a secret's location: whether the report showed the secret itself. */
export const maskedScheme = 'secret-masked';
export const bareScheme = 'secret';

function secretKeys(
  finding: ReportFinding,
  secret: { value: string | null; maskedLine: string | null },
  secretKey: Buffer,
  occurrences: Occurrences,
): Keys {
  const path = finding.path ?? '';
  const masked = secret.value === null;
  const identity = masked
    ? (() => {
        const line = secret.maskedLine ?? '';
        const number = occurrences.next(`secret ${finding.rule} ${path} ${line}`);
        return sha('secret-masked', finding.rule, path, normalizeCode(line), String(number));
      })()
    : createHmac('sha256', secretKey)
        .update(secret.value ?? '')
        .digest('hex');
  const number = masked ? 0 : occurrences.next(`secret ${identity} ${path}`);
  const location = keyOf('secret-place', path, String(number));
  return {
    kind: 'secret',
    key: keyOf('secret', identity, location),
    location,
    identity,
    masked,
    ...noCode,
    // File and line connect a masked and a bare report of one secret.
    fileKey: keyOf('secret-file', path),
    fingerprintScheme: masked ? maskedScheme : bareScheme,
  };
}

/** Identifies a rule in a file. */
export function fileKeyOf(ruleKey: string, path: string): string {
  return keyOf('file', ruleKey, path);
}

function codeKeys(run: Run, finding: ReportFinding, occurrences: Occurrences): Keys {
  const path = finding.path ?? '';
  const rule = finding.rule === '' ? `title ${finding.title}` : stableRule(run.tool, finding.rule);
  const ruleKey = keyOf('rule', run.tool, rule);
  const fileKey = fileKeyOf(ruleKey, path);
  const code = finding.code === null ? '' : normalizeCode(finding.code);
  // A web address does not move as a file does, so method and parameter are evidence only at their own path.
  const where = finding.type === 'dast' ? [path] : [];
  const codeKey = code === '' ? null : keyOf('code', ruleKey, code, ...where);
  const { fingerprint } = finding;
  let fingerprintKey: string | null = null;
  if (fingerprint) {
    const parts = [ruleKey, fingerprint.scheme, fingerprint.value, fingerprint.pathFree ? '' : path];
    fingerprintKey = keyOf(
      'fingerprint',
      ...parts,
      String(occurrences.next(`fingerprint ${parts.join(' ')}`)),
    );
  }
  // The best evidence identifies the finding. Without any, the line does, and the match rules match a moved line.
  const evidence =
    fingerprintKey ??
    (codeKey === null
      ? `line ${finding.line ?? 0} ${occurrences.next(`line ${fileKey} ${finding.line ?? 0}`)}`
      : `code ${codeKey} ${occurrences.next(`code ${fileKey} ${codeKey}`)}`);
  const key = keyOf('code-finding', fileKey, evidence);
  return {
    kind: 'code',
    key,
    location: key,
    identity: null,
    masked: false,
    ruleKey,
    fileKey,
    codeKey,
    fingerprintKey,
    fingerprintScheme: fingerprint?.scheme ?? null,
  };
}

// Whitespace does not count, because a formatter changes indentation, wrapping and blank lines.
function normalizeCode(code: string): string {
  const text = code.replace(/\s+/g, ' ').trim();
  return text === withheld ? '' : text;
}

// Semgrep writes this in place of code for users who are not signed in.
const withheld = 'requires login';

function artifactOf(finding: ReportFinding): PreparedFinding['artifact'] {
  const { artifact } = finding;
  if (!artifact) return null;
  const { type, name, purl, digest } = artifact;
  return {
    key: keyOf('artifact', type, name, purl ?? '', digest ?? ''),
    type,
    name,
    purl,
    digest,
  };
}

function contentDigest(finding: ReportFinding, evidence: PreparedEvidence | null): string {
  const digest = sha(
    'content',
    finding.path ?? '',
    String(finding.line ?? ''),
    finding.severity,
    finding.title,
    finding.description ?? '',
    JSON.stringify([
      finding.fixedVersions,
      finding.cvss,
      finding.cwes,
      finding.links,
      finding.relatedAdvisories,
    ]),
    JSON.stringify([finding.suppression, finding.verified, finding.exploitable]),
    evidence?.content ?? '',
    evidence?.help ?? '',
  );
  return BigInt.asIntN(64, BigInt(`0x${digest.slice(0, 16)}`)).toString();
}

// Each part has its length before it, so that no two lists of parts give the same digest.
function sha(...parts: string[]): string {
  let text = '';
  for (const part of parts) text += `${Buffer.byteLength(part)}:${part}`;
  return hash('sha256', text, 'hex');
}

/** Returns 128 bits of SHA-256 over the parts, as UUID text. */
export function keyOf(...parts: string[]): string {
  const hex = sha(...parts);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

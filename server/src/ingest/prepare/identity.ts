/**
 * Identity computes the keys by which Merlon recognises a finding of a report. It runs in the parser's thread, and its
 * output has digests of secrets but never a secret.
 *
 * The keys never depend on the line (except as the last resort for code), the message, the order, or a random id of the
 * tool. There are three kinds of findings:
 * - package: advisory + package (purl without version); the import resolves the aliases of the advisory;
 * - secret: keyed hash of the secret, or rule + path + masked line if the report masks it;
 * - code: tool + rule + type + evidence (fingerprint, normalised code, file, line), matched by the match rules of
 *   `match-code.ts`.
 */
import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';
import { type ArtifactId, type TenantId, uuidOfDigest } from '../../domain/ids.ts';
import type { VulnerabilityType } from '../../domain/packed-state.ts';
import { firstFingerprint, stableRule } from '../../parsers/reading/tools.ts';
import type { ReportArtifact, ReportFinding, ReportPackage, Run } from '../../parsers/report.ts';
import { onlyCve } from './advisory-names.ts';
import type { PreparedFinding } from './prepared-report.ts';

/** Returns the identity of a vulnerability in a package. `advisory` is the canonical one. */
export function packageIdentity(advisory: string, purl: string): string {
  return keyOf('package', advisory, purl);
}

/**
 * The first digit of a secret's identity says whether the report masked the secret. Two different bare identities are
 * two secrets, but two masked ones may be one secret that two tools mask in two ways.
 */
const maskedDigit = 'a';
const bareDigit = 'b';
export const isMasked = (identity: string): boolean => identity.startsWith(maskedDigit);
export const isBare = (identity: string): boolean => identity.startsWith(bareDigit);

/** Returns the identity of a secret that is kept apart from the one of its own identity, in this file only. */
export function identityInFile(identity: string, path: string): string {
  return `${identity.charAt(0)}${keyOf('secret-in-file', identity, path).slice(1)}`;
}

const secretLocationOf = (path: string, number: number): string =>
  hexKey('secret-location', path, String(number));

/** Returns the key of the finding that shows a secret for the first time in a file. The identity is UUID text. */
export function firstSecretKeyOf(identity: string, path: string): string {
  return keyOf('secret', identity.replaceAll('-', ''), secretLocationOf(path, 0));
}

/** Identifies a rule of a tool. */
export function ruleKeyOf(tool: string, rule: string): string {
  return uuidOfDigest(hexRuleKey(tool, rule));
}

function hexRuleKey(tool: string, rule: string): string {
  return hexKey('rule', tool, stableRule(tool, rule));
}

/** Identifies a rule in a file. A report that gives the rule another type shows another vulnerability. */
export function fileKeyOf(ruleKey: string, type: VulnerabilityType, path: string): string {
  return keyOf('file', ruleKey, type, path);
}

/** Identifies the file of a secret: file and line connect a masked and a bare report of one secret. */
export function secretFileKeyOf(path: string): string {
  return keyOf('secret-file', path);
}

/** The digits of a fingerprint's key that do not depend on its number, and the length of UUID text with them. */
const shared = { digits: 20, length: 24 };

/**
 * Returns what fingerprints share that differ in their numbers alone. Tools number the equal fingerprints of a file,
 * and so does an import.
 */
export function withoutNumber(fingerprintKey: string): string {
  return fingerprintKey.slice(0, shared.length);
}

/** Identifies the location of a package. `targetOrPath` is the result of `targetOrPathOf`. */
export function locationKeyOf(targetOrPath: string, purl: string, version: string): string {
  return keyOf('location', targetOrPath, purl, version);
}

/** The content of an artifact determines its id. Each workspace has its own ids. */
export function artifactIdOf(tenantId: TenantId, artifact: ReportArtifact): ArtifactId {
  const { type, name, purl, digest } = artifact;
  return keyOf('artifact', tenantId, type, name, purl ?? '', digest ?? '') as ArtifactId;
}

/**
 * The keys that an import needs to compare a finding with the known ones, as hex without hyphens. The others follow
 * from the content of a finding, so they are computed only for findings that are new or changed.
 */
export interface ComparedKeys
  extends Pick<
    PreparedFinding,
    'kind' | 'key' | 'identity' | 'ruleKey' | 'codeKey' | 'fingerprintKey' | 'fingerprintScheme'
  > {
  /** Null if it follows from the other keys. */
  location: string | null;
}

/** Computes the keys of the findings of one run, which come sorted. */
export class FindingKeys {
  readonly #run: Run;
  readonly #secretKey: KeyObject;
  readonly #occurrences = new Occurrences();
  /** Rule → its key. */
  readonly #rules = new Map<string, string>();

  constructor(run: Run, secretKey: Buffer) {
    this.#run = run;
    this.#secretKey = createSecretKey(secretKey);
  }

  /** Two equal findings get different keys, so each finding must be asked for once. */
  next(finding: ReportFinding): ComparedKeys {
    if (finding.secret) return this.#secretKeys(finding, finding.secret);
    if (finding.package && finding.advisories.length > 0) return this.#packageKeys(finding, finding.package);
    return this.#codeKeys(finding);
  }

  #packageKeys(finding: ReportFinding, { purl, version }: ReportPackage): ComparedKeys {
    const key = hexKey(
      'package',
      finding.advisories[0] ?? '',
      // The only CVE decides to which vulnerability the finding belongs.
      onlyCve(finding.advisories) ?? '',
      targetOrPathOf(finding.pathIsTarget, finding.path ?? '.', this.#run.category),
      purl,
      version ?? '',
    );
    return {
      kind: 'package',
      key,
      location: null,
      identity: null,
      ruleKey: null,
      codeKey: null,
      fingerprintKey: null,
      fingerprintScheme: null,
    };
  }

  #secretKeys(
    { path: written, rule }: ReportFinding,
    secret: NonNullable<ReportFinding['secret']>,
  ): ComparedKeys {
    const path = written ?? '.';
    const masked = secret.value === null;
    const digest = masked
      ? this.#maskedDigest(rule, path, secret.maskedLine ?? '')
      : createHmac('sha256', this.#secretKey)
          .update(secret.value ?? '')
          .digest('hex');
    const identity = `${masked ? maskedDigit : bareDigit}${digest.slice(1, 32)}`;
    const number = masked ? 0 : this.#occurrences.next(`secret ${identity} ${path}`);
    const location = secretLocationOf(path, number);
    return {
      kind: 'secret',
      key: hexKey('secret', identity, location),
      location,
      identity,
      ruleKey: null,
      codeKey: null,
      fingerprintKey: null,
      fingerprintScheme: null,
    };
  }

  #maskedDigest(rule: string, path: string, line: string): string {
    const code = normalizeCode(line);
    const number = this.#occurrences.next(`secret ${rule} ${path} ${code}`);
    return sha('secret-masked', rule, path, code, String(number));
  }

  #codeKeys(finding: ReportFinding): ComparedKeys {
    const path = finding.path ?? '.';
    const { type } = finding;
    const ruleKey = this.#ruleKey(finding);
    const code = finding.code === null ? '' : normalizeCode(finding.code);
    // A web address does not move as a file does, so method and parameter are evidence only at their own path.
    const codeKey =
      code === ''
        ? null
        : hexKey('code', ruleKey, type, code, type === 'dast' ? path : this.#removedFrom(finding));
    const print = this.#fingerprint(finding, ruleKey, path);
    // The best evidence identifies the finding. Without any, the line does, and the match rules match a moved line.
    const key =
      print !== null
        ? // A finding with the same fingerprint and other code is another finding, so that it is matched again.
          hexKey('code-finding', path, print.digest, codeKey ?? '')
        : this.#repeated(
            codeKey !== null
              ? sha('code-finding', path, codeKey)
              : sha('line-finding', ruleKey, type, path, String(finding.line ?? 0)),
          ).slice(0, 32);
    return {
      kind: 'code',
      key,
      location: null,
      identity: null,
      ruleKey,
      codeKey,
      fingerprintKey: print === null ? null : print.key,
      fingerprintScheme: print === null ? null : print.scheme,
    };
  }

  /** Returns the digest of a fingerprint with its number among equal ones, and its key (see `withoutNumber`). */
  #fingerprint(
    { type, fingerprint }: ReportFinding,
    ruleKey: string,
    path: string,
  ): { scheme: string; digest: string; key: string } | null {
    if (fingerprint === null) return null;
    const { scheme, value, pathFree } = fingerprint;
    const digestOf = (text: string) => sha('fingerprint', ruleKey, type, scheme, text, pathFree ? '' : path);
    const own = digestOf(value);
    const digest = this.#repeated(own);
    const first = firstFingerprint(scheme, value);
    const ofFirst = first === value ? own : digestOf(first);
    // The halves of one digest are two keys.
    const end = 32 + shared.digits;
    return { scheme, digest, key: `${ofFirst.slice(32, end)}${digest.slice(end)}` };
  }

  /** A keyed hash of code with what was removed from it as a secret; empty if nothing was. */
  #removedFrom({ rawCode }: ReportFinding): string {
    if (rawCode === null) return '';
    return createHmac('sha256', this.#secretKey).update(normalizeCode(rawCode)).digest('hex');
  }

  #ruleKey({ rule, title }: ReportFinding): string {
    const name = rule === '' ? `title ${title}` : rule;
    const known = this.#rules.get(name);
    if (known !== undefined) return known;
    const { tool } = this.#run;
    const key = rule === '' ? hexKey('rule', tool, name) : hexRuleKey(tool, rule);
    this.#rules.set(name, key);
    return key;
  }

  /** Returns another digest each time for the same one, so that two equal locations in one file stay two. */
  #repeated(digest: string): string {
    const number = this.#occurrences.next(digest);
    return number === 0 ? digest : sha('again', digest, String(number));
  }
}

/**
 * Returns the part of a key that says in which target or at which path a package is. The name of an image or target may
 * change with its tag or its tarball, so the category of the run identifies it.
 */
export function targetOrPathOf(pathIsTarget: boolean, path: string, category: string): string {
  return pathIsTarget ? `target ${category}` : `path ${path}`;
}

/** Numbers repeated values. */
class Occurrences {
  readonly #seen = new Map<string, number>();

  next(value: string): number {
    const number = this.#seen.get(value) ?? 0;
    this.#seen.set(value, number + 1);
    return number;
  }
}

// A formatter changes whitespace beside signs, breaks lines, and writes a comma after the last of several lines. Beside
// quotes, and between the words, options and paths of a command, a space has a meaning.
function normalizeCode(code: string): string {
  const lines = code.trim().replace(/\s+/g, (run) => (run.includes('\n') ? '\n' : ' '));
  const line = lines.includes('\n') ? joinLines(lines) : lines;
  const text = line.replace(/ ?([^\p{L}\p{N}_ "'`\-/.~$*]) ?/gu, '$1');
  return text === withheld ? '' : text;
}

function joinLines(lines: string): string {
  return lines
    .replace(/,\n(?=[)\]}])/g, '')
    .replace(/\n(?=(?:\.|->)[\p{L}_#])|(?<=[\p{L}\p{N}_)\]](?:\.|->))\n/gu, '')
    .replaceAll('\n', ' ');
}

// Semgrep writes this in place of code for users who are not signed in.
const withheld = 'requires login';

// Each part has its length before it, so that no two lists of parts give the same digest.
function sha(...parts: string[]): string {
  let text = '';
  for (const part of parts) text += `${part.length}:${part}`;
  return hash('sha256', text, 'hex');
}

/** Returns 128 bits of SHA-256 over the parts, as hex. */
function hexKey(...parts: string[]): string {
  return sha(...parts).slice(0, 32);
}

/** Returns 128 bits of SHA-256 over the parts, as UUID text. */
export function keyOf(...parts: string[]): string {
  return uuidOfDigest(sha(...parts));
}

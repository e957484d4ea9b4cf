/**
 * The output of the parser's thread: a report with its keys, ready to be imported. It has digests of secrets, never a
 * secret.
 */

import type { ArtifactType } from '../../domain/artifact-types.ts';
import type { Severity, VulnerabilityType } from '../../domain/packed-state.ts';
import type { Report, Run } from '../../parsers/report.ts';
import type { TaughtName } from './advisory-names.ts';

/** A report that is ready to be imported: rows with keys, in order of their ordinals. */
export interface PreparedReport extends Omit<Report, 'runs'> {
  runs: PreparedRun[];
  /** The names of advisories that the report teaches. */
  names: TaughtName[];
  /** Key → explanation of a rule, for `PreparedEvidence.help`. */
  helps: Map<string, string>;
}

export interface PreparedRun extends Omit<Run, 'findings'> {
  /** The findings, with each key once. */
  findings: PackedFindings;
  /** The keys of findings in code that are locations of one vulnerability, because one row of the report names them. */
  groups: string[][];
}

/** Keys are UUID text: 128 bits of SHA-256, compact in an index. */
export interface PreparedFinding {
  ordinal: number;
  kind: 'package' | 'secret' | 'code';
  /** Identifies the same finding in the next report of the series. */
  key: string;
  /** A digest of the content that a report may change without making it another finding: int8 text. */
  digest: string;
  /** Identifies the same location of its vulnerability on its reference. */
  location: string;
  /**
   * The identity of a secret, hex of 32 bytes. It is null for a package, whose identity comes from the canonical
   * advisory.
   */
  identity: string | null;
  masked: boolean;
  /** The number of its group in `groups` of the run; null for a finding that stands for itself. */
  group: number | null;
  advisories: string[];
  relatedAdvisories: string[];
  purl: string | null;
  ruleKey: string | null;
  fileKey: string | null;
  codeKey: string | null;
  fingerprintKey: string | null;
  fingerprintScheme: string | null;
  type: VulnerabilityType;
  severity: Severity;
  title: string;
  description: string | null;
  rule: string;
  fixedVersions: string[];
  cvssScore: number | null;
  cvssVector: string | null;
  cwes: string[];
  links: string[];
  path: string;
  line: number | null;
  artifact: {
    key: string;
    type: ArtifactType;
    name: string;
    purl: string | null;
    digest: string | null;
  } | null;
  /** A comment beside the code suppresses this location. */
  suppressed: boolean;
  /** An ignore file or the tool's own review suppresses the whole problem. */
  suppression: { reason: string | null; expiresAt: string | null } | null;
  verified: boolean;
  exploitable: boolean;
  committedAt: string | null;
}

export interface PreparedEvidence {
  /** JSON of `EvidenceContent`. */
  content: string;
  /** The key of the rule's explanation in `helps` of the report. */
  help: string | null;
}

/**
 * Findings on their way out of the parser's thread: keys and digests as bytes, and the findings as JSON in chunks,
 * transferred without a copy. An import reads all keys, but only new or changed findings in full. So the findings of a
 * large report are never all objects in the importing process.
 */
export interface PackedFindings {
  /** 16 bytes per finding, in order of ordinals. */
  keys: Uint8Array;
  digests: BigInt64Array;
  /** 0 is a package, 1 is a secret, 2 is code. */
  kinds: Uint8Array;
  /** The findings as JSON, with some hundred in each chunk. */
  chunks: Uint8Array[];
  /** The evidence of the findings in each chunk, as JSON; null if none of them has any. */
  evidence: (Uint8Array | null)[];
  /** The ordinal of the first finding. Ordinals continue from run to run. */
  first: number;
  suppressed: number;
}

// A chunk is large enough that JSON is fast, and small enough that one changed finding costs little.
const chunkSize = 512;

const kindNumbers = { package: 0, secret: 1, code: 2 } as const;

/** Packs findings as they are made, in order of their ordinals. It holds at most one chunk of them as objects. */
export class FindingPacker {
  readonly #first: number;
  readonly #keys: Buffer;
  readonly #digests: BigInt64Array;
  readonly #kinds: Uint8Array;
  readonly #chunks: Uint8Array[] = [];
  readonly #encoder = new TextEncoder();
  readonly #evidence: (Uint8Array | null)[] = [];
  #chunk: PreparedFinding[] = [];
  #chunkEvidence: (PreparedEvidence | null)[] = [];
  #count = 0;
  #suppressed = 0;

  /** `most` is the maximum number of findings. */
  constructor(first: number, most: number) {
    this.#first = first;
    this.#keys = Buffer.alloc(most * 16);
    this.#digests = new BigInt64Array(most);
    this.#kinds = new Uint8Array(most);
  }

  /** The ordinal of the next finding. */
  get next(): number {
    return this.#first + this.#count;
  }

  add(finding: PreparedFinding, evidence: PreparedEvidence | null): void {
    const { key, digest, kind, suppressed, suppression } = finding;
    this.#keys.write(key.replaceAll('-', ''), this.#count * 16, 'hex');
    this.#digests[this.#count] = BigInt(digest);
    this.#kinds[this.#count] = kindNumbers[kind];
    if (suppressed || suppression !== null) this.#suppressed++;
    this.#count++;
    this.#chunkEvidence.push(evidence);
    if (this.#chunk.push(finding) === chunkSize) this.#closeChunk();
  }

  done(): PackedFindings {
    this.#closeChunk();
    return {
      keys: new Uint8Array(this.#keys.subarray(0, this.#count * 16)),
      digests: this.#digests.slice(0, this.#count),
      kinds: this.#kinds.slice(0, this.#count),
      chunks: this.#chunks,
      evidence: this.#evidence,
      first: this.#first,
      suppressed: this.#suppressed,
    };
  }

  #closeChunk(): void {
    if (this.#chunk.length === 0) return;
    const encode = (rows: unknown[]): Uint8Array => this.#encoder.encode(JSON.stringify(rows));
    const hasEvidence = this.#chunkEvidence.some((evidence) => evidence !== null);
    this.#chunks.push(encode(this.#chunk));
    this.#evidence.push(hasEvidence ? encode(this.#chunkEvidence) : null);
    this.#chunk = [];
    this.#chunkEvidence = [];
  }
}

/** Returns the buffers to transfer with the message that contains them. */
export function buffersOf({ keys, digests, kinds, chunks, evidence }: PackedFindings): ArrayBuffer[] {
  const arrays = [keys, digests, kinds, ...chunks, ...evidence.filter((chunk) => chunk !== null)];
  return arrays.map((array) => array.buffer as ArrayBuffer);
}

/** Reads packed findings for an import. */
export class FindingReader {
  readonly #packed: PackedFindings;
  /** Key → explanation of a rule. */
  readonly helps: ReadonlyMap<string, string>;
  #ordinals: Map<string, number> | null = null;

  constructor(packed: PackedFindings, helps: ReadonlyMap<string, string>) {
    this.#packed = packed;
    this.helps = helps;
  }

  get length(): number {
    return this.#packed.digests.length;
  }

  /** The number of findings that are suppressed in the source or by the tool’s own review. */
  get suppressed(): number {
    return this.#packed.suppressed;
  }

  /** Returns the findings from `start` to before `end`, as columns. */
  keys(start = 0, end = this.length): { ordinals: number[]; keys: string[]; digests: bigint[] } {
    const { keys, digests, first } = this.#packed;
    const hex = Buffer.from(keys.buffer, keys.byteOffset, keys.length);
    const positions = Array.from({ length: Math.min(end, this.length) - start }, (_, i) => start + i);
    return {
      ordinals: positions.map((position) => first + position),
      keys: positions.map((position) => uuid(hex, position)),
      digests: positions.map((position) => digests[position] ?? 0n),
    };
  }

  /** Divides the ordinals by the kind of their findings. */
  byKind(ordinals: number[]): { packages: number[]; secrets: number[]; code: number[] } {
    const { kinds, first } = this.#packed;
    const of = (kind: number): number[] => ordinals.filter((ordinal) => kinds[ordinal - first] === kind);
    return { packages: of(kindNumbers.package), secrets: of(kindNumbers.secret), code: of(kindNumbers.code) };
  }

  /** Returns the findings in the order of the request. Throws RangeError for an unknown ordinal. */
  get(ordinals: number[]): PreparedFinding[] {
    return this.#read<PreparedFinding>(this.#packed.chunks, ordinals);
  }

  /** Returns the evidence of these findings in the order of the request; null for a finding without. */
  evidenceOf(ordinals: number[]): (PreparedEvidence | null)[] {
    return this.#read<PreparedEvidence | null>(this.#packed.evidence, ordinals);
  }

  #read<Row>(chunks: (Uint8Array | null)[], ordinals: number[]): Row[] {
    const { first } = this.#packed;
    const decoder = new TextDecoder();
    let openNumber = -1;
    let open: Row[] | null = null;
    // Each chunk is read once and then released; the order of the request is restored at the end.
    const found = new Map<number, Row>();
    for (const ordinal of [...ordinals].sort((a, b) => a - b)) {
      const index = ordinal - first;
      const number = Math.floor(index / chunkSize);
      if (openNumber !== number) {
        const chunk = chunks[number];
        open = chunk === null ? null : (JSON.parse(decoder.decode(chunk)) as Row[]);
        openNumber = number;
      }
      const row = open === null ? (null as Row) : open[index % chunkSize];
      if (row === undefined) throw new RangeError(`there is no finding ${ordinal}`);
      found.set(ordinal, row);
    }
    return ordinals.map((ordinal) => found.get(ordinal) as Row);
  }

  /** Returns the findings of those keys that the report has. */
  getByKey(keys: string[]): PreparedFinding[] {
    this.#ordinals ??= this.#ordinalsByKey();
    const ordinals = this.#ordinals;
    return this.get([...new Set(keys.flatMap((key) => ordinals.get(key) ?? []))]);
  }

  #ordinalsByKey(): Map<string, number> {
    const { ordinals, keys } = this.keys();
    return new Map(keys.map((key, i) => [key, ordinals[i] ?? 0]));
  }
}

function uuid(bytes: Buffer, index: number): string {
  const hex = bytes.toString('hex', index * 16, index * 16 + 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** Reads packed findings for an import. */
import { type TenantId, uuidOfDigest } from '../../domain/ids.ts';
import type { ReportArtifact } from '../../parsers/report.ts';
import { artifactIdOf, fileKeyOf, locationKeyOf, secretFileKeyOf, targetOrPathOf } from './identity.ts';
import {
  chunkSize,
  flags,
  kinds,
  none,
  type PackedChunk,
  type PackedFindings,
  positions,
  rowSize,
} from './packed-findings.ts';
import type { CodeKeys, FindingContent, PreparedEvidence, PreparedFinding } from './prepared-report.ts';

export class FindingReader {
  readonly #packed: PackedFindings;
  readonly #keys: Buffer;
  /** Key → explanation of a rule. */
  readonly helps: ReadonlyMap<string, string>;
  readonly #tenantId: TenantId;
  #ordinals: Map<string, number> | null = null;

  constructor(packed: PackedFindings, helps: ReadonlyMap<string, string>, tenantId: TenantId) {
    this.#tenantId = tenantId;
    this.#packed = packed;
    this.#keys = Buffer.from(packed.keys.buffer, packed.keys.byteOffset, packed.keys.length);
    this.helps = helps;
  }

  get length(): number {
    return this.#packed.digests.length;
  }

  /** The number of findings that are suppressed in the source or by the tool’s own review. */
  get suppressed(): number {
    return this.#packed.suppressed;
  }

  get suppressionEnds(): boolean {
    return this.#packed.suppressionEnds;
  }

  /** The ordinals of all findings, which follow one another. */
  get ordinals(): number[] {
    const { first } = this.#packed;
    return Array.from({ length: this.length }, (_, row) => first + row);
  }

  /** The keys of all findings in the order of their ordinals, 16 bytes each. */
  get keys(): Buffer {
    return this.#keys;
  }

  /** The digests of all findings, in the same order. */
  get digests(): readonly bigint[] {
    return [...this.#packed.digests];
  }

  /** Divides the ordinals by the kind of their findings. */
  byKind(ordinals: number[]): { packages: number[]; secrets: number[]; code: number[] } {
    const { kinds: numbers, first } = this.#packed;
    const of = (kind: PreparedFinding['kind']): number[] => {
      const number = kinds.indexOf(kind);
      return ordinals.filter((ordinal) => numbers[ordinal - first] === number);
    };
    return { packages: of('package'), secrets: of('secret'), code: of('code') };
  }

  /** Returns the findings in the order of the request. Throws RangeError for an unknown ordinal. */
  get(ordinals: number[]): PreparedFinding[] {
    const { digests, kinds: numbers, first, category } = this.#packed;
    return this.#read(ordinals, (chunk, row, position) => {
      const kind = kinds[numbers[position] ?? 0] ?? 'code';
      const key = this.#keyAt(position);
      const content = chunk.content(row, { kind, key, category, tenantId: this.#tenantId });
      return { ordinal: first + position, kind, key, digest: String(digests[position]), ...content };
    });
  }

  /** Returns the groups of these findings, in the order of the request. */
  groupsOf(ordinals: number[]): Pick<CodeKeys, 'ordinal' | 'group'>[] {
    const { first, chunks } = this.#packed;
    return ordinals.map((ordinal) => {
      const position = ordinal - first;
      const rows = chunks[Math.floor(position / chunkSize)]?.rows;
      const group = rows?.[(position % chunkSize) * rowSize + positions.group] ?? none;
      return { ordinal, group: group === none ? null : group };
    });
  }

  /** Returns the fields that the match rules read of these findings in code, in the order of the request. */
  codeKeysOf(ordinals: number[]): CodeKeys[] {
    const { first } = this.#packed;
    const texts = new CompactTexts();
    return this.#read(ordinals, (chunk, row, position) => ({
      ordinal: first + position,
      ...chunk.codeKeys(row, texts),
    }));
  }

  /** Returns the evidence of these findings in the order of the request; null for a finding without. */
  evidenceOf(ordinals: number[]): (PreparedEvidence | null)[] {
    return this.#read(ordinals, (chunk, row) => chunk.evidence(row));
  }

  #read<Row>(ordinals: number[], read: (chunk: ChunkReader, row: number, position: number) => Row): Row[] {
    const { first, chunks } = this.#packed;
    let openNumber = none;
    let open: ChunkReader | null = null;
    const rows = new Array<Row>(ordinals.length);
    // Each chunk is opened once and then released, whatever the order of the requested findings is.
    const sorted = ordinals
      .map((ordinal, index) => ({ position: ordinal - first, index }))
      .sort((a, b) => a.position - b.position);
    for (const { position, index } of sorted) {
      const number = Math.floor(position / chunkSize);
      if (openNumber !== number) {
        const chunk = chunks[number];
        open = chunk === undefined ? null : new ChunkReader(chunk);
        openNumber = number;
      }
      if (open === null || position >= this.length) {
        throw new RangeError(`there is no finding ${first + position}`);
      }
      rows[index] = read(open, position % chunkSize, position);
    }
    return rows;
  }

  /** Returns the findings of those keys that the report has. */
  getByKey(keys: string[]): PreparedFinding[] {
    this.#ordinals ??= this.#ordinalsByKey();
    const ordinals = this.#ordinals;
    return this.get([...new Set(keys.flatMap((key) => ordinals.get(key) ?? []))]);
  }

  /** The key of a finding as UUID text. */
  keyOf(ordinal: number): string {
    return this.#keyAt(ordinal - this.#packed.first);
  }

  #ordinalsByKey(): Map<string, number> {
    return new Map(this.ordinals.map((ordinal) => [this.keyOf(ordinal), ordinal]));
  }

  #keyAt(position: number): string {
    return uuidOfDigest(this.#keys.toString('hex', position * 16, position * 16 + 16));
  }
}

/** Copies of texts of chunks, each once. A part of a text keeps all of it in memory. */
class CompactTexts {
  readonly #known = new Map<string, string>();

  of<Text extends string | null>(text: Text): Text {
    if (text === null) return text;
    const known = this.#known.get(text);
    if (known !== undefined) return known as Text;
    const copy = Buffer.from(text, 'utf16le').toString('utf16le');
    this.#known.set(copy, copy);
    return copy as Text;
  }
}

class ChunkReader {
  readonly #rows: Int32Array;
  readonly #joined: string;
  /** The end of each string in the text. */
  readonly #ends: Uint32Array;
  /** The strings that were already decoded, so that findings share them. */
  readonly #strings: (string | undefined)[];

  constructor({ rows, lengths, text, isWide }: PackedChunk) {
    this.#rows = rows;
    this.#joined = Buffer.from(text.buffer, text.byteOffset, text.length).toString(
      isWide ? 'utf16le' : 'utf8',
    );
    let end = 0;
    this.#ends = lengths.map((length) => {
      end += length;
      return end;
    });
    this.#strings = new Array(lengths.length);
  }

  content(
    row: number,
    head: { kind: PreparedFinding['kind']; key: string; category: string; tenantId: TenantId },
  ): FindingContent {
    const { kind, key, category, tenantId } = head;
    const flag = this.#number(row, positions.flags);
    const score = this.#text(row, positions.cvssScore);
    const purl = this.#text(row, positions.purl);
    const path = this.#some(row, positions.path);
    const ruleKey = this.#key(row, positions.ruleKey);
    const targetOrPath = targetOrPathOf((flag & flags.pathIsTarget) !== 0, path, category);
    const location = this.#key(row, positions.location);
    const type = this.#some(row, positions.type) as FindingContent['type'];
    return {
      location:
        location ??
        (kind === 'package'
          ? locationKeyOf(targetOrPath, purl ?? '', this.#some(row, positions.version))
          : key),
      identity: this.#key(row, positions.identity),
      group: this.#numberOrNull(row, positions.group),
      advisories: this.#list(row, positions.advisories),
      relatedAdvisories: this.#list(row, positions.relatedAdvisories),
      purl,
      ruleKey,
      fileKey:
        kind === 'secret' ? secretFileKeyOf(path) : ruleKey === null ? null : fileKeyOf(ruleKey, type, path),
      codeKey: this.#key(row, positions.codeKey),
      fingerprintKey: this.#key(row, positions.fingerprintKey),
      fingerprintScheme: this.#text(row, positions.fingerprintScheme),
      type,
      severity: this.#some(row, positions.severity) as FindingContent['severity'],
      title: this.#some(row, positions.title),
      description: this.#text(row, positions.description),
      rule: this.#some(row, positions.rule),
      fixedVersions: this.#list(row, positions.fixedVersions),
      cvssScore: score === null ? null : Number(score),
      cvssVector: this.#text(row, positions.cvssVector),
      cwes: this.#list(row, positions.cwes),
      links: this.#list(row, positions.links),
      path,
      line: this.#numberOrNull(row, positions.line),
      artifact: this.#artifact(row, tenantId),
      suppressed: (flag & flags.suppressed) !== 0,
      suppression:
        (flag & flags.hasSuppression) === 0
          ? null
          : { reason: this.#text(row, positions.reason), expiresAt: this.#text(row, positions.expiresAt) },
      verified: (flag & flags.verified) !== 0,
      exploitable: (flag & flags.exploitable) !== 0,
      committedAt: this.#text(row, positions.committedAt),
    };
  }

  codeKeys(row: number, texts: CompactTexts): Omit<CodeKeys, 'ordinal'> {
    const path = texts.of(this.#some(row, positions.path));
    const ruleKey = texts.of(this.#key(row, positions.ruleKey));
    const type = this.#some(row, positions.type) as CodeKeys['type'];
    return {
      group: this.#numberOrNull(row, positions.group),
      type,
      path,
      line: this.#numberOrNull(row, positions.line),
      ruleKey,
      fileKey: ruleKey === null ? null : fileKeyOf(ruleKey, type, path),
      codeKey: this.#key(row, positions.codeKey),
      fingerprintKey: this.#key(row, positions.fingerprintKey),
      fingerprintScheme: texts.of(this.#text(row, positions.fingerprintScheme)),
    };
  }

  #artifact(row: number, tenantId: TenantId): FindingContent['artifact'] {
    const type = this.#text(row, positions.artifactType);
    if (type === null) return null;
    const artifact = {
      type: type as ReportArtifact['type'],
      name: this.#some(row, positions.artifactName),
      purl: this.#text(row, positions.artifactPurl),
      digest: this.#text(row, positions.artifactDigest),
    };
    return { id: artifactIdOf(tenantId, artifact), ...artifact };
  }

  evidence(row: number): PreparedEvidence | null {
    const content = this.#text(row, positions.evidence);
    return content === null ? null : { content, help: this.#text(row, positions.help) };
  }

  #number(row: number, position: number): number {
    return this.#rows[row * rowSize + position] ?? none;
  }

  #numberOrNull(row: number, position: number): number | null {
    const number = this.#number(row, position);
    return number === none ? null : number;
  }

  #text(row: number, position: number): string | null {
    const index = this.#number(row, position);
    return index === none ? null : this.#string(index);
  }

  #some(row: number, position: number): string {
    return this.#text(row, position) ?? '';
  }

  #key(row: number, position: number): string | null {
    const hex = this.#text(row, position);
    return hex === null ? null : uuidOfDigest(hex);
  }

  #list(row: number, position: number): string[] {
    const first = this.#number(row, position);
    return Array.from({ length: this.#number(row, position + 1) }, (_, index) => this.#string(first + index));
  }

  #string(index: number): string {
    const known = this.#strings[index];
    if (known !== undefined) return known;
    const string = this.#joined.slice(this.#ends[index - 1] ?? 0, this.#ends[index]);
    this.#strings[index] = string;
    return string;
  }
}

import {
  chunkSize,
  flags,
  kinds,
  none,
  type PackedChunk,
  type PackedFindings,
  places,
  rowSize,
} from './packed-findings.ts';
import type { FindingContent, PreparedEvidence, PreparedFinding } from './prepared-report.ts';

/** Packs findings as they are made, in order of their ordinals. */
export class FindingPacker {
  readonly #first: number;
  readonly #keys: Buffer;
  readonly #digests: Buffer;
  readonly #kinds: Uint8Array;
  readonly #chunks: PackedChunk[] = [];
  readonly #chunk = new ChunkWriter();
  #keysOfChunk = '';
  #digestsOfChunk = '';
  #closed = 0;
  #count = 0;
  #suppressed = 0;

  /** `most` is the maximum number of findings. */
  constructor(first: number, most: number) {
    this.#first = first;
    this.#keys = Buffer.alloc(most * 16);
    this.#digests = Buffer.alloc(most * 8);
    this.#kinds = new Uint8Array(most);
  }

  /** The ordinal of the next finding. */
  get next(): number {
    return this.#first + this.#count;
  }

  /** Keys are hex of 16 bytes here, and the digest is hex of 8. */
  add(
    head: { kind: PreparedFinding['kind']; key: string; digest: string },
    content: FindingContent,
    evidence: PreparedEvidence | null,
  ): void {
    this.#keysOfChunk += head.key;
    this.#digestsOfChunk += head.digest;
    this.#kinds[this.#count] = kinds.indexOf(head.kind);
    if (content.suppressed || content.suppression !== null) this.#suppressed++;
    this.#count++;
    this.#chunk.add(content, evidence);
    if (this.#count - this.#closed === chunkSize) this.#closeChunk();
  }

  done(): PackedFindings {
    this.#closeChunk();
    return {
      keys: new Uint8Array(this.#keys.subarray(0, this.#count * 16)),
      digests: new BigInt64Array(new Uint8Array(this.#digests.subarray(0, this.#count * 8)).buffer),
      kinds: this.#kinds.slice(0, this.#count),
      chunks: this.#chunks,
      first: this.#first,
      suppressed: this.#suppressed,
    };
  }

  #closeChunk(): void {
    if (this.#count === this.#closed) return;
    this.#keys.write(this.#keysOfChunk, this.#closed * 16, 'hex');
    this.#digests.write(this.#digestsOfChunk, this.#closed * 8, 'hex');
    this.#keysOfChunk = '';
    this.#digestsOfChunk = '';
    this.#closed = this.#count;
    this.#chunks.push(this.#chunk.close());
  }
}

class ChunkWriter {
  readonly #rows = new Int32Array(chunkSize * rowSize);
  /** Place → the string or list there in the row before. */
  readonly #before: (string | readonly string[] | null)[] = new Array(rowSize).fill(null);
  #strings: string[] = [];
  #row = 0;

  add(content: FindingContent, evidence: PreparedEvidence | null): void {
    const { artifact, suppression } = content;
    this.#number(places.flags, flagsOf(content));
    this.#number(places.group, content.group ?? none);
    this.#number(places.line, content.line ?? none);
    this.#text(places.location, content.location);
    this.#text(places.identity, content.identity);
    this.#text(places.purl, content.purl);
    this.#text(places.ruleKey, content.ruleKey);
    this.#text(places.fileKey, content.fileKey);
    this.#text(places.codeKey, content.codeKey);
    this.#text(places.fingerprintKey, content.fingerprintKey);
    this.#text(places.fingerprintScheme, content.fingerprintScheme);
    this.#text(places.type, content.type);
    this.#text(places.severity, content.severity);
    this.#text(places.title, content.title);
    this.#text(places.description, content.description);
    this.#text(places.rule, content.rule);
    this.#text(places.cvssScore, content.cvssScore === null ? null : String(content.cvssScore));
    this.#text(places.cvssVector, content.cvssVector);
    this.#text(places.path, content.path);
    this.#text(places.committedAt, content.committedAt);
    this.#text(places.artifactKey, artifact === null ? null : artifact.key);
    this.#text(places.artifactType, artifact === null ? null : artifact.type);
    this.#text(places.artifactName, artifact === null ? null : artifact.name);
    this.#text(places.artifactPurl, artifact === null ? null : artifact.purl);
    this.#text(places.artifactDigest, artifact === null ? null : artifact.digest);
    this.#text(places.reason, suppression === null ? null : suppression.reason);
    this.#text(places.expiresAt, suppression === null ? null : suppression.expiresAt);
    this.#text(places.evidence, evidence === null ? null : evidence.content);
    this.#text(places.help, evidence === null ? null : evidence.help);
    this.#list(places.advisories, content.advisories);
    this.#list(places.relatedAdvisories, content.relatedAdvisories);
    this.#list(places.fixedVersions, content.fixedVersions);
    this.#list(places.cwes, content.cwes);
    this.#list(places.links, content.links);
    this.#row++;
  }

  close(): PackedChunk {
    const strings = this.#strings;
    const joined = strings.join('');
    const lengths = new Uint32Array(strings.length);
    for (let index = 0; index < strings.length; index++) lengths[index] = strings[index]?.length ?? 0;
    let text = Buffer.from(joined, 'utf8');
    const isWide = text.length !== joined.length;
    if (isWide) text = Buffer.from(joined, 'utf16le');
    const chunk = {
      rows: this.#rows.slice(0, this.#row * rowSize),
      lengths,
      // A small buffer is a part of a shared one, which cannot be transferred.
      text: new Uint8Array(text),
      isWide,
    };
    this.#strings = [];
    this.#row = 0;
    this.#before.fill(null);
    return chunk;
  }

  #number(place: number, value: number): void {
    this.#rows[this.#row * rowSize + place] = value;
  }

  #text(place: number, value: string | null): void {
    const at = this.#row * rowSize + place;
    if (value === null) this.#rows[at] = none;
    else if (value === this.#before[place]) this.#rows[at] = this.#rows[at - rowSize] ?? none;
    else this.#rows[at] = this.#strings.push(value) - 1;
    this.#before[place] = value;
  }

  #list(place: number, values: readonly string[]): void {
    const at = this.#row * rowSize + place;
    const before = this.#before[place];
    const isSame = Array.isArray(before) && isEqual(before, values);
    this.#rows[at] = isSame ? (this.#rows[at - rowSize] ?? none) : this.#strings.length;
    this.#rows[at + 1] = values.length;
    if (!isSame) for (const value of values) this.#strings.push(value);
    this.#before[place] = values;
  }
}

function isEqual(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((value, index) => value === b[index]));
}

function flagsOf({ masked, suppressed, verified, exploitable, suppression }: FindingContent): number {
  return (
    (masked ? flags.masked : 0) |
    (suppressed ? flags.suppressed : 0) |
    (verified ? flags.verified : 0) |
    (exploitable ? flags.exploitable : 0) |
    (suppression === null ? 0 : flags.hasSuppression)
  );
}

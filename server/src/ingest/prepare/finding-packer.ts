/** Packs findings in the parser's thread. */
import { purlTypeOf } from '../../domain/versions.ts';
import type { ReportFinding } from '../../parsers/report.ts';
import { fixesAbove } from '../../vulnerabilities/status.ts';
import type { ComparedKeys } from './identity.ts';
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
import type { PreparedEvidence } from './prepared-report.ts';

/** A finding of a report with its computed keys. */
interface KeyedFinding {
  finding: ReportFinding;
  keys: ComparedKeys;
  /** Hex of 8 bytes. */
  digest: string;
  group: number | null;
  evidence: PreparedEvidence | null;
}

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
  #suppressionEnds = false;

  readonly #category: string;

  /** `most` is the maximum number of findings. */
  constructor(first: number, most: number, category: string) {
    this.#first = first;
    this.#category = category;
    this.#keys = Buffer.alloc(most * 16);
    this.#digests = Buffer.alloc(most * 8);
    this.#kinds = new Uint8Array(most);
  }

  /** The ordinal of the next finding. */
  get next(): number {
    return this.#first + this.#count;
  }

  add(keyed: KeyedFinding): void {
    this.#keysOfChunk += keyed.keys.key;
    this.#digestsOfChunk += keyed.digest;
    this.#kinds[this.#count] = kinds.indexOf(keyed.keys.kind);
    const { suppression } = keyed.finding;
    if (suppression !== null) this.#suppressed++;
    if ((suppression?.expiresAt ?? null) !== null) this.#suppressionEnds = true;
    this.#count++;
    this.#chunk.add(keyed);
    if (this.#count - this.#closed === chunkSize) this.#closeChunk();
  }

  done(): PackedFindings {
    this.#closeChunk();
    return {
      keys: new Uint8Array(this.#keys.subarray(0, this.#count * 16)),
      digests: new BigInt64Array(new Uint8Array(this.#digests.subarray(0, this.#count * 8)).buffer),
      kinds: this.#kinds.slice(0, this.#count),
      chunks: this.#chunks,
      category: this.#category,
      first: this.#first,
      suppressed: this.#suppressed,
      suppressionEnds: this.#suppressionEnds,
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

// Looking up a shorter one costs more than to repeat it.
const longText = 1_000;
const longList = 20;

class ChunkWriter {
  readonly #rows = new Int32Array(chunkSize * rowSize);
  /** Column → the string or list of the previous row. */
  readonly #before: (string | readonly string[] | null)[] = new Array(rowSize).fill(null);
  /** Long text, or list of many, of the chunk → its first string. Rows of two advisories may come in turns. */
  readonly #long = new Map<string | readonly string[], number>();
  #strings: string[] = [];
  #row = 0;

  add({ finding, keys, group, evidence }: KeyedFinding): void {
    const { package: named, cvss, artifact, suppression } = finding;
    const inFile = suppression?.by === 'file' ? suppression : null;
    this.#number(positions.flags, flagsOf(finding));
    this.#number(positions.group, group ?? none);
    this.#number(positions.line, finding.line ?? none);
    this.#text(positions.location, keys.location);
    this.#text(positions.identity, keys.identity);
    this.#text(positions.purl, named === null ? null : named.purl);
    this.#text(positions.version, named === null ? null : named.version);
    this.#text(positions.ruleKey, keys.ruleKey);
    this.#text(positions.codeKey, keys.codeKey);
    this.#text(positions.fingerprintKey, keys.fingerprintKey);
    this.#text(positions.fingerprintScheme, keys.fingerprintScheme);
    this.#text(positions.type, finding.type);
    this.#text(positions.severity, finding.severity);
    this.#text(positions.title, finding.title);
    this.#text(positions.description, finding.description);
    this.#text(positions.rule, finding.rule);
    this.#text(positions.cvssScore, cvss === null ? null : String(cvss.score));
    this.#text(positions.cvssVector, cvss === null ? null : cvss.vector);
    this.#text(positions.path, finding.path ?? '.');
    this.#text(positions.committedAt, finding.committedAt);
    this.#text(positions.artifactType, artifact === null ? null : artifact.type);
    this.#text(positions.artifactName, artifact === null ? null : artifact.name);
    this.#text(positions.artifactPurl, artifact === null ? null : artifact.purl);
    this.#text(positions.artifactDigest, artifact === null ? null : artifact.digest);
    this.#text(positions.reason, inFile === null ? null : inFile.reason);
    this.#text(positions.expiresAt, inFile === null ? null : inFile.expiresAt);
    this.#text(positions.evidence, evidence === null ? null : evidence.content);
    this.#text(positions.help, evidence === null ? null : evidence.help);
    this.#list(positions.advisories, finding.advisories);
    this.#list(positions.relatedAdvisories, finding.relatedAdvisories);
    this.#list(positions.fixedVersions, fixedVersionsOf(finding));
    this.#list(positions.cwes, finding.cwes);
    this.#list(positions.links, finding.links);
    this.#row++;
  }

  close(): PackedChunk {
    const strings = this.#strings;
    const joined = strings.join('');
    const lengths = new Uint32Array(strings.length);
    for (let index = 0; index < strings.length; index++) lengths[index] = strings[index]?.length ?? 0;
    const isWide = !joined.isWellFormed();
    const text = Buffer.from(joined, isWide ? 'utf16le' : 'utf8');
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
    this.#long.clear();
    return chunk;
  }

  #number(position: number, value: number): void {
    this.#rows[this.#row * rowSize + position] = value;
  }

  #text(position: number, value: string | null): void {
    const at = this.#row * rowSize + position;
    if (value === null) this.#rows[at] = none;
    else if (value === this.#before[position]) this.#rows[at] = this.#rows[at - rowSize] ?? none;
    else if (value.length > longText) this.#rows[at] = this.#placeOf(value, [value]);
    else this.#rows[at] = this.#strings.push(value) - 1;
    this.#before[position] = value;
  }

  #list(position: number, values: readonly string[]): void {
    const at = this.#row * rowSize + position;
    const before = this.#before[position];
    const isSame = Array.isArray(before) && isEqual(before, values);
    if (isSame) this.#rows[at] = this.#rows[at - rowSize] ?? none;
    else if (values.length > longList) this.#rows[at] = this.#placeOf(values, values);
    else this.#rows[at] = this.#append(values);
    this.#rows[at + 1] = values.length;
    this.#before[position] = values;
  }

  #placeOf(key: string | readonly string[], values: readonly string[]): number {
    const place = this.#long.get(key) ?? this.#append(values);
    this.#long.set(key, place);
    return place;
  }

  /** Returns the index of the first one. */
  #append(values: readonly string[]): number {
    const first = this.#strings.length;
    for (const value of values) this.#strings.push(value);
    return first;
  }
}

function isEqual(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((value, index) => value === b[index]));
}

function flagsOf({ suppression, verified, exploitable, pathIsTarget }: ReportFinding): number {
  return (
    (suppression?.by === 'source' ? flags.suppressed : 0) |
    (suppression?.by === 'file' ? flags.hasSuppression : 0) |
    (verified ? flags.verified : 0) |
    (exploitable ? flags.exploitable : 0) |
    (pathIsTarget ? flags.pathIsTarget : 0)
  );
}

function fixedVersionsOf({ package: named, fixedVersions }: ReportFinding): string[] {
  if (fixedVersions.length < 2) return fixedVersions;
  return fixesAbove(purlTypeOf(named?.purl ?? null), named?.version ?? null, fixedVersions);
}

/**
 * Findings on their way out of the parser's thread: keys and digests as bytes, the rest as JSON in chunks, all of it
 * handed over without a copy. An import reads the keys of all and the rest only of what is new or changed, so that
 * the findings of a large report are never all objects of the importing process.
 */
import type { PackedFindings, PreparedFinding } from './prepared-report.ts';

// Large enough that JSON is fast, small enough that one changed finding costs little.
const chunkSize = 512;

const kindNumbers = { package: 0, secret: 1, code: 2 } as const;

type Rest = Omit<PreparedFinding, 'ordinal' | 'key' | 'digest'>;

/** In order of ordinals, which must follow one another. */
export function packFindings(findings: PreparedFinding[], first: number): PackedFindings {
  const keys = Buffer.alloc(findings.length * 16);
  const digests = new BigInt64Array(findings.length);
  const kinds = new Uint8Array(findings.length);
  const chunks: Uint8Array[] = [];
  const encoder = new TextEncoder();
  let suppressed = 0;
  for (let start = 0; start < findings.length; start += chunkSize) {
    const rest: Rest[] = [];
    for (const [offset, finding] of findings.slice(start, start + chunkSize).entries()) {
      const { ordinal: _, key, digest, ...others } = finding;
      keys.write(key.replaceAll('-', ''), (start + offset) * 16, 'hex');
      digests[start + offset] = BigInt(digest);
      kinds[start + offset] = kindNumbers[finding.kind];
      if (finding.suppressed || finding.waiver !== null) suppressed++;
      rest.push(others);
    }
    chunks.push(encoder.encode(JSON.stringify(rest)));
  }
  return {
    keys: new Uint8Array(keys.buffer, keys.byteOffset, keys.length),
    digests,
    kinds,
    chunks,
    first,
    suppressed,
  };
}

/** What is handed over with the message that holds it. */
export function buffersOf({ keys, digests, kinds, chunks }: PackedFindings): ArrayBuffer[] {
  return [keys, digests, kinds, ...chunks].map((array) => array.buffer as ArrayBuffer);
}

/** Findings as an import asks for them. */
export class FindingReader {
  readonly #packed: PackedFindings;
  #ordinals: Map<string, number> | null = null;

  constructor(packed: PackedFindings) {
    this.#packed = packed;
  }

  get length(): number {
    return this.#packed.digests.length;
  }

  /** Suppressed in the source, or waived. */
  get suppressed(): number {
    return this.#packed.suppressed;
  }

  *keys(): Generator<{ ordinal: number; key: string; digest: bigint }> {
    const { keys, digests, first } = this.#packed;
    const hex = Buffer.from(keys.buffer, keys.byteOffset, keys.length);
    for (const [index, digest] of digests.entries()) {
      yield { ordinal: first + index, key: uuid(hex, index), digest };
    }
  }

  /** The ordinals, parted. */
  byKind(ordinals: number[]): { packages: number[]; secrets: number[]; code: number[] } {
    const { kinds, first } = this.#packed;
    const of = (kind: number): number[] => ordinals.filter((ordinal) => kinds[ordinal - first] === kind);
    return { packages: of(kindNumbers.package), secrets: of(kindNumbers.secret), code: of(kindNumbers.code) };
  }

  /** In the order asked for. */
  get(ordinals: number[]): PreparedFinding[] {
    const { keys, digests, chunks, first } = this.#packed;
    const hex = Buffer.from(keys.buffer, keys.byteOffset, keys.length);
    const decoder = new TextDecoder();
    const open = new Map<number, Rest[]>();
    // By chunk, so that each is read once and let go: the order asked for is restored at the end.
    const found = new Map<number, PreparedFinding>();
    for (const ordinal of [...ordinals].sort((a, b) => a - b)) {
      const index = ordinal - first;
      const number = Math.floor(index / chunkSize);
      let chunk = open.get(number);
      if (!chunk) {
        open.clear();
        chunk = JSON.parse(decoder.decode(chunks[number])) as Rest[];
        open.set(number, chunk);
      }
      const rest = chunk[index % chunkSize];
      if (!rest) throw new RangeError(`there is no finding ${ordinal}`);
      found.set(ordinal, { ordinal, key: uuid(hex, index), digest: String(digests[index]), ...rest });
    }
    return ordinals.flatMap((ordinal) => found.get(ordinal) ?? []);
  }

  /** Those of the keys that the report has. */
  getByKey(keys: string[]): PreparedFinding[] {
    this.#ordinals ??= new Map([...this.keys()].map(({ key, ordinal }) => [key, ordinal]));
    const ordinals = this.#ordinals;
    return this.get([...new Set(keys.flatMap((key) => ordinals.get(key) ?? []))]);
  }
}

function uuid(bytes: Buffer, index: number): string {
  const hex = bytes.toString('hex', index * 16, index * 16 + 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/**
 * The reading of a ZIP archive: its directory, and single members of it, each inflated only when a format asks. The
 * sizes in the directory may lie, so they bound what is inflated and are checked afterwards, with the checksum. Names
 * are labels that are compared, never paths. It must never quote a name in an error.
 */
import { constants, crc32, inflateRawSync } from 'node:zlib';
import { ReportError } from '../report.ts';
import type { Limits } from './limits.ts';

interface Member {
  flags: number;
  method: number;
  checksum: number;
  compressedSize: number;
  size: number;
  /** The position of its local header. */
  offset: number;
}

const endSignature = 0x06054b50;
const directorySignature = 0x02014b50;
const localSignature = 0x04034b50;
const endLength = 22;
const directoryLength = 46;
const localLength = 30;
const maxComment = 0xffff;
/** These values mean that the real ones are in the records of ZIP64. */
const zip64Count = 0xffff;
const zip64Size = 0xffffffff;

const stored = 0;
const deflated = 8;

/** Below this size the ratio is not checked, because the inflated size is no danger. */
const ratioFreeBytes = 4 * 1024 * 1024;
/** Enough of a member to recognise it. Deflate makes at most some thousand bytes of one. */
const beginningBytes = 4096;
const maxDeflateRatio = 1040;

/** True for the first bytes of an archive, also of an empty one. */
export function isArchive(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.subarray(0, 4)).toString('latin1');
  return head === 'PK\u0003\u0004' || head === 'PK\u0005\u0006';
}

export class ReportArchive {
  readonly #bytes: Buffer;
  readonly #members: ReadonlyMap<string, Member>;
  readonly #limits: Limits;
  #inflated = 0;
  #compressed = 0;

  /** Reads the directory. Throws `MALFORMED_REPORT` if it is broken, `LIMIT_EXCEEDED` for an archive of ZIP64. */
  constructor(bytes: Uint8Array, limits: Limits) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#limits = limits;
    this.#members = readDirectory(this.#bytes);
  }

  /** The names of the members, as in the directory. */
  get names(): string[] {
    return [...this.#members.keys()];
  }

  /**
   * Inflates a member whole. Throws `LIMIT_EXCEEDED` before that if it, with those that were read before, is too large,
   * and `MALFORMED_REPORT` if it is missing or not what the directory says.
   */
  read(name: string): Uint8Array {
    const member = this.#members.get(name);
    if (member === undefined) throw broken('a member is missing');
    this.#inflated += member.size;
    this.#compressed += member.compressedSize;
    this.#checkSize();
    const data = this.#dataOf(member);
    if (data === null) throw broken('a member is cut off');
    if ((member.flags & 1) !== 0) throw broken('a member is encrypted');
    const content = inflate(member, data);
    if (content.length !== member.size || crc32(content) !== member.checksum) {
      throw broken('a member is not what the directory says');
    }
    return content;
  }

  /** Returns the first bytes of a member; none if they cannot be read. It does not throw. */
  beginning(name: string): Uint8Array {
    const member = this.#members.get(name);
    const data = member === undefined ? null : this.#dataOf(member)?.subarray(0, beginningBytes);
    if (member === undefined || !data || (member.flags & 1) !== 0) return Buffer.alloc(0);
    if (member.method === stored) return data;
    try {
      return inflateRawSync(data, {
        finishFlush: constants.Z_SYNC_FLUSH,
        maxOutputLength: beginningBytes * maxDeflateRatio,
      });
    } catch {
      return Buffer.alloc(0);
    }
  }

  #checkSize(): void {
    const { maxInflatedBytes, maxInflationRatio } = this.#limits;
    const isTooMuch =
      this.#inflated > ratioFreeBytes && this.#inflated > this.#compressed * maxInflationRatio;
    if (this.#inflated <= maxInflatedBytes && !isTooMuch) return;
    throw new ReportError(
      'LIMIT_EXCEEDED',
      isTooMuch
        ? `The archive is more than ${maxInflationRatio} times as large when decompressed (MERLON_MAX_INFLATION_RATIO).`
        : `The archive is larger than ${maxInflatedBytes} bytes when decompressed (MERLON_MAX_INFLATED_MB).`,
    );
  }

  #dataOf({ offset, compressedSize }: Member): Buffer | null {
    if (offset + localLength > this.#bytes.length || this.#bytes.readUInt32LE(offset) !== localSignature) {
      return null;
    }
    // The lengths of the name and of the extra field may differ from those in the directory.
    const start =
      offset + localLength + this.#bytes.readUInt16LE(offset + 26) + this.#bytes.readUInt16LE(offset + 28);
    const end = start + compressedSize;
    return end > this.#bytes.length ? null : this.#bytes.subarray(start, end);
  }
}

function inflate({ method, size }: Member, data: Buffer): Uint8Array {
  if (method === stored) return data;
  if (method !== deflated) throw broken('a member is compressed by another method than deflate');
  try {
    // One byte more than promised shows a lie, and no more than that is ever inflated.
    return inflateRawSync(data, { maxOutputLength: size + 1, chunkSize: 262_144 });
  } catch {
    throw broken('a member cannot be inflated');
  }
}

function readDirectory(bytes: Buffer): Map<string, Member> {
  const end = findEnd(bytes);
  const count = bytes.readUInt16LE(end + 10);
  const size = bytes.readUInt32LE(end + 12);
  let at = bytes.readUInt32LE(end + 16);
  if (count === zip64Count || size === zip64Size || at === zip64Size) {
    throw new ReportError(
      'LIMIT_EXCEEDED',
      'The archive has more than 65534 members or is larger than 4 GB.',
    );
  }
  const members = new Map<string, Member>();
  for (let number = 0; number < count; number++) {
    if (at + directoryLength > end || bytes.readUInt32LE(at) !== directorySignature) {
      throw broken('its directory cannot be read');
    }
    const nameLength = bytes.readUInt16LE(at + 28);
    const nameStart = at + directoryLength;
    const name = bytes.subarray(nameStart, nameStart + nameLength).toString('utf8');
    const member = {
      flags: bytes.readUInt16LE(at + 8),
      method: bytes.readUInt16LE(at + 10),
      checksum: bytes.readUInt32LE(at + 16),
      compressedSize: bytes.readUInt32LE(at + 20),
      size: bytes.readUInt32LE(at + 24),
      offset: bytes.readUInt32LE(at + 42),
    };
    if (!members.has(name)) members.set(name, member);
    at = nameStart + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return members;
}

/** Returns the position of the record that ends the archive. A comment may follow it. */
function findEnd(bytes: Buffer): number {
  const first = Math.max(0, bytes.length - endLength - maxComment);
  for (let at = bytes.length - endLength; at >= first; at--) {
    if (
      bytes.readUInt32LE(at) === endSignature &&
      at + endLength + bytes.readUInt16LE(at + 20) === bytes.length
    ) {
      return at;
    }
  }
  throw broken('it was cut off');
}

function broken(reason: string): ReportError {
  return new ReportError('MALFORMED_REPORT', `The report is a ZIP archive that cannot be read: ${reason}.`);
}

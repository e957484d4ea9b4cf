/** ZIP archives for tests, with directories that may be wrong. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipMember {
  content: string | Uint8Array;
  /** Stored without compression. */
  isStored?: boolean;
  /** A false value that the directory states. */
  size?: number;
  checksum?: number;
  flags?: number;
  method?: number;
}

/** Writes an archive like Java does: the local headers leave out values that are only in the directory. */
export function zipOf(members: Readonly<Record<string, string | ZipMember>>): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, given] of Object.entries(members)) {
    const member = typeof given === 'string' ? { content: given } : given;
    const content = Buffer.from(member.content);
    const data = member.isStored ? content : deflateRawSync(content);
    const method = member.method ?? (member.isStored ? 0 : 8);
    const label = Buffer.from(name);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(method, 8);
    local.writeUInt16LE(label.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(member.flags ?? 0, 8);
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(member.checksum ?? crc32(content), 16);
    entry.writeUInt32LE(data.length, 20);
    entry.writeUInt32LE(member.size ?? content.length, 24);
    entry.writeUInt16LE(label.length, 28);
    entry.writeUInt32LE(offset, 42);
    parts.push(local, label, data);
    directory.push(entry, label);
    offset += local.length + label.length + data.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(members).length, 10);
  end.writeUInt32LE(Buffer.concat(directory).length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, ...directory, end]);
}

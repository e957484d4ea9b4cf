/**
 * Which vulnerability stands in the run of which tool: taken down once while the workspace is walked, read tool after
 * tool afterwards. So each stands exactly once, whatever becomes of its tools meanwhile, and what it costs grows with
 * vulnerabilities plus tools, not with one times the other: a report chooses how many tools there are.
 *
 * An id takes 16 bytes. A block of them is held; what is more goes to a temporary file, sorted by tool block by block,
 * for ten million would be 160 MB for each client. The file has no name once it is open: nothing is left of it,
 * however the process ends. It holds ids and nothing else.
 *
 * An index on tools cannot take its place. Reporters change while a client reads, so a walk by the live index would show
 * a vulnerability twice or not at all, and a snapshot would keep a transaction open for as long as the client is slow.
 * What changed since a cursor goes by time, so an index on tools would be searched once for every tool.
 */
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const idBytes = 16;
const idsInBlock = 256 * 1024;
const idsAtOnce = 250;

/** Ids of one tool that lie one after the other: in the file, or in the block that is held. */
interface Stretch {
  from: number;
  count: number;
  inFile: boolean;
}

export class RunPlan {
  readonly #numbers = new Map<string, number>();
  readonly #stretches: Stretch[][] = [];
  readonly #capacity: number;
  #ids: Buffer = Buffer.alloc(0);
  #tools: number[] = [];
  #file: FileHandle | null = null;
  #inFile = 0;

  constructor(capacity = idsInBlock) {
    this.#capacity = capacity;
  }

  async add(id: string, tool: string): Promise<void> {
    if (this.#tools.length === this.#capacity) await this.#writeBlock();
    const place = this.#tools.length * idBytes;
    if (place === this.#ids.length) this.#grow();
    this.#ids.write(id.replaceAll('-', ''), place, 'hex');
    this.#tools.push(this.#numberOf(tool));
  }

  /** Once all have been added. */
  seal(): void {
    this.#ids = this.#sortBlock(0, false);
  }

  /** By name. */
  tools(): string[] {
    return [...this.#numbers.keys()].sort();
  }

  /** Each is there once, in the order in which they were added. */
  async *idsOf(tool: string): AsyncGenerator<string[]> {
    for (const { from, count, inFile } of this.#stretches[this.#numberOf(tool)] ?? []) {
      for (let start = 0; start < count; start += idsAtOnce) {
        const length = Math.min(idsAtOnce, count - start);
        yield idsIn(await this.#read(from + start, length, inFile));
      }
    }
  }

  async close(): Promise<void> {
    await this.#file?.close();
    this.#file = null;
  }

  #numberOf(tool: string): number {
    const known = this.#numbers.get(tool);
    if (known !== undefined) return known;
    this.#numbers.set(tool, this.#stretches.length);
    this.#stretches.push([]);
    return this.#stretches.length - 1;
  }

  #grow(): void {
    const larger = Buffer.alloc(Math.min(this.#capacity, Math.max(256, this.#tools.length * 2)) * idBytes);
    this.#ids.copy(larger);
    this.#ids = larger;
  }

  async #writeBlock(): Promise<void> {
    this.#file ??= await openUnnamed();
    const block = this.#sortBlock(this.#inFile, true);
    for (let written = 0; written < block.length; ) {
      const place = this.#inFile * idBytes + written;
      written += (await this.#file.write(block, written, block.length - written, place)).bytesWritten;
    }
    this.#inFile += this.#tools.length;
    this.#tools = [];
  }

  /** Gives the block by tool, and notes where each one's ids are. */
  #sortBlock(start: number, inFile: boolean): Buffer {
    const sorted = Buffer.alloc(this.#tools.length * idBytes);
    const order = this.#tools.map((_, i) => i).sort((a, b) => this.#toolAt(a) - this.#toolAt(b) || a - b);
    for (const [place, i] of order.entries()) {
      this.#ids.copy(sorted, place * idBytes, i * idBytes, (i + 1) * idBytes);
      const last = place === 0 ? -1 : this.#toolAt(order[place - 1] ?? 0);
      const stretches = this.#stretches[this.#toolAt(i)] ?? [];
      const open = last === this.#toolAt(i) ? stretches.at(-1) : undefined;
      if (open) open.count++;
      else stretches.push({ from: start + place, count: 1, inFile });
    }
    return sorted;
  }

  #toolAt(i: number): number {
    return this.#tools[i] ?? 0;
  }

  async #read(from: number, count: number, inFile: boolean): Promise<Buffer> {
    const [start, length] = [from * idBytes, count * idBytes];
    if (!inFile) return this.#ids.subarray(start, start + length);
    const bytes = Buffer.alloc(length);
    for (let read = 0; read < length; ) {
      const { bytesRead = 0 } = (await this.#file?.read(bytes, read, length - read, start + read)) ?? {};
      if (bytesRead === 0) throw new Error('the temporary file of an export has lost its end');
      read += bytesRead;
    }
    return bytes;
  }
}

async function openUnnamed(): Promise<FileHandle> {
  const directory = await mkdtemp(join(tmpdir(), 'merlon-export-'));
  try {
    return await open(join(directory, 'ids'), 'wx+', 0o600);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function idsIn(bytes: Buffer): string[] {
  const hex = bytes.toString('hex');
  return Array.from({ length: bytes.length / idBytes }, (_, i) =>
    hex.slice(i * 32, i * 32 + 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
  );
}

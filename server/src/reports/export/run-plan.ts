/**
 * The plan says which vulnerability is in the run of which tool. It is written once during a walk through the workspace
 * and then read tool by tool. Each vulnerability is therefore in one run, even if its tools change meanwhile
 * (docs/adr/0096-sarif-export-plans-its-runs.md has the reasons, and what an index on tools would show instead).
 *
 * An id takes 16 bytes. Memory holds one block of ids. Further blocks go to a temporary file, each sorted by tool. The
 * open file has no name, so that it disappears however the process ends. It holds only ids.
 */
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VulnerabilityId } from '../../domain/ids.ts';

const idBytes = 16;
const idsInBlock = 256 * 1024;
const idsAtOnce = 250;

/** Consecutive ids of one tool, in the file or in the block in memory. */
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

  async add(id: VulnerabilityId, tool: string): Promise<void> {
    if (this.#tools.length === this.#capacity) await this.#writeBlock();
    const position = this.#tools.length * idBytes;
    if (position === this.#ids.length) this.#grow();
    this.#ids.write(id.replaceAll('-', ''), position, 'hex');
    this.#tools.push(this.#numberOf(tool));
  }

  /** Call this once, after all ids are added. */
  seal(): void {
    this.#ids = this.#sortBlock(0, false);
  }

  /** All tools in order of their names. */
  tools(): string[] {
    return [...this.#numbers.keys()].sort();
  }

  /** Each id of the tool comes once, in the order of `add`. */
  async *idsOf(tool: string): AsyncGenerator<VulnerabilityId[]> {
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
      const position = this.#inFile * idBytes + written;
      written += (await this.#file.write(block, written, block.length - written, position)).bytesWritten;
    }
    this.#inFile += this.#tools.length;
    this.#tools = [];
  }

  /** Returns the block sorted by tool, and notes the position of each tool's ids. */
  #sortBlock(start: number, inFile: boolean): Buffer {
    const sorted = Buffer.alloc(this.#tools.length * idBytes);
    const order = this.#tools.map((_, i) => i).sort((a, b) => this.#toolAt(a) - this.#toolAt(b) || a - b);
    for (const [position, i] of order.entries()) {
      this.#ids.copy(sorted, position * idBytes, i * idBytes, (i + 1) * idBytes);
      const last = position === 0 ? -1 : this.#toolAt(order[position - 1] ?? 0);
      const stretches = this.#stretches[this.#toolAt(i)] ?? [];
      const open = last === this.#toolAt(i) ? stretches.at(-1) : undefined;
      if (open) open.count++;
      else stretches.push({ from: start + position, count: 1, inFile });
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

function idsIn(bytes: Buffer): VulnerabilityId[] {
  const hex = bytes.toString('hex');
  return Array.from(
    { length: bytes.length / idBytes },
    (_, i) =>
      hex.slice(i * 32, i * 32 + 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-') as VulnerabilityId,
  );
}

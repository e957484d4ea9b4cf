/**
 * Bytes that arrive in chunks and leave in larger pieces. They are copied into one buffer that is used again: new
 * memory for each piece takes longer than the copy, and its garbage delays the requests that the process answers
 * meanwhile.
 */
export class ReusedBuffer {
  #memory = Buffer.alloc(0);
  #size = 0;

  /** The number of bytes that it holds. */
  get size(): number {
    return this.#size;
  }

  /** The bytes that it holds. They change with the next call of `add` or `remove`. */
  get bytes(): Buffer {
    return this.#memory.subarray(0, this.#size);
  }

  add(chunk: Buffer): void {
    const needed = this.#size + chunk.length;
    if (needed > this.#memory.length) {
      const memory = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.#memory.length));
      this.bytes.copy(memory);
      this.#memory = memory;
    }
    this.#size += chunk.copy(this.#memory, this.#size);
  }

  /** Removes so many bytes from the beginning. */
  remove(count: number): void {
    this.#memory.copyWithin(0, count, this.#size);
    this.#size -= count;
  }
}

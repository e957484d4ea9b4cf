/**
 * The content of a backup: pieces, each a line of JSON that describes the following bytes and their number, and then
 * these bytes. The last piece has the digest of all bytes before it, so that a backup that was cut off is not taken for
 * a complete one.
 */
import { createHash } from 'node:crypto';
import type { MovedWorkspace } from '../access/workspaces/moved-workspace-store.ts';
import type { DomainError } from '../domain/domain-error.ts';
import { invalidInput } from '../domain/errors.ts';
import type { TenantId } from '../domain/ids.ts';

export interface Heading {
  kind: 'merlon-backup';
  format: 1;
  version: string;
  createdAt: string;
  /** The columns of each table with their types. */
  schema: Record<string, string>;
  /** Fingerprint of the secret of the install. */
  secretFingerprint: string;
  /** Null if the backup is of the whole install. */
  workspace: MovedWorkspace | null;
}

export interface Rows {
  kind: 'rows';
  table: string;
  /** Null for tables of the install. */
  tenantId: TenantId | null;
  columns: string[];
  rows: number;
}

export type PieceHead =
  | Heading
  /** The bytes are the content of the file of the secret. */
  | { kind: 'secret' }
  /** The bytes are the JSON of an array of `MovedPerson`, before all rows of a file of one workspace. */
  | { kind: 'people' }
  /** The bytes are lines of COPY in the text format. */
  | Rows
  | { kind: 'end'; rows: number; sha256: string };

export interface Piece {
  head: PieceHead;
  bytes: Buffer;
}

/** Turns pieces into bytes, and adds the last piece. */
export async function* writePieces(pieces: AsyncIterable<Piece>): AsyncGenerator<Buffer> {
  const digest = createHash('sha256');
  let rows = 0;
  const bytesOf = (head: PieceHead, bytes: Buffer): Buffer[] => [
    Buffer.from(`${JSON.stringify({ ...head, bytes: bytes.length })}\n`),
    bytes,
  ];
  for await (const { head, bytes } of pieces) {
    if (head.kind === 'rows') rows += head.rows;
    for (const part of bytesOf(head, bytes)) {
      digest.update(part);
      yield part;
    }
  }
  yield* bytesOf({ kind: 'end', rows, sha256: digest.digest('hex') }, Buffer.alloc(0));
}

// A piece is a megabyte and at most one more row, which is shorter than the longest message of PostgreSQL.
const maxPieceBytes = 1024 * 1024 * 1024;
const maxHeadBytes = 1024 * 1024;
const newline = 10;

/** Reads pieces, including the last one. Throws DomainError if the bytes are no backup, changed, or cut off. */
export async function* readPieces(source: AsyncIterable<Uint8Array>): AsyncGenerator<Piece> {
  const digest = createHash('sha256');
  const input = new Input(source);
  let rows = 0;
  try {
    for (;;) {
      const line = await input.line();
      const head = parseHead(line);
      const bytes = await input.take(head.bytes);
      if (head.kind === 'end') {
        if (head.sha256 !== digest.digest('hex') || head.rows !== rows) throw damaged('its digest is wrong');
        yield { head, bytes };
        return;
      }
      if (head.kind === 'rows') rows += head.rows;
      digest.update(line).update('\n').update(bytes);
      yield { head, bytes };
    }
  } finally {
    await input.close();
  }
}

function parseHead(line: Buffer): PieceHead & { bytes: number } {
  const head = parseJson(line, 'a piece does not begin with a line of JSON');
  const { kind, bytes } = head as { kind?: unknown; bytes?: unknown };
  if (typeof kind !== 'string' || !Number.isSafeInteger(bytes) || Number(bytes) < 0) {
    throw damaged('a piece does not name its kind');
  }
  if (Number(bytes) > maxPieceBytes) throw damaged('a piece is too large');
  return head as PieceHead & { bytes: number };
}

/** Throws DomainError with the reason if it is no JSON. */
export function parseJson(text: Buffer, reason: string): unknown {
  try {
    return JSON.parse(text.toString('utf8'));
  } catch {
    throw damaged(reason);
  }
}

export function damaged(reason: string): DomainError {
  return invalidInput(`The file is not a complete backup: ${reason}. Nothing was restored.`);
}

/** Reads bytes by line and by number, independent of the chunks in which they arrive. */
class Input {
  readonly #source: AsyncIterator<Uint8Array>;
  #held: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async line(): Promise<Buffer> {
    for (;;) {
      const end = this.#held.indexOf(newline);
      if (end >= 0) {
        const line = this.#held.subarray(0, end);
        this.#held = this.#held.subarray(end + 1);
        return line;
      }
      if (this.#held.length > maxHeadBytes) throw damaged('a line is too long');
      this.#held = Buffer.concat([this.#held, await this.#next()]);
    }
  }

  async take(length: number): Promise<Buffer> {
    const parts: Buffer[] = [this.#held];
    let held = this.#held.length;
    while (held < length) {
      const chunk = await this.#next();
      parts.push(chunk);
      held += chunk.length;
    }
    const all = parts.length === 1 ? this.#held : Buffer.concat(parts);
    this.#held = all.subarray(length);
    return all.subarray(0, length);
  }

  /** Ends the source, which may hold a connection or a file. */
  async close(): Promise<void> {
    await this.#source.return?.();
  }

  async #next(): Promise<Buffer> {
    const { value, done } = await this.#source.next();
    if (done) throw damaged('it ends early');
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  }
}

/**
 * The search for secrets where none may be: in every column of every table, with any encoding, and in any text. It also
 * finds a part of eight characters. It must never know where a secret is expected.
 */
import { createHash } from 'node:crypto';
import { gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib';
import type pg from 'pg';

const partLength = 8;
// Text in base64 in a compressed column in JSON is three deep.
const maxDepth = 4;
// A run of letters can unpack to any size. A report in a test is smaller than this.
const maxUnpacked = 64 * 1024 * 1024;

/** Parts of the secrets, plain and in the encodings of people and programs. */
export class SecretParts {
  readonly #parts = new Set<string>();
  readonly #except: ReadonlySet<string>;

  /** `visible` is text that may be shown. Parts of the secrets that are also in it are not searched. */
  constructor(secrets: readonly string[], visible = '') {
    this.#except = new Set(windows(visible));
    for (const secret of secrets) this.#add(secret);
  }

  get size(): number {
    return this.#parts.size;
  }

  #add(secret: string): void {
    for (const line of secret.split(/\r?\n/)) {
      for (const part of windows(line))
        if (looksRandom(part) && !this.#except.has(part)) this.#parts.add(part);
    }
  }

  /** Returns a digest of the first part found in the text, never the part itself; null if there is none. */
  findIn(text: string): string | null {
    for (let at = 0; at + partLength <= text.length; at++) {
      const part = text.slice(at, at + partLength);
      if (!this.#parts.has(part)) continue;
      return `${createHash('sha256').update(part).digest('hex').slice(0, 8)} at ${at}`;
    }
    return null;
  }
}

function* windows(text: string): Generator<string> {
  for (let at = 0; at + partLength <= text.length; at++) yield text.slice(at, at + partLength);
}

/** Words and zeros are everywhere, so only parts that change the kind of letter more often than words are searched. */
function looksRandom(part: string): boolean {
  const turns = part.match(/[a-z](?=[^a-z])|[A-Z](?=[^A-Z])|[0-9](?=[^0-9])/g)?.length ?? 0;
  return new Set(part).size >= 6 && turns >= 3;
}

/** Lists every column that contains a part of the secrets: `schema.table.column`, with the encodings around it. */
export async function searchDatabase(owner: pg.Pool, parts: SecretParts): Promise<string[]> {
  const { rows: tables } = await owner.query<{ name: string }>(
    `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema')
        and n.nspname !~ '^pg_' order by 1`,
  );
  const found = new Set<string>();
  for (const { name } of tables) {
    const { rows } = await owner.query<Record<string, unknown>>(`select * from ${name}`);
    for (const row of rows) {
      for (const [column, value] of Object.entries(row)) {
        const where = searchValue(value, parts);
        if (where !== null) found.add(`${name}.${column}: ${where}`);
      }
    }
  }
  return [...found];
}

/** Returns null if the value has no part of a secret, after all possible decoding. */
export function searchValue(value: unknown, parts: SecretParts, how = 'plain', depth = 0): string | null {
  if (depth > maxDepth) return null;
  if (typeof value === 'string') {
    const found = parts.findIn(value);
    return found === null ? searchPacked(value, parts, how, depth) : `${how}, part ${found}`;
  }
  if (value instanceof Uint8Array) return searchBytes(Buffer.from(value), parts, how, depth);
  if (typeof value !== 'object' || value === null || value instanceof Date) return null;
  for (const [key, inner] of Object.entries(value)) {
    const found = searchValue(key, parts, `${how} key`, depth) ?? searchValue(inner, parts, how, depth);
    if (found !== null) return found;
  }
  return null;
}

function searchBytes(bytes: Buffer, parts: SecretParts, how: string, depth: number): string | null {
  for (const [name, unpack] of unpackers) {
    const inner = attempt(() => unpack(bytes, { maxOutputLength: maxUnpacked }));
    if (inner !== null) {
      const found = searchBytes(inner, parts, `${how} > ${name}`, depth + 1);
      if (found !== null) return found;
    }
  }
  return searchValue(bytes.toString('latin1'), parts, `${how} bytes`, depth);
}

const unpackers = [
  ['gzip', gunzipSync],
  ['deflate', inflateSync],
  ['zstd', zstdDecompressSync],
] as const;

function searchPacked(text: string, parts: SecretParts, how: string, depth: number): string | null {
  if (/^\s*[[{"]/.test(text)) {
    const json = attempt(() => JSON.parse(text) as unknown);
    const found = json === null ? null : searchValue(json, parts, `${how} > json`, depth + 1);
    if (found !== null) return found;
  }
  if (text.includes('%')) {
    const plain = text.replace(/%([0-9a-fA-F]{2})/g, (_all, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    const found = plain === text ? null : searchValue(plain, parts, `${how} > url`, depth + 1);
    if (found !== null) return found;
  }
  if (text.includes('\\')) {
    const found = searchValue(text.replaceAll('\\', ''), parts, `${how} > escaped`, depth + 1);
    if (found !== null) return found;
  }
  for (const [run] of text.matchAll(/[0-9a-fA-F]{16,}/g)) {
    for (const start of [0, 1]) {
      const inner = Buffer.from(run.slice(start), 'hex').toString('latin1');
      const found = parts.findIn(inner);
      if (found !== null) return `${how} > hex, part ${found}`;
    }
  }
  for (const [run] of text.matchAll(/[A-Za-z0-9+/_-]{12,}/g)) {
    // The run of letters may begin before the encoded value.
    for (const start of [0, 1, 2, 3]) {
      const inner = Buffer.from(run.slice(start), 'base64');
      const found = parts.findIn(inner.toString('latin1'));
      if (found !== null) return `${how} > base64, part ${found}`;
      const unpacked = attempt(() => gunzipSync(inner, { maxOutputLength: maxUnpacked }));
      if (unpacked !== null) {
        const deeper = searchBytes(unpacked, parts, `${how} > base64 > gzip`, depth + 1);
        if (deeper !== null) return deeper;
      }
    }
  }
  return null;
}

function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

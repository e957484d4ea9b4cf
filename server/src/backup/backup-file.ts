/**
 * The file of a backup: its content is compressed by zstd, and encrypted by age if a recipient is given. The programs
 * `age` and `zstd` can read it too.
 */
import { Readable, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress, createZstdDecompress } from 'node:zlib';
import { Decrypter, Encrypter } from 'age-encryption';
import { DomainError } from '../domain/domain-error.ts';
import { invalidInput } from '../domain/errors.ts';
import { damaged } from './pieces.ts';

/** Compresses, and encrypts for `recipient` (`age1…`). Throws DomainError for a wrong recipient. */
export async function packed(content: AsyncIterable<Buffer>, recipient: string | null): Promise<Readable> {
  const compressed = through(Readable.from(content, { objectMode: false }), createZstdCompress());
  if (recipient === null) return compressed;
  const encrypter = new Encrypter();
  try {
    encrypter.addRecipient(recipient);
  } catch (error) {
    throw invalidInput(
      `Must be the public key of age, which begins with age1: ${(error as Error).message}.`,
      'recipient',
    );
  }
  return Readable.fromWeb((await encrypter.encrypt(Readable.toWeb(compressed) as never)) as never);
}

const ageMagic = Buffer.from('age-encryption.org/v1');
const zstdMagic = Buffer.from('28b52ffd', 'hex');

/** Decrypts with `identity` (`AGE-SECRET-KEY-1…`) and decompresses. Throws DomainError if it cannot. */
export async function* unpacked(source: Readable, identity: string | null): AsyncGenerator<Buffer> {
  const begin = await beginOf(source, ageMagic.length);
  const isEncrypted = begin.equals(ageMagic);
  if (!isEncrypted && !begin.subarray(0, zstdMagic.length).equals(zstdMagic))
    throw damaged('it is no zstd or age file');
  if (isEncrypted && identity === null) {
    throw invalidInput('The backup is encrypted. Give the file with the secret key of age: --identity FILE.');
  }
  try {
    const plain = isEncrypted ? await decrypted(source, identity ?? '') : source;
    yield* through(plain, createZstdDecompress());
  } catch (error) {
    if (error instanceof DomainError) throw error;
    throw damaged((error as Error).message);
  }
}

/** An error of either stream is thrown to the reader of the result. */
function through<T extends Transform>(source: Readable, transform: T): T {
  pipeline(source, transform).catch(() => {});
  return transform;
}

async function decrypted(source: Readable, identity: string): Promise<Readable> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  return Readable.fromWeb((await decrypter.decrypt(Readable.toWeb(source) as never)) as never);
}

/** Reads the first bytes. They stay in the stream. */
async function beginOf(source: Readable, length: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let held = 0;
  while (held < length && !source.readableEnded) {
    const chunk: Buffer | null = source.read();
    if (chunk !== null) {
      chunks.push(chunk);
      held += chunk.length;
      continue;
    }
    if (source.readableEnded || source.destroyed) break;
    await new Promise<void>((resolve, reject) => {
      source.once('readable', resolve).once('end', resolve).once('error', reject);
    });
  }
  const begin = Buffer.concat(chunks);
  if (begin.length > 0) source.unshift(begin);
  return begin.subarray(0, length);
}

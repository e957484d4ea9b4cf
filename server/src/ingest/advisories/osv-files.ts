/**
 * Gives the records of OSV in files that a person has downloaded: an archive (`all.zip` of an ecosystem), a folder of
 * either, or single records. One record is in memory at a time.
 */
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { type Entry, openPromise, type ZipFile } from 'yauzl';
import { DomainError } from '../../domain/domain-error.ts';
import { invalidInput } from '../../domain/errors.ts';

export interface OsvFile {
  /** The path of the file, with the name of the member in an archive, for messages. */
  name: string;
  /** The path of the archive, null for a file that is in none. */
  archive: string | null;
  /** Null for a file that is too large to be a record. */
  bytes: Uint8Array | null;
}

// The largest records, of kernels, have some megabytes.
const maxRecordBytes = 32 * 1024 * 1024;

/**
 * Throws DomainError for a path that is no archive, folder or record. `folders` are those that have been read, because
 * a symbolic link may lead to a folder above it.
 */
export async function* osvFiles(path: string, folders = new Set<string>()): AsyncGenerator<OsvFile> {
  const found = await stat(path);
  if (found.isDirectory()) {
    const folder = await realpath(path);
    if (folders.has(folder)) return;
    folders.add(folder);
    const entries = (await readdir(path, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries) {
      const inner = join(path, entry.name);
      const isFolder = entry.isSymbolicLink() ? (await stat(inner)).isDirectory() : entry.isDirectory();
      if (isFolder || /\.(?:zip|json)$/i.test(entry.name)) yield* osvFiles(inner, folders);
    }
    return;
  }
  if (!found.isFile()) throw invalidInput('It is neither a file nor a folder.');
  if (!/\.zip$/i.test(path)) {
    yield { name: path, archive: null, bytes: found.size > maxRecordBytes ? null : await readFile(path) };
    return;
  }
  yield* membersOf(path);
}

async function* membersOf(path: string): AsyncGenerator<OsvFile> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false }).catch((error: Error) => {
    if ((error as NodeJS.ErrnoException).code !== undefined) throw error;
    throw invalidInput(`The ZIP archive ${path} cannot be read: ${error.message}.`);
  });
  let members = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      // The names of members are labels here. Nothing is written by them.
      if (!entry.fileName.toLowerCase().endsWith('.json')) continue;
      members++;
      const isTooLarge = entry.uncompressedSize > maxRecordBytes;
      const bytes = isTooLarge ? null : await contentOf(zip, entry);
      yield { name: `${path}: ${entry.fileName}`, archive: path, bytes };
    }
    if (members === 0) throw invalidInput(`The ZIP archive ${path} has no JSON file.`);
  } catch (error) {
    if (error instanceof DomainError || (error as NodeJS.ErrnoException).code !== undefined) throw error;
    throw invalidInput(`The ZIP archive ${path} is cut off or damaged: ${(error as Error).message}.`);
  } finally {
    zip.close();
  }
}

async function contentOf(zip: ZipFile, entry: Entry): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  // The library ends the stream with an error if the member is longer than its entry says.
  for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Uint8Array);
  const content = Buffer.concat(chunks);
  if (crc32(content) !== entry.crc32) throw new Error(`the checksum of ${entry.fileName} is wrong`);
  return content;
}

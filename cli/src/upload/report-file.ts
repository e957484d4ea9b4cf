/**
 * A report to upload, from a file or standard input. It is compressed while it is read, never whole in memory, and can
 * be read again for each attempt.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join, normalize, relative, resolve, sep } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import { CommandError } from '../failures.ts';

export interface ReportFile {
  /** The name as given on the command line. */
  file: string;
  /** The name that the scan shows; null for standard input. */
  name: string | null;
  bytes: number;
  encoding: 'gzip' | 'zstd';
  /** Opens a new stream of the compressed bytes. `onBytes` gets the number of bytes read from the file. */
  open(onBytes: (bytes: number) => void): OpenReport;
  /** Removes the copy of standard input. */
  close(): Promise<void>;
}

export interface OpenReport {
  body: Readable;
  /** Returns the read error of the file after the body has failed, or null if the file was not the cause. */
  failure(): Error | null;
}

/**
 * Throws CommandError if the file cannot be read. `-` is standard input, which is kept in a file for a second attempt.
 * `root` is the directory of the checkout, and `files` are all that the command sends.
 */
export async function openReportFile(
  file: string,
  root: string | null = null,
  files: string[] = [file],
  input: Readable = process.stdin,
): Promise<ReportFile> {
  if (file !== '-') {
    return { file, name: nameOf(file, root, files), ...(await readable(file)), close: async () => {} };
  }
  const directory = await mkdtemp(join(tmpdir(), 'merlon-'));
  const close = (): Promise<void> => rm(directory, { recursive: true, force: true });
  try {
    const kept = join(directory, 'report');
    await pipeline(input, createWriteStream(kept, { mode: 0o600 }));
    return { file, name: null, ...(await readable(kept)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * The path in the checkout, because jobs of one commit often write files of the same name in different directories, and
 * a later report replaces the one of its name. An absolute path elsewhere may be another one in each run, so the name
 * is the shortest end of it that no other file of the command has.
 */
function nameOf(file: string, root: string | null, files: string[]): string {
  const inside = root === null ? '..' : relative(root, resolve(file));
  const isOutside = isAbsolute(inside) || inside.split(sep)[0] === '..';
  if (!isOutside || !isAbsolute(file)) return (isOutside ? normalize(file) : inside).replaceAll(sep, '/');
  const others = files.filter((other) => resolve(other) !== resolve(file)).map((other) => resolve(other));
  const parts = resolve(file).split(sep);
  let name = parts.pop() ?? file;
  while (parts.length > 1 && others.some((other) => other.endsWith(sep + name)))
    name = join(parts.pop() ?? '', name);
  return name.replaceAll(sep, '/');
}

async function readable(path: string): Promise<Pick<ReportFile, 'bytes' | 'encoding' | 'open'>> {
  try {
    const handle = await open(path);
    try {
      const { size } = await stat(path);
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0);
      const compressed = compressionOf(buffer.subarray(0, bytesRead));
      return {
        bytes: size,
        encoding: compressed ?? 'gzip',
        open: (onBytes) => openReport(path, compressed !== null, onBytes),
      };
    } finally {
      await handle.close();
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason =
      code === 'ENOENT' ? 'it does not exist' : code === 'EISDIR' ? 'it is a directory' : message;
    throw new CommandError(`The report ${path} cannot be read: ${reason}.`);
  }
}

/** A report that is already compressed is sent unchanged. */
function compressionOf(head: Buffer): 'gzip' | 'zstd' | null {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  return head.equals(Buffer.from([0x28, 0xb5, 0x2f, 0xfd])) ? 'zstd' : null;
}

function openReport(path: string, compressed: boolean, onBytes: (bytes: number) => void): OpenReport {
  let failure: Error | null = null;
  let bytes = 0;
  const source = createReadStream(path);
  source.on('error', (error) => {
    failure = error;
  });
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      onBytes(bytes);
      done(null, chunk);
    },
  });
  // Reports compress well at any level, so the fastest one is used.
  const body = compressed ? meter : createGzip({ level: constants.Z_BEST_SPEED });
  const stages = compressed ? [source, meter] : [source, meter, body];
  // The reader of the body gets the same error.
  pipeline(stages).catch(() => {});
  return { body, failure: () => failure };
}

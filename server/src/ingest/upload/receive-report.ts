/**
 * Receiving reads the bytes of a report and stores it. It decompresses them, checks the limits and computes the digests
 * on the way. It checks the beginning of an upload first, so that anything else than a report is refused early. Nothing
 * of a refused report is kept.
 */
import { createHash } from 'node:crypto';
import { PassThrough, type Readable, Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGunzip, createZstdDecompress } from 'node:zlib';
import { beyondRequest } from '../../db/connection-share.ts';
import { type Database, isUnansweredCommit, tenantTx } from '../../db/database.ts';
import type { InstallSecret } from '../../db/install-secret.ts';
import { DomainError } from '../../domain/domain-error.ts';
import {
  decompressedTooLarge,
  invalidInput,
  malformedRequest,
  payloadTooLarge,
  unsupportedMediaType,
} from '../../domain/errors.ts';
import { newId, type TenantId } from '../../domain/ids.ts';
import { formatOfBeginning } from '../../parsers/choose-format.ts';
import { ReportError } from '../../parsers/report.ts';
import type { ReceiveLimits } from './receive-limits.ts';
import { ReportDigest } from './report-digest.ts';
import { forgetReport, storeReport, type WaitingReport } from './waiting-report.ts';

// Below this size the ratio is not checked, because the decompressed size is no danger.
const ratioFreeBytes = 4 * 1024 * 1024;
// Fields at the top identify a format, and this many bytes contain them for every tool.
const peekedBytes = 64 * 1024;

/** The checks of an upload. An operator's file has none, because its scan shows the mistakes. */
interface UploadChecks {
  /** The Content-Encoding: `gzip`, `zstd` or `identity`. */
  encoding: string;
  format: string;
  limits: ReceiveLimits;
  /** Called with the size of each decompressed piece and may throw. */
  add: (bytes: number) => void;
  /** Ends the upload with its reason, also while no byte comes. */
  signal: AbortSignal;
}

/**
 * Stores the report and gives it to `take`, which makes it a scan. Throws 400, 413 and 415, and 422 on `report` if the
 * bytes are clearly no report of `format`.
 */
export async function receiveReport<T>(
  { db, secret }: { db: Database; secret: InstallSecret },
  tenantId: TenantId,
  body: Readable,
  checks: UploadChecks | null,
  take: (report: WaitingReport) => Promise<T>,
): Promise<T> {
  const reportId = { tenantId, scanId: newId<'scan'>() };
  const forget = () => beyondRequest(() => tenantTx(db, tenantId, (tx) => forgetReport(tx, reportId)));
  const { limits, signal } = checks ?? {};
  const sent = new Meter((bytes) => {
    if (limits && bytes > limits.maxBytes) throw payloadTooLarge(limits.maxBytes);
  });
  const hash = createHash('sha256');
  const content = new ReportDigest(peekedBytes, (beginning, isWhole) => {
    try {
      const format = formatOfBeginning(beginning, isWhole, checks?.format ?? 'auto');
      return /^\s*[[{]/.test(beginning.toString('latin1')) ? (format?.runFields ?? []) : [];
    } catch (error) {
      if (checks === null) return [];
      throw error;
    }
  });
  const inflated = new Meter((bytes, chunk) => {
    if (limits) checkInflated(bytes, sent.bytes, limits);
    checks?.add(chunk.length);
    hash.update(chunk);
    content.add(chunk);
  });
  const report = new PassThrough();
  let contentDigest: Buffer | null;
  try {
    const compression =
      compressionNamed(checks?.encoding ?? '') ?? compressionSeen(await firstBytes(body, signal));
    signal?.throwIfAborted();
    // A sender that closed the connection before this line causes no more events.
    if (body.destroyed && !body.readableEnded) throw hungUp();
    // The body is not part of the pipeline: the pipeline would destroy it on an error, and with it the connection that
    // the refusal needs.
    connect(body, sent);
    signal?.addEventListener('abort', () => sent.destroy(signal.reason));
    const decoder = decoders[compression]();
    await bothDone(
      pipeline([sent, ...(decoder === null ? [] : [decoder]), inflated, report]),
      storeReport(db, reportId, report, secret.key('report-encryption')),
    );
    // Node stops after the first frame of Zstandard, and at zeros after gzip: findings in the rest would be lost.
    if (decoder !== null && decoder.bytesWritten < sent.bytes) {
      throw malformedRequest(
        'The body goes on after its compressed data: compress the report as one piece, without padding.',
      );
    }
    contentDigest = content.end();
  } catch (error) {
    // The stored pieces are deleted first, because nothing of a refused report may stay.
    await forget();
    body.unpipe(sent);
    await drain(body);
    throw refusalOf(error);
  }
  try {
    const digest = hash.digest();
    const { bytes } = inflated;
    return await take({ ...reportId, digest, contentDigest: contentDigest ?? digest, bytes });
  } catch (error) {
    // The commit of the scan may still go on at the database, and the scan needs its report. The sweep deletes the
    // report if there is no scan after a day.
    if (!isUnansweredCommit(error)) await forget();
    throw error;
  }
}

function checkInflated(
  bytes: number,
  sentBytes: number,
  { maxInflatedBytes, maxRatio }: ReceiveLimits,
): void {
  if (bytes > maxInflatedBytes) {
    throw decompressedTooLarge(
      `The report is larger than ${maxInflatedBytes} bytes when decompressed (MERLON_MAX_INFLATED_MB).`,
      { max_decompressed_bytes: maxInflatedBytes },
    );
  }
  if (bytes > ratioFreeBytes && bytes > sentBytes * maxRatio) {
    throw decompressedTooLarge(
      `The report is more than ${maxRatio} times as large when decompressed (MERLON_MAX_INFLATION_RATIO).`,
      { max_ratio: maxRatio },
    );
  }
}

/**
 * Waits for both, so that neither continues to write after the other has failed. Throws the error that caused the
 * failure.
 */
async function bothDone(...work: Promise<unknown>[]): Promise<void> {
  const errors = (await Promise.allSettled(work)).flatMap((done) =>
    done.status === 'rejected' ? [done.reason as NodeJS.ErrnoException] : [],
  );
  // A premature close is only the consequence of the other error, so the other error comes first.
  const cause = errors.find((error) => error.code !== 'ERR_STREAM_PREMATURE_CLOSE') ?? errors[0];
  if (cause !== undefined) throw cause;
}

function connect(body: Readable, to: Transform): void {
  body.on('error', (error) => to.destroy(error));
  body.on('close', () => {
    if (!body.readableEnded) to.destroy(hungUp());
  });
  body.pipe(to);
}

function hungUp(): Error {
  return Object.assign(new Error('aborted'), { code: 'ECONNRESET' });
}

// A sender that is still sending does not read the answer, so it gets this much time to finish first.
const drainMs = 5_000;

async function drain(body: Readable): Promise<void> {
  if (body.readableEnded || body.destroyed) return;
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, drainMs);
    timer.unref();
    body.on('close', resolve);
    body.on('end', resolve);
    body.resume();
  });
}

/** Reads the beginning of a body without consuming it. It is empty if the signal comes before. */
async function firstBytes(body: Readable, signal?: AbortSignal): Promise<Buffer> {
  if (!signal?.aborted && body.readableLength === 0 && !body.readableEnded && !body.destroyed) {
    await new Promise<void>((resolve) => {
      for (const event of ['readable', 'end', 'error', 'close']) body.once(event, () => resolve());
      signal?.addEventListener('abort', () => resolve());
    });
  }
  const chunk: unknown = body.read();
  if (chunk === null) return Buffer.alloc(0);
  body.unshift(chunk);
  return Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
}

// An upload keeps its window in memory while no byte comes. RFC 8878 recommends that decoders support 8 MB, which all
// levels of zstd up to 19 keep to.
const maxWindowLog = 23;

const decoders = {
  none: () => null,
  gzip: () => createGunzip(),
  zstd: () => createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: maxWindowLog } }),
};
type Compression = keyof typeof decoders;

/**
 * Returns the compression that the header Content-Encoding names, or null if it names none. Throws 415 for any other
 * value.
 */
function compressionNamed(header: string): Compression | null {
  const name = header.trim().toLowerCase();
  if (name === '' || name === 'identity') return null;
  if (name === 'gzip' || name === 'x-gzip') return 'gzip';
  if (name === 'zstd') return 'zstd';
  throw unsupportedMediaType('Content-Encoding must be gzip, zstd or identity.');
}

/** Returns the compression by the first bytes: no report begins like a gzip or Zstandard file. */
function compressionSeen(head: Buffer): Compression {
  if (head.subarray(0, 2).toString('hex') === '1f8b') return 'gzip';
  return head.subarray(0, 4).toString('hex') === '28b52ffd' ? 'zstd' : 'none';
}

function refusalOf(error: unknown): unknown {
  if (error instanceof DomainError) return error;
  if (error instanceof ReportError) return invalidInput(error.message, 'report');
  const code = (error as { code?: string }).code ?? '';
  if (code === 'ZSTD_error_frameParameter_windowTooLarge') {
    return malformedRequest(
      'The body needs a window of more than 8 MB to be decompressed: compress it with zstd up to level 19, without --long.',
    );
  }
  if (/^(?:Z_|ZSTD_|ERR_ZSTD|ERR_BUFFER)/.test(code)) {
    return malformedRequest(
      'The body cannot be decompressed: it does not match its Content-Encoding or its first bytes, or it is not compressed as one piece.',
    );
  }
  if (code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET') {
    return malformedRequest('The body ended before it was complete.');
  }
  return error;
}

/**
 * Counts the bytes that pass through; `check` may throw to refuse them. Other requests have their turn after each
 * chunk: Node reads up to 32 of them from one connection before it reads from another.
 */
class Meter extends Transform {
  bytes = 0;
  readonly #check: (bytes: number, chunk: Buffer) => void;

  constructor(check: (bytes: number, chunk: Buffer) => void) {
    super();
    this.#check = check;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.bytes += chunk.length;
    try {
      this.#check(this.bytes, chunk);
      setImmediate(done, null, chunk);
    } catch (error) {
      done(error as Error);
    }
  }
}

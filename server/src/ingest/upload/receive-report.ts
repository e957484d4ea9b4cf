/**
 * Receiving: the bytes of a report on their way to where it waits. They are decompressed, counted against the limits
 * and digested as they come; the beginning is looked at, so that what is no report is refused at once. Whatever
 * fails, nothing is kept.
 */
import { createHash } from 'node:crypto';
import { PassThrough, type Readable, Transform, type TransformCallback } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createZstdDecompress } from 'node:zlib';
import type { Config } from '../../config.ts';
import { beyondRequest } from '../../db/connection-share.ts';
import { type Database, tenantTx } from '../../db/database.ts';
import {
  ApiError,
  malformedRequest,
  payloadTooLarge,
  unsupportedMediaType,
  validationFailed,
} from '../../domain/errors.ts';
import { peekFormat } from '../../parsers/peek.ts';
import { ReportError } from '../../parsers/report.ts';
import { deleteReport, type ReportPlace, storeReport } from './waiting-report.ts';

export interface ReceiveLimits {
  maxBytes: number;
  maxInflatedBytes: number;
  /** Decompressed size by compressed size. */
  maxRatio: number;
}

export function receiveLimits(config: Config): ReceiveLimits {
  const mb = 1024 * 1024;
  return {
    maxBytes: config.maxUploadMb * mb,
    maxInflatedBytes: config.maxInflatedMb * mb,
    maxRatio: config.maxInflationRatio,
  };
}

// A small report may compress as well as it likes: its decompressed size is no danger.
const ratioFreeBytes = 4 * 1024 * 1024;
// Formats are told by fields at the top; the first of these bytes hold them, whatever the tool writes first.
const peekedBytes = 64 * 1024;

export interface Received {
  /** SHA-256 of the report, decompressed. */
  digest: Buffer;
  /** The size of the report, decompressed. */
  bytes: number;
}

/**
 * Writes the report under `place`. `encoding`: `gzip`, `zstd`, `identity`. Throws 413, 415, 400, and 422 on `report`
 * for what is recognisably no report of `format`.
 */
export async function receiveReport(
  db: Database,
  place: ReportPlace,
  body: Readable,
  options: {
    encoding: string;
    format: string;
    limits: ReceiveLimits;
    key: Buffer;
    /** Called with the size of each decompressed piece; may throw. */
    add: (bytes: number) => void;
  },
): Promise<Received> {
  const { limits, format } = options;
  const sent = new Meter((bytes) => {
    if (bytes > limits.maxBytes) throw payloadTooLarge(limits.maxBytes);
  });
  const decoder = decoderOf(options.encoding);
  const hash = createHash('sha256');
  const head = new Head(format);
  const inflated = new Meter((bytes, chunk) => {
    if (bytes > limits.maxInflatedBytes) {
      throw payloadTooLarge(
        limits.maxInflatedBytes,
        `The report is larger than ${limits.maxInflatedBytes} bytes when decompressed (maxInflatedBytes).`,
      );
    }
    if (bytes > ratioFreeBytes && bytes > sent.bytes * limits.maxRatio) {
      throw payloadTooLarge(
        limits.maxInflatedBytes,
        `The report is more than ${limits.maxRatio} times as large when decompressed (maxInflationRatio).`,
      );
    }
    options.add(chunk.length);
    hash.update(chunk);
    head.add(chunk);
  });
  const report = new PassThrough();
  try {
    // A sender that hung up before this line causes no event any more.
    if (body.destroyed && !body.readableEnded) throw hungUp();
    // Not a part of the pipeline, which would end it with the connection that the refusal has to take.
    connect(body, sent);
    await bothDone(
      pipeline([sent, ...decoder, inflated, report]),
      storeReport(db, place, report, options.key),
    );
    head.check(true);
  } catch (error) {
    // Before the error goes on: what has been written of the report must not stay.
    await beyondRequest(() => tenantTx(db, place.tenantId, (tx) => deleteReport(tx, place)));
    body.unpipe(sent);
    await drain(body);
    throw refusalOf(error);
  }
  return { digest: hash.digest(), bytes: inflated.bytes };
}

/** Waits for both, so that neither writes on after the other failed. Throws what failed first. */
async function bothDone(...work: Promise<unknown>[]): Promise<void> {
  const errors = (await Promise.allSettled(work)).flatMap((done) =>
    done.status === 'rejected' ? [done.reason as NodeJS.ErrnoException] : [],
  );
  // Whoever stops because the other did says no more than that.
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

// A sender that is still sending does not read: it gets so much time to come to its end before the answer.
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

function decoderOf(encoding: string): Transform[] {
  const name = encoding.trim().toLowerCase();
  if (name === '' || name === 'identity') return [];
  if (name === 'gzip' || name === 'x-gzip') return [createGunzip()];
  if (name === 'zstd') return [createZstdDecompress()];
  throw unsupportedMediaType('Content-Encoding must be gzip, zstd or identity.');
}

function refusalOf(error: unknown): unknown {
  if (error instanceof ApiError) return error;
  if (error instanceof ReportError) return validationFailed({ report: [error.message] });
  const code = (error as { code?: string }).code ?? '';
  if (/^(?:Z_|ZSTD_|ERR_ZSTD|ERR_BUFFER)/.test(code)) {
    return malformedRequest('The body cannot be decompressed as its Content-Encoding says.');
  }
  if (code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET') {
    return malformedRequest('The body ended before it was complete.');
  }
  return error;
}

/** Counts what passes through and lets `check` refuse. */
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
      done(null, chunk);
    } catch (error) {
      done(error as Error);
    }
  }
}

/** The beginning of the report, looked at once it is there, or once the report is at its end. */
class Head {
  #chunks: Buffer[] = [];
  #bytes = 0;
  #looked = false;
  readonly #format: string;

  constructor(format: string) {
    this.#format = format;
  }

  add(chunk: Buffer): void {
    if (this.#looked) return;
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes >= peekedBytes) this.check(false);
  }

  check(whole: boolean): void {
    if (this.#looked) return;
    this.#looked = true;
    peekFormat(Buffer.concat(this.#chunks).subarray(0, peekedBytes), whole, this.#format);
    this.#chunks = [];
  }
}

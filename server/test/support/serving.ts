/**
 * The server or a worker as a process of its own on a test's database: uploads over HTTP, the scans of the reports, and
 * the memory of the process.
 */
import type { ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestDatabase } from './database.ts';
import { createDirectory, exitOf, start, untilSays } from './process.ts';

const address = /http:\/\/127\.0\.0\.1:\d+/;

/** Settings of a process on the test's database, like those of any node that shares it. */
export function nodeSettings({ appUrl }: TestDatabase): Record<string, string> {
  const directory = createDirectory();
  const secretFile = join(directory, 'secret');
  // The secret that `createTestDatabase` gives to code in the test's own process.
  writeFileSync(secretFile, '07'.repeat(32), { mode: 0o600 });
  return {
    MERLON_DATABASE_URL: appUrl,
    MERLON_SECRET_FILE: secretFile,
    MERLON_DATA_DIR: join(directory, 'data'),
    MERLON_PORT: '0',
    MERLON_LOG_LEVEL: 'warn',
    MERLON_RATE_LIMIT_PER_MINUTE: '0',
    MERLON_UPLOADS_PER_MINUTE: '0',
  };
}

export interface Serving {
  child: ChildProcess;
  url: string;
  /** The output of the process so far, from both streams. */
  said(): string;
}

export async function startServing(settings: Record<string, string>): Promise<Serving> {
  const child = start(['serve'], settings);
  const said = listenTo(child);
  const [url] = await untilSays(child, address);
  return { child, url, said };
}

/** The processes of a server with this role that have become ready so far, in order. Needs the log level info. */
export function processIds({ said }: Pick<Serving, 'said'>, role: 'requests' | 'imports'): number[] {
  const lines = said().matchAll(/"role":"(\w+)","of":(\d+),"msg":"a process is ready"/g);
  return Array.from(lines).flatMap(([, of, pid]) => (of === role ? [Number(pid)] : []));
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

export async function startWorking(settings: Record<string, string>): Promise<Omit<Serving, 'url'>> {
  const child = start(['worker'], settings);
  const said = listenTo(child);
  await untilSays(child, /working/);
  return { child, said };
}

function listenTo(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      text += String(chunk);
    });
  }
  return () => text;
}

/** The exit code. A process that has already ended keeps its own. */
export async function stop(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const exit = exitOf(child);
  child.kill(signal);
  return exit;
}

interface SentReport {
  url: string;
  key: string;
  slug: string;
  query: Record<string, string>;
  headers?: Record<string, string>;
  body: Buffer | Iterable<Buffer> | AsyncIterable<Buffer>;
  /** Hangs up, however much has been sent. */
  signal?: AbortSignal;
}

/** The answer, also if it arrives before the whole body is sent; throws if there is none. */
export function sendReport(report: SentReport): Promise<{ status: number; text: string }> {
  const { url, key, slug, query, headers = {}, body, signal } = report;
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/ingest/v1/${slug}/scans?${new URLSearchParams(query)}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, ...headers },
      agent: false,
      ...(signal ? { signal } : {}),
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
      );
    });
    const source = Buffer.isBuffer(body) ? Readable.from([body]) : Readable.from(body);
    source.on('error', reject);
    source.pipe(sent);
  });
}

interface Got {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the tests look into it field by field
  body: any;
}

export async function get(url: string, path: string, key = '', timeoutMs = 10_000): Promise<Got> {
  const response = await fetch(`${url}${path}`, {
    headers: key === '' ? {} : { authorization: `Bearer ${key}` },
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}

/** The scan once it is final; throws if that takes too long. */
export async function untilFinal(
  url: string,
  path: string,
  key: string,
  withinMs: number,
): Promise<Got['body']> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const { status, body } = await get(url, path, key);
    if (['completed', 'failed', 'canceled'].includes(body.status)) return body;
    if (Date.now() > deadline) throw new Error(`${path} is ${body.status}: ${JSON.stringify(body)}`);
    // On a busy machine the requests of this loop can exceed the limit of a test.
    await sleep(status === 429 ? 1_000 : 100);
  }
}

/** The peak memory of the process, including its threads, since `forgetPeak`; null if the system does not report it. */
export function peakMemoryMb(child: ChildProcess): number | null {
  try {
    const found = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'));
    return found ? Number(found[1]) / 1024 : null;
  } catch {
    return null;
  }
}

export function forgetPeak(child: ChildProcess): void {
  try {
    writeFileSync(`/proc/${child.pid}/clear_refs`, '5');
  } catch {
    // Only Linux reports the peak.
  }
}

/** Runs one part of the fuzz in this process. */

import assert from 'node:assert/strict';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { assertInvariants } from '../support/invariants.ts';
import { createTestServer, type TestServer } from '../support/server.ts';
import { createTestWorkspace, type TestWorkspace } from '../support/workspace.ts';
import { fuzzOperations, fuzzUnknownNames } from './api-fuzz.ts';
import { openApiTarget } from './api-target.ts';
import { type Corpus, readCorpus, type Sample } from './corpus.ts';
import { fuzzCursors } from './cursor-fuzz.ts';
import type { FuzzJob, FuzzRow } from './fuzz-job.ts';
import { fuzzParser } from './parser-fuzz.ts';
import { fuzzService } from './service-fuzz.ts';
import { fuzzUploads } from './upload-fuzz.ts';

// Room for kept texts, compiled code and the largest inputs. A leak of a kilobyte per input exceeds it after a minute.
const mostGrowth = 256 * 1024 ** 2;

const corpora = new Map<Corpus, Map<string, Sample[]>>();

/** The samples of each format, read once. */
function samplesOf(corpus: Corpus): Map<string, Sample[]> {
  const known = corpora.get(corpus) ?? Map.groupBy(readCorpus(corpus), ({ format }) => format);
  corpora.set(corpus, known);
  return known;
}

/** A server with an empty workspace, opened by the first job that needs one. */
let service: Promise<{ server: TestServer; workspace: TestWorkspace }> | null = null;

async function openService() {
  const server = await createTestServer({ MERLON_UPLOADS_PER_MINUTE: '0' });
  return { server, workspace: await createTestWorkspace(server, 'acme') };
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Memory in use in bytes, after a garbage collection, because garbage that is not collected yet is no leak. */
function memoryInUse(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** `milliseconds` do not count the time that reading the samples and opening a server take. */
export async function runJob(job: FuzzJob, milliseconds: number): Promise<FuzzRow> {
  const samples = samplesOf(job.corpus).get(job.part) ?? [];
  const before = memoryInUse();
  const row = await runLevel(job, samples, milliseconds);
  const growth = memoryInUse() - before;
  if (growth > mostGrowth) row.failures.push(`the process grew by ${growth} bytes`);
  assert.equal(({} as { level?: string }).level, undefined, 'no prototype is changed');
  return row;
}

async function runLevel(job: FuzzJob, samples: Sample[], milliseconds: number): Promise<FuzzRow> {
  if (job.level === 'parser') return fuzzParser(job, samples, performance.now() + milliseconds);
  if (job.level === 'api') return runApi(job, milliseconds);
  service ??= openService();
  const opened = await service;
  const row = await fuzzService(job, samples, opened, performance.now() + milliseconds);
  const { rows } = await opened.server.owner.query('select id from scan where finished_at is null');
  if (rows.length > 0) row.failures.push(`${rows.length} scans are not final`);
  await assertInvariants(opened.server.owner);
  return row;
}

/** Each job has a server of its own: its requests change what the next ones find. */
async function runApi(job: FuzzJob, milliseconds: number): Promise<FuzzRow> {
  const target = await openApiTarget();
  const deadline = performance.now() + milliseconds;
  const run = {
    operations: () => fuzzOperations(job, target, deadline),
    'unknown-names': () => fuzzUnknownNames(job, target, deadline),
    cursors: () => fuzzCursors(job, target, deadline),
    uploads: () => fuzzUploads(job, target, [...samplesOf(job.corpus).values()], deadline),
  }[job.part];
  if (!run) throw new Error(`there is no part ${job.part} of the API level`);
  const row = await run();
  await assertInvariants(target.server.owner);
  return row;
}

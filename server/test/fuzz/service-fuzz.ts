/**
 * Sends a report and then a changed one through the whole service: upload, worker, database. The change is inside one
 * row, so that every other row must stay open.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { queueSchema } from '../../src/db/queue-tables.ts';
import { processRepository } from '../../src/ingest/import/process-scan.ts';
import { parseReport } from '../../src/parsers/parse-report.ts';
import { type Report, ReportError, type ReportFinding } from '../../src/parsers/report.ts';
import { startWorker } from '../../src/worker.ts';
import { clientOf, type Json, send, succeeded, walk } from '../support/client.ts';
import { fieldOf } from '../support/fields.ts';
import type { TestServer } from '../support/server.ts';
import type { TestWorkspace } from '../support/workspace.ts';
import { type Sample, write } from './corpus.ts';
import { type FuzzJob, type FuzzRow, Tally } from './fuzz-job.ts';
import { mutate } from './mutate.ts';
import { Random } from './random.ts';

/**
 * This many trials go through the worker's own queue. More would mostly wait, because the worker looks twice a second.
 */
const queuedShare = 0.05;

/**
 * The child that a step of a row's pointer names: by its key in JSON, by its name and number in XML, such as `b[2]`.
 */
function childAt(value: unknown, step: string): unknown {
  if (typeof value !== 'object' || value === null) return null;
  const element = /^([^[\]]+)(?:\[([0-9]+)\])?$/.exec(step);
  if (element && 'children' in value && Array.isArray(value.children)) {
    const named = value.children.filter((child) => child?.name?.replace(/^.*:/, '') === element[1]);
    return named[Number(element[2] ?? 1) - 1] ?? null;
  }
  return Object.hasOwn(value, step) ? (value as Record<string, unknown>)[step] : null;
}

/** The row at a finding's pointer; null if the tree does not have it. */
function rowAt(syntax: Sample['syntax'], tree: unknown, pointer: string): object | null {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  // Rows of CSV are numbered from 1.
  if (syntax === 'csv') return childAt(tree, String(Number(steps[0]) - 1)) as object | null;
  // The first step of XML is the root itself.
  const row = (syntax === 'xml' ? steps.slice(1) : steps).reduce<unknown>(childAt, tree);
  return typeof row === 'object' ? row : null;
}

const findingsOf = (report: Report) => report.runs.flatMap(({ findings }) => findings);

/** True if one pointer is inside the other. */
function overlaps(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}

/** The rows of a sample with at least two findings and the pointer of one of them; null for other samples. */
function rowsOf(sample: Sample) {
  let found: ReportFinding[];
  try {
    found = findingsOf(parseReport(Buffer.from(write(sample.syntax, JSON.parse(sample.tree)))));
  } catch (error) {
    if (error instanceof ReportError) return null;
    throw error;
  }
  const tree: unknown = JSON.parse(sample.tree);
  const pointers = [...new Set(found.map(({ pointer }) => pointer))].filter(
    (pointer) => rowAt(sample.syntax, tree, pointer) !== null,
  );
  return found.length < 2 || pointers.length === 0 ? null : { sample, found, pointers };
}

function trialOf({ sample, found, pointers }: NonNullable<ReturnType<typeof rowsOf>>, random: Random) {
  const tree: unknown = JSON.parse(sample.tree);
  const original = write(sample.syntax, tree);
  const pointer = random.pick(pointers);
  const row = rowAt(sample.syntax, tree, pointer);
  // The row keeps its position in a list, so that the pointers of the others stay valid.
  const changes = mutate({ row: [row] }, () => ({ row: [JSON.parse(JSON.stringify(row))] }), random);
  const touched = found.filter((finding) => overlaps(finding.pointer, pointer));
  return { original, changed: write(sample.syntax, tree), pointer, changes, touched };
}

/** The error codes that are correct for a changed report. */
export const reportErrorCodes = new Set(['MALFORMED_REPORT', 'UNKNOWN_FORMAT', 'LIMIT_EXCEEDED']);

interface Item extends Json {
  id: string;
  title: string;
  location: { path: string; line: number | null };
}

interface ScanAnswer extends Json {
  error: { code: string } | null;
  counts: Record<string, number>;
}

/** Sends reports of a repository's default branch by upload and worker, and reads the result. */
export function reportsOf(server: TestServer, { tenant, people }: TestWorkspace) {
  const client = clientOf(server.app, people.admin.key);
  const upload = (repo: string, body: string) =>
    send<{ id: string; code: string }>(server.app, {
      method: 'POST',
      path: `/ingest/v1/${tenant.slug}/scans?repo=${repo}&ref=main&default_branch=main`,
      authorization: `Bearer ${people.member.key}`,
      headers: { 'content-type': 'application/octet-stream' },
      body,
    });
  const answerOf = async (id: string) =>
    (await client.get<ScanAnswer>(`/api/v1/${tenant.slug}/scans/${id}`)).body;
  const scan = async (repo: string, id: string) => {
    const { rows } = await server.owner.query('select id from repository where full_name = $1', [repo]);
    await processRepository(server, tenant.id, rows[0].id);
    return answerOf(id);
  };
  /** The scan after a worker has taken it from the queue. */
  const scanByQueue = async (_repo: string, id: string) => {
    const errors: unknown[] = [];
    const log = {
      info: () => {},
      warn: (data: unknown) => errors.push(data),
      error: (data: unknown) => errors.push(data),
    };
    const worker = await startWorker(server, log);
    const end = performance.now() + 30_000;
    let answer = await answerOf(id);
    while (!['completed', 'failed'].includes(String(answer.status)) && performance.now() < end) {
      await sleep(50);
      answer = await answerOf(id);
    }
    await worker.stop();
    assert.deepEqual(errors, [], 'the worker reports an error');
    return answer;
  };
  const listed = (repo: string, state: string): Promise<Item[]> =>
    walk<Item>(client, `/api/v1/${tenant.slug}/vulnerabilities`, { repo, state, per_page: 200 });
  /** The identity of a vulnerability from its report: title, path and package of each location. */
  const identitiesOf = async ({ id, title }: Item): Promise<string[]> => {
    const locations = await walk<Item['location'] & { artifact: { type: string; name: string } | null }>(
      client,
      `/api/v1/${tenant.slug}/vulnerabilities/${id}/locations`,
    );
    return locations.map(({ path, artifact }) => identityOf(title, path, artifact?.name ?? ''));
  };
  return { upload, scan, scanByQueue, listed, identitiesOf };
}

function identityOf(title: string, path: string, artifact: string): string {
  return JSON.stringify([title, path, artifact]);
}

const identityOfFinding = ({ title, path, artifact }: ReportFinding): string =>
  identityOf(title, path ?? '.', artifact?.name ?? '');

/** `samples` are of the job's format. */
export async function fuzzService(
  job: FuzzJob,
  samples: readonly Sample[],
  { server, workspace }: { server: TestServer; workspace: TestWorkspace },
  deadline: number,
): Promise<FuzzRow> {
  const reports = reportsOf(server, workspace);
  const { upload, listed, identitiesOf } = reports;
  const eligible = samples.map(rowsOf).filter((rows) => rows !== null);
  const tally = new Tally(job);
  if (eligible.length === 0) return tally.row();
  for (const number of tally.numbers(deadline)) {
    const random = new Random(`${job.seed}:service:${job.part}:${number}`);
    const chosen = random.pick(eligible);
    const { original, changed, pointer, changes, touched } = trialOf(chosen, random);
    const repo = `fuzz-${job.part}/r${number}`;
    // Jobs that other trials have left in the queue would run before this one.
    const queued = random.chance(queuedShare);
    if (queued) await server.owner.query(`delete from ${queueSchema}.job`);
    const scan = queued ? reports.scanByQueue : reports.scan;
    try {
      const first = succeeded(await upload(repo, original), 202);
      const before = await scan(repo, first.id);
      assert.equal(before.status, 'completed', JSON.stringify(before));
      // This is read while they are open, because a list of locations leaves out closed ones.
      const open = await Promise.all(
        (await listed(repo, 'open')).map(async (item) => ({ ...item, identities: await identitiesOf(item) })),
      );
      const taken = await upload(repo, changed);
      if (taken.status !== 202) {
        assert.equal(taken.status, 422, taken.text);
        continue;
      }
      tally.accepted++;
      const after = await scan(repo, taken.body.id);
      if (after.status === 'failed') {
        assert.ok(reportErrorCodes.has(after.error?.code ?? ''), JSON.stringify(after.error));
      } else {
        assert.equal(after.status, 'completed', JSON.stringify(after));
        tally.found++;
      }
      // An unchanged finding stays open, and at most as many are closed as were changed.
      const left = new Set((await listed(repo, 'open')).map(({ id }) => id));
      const closed = open.filter(({ id }) => !left.has(id));
      const titles = closed.map(({ title }) => title).join('; ');
      assert.ok(closed.length <= touched.length, `closed ${titles}`);
      const mayClose = new Set(touched.map(identityOfFinding));
      const untouched = closed.filter(
        ({ identities }) => !identities.some((identity) => mayClose.has(identity)),
      );
      assert.deepEqual(fieldOf(untouched, 'identities'), [], 'closed what was not touched');
      assert.ok(after.status === 'completed' || closed.length === 0, `a failed scan closed ${titles}`);
    } catch (problem) {
      tally.fail(number, problem, `${chosen.sample.name} ${pointer} ${changes}\n${changed}`);
    }
  }
  return tally.row();
}

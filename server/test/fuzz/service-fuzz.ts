/**
 * A report and then a changed one through the whole service: upload, worker, database. The change stays inside one row,
 * so that every other row must stay open.
 */
import assert from 'node:assert/strict';
import { processRepository } from '../../src/features/scans/import/process-scan.ts';
import { parseReport } from '../../src/formats/detect.ts';
import { type Report, ReportError } from '../../src/formats/report.ts';
import { clientOf, type Json, send, walk } from '../support/client.ts';
import type { TestServer } from '../support/server.ts';
import type { TestWorkspace } from '../support/workspace.ts';
import { type Sample, write } from './corpus.ts';
import { mutate } from './mutate.ts';
import { Random } from './random.ts';

export interface ServiceTotals {
  trials: number;
  /** The changed report was refused at the door. */
  refused: number;
  failed: number;
  completed: number;
  /** Completed with a row that could not be read. */
  unreadable: number;
  /** The touched row's vulnerability was closed; beside it, where that row could not be read. */
  closed: number;
  closedUnreadable: number;
}

/** JSON pointer of a row and the value there; null where the pointer is no JSON pointer of this tree. */
function rowAt(tree: unknown, pointer: string): object | null {
  let value = tree;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return null;
    value = (value as Record<string, unknown>)[key];
  }
  return typeof value === 'object' ? value : null;
}

const findingsOf = (report: Report) => report.runs.flatMap(({ findings }) => findings);

/** Whether what stands at one pointer holds, or is held by, what stands at the other. */
function overlaps(a: string, b: string): boolean {
  return a === b || a.startsWith(`${b}/`) || b.startsWith(`${a}/`);
}

/** Null where the number chooses a report whose rows cannot be told apart. */
function trialOf(samples: Sample[], seed: string, number: number) {
  const random = new Random(`${seed}:service:${number}`);
  const formats = [...Map.groupBy(samples, ({ format }) => format).values()];
  const sample = random.pick(formats[number % formats.length] ?? []);
  const original = write(sample.syntax, JSON.parse(sample.tree));
  const tree = JSON.parse(sample.tree);
  const found = findingsOf(parseReport(Buffer.from(original)));
  if (found.length < 2) return null;
  const { pointer } = random.pick(found);
  const row = rowAt(tree, pointer);
  if (row === null) return null;
  // The row keeps its place in a list, so that the pointers of the others stay.
  const holder = [row];
  const changes = mutate({ row: holder }, { row: [JSON.parse(JSON.stringify(row))] }, random);
  const touched = found.filter((finding) => overlaps(finding.pointer, pointer));
  return { sample, original, changed: write(sample.syntax, tree), pointer, changes, touched };
}

const codes = new Set(['MALFORMED_REPORT', 'UNKNOWN_FORMAT', 'LIMIT_EXCEEDED']);

interface Item extends Json {
  id: string;
  title: string;
  location: { line: number | null };
}

/** Reports of a repository's default branch by upload and worker, and what is there afterwards. */
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
  const scan = async (repo: string, id: string) => {
    const { rows } = await server.owner.query('select id from repository where full_name = $1', [repo]);
    await processRepository(server, tenant.id, rows[0].id);
    return (
      await client.get<Json & { error: { code: string } | null; counts: Record<string, number> }>(
        `/api/v1/${tenant.slug}/scans/${id}`,
      )
    ).body;
  };
  const listed = (repo: string, state: string): Promise<Item[]> =>
    walk<Item>(client, `/api/v1/${tenant.slug}/vulnerabilities`, { repo, state, per_page: 200 });
  return { upload, scan, listed };
}

/** Runs the trials of these numbers; throws AssertionError with how to repeat one. */
export async function fuzzService(
  server: TestServer,
  workspace: TestWorkspace,
  { samples, seed, trials, deadline }: { samples: Sample[]; seed: string; trials: number; deadline: number },
): Promise<ServiceTotals> {
  const { upload, scan, listed } = reportsOf(server, workspace);
  const totals = {
    trials: 0,
    refused: 0,
    failed: 0,
    completed: 0,
    unreadable: 0,
    closed: 0,
    closedUnreadable: 0,
  };
  for (let number = 0; totals.trials < trials && performance.now() < deadline; number++) {
    assert.ok(number < 20 * trials, 'samples have rows that can be changed');
    const trial = trialOf(samples, seed, number);
    if (trial === null) continue;
    const { sample, original, changed, pointer, changes, touched } = trial;
    const repo = `fuzz/r${number}`;
    const where = `${sample.name} ${pointer} ${changes} (TEST_SEED=${seed}, service trial ${number})\n${changed.slice(0, 2_000)}`;
    totals.trials++;
    const first = await upload(repo, original);
    assert.equal(first.status, 202, `${where}: ${first.text}`);
    const before = await scan(repo, first.body.id);
    assert.equal(before.status, 'completed', `${where}: ${JSON.stringify(before)}`);
    const open = await listed(repo, 'open');
    const taken = await upload(repo, changed);
    if (taken.status !== 202) {
      assert.equal(taken.status, 422, `${where}: ${taken.text}`);
      totals.refused++;
      continue;
    }
    const after = await scan(repo, taken.body.id);
    if (after.status === 'failed') {
      totals.failed++;
      assert.ok(codes.has(after.error?.code ?? ''), `${where}: ${JSON.stringify(after.error)}`);
    } else {
      assert.equal(after.status, 'completed', `${where}: ${JSON.stringify(after)}`);
      totals.completed++;
      if ((after.counts.unreadable ?? 0) > 0) totals.unreadable++;
    }
    // A finding that was not touched is open, and no more are closed than were touched.
    const left = new Set((await listed(repo, 'open')).map(({ id }) => id));
    const closed = open.filter(({ id }) => !left.has(id)).map(({ title }) => title);
    if (closed.length > 0) totals.closed++;
    if (closed.length > 0 && (after.counts?.unreadable ?? 0) > (before.counts?.unreadable ?? 0))
      totals.closedUnreadable++;
    assert.ok(closed.length <= touched.length, `${where}: closed ${closed.join('; ')}`);
    const untouched = closed.filter((title) => !touched.some((finding) => finding.title === title));
    assert.deepEqual(untouched, [], `${where}: closed what was not touched`);
    if (after.status === 'failed') assert.deepEqual(closed, [], `${where}: a failed scan closed something`);
  }
  return totals;
}

/** Whether the original of a sample can be read at all. */
export function isReadable(sample: Sample): boolean {
  try {
    parseReport(Buffer.from(write(sample.syntax, JSON.parse(sample.tree))));
    return true;
  } catch (error) {
    if (error instanceof ReportError) return false;
    throw error;
  }
}

/**
 * The way of a report from the body of an upload to the verdict: the exported functions that hold it, in the order in
 * which they run, and the names that it has on the way. The types say which functions these are, and an upload says the
 * order. A newcomer reads them to follow a report, so no step is taken twice and the names stay few.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyInventory } from '../../src/actions/inventory-file/apply.ts';
import { importTx } from '../../src/db/database.ts';
import { processWorkspace } from '../../src/ingest/import/process-scan.ts';
import { testConfig } from '../support/import.ts';
import { sarif } from '../support/reports.ts';
import { createTestServer } from '../support/server.ts';
import { createTestWorkspace } from '../support/workspace.ts';
import { recordCalls } from './recorded-calls.ts';
import { listReportHolders } from './report-holders.ts';

/** In the order in which they begin. */
const walk = [
  'ingest/upload/receive-report.ts receiveReport',
  'ingest/upload/waiting-report.ts storeReport',
  'parsers/choose-format.ts formatOfBeginning',
  'parsers/reading/decode-beginning.ts decodeBeginning',
  'parsers/choose-format.ts chooseFormat',
  'ingest/upload/intake.ts acceptReport',
  'ingest/scans/schema.ts scanItem',
  'ingest/import/process-scan.ts processWorkspace',
  'ingest/upload/waiting-report.ts readReport',
  'ingest/prepare/parser-thread.ts parseInThread',
  'ingest/prepare/parse-sealed-report.ts parseSealedReport',
  'ingest/upload/waiting-report.ts openReport',
  'parsers/reading/decode.ts decodeReport',
  'parsers/parse-report.ts parseDocument',
  'parsers/choose-format.ts chooseFormat',
  'parsers/reading/rows.ts newReport',
  'parsers/report-lists.ts boundLists',
  'parsers/report-texts.ts boundTexts',
  'ingest/prepare/prepare-report.ts prepareReport',
  'ingest/matching/match-uploaded.ts withoutMatchTool',
  'ingest/matching/match-uploaded.ts learnMatchedNames',
  'ingest/import/write-scan.ts writeScan',
  'ingest/import/import.ts importReport',
  'ingest/scans/store.ts completeWrittenScan',
  'policies/verdict/verdict.ts refreshVerdicts',
  'ingest/scans/completed-scan.ts noteCompletedScan',
];
/** The parser's thread does its part of the walk inside this step. */
const inThread = 'ingest/prepare/parser-thread.ts parseInThread';

/** Functions that run twice, with the reason. */
const repeated: Record<string, string> = {
  'parsers/choose-format.ts chooseFormat':
    'the beginning of an upload is checked before the rest comes, and may not show the format yet',
};

const names = [
  ...['body', 'report', 'document', 'scan'],
  ...['WaitingReport', 'SealedReport', 'ReportDocument', 'Report', 'PreparedReport'],
  ...['ScanRow', 'TakenScan', 'WrittenScan'],
];
const mostNames = 12;

const source = new URL('../../src/', import.meta.url).href;
const server = await createTestServer();
const { people, tenant } = await createTestWorkspace(server, 'acme');
// A report that makes its repository has policies about the repository evaluated too.
await importTx(server.db, tenant.id, (tx) =>
  applyInventory(tx, { repositories: [{ full_name: 'acme/web' }] }),
);
const headers = { authorization: `Bearer ${people.admin.key}` };

/** Larger than the beginning by which an upload is refused early. */
const payload = sarif(
  Array.from({ length: 500 }, (_, line) => ({ rule: 'sql', path: 'src/a.ts', line: line + 1 })),
);

const holders = listReportHolders();

/** The calls during the way of a report through the server, until CI has its verdict. */
async function recordUpload(): Promise<string[]> {
  const functions = holders.map((holder) => ({ ...holder, url: source + holder.name.split(' ', 1)[0] }));
  const [calls = [], ...ofThreads] = await recordCalls(functions, async () => {
    const url = '/ingest/v1/acme/scans?repo=acme/web&ref=main&default_branch=main';
    const { statusCode } = await server.app.inject({ method: 'POST', url, headers, payload });
    assert.equal(statusCode, 202);
    await processWorkspace({ ...server, config: testConfig }, tenant.id, async () => {});
    const gate = await server.app.inject({ url: '/api/v1/acme/gate?repo=acme/web', headers });
    assert.equal(gate.json<{ verdict: string }>().verdict, 'pass');
  });
  return calls.toSpliced(calls.indexOf(inThread) + 1, 0, ...ofThreads.flat());
}

test('a report takes these steps, none of them twice, and has at most twelve names', async () => {
  const calls = await recordUpload();
  const exported = new Set(holders.flatMap(({ name, isExported }) => (isExported ? name : [])));
  assert.deepEqual(
    calls.filter((name) => exported.has(name)),
    walk,
  );
  assert.deepEqual(
    calls.filter((name, i) => calls.indexOf(name) < i),
    Object.keys(repeated),
  );
  const used = new Set(holders.flatMap((holder) => (calls.includes(holder.name) ? [...holder.names] : [])));
  assert.deepEqual([...used].sort(), names.toSorted());
  assert.ok(names.length <= mostNames, `${names.length} names`);
});

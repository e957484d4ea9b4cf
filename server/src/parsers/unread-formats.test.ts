import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zipOf } from '../../test/support/zip.ts';
import { parseReport } from './parse-report.ts';
import { ReportError } from './report.ts';

function refusalOf(content: unknown): string {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  try {
    parseReport(Buffer.from(text));
  } catch (error) {
    assert.ok(error instanceof ReportError);
    return error.message;
  }
  throw new Error(`not refused: ${text.slice(0, 200)}`);
}

test('a format that is not read is named, with the way out where the tool has one', () => {
  const cases: [RegExp, unknown][] = [
    [/CVRF.*CSAF/, '<cvrfdoc xmlns="http://www.icasi.org/CVRF/schema/cvrf/1.1"/>'],
    [/OSV record.*osv-scanner/, { schema_version: '1.6.0', id: 'GHSA-1', affected: [] }],
    [/ESLint.*SARIF/, [{ filePath: '/a.js', messages: [], errorCount: 0 }]],
    [/KICS.*SARIF/, { kics_version: '2.1', queries: [] }],
    [/summary of Checkmarx.*report-format json/, { TotalIssues: 3, ScanID: '1', EnginesResult: {} }],
    [/summary report of Veracode.*detailed/, '<summaryreport/>'],
    [/CSV.*SARIF/, 'Name,Severity,File\nUntested soil,High,bed.ts\n'],
    [/CSV/, '"Name";"Severity";"File"\n"Untested soil";"High";"bed.ts"\n'],
    [/JUnit/, '<testsuites><testsuite name="garden"/></testsuites>'],
    [/PMD.*SARIF/, '<?xml version="1.0"?><pmd version="7.0"/>'],
    [/HTML/, '<!DOCTYPE html><html><body>Report</body></html>'],
  ];
  for (const [expected, content] of cases) assert.match(refusalOf(content), expected);
});

test('a ZIP archive and a PDF are named', () => {
  const refusal = (bytes: Buffer) => () => parseReport(bytes);
  for (const archive of [zipOf({ 'report.sarif': '{"version":"2.1.0","runs":[]}' }), zipOf({})]) {
    assert.throws(refusal(archive), /ZIP archive: send the report inside it/);
    assert.throws(() => parseReport(archive, { format: 'sarif' }), /ZIP archive: send the report/);
  }
  assert.throws(refusal(Buffer.from('PK\u0003\u0004\u0000\u0000')), /ZIP archive that cannot be read/);
  assert.throws(refusal(Buffer.from('%PDF-1.7\n\u0000')), /a PDF/);
});

test('broken JSON and unknown text are not taken for another format', () => {
  assert.match(refusalOf('{"a": 1, "b": 2, "c": 3, "d"'), /JSON is not valid/);
  assert.match(refusalOf('one line of words'), /neither JSON nor another known format/);
});

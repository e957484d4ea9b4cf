import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldOf } from '../../test/support/fields.ts';
import { parseReport } from './parse-report.ts';
import { newFinding, newRun } from './reading/finding.ts';
import type { Report, VexStatement } from './report.ts';
import { boundTexts } from './report-texts.ts';

const statement = (reason: string): VexStatement => ({
  ...{ pointer: '', advisories: ['CVE-2031-1'], status: 'not_affected', reason, package: null, at: null },
});

function report(descriptions: string[], reasons: string[] = [], suppressions: string[] = []): Report {
  const known = { pointer: '', type: 'sast', severity: 'low', title: 't', rule: 'r' } as const;
  const findings = [
    ...descriptions.map((description) => newFinding({ ...known, description })),
    ...suppressions.map((reason) =>
      newFinding({ ...known, suppression: { by: 'file', reason, expiresAt: null } }),
    ),
  ];
  const runs = [newRun({ tool: 't', findings })];
  const statements = reasons.map(statement);
  return { format: 'sarif', read: findings.length, runs, unreadable: [], statements, warnings: ['first'] };
}

const limits = {
  descriptions: { maxLength: 10, maxTotal: 25, shortLength: 2 },
  reasons: { maxLength: 5, maxTotal: 12, shortLength: 1 },
};

test('a long description is cut, and all of them have their lengths together, equal ones once', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((letter) => letter.repeat(12));
  assert.ok(a && b && c);
  const bounded = boundTexts(report([a, b, a, 'short', c, 'x']), limits);
  const descriptions = fieldOf(bounded.runs[0]?.findings ?? [], 'description');
  assert.deepEqual(descriptions, ['a'.repeat(10), 'b'.repeat(10), 'a'.repeat(10), 'short', 'cc', 'x']);
  assert.equal(bounded.warnings.length, 2);
  assert.match(bounded.warnings[1] ?? '', /Some descriptions were cut: one has at most 10 characters/);
  const plain = report(['short'], ['why']);
  assert.deepEqual(boundTexts(plain, limits).warnings, ['first']);
});

test('reasons of statements and suppressions are cut, each with its own length', () => {
  const bounded = boundTexts(report([], ['because', 'because'], ['because']), limits);
  assert.deepEqual(fieldOf(bounded.statements, 'reason'), ['becau', 'b']);
  assert.equal(bounded.runs[0]?.findings[0]?.suppression?.reason, 'becau');
  assert.match(bounded.warnings[1] ?? '', /Some reasons were cut/);
});

test('half a character at the end of a cut text is replaced', () => {
  const [finding] = boundTexts(report(['123456789🌱']), limits).runs[0]?.findings ?? [];
  assert.equal(finding?.description, '123456789\ufffd');
});

test('many packages of a row with a text of a megabyte share a description of 65,536 characters', () => {
  const rows = Array.from({ length: 20 }, (_, n) => n);
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    components: rows.map((n) => ({
      ...{ type: 'library', name: `rake-${n}`, version: '1' },
      'bom-ref': `c${n}`,
      purl: `pkg:npm/rake-${n}@1`,
    })),
    vulnerabilities: [
      {
        ...{ id: 'CVE-2031-1', description: 'word '.repeat(200_000) },
        affects: rows.map((n) => ({ ref: `c${n}` })),
      },
    ],
  };
  const { runs } = parseReport(Buffer.from(JSON.stringify(document)));
  const descriptions = (runs[0]?.findings ?? []).map(({ description }) => description);
  assert.deepEqual(
    [descriptions.length, new Set(descriptions).size, descriptions[0]?.length],
    [20, 1, 65_536],
  );
});

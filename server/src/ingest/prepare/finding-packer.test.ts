import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TenantId } from '../../domain/ids.ts';
import { newFinding, newRun } from '../../parsers/reading/finding.ts';
import { FindingReader } from './finding-reader.ts';
import { prepareReport } from './prepare-report.ts';

test('long texts and lists of rows that come in turns are packed once', () => {
  const contents = ['a', 'b'].map((letter) => ({
    description: letter.repeat(5_000),
    relatedAdvisories: Array.from({ length: 100 }, (_, n) => `${letter}-${n}`),
  }));
  const findings = Array.from({ length: 400 }, (_, n) => {
    const name = `rake-${1_000 + n}`;
    return newFinding({
      ...{
        pointer: '',
        type: 'dependency',
        severity: 'low',
        title: 't',
        rule: 'CVE-2031-1',
        advisories: ['CVE-2031-1'],
      },
      package: { purl: `pkg:npm/${name}`, name, version: '1' },
      ...(contents[n % 2] as (typeof contents)[0]),
    });
  });
  const report = { format: 'x', read: 400, unreadable: [], statements: [], warnings: [] };
  const { runs } = prepareReport({ ...report, runs: [newRun({ tool: 't', findings })] }, Buffer.alloc(32));
  const [run] = runs;
  assert.ok(run);
  const bytes = run.findings.chunks.reduce((sum, { text }) => sum + text.length, 0);
  assert.ok(bytes < 100_000, `${bytes} bytes`);
  const reader = new FindingReader(run.findings, new Map(), 1n as unknown as TenantId);
  for (const { purl, description, relatedAdvisories } of reader.get(reader.ordinals)) {
    const content = contents[Number(purl?.slice('pkg:npm/rake-'.length)) % 2];
    assert.deepEqual({ description, relatedAdvisories }, content);
  }
});

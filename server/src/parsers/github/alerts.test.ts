import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readContent } from '../../../test/support/format-reports.ts';
import type { Format } from '../format.ts';
import { githubCodeScanning } from './code-scanning.ts';
import { githubDependabot } from './dependabot.ts';
import { githubSecretScanning } from './secret-scanning.ts';

const alertsOf: readonly [Format, object][] = [
  [githubDependabot, { state: 'open', security_advisory: { ghsa_id: 'GHSA-2222-3333-4444' } }],
  [
    githubCodeScanning,
    { state: 'open', rule: { id: 'rake' }, tool: { name: 'Rake' }, most_recent_instance: {} },
  ],
  [githubSecretScanning, { state: 'open', secret_type: 'garden_key' }],
];

test('a full page without the first alert of the repository closes nothing, and other lists are complete', () => {
  for (const [format, alert] of alertsOf) {
    const list = (from: number, count: number, more: object = {}): object[] =>
      Array.from({ length: count }, (_, index) => ({ ...alert, ...more, number: from + index }));
    const outcomes = (content: unknown): unknown[] => [
      ...new Set(readContent(format, content).runs.map(({ outcome }) => outcome)),
    ];
    assert.deepEqual(outcomes(list(2, 30)), ['failed'], format.name);
    assert.deepEqual(outcomes(list(2, 100)), ['failed'], format.name);
    const organisation = list(1, 30, { repository: { full_name: 'green/garden' } });
    assert.deepEqual(outcomes(organisation), ['failed'], format.name);
    for (const complete of [list(1, 30), list(2, 29), list(2, 31), [list(2, 100)]]) {
      assert.deepEqual(outcomes(complete), ['succeeded'], format.name);
    }
    assert.match(readContent(format, list(2, 30)).warnings.join(), /30 alerts.*--slurp/);
  }
});

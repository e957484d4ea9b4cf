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

test('a full page closes nothing unless it goes down to the first alert, and other lists are complete', () => {
  for (const [format, alert] of alertsOf) {
    const numbered = (numbers: readonly number[], more: object = {}): object[] =>
      numbers.map((number) => ({ ...alert, ...more, number }));
    const downTo = (last: number, count: number): number[] =>
      Array.from({ length: count }, (_, index) => last + count - 1 - index);
    const outcomes = (content: unknown): unknown[] => [
      ...new Set(readContent(format, content).runs.map(({ outcome }) => outcome)),
    ];
    const page = downTo(1, 30);
    const oldestFirst = page.toReversed();
    const recentlyUpdated = [7, ...page.filter((number) => number !== 7)];
    for (const numbers of [downTo(2, 30), downTo(2, 100), oldestFirst, recentlyUpdated]) {
      assert.deepEqual(outcomes(numbered(numbers)), ['failed'], `${format.name} ${numbers}`);
    }
    const organisation = numbered(page, { repository: { full_name: 'green/garden' } });
    assert.deepEqual(outcomes(organisation), ['failed'], format.name);
    for (const complete of [
      numbered(page),
      numbered(page.map((number) => (number === 1 ? 1 : number * 2))),
      numbered(downTo(2, 29)),
      numbered(downTo(2, 31)),
      [numbered(downTo(2, 100))],
    ]) {
      assert.deepEqual(outcomes(complete), ['succeeded'], format.name);
    }
    assert.match(readContent(format, numbered(downTo(2, 30))).warnings.join(), /30 alerts.*--slurp/);
  }
});

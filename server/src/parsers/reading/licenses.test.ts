import assert from 'node:assert/strict';
import { test } from 'node:test';
import { separateLicenses } from './licenses.ts';

test('each license that applies is a text of its own, and a choice stays one', () => {
  for (const [name, expected] of [
    ['AGPL-3.0-only AND MIT', ['AGPL-3.0-only', 'MIT']],
    ['0BSD AND Public-Domain AND Apache 2.0', ['0BSD', 'Public-Domain', 'Apache 2.0']],
    [
      '(MIT OR Zlib) AND GPL-2.0-only WITH Classpath-exception-2.0',
      ['(MIT OR Zlib)', 'GPL-2.0-only WITH Classpath-exception-2.0'],
    ],
    ['(MIT AND (Zlib AND ISC))', ['MIT', 'Zlib', 'ISC']],
    ['MIT OR Zlib AND ISC', ['MIT OR Zlib AND ISC']],
    ['MIT AND Zlib OR ISC', ['MIT AND Zlib OR ISC']],
    ['CDDL (version 1.0 AND 1.1)', ['CDDL (version 1.0 AND 1.1)']],
    ['(MIT AND Zlib) of (ISC AND 0BSD)', ['(MIT AND Zlib) of (ISC AND 0BSD)']],
    ['(MIT AND Zlib', ['(MIT AND Zlib']],
    ['MIT) AND (Zlib', ['MIT) AND (Zlib']],
    ['BSD and MIT', ['BSD and MIT']],
  ] as const)
    assert.deepEqual(separateLicenses([name]), expected, name);
});

test('names without AND keep their order', () => {
  assert.deepEqual(separateLicenses(['Zlib', 'MIT OR ISC', '']), ['Zlib', 'MIT OR ISC', '']);
});

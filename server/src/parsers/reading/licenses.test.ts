import assert from 'node:assert/strict';
import { test } from 'node:test';
import { licensesOf } from './licenses.ts';
import { defaultLimits, ParseContext } from './limits.ts';

const licenses = (...names: string[]) => {
  const context = new ParseContext(defaultLimits);
  return { names: licensesOf(names, context), warnings: context.warnings };
};

test('each license that applies is a text of its own, and a choice stays one', () => {
  for (const [name, expected] of [
    ['AGPL-3.0-only AND MIT', ['AGPL-3.0-only', 'MIT']],
    ['0BSD AND Public-Domain  AND\nApache 2.0', ['0BSD', 'Public-Domain', 'Apache 2.0']],
    ['(AGPL-3.0-only) AND MIT', ['AGPL-3.0-only', 'MIT']],
    [
      '(MIT OR Zlib) AND GPL-2.0-only WITH Bison-exception-2.2',
      ['MIT OR Zlib', 'GPL-2.0-only WITH Bison-exception-2.2'],
    ],
    ['( MIT AND (Zlib AND ISC) )', ['MIT', 'Zlib', 'ISC']],
    ['(MIT OR Zlib)', ['MIT OR Zlib']],
    ['(MIT OR Zlib) OR (ISC AND 0BSD)', ['(MIT OR Zlib) OR (ISC AND 0BSD)']],
    ['MIT OR Zlib AND ISC', ['MIT OR Zlib AND ISC']],
    ['MIT AND Zlib OR ISC', ['MIT AND Zlib OR ISC']],
    ['CDDL (version 1.0 AND 1.1)', ['CDDL (version 1.0 AND 1.1)']],
    ['(MIT AND Zlib) of (ISC AND 0BSD)', ['(MIT AND Zlib) of (ISC AND 0BSD)']],
    ['(MIT AND Zlib', ['(MIT AND Zlib']],
    ['MIT) AND (Zlib', ['MIT) AND (Zlib']],
    ['BSD and MIT', ['BSD and MIT']],
    ['', ['']],
  ] as const)
    assert.deepEqual(licenses(name).names, expected, name);
  assert.deepEqual(licenses('Zlib', 'MIT AND Zlib').names, ['Zlib', 'MIT']);
});

test('a license at the end of a long expression counts, and what goes beyond the limits is said', () => {
  const many = Array.from({ length: 60 }, (_, i) => `LicenseRef-number-${i}`);
  const long = licenses([...many, 'AGPL-3.0-only'].join(' AND '));
  assert.deepEqual([long.names.at(-1), long.names.length, long.warnings], ['AGPL-3.0-only', 61, []]);
  const tooMany = licenses(Array.from({ length: 101 }, (_, i) => `L${i}`).join(' AND '));
  assert.deepEqual([tooMany.names.length, tooMany.warnings.length], [100, 1]);
  assert.equal(licenses('x'.repeat(10_001)).warnings.length, 2, 'its name is cut too');
  const nested = `${'('.repeat(17)}MIT AND Zlib${')'.repeat(17)}`;
  assert.deepEqual(licenses(nested).names, [nested]);
});

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const program = fileURLToPath(new URL('run.ts', import.meta.url));

test('an unknown measure, size or option is refused with a sentence and exit code 2', async () => {
  const refused: [string[], RegExp][] = [
    [
      ['--only', 'lists,WRONG'],
      /^bench: There is no measure WRONG\. The measures of --only are disk, lists, .*\.$/,
    ],
    [['--size', 'huge'], /^bench: There is no size huge\. The sizes are .*tiny.*\.$/],
    [
      ['--wrong'],
      /^bench: The arguments are wrong: Unknown option '--wrong'\. The options are --data-dir, --size, --full, --only\.$/,
    ],
  ];
  for (const [args, message] of refused) {
    await assert.rejects(promisify(execFile)(process.execPath, [program, ...args]), (error: object) => {
      const { code, stderr } = error as { code: number; stderr: string };
      assert.equal(code, 2);
      assert.match(stderr.trimEnd(), message);
      return true;
    });
  }
});

test('a run of the tiny size prints a figure for each row and copies the fixed rows of the import yardstick', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'merlon-bench-'));
  // If the test runs as root, PostgreSQL runs as another user, who must reach its directory.
  chmodSync(dataDir, 0o711);
  try {
    const only = 'lists,reading,imports,pull-requests';
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...[program, '--size', 'tiny', '--only', only, '--data-dir', dataDir],
    ]);
    const works = [
      'lists, random filters, 2',
      'reading 500',
      'import of 500 findings (code), new',
      'import of 300 known findings (code)',
    ];
    for (const work of works)
      assert.match(stdout, new RegExp(`^${work.replaceAll(/[()]/g, '\\$&')}.*[1-9]`, 'm'));
    assert.match(stdout, /packages\), new +COPY of 9,400 rows/);
    assert.match(stdout, /code\), new +COPY of 6,000 rows/);
    assert.doesNotMatch(stdout, /NaN|Infinity|undefined/);
  } finally {
    rmSync(dataDir, { recursive: true });
  }
});

/** Tests that `npm run ci-story` does what docs/ci.md describes: branches, pull requests, verdicts and exit codes. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

test('docs/ci.md has the output of npm run ci-story between its marks', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['tools/ci-story.ts'], {
    cwd: root,
    encoding: 'utf8',
    timeout: 240_000,
  });
  assert.equal(status, 0, stdout + stderr);
  const [, documented] =
    /<!-- story -->\n```text\n([\s\S]*?)\n```\n<!-- \/story -->/.exec(
      readFileSync(`${root}docs/ci.md`, 'utf8'),
    ) ?? [];
  assert.equal(stdout.trim(), documented);
});

/** Tests docs/security.md: it names a test for each promise, and the file and the title exist. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const root = new URL('../../../', import.meta.url);
const page = readFileSync(new URL('docs/security.md', root), 'utf8')
  .replaceAll(/\s+/g, ' ')
  .replaceAll('’', "'");

/** `file.test.ts`: "title", "title": a title may leave parts out by "…". */
const named = [...page.matchAll(/`([^`]+\.test\.ts)`: ((?:"[^"]+"(?:, )?)+)/g)].flatMap(([, file, titles]) =>
  [...(titles ?? '').matchAll(/"([^"]+)"/g)].map(([, title]) => ({ file: file ?? '', title: title ?? '' })),
);

function read(file: string): string {
  const [here, below] = [new URL(file, root), new URL(`server/test/${file}`, root)];
  const found = [here, below].find((url) => existsSync(url));
  assert.ok(found, `${file} does not exist`);
  return readFileSync(found, 'utf8').replaceAll('\\', '').replaceAll('’', "'");
}

test('every test that the threat model names exists', () => {
  for (const { file, title } of named) {
    const text = read(file);
    for (const part of title.split('…')) assert.ok(text.includes(part.trim()), `${file}: ${title}`);
  }
  assert.ok(named.length > 40, `only ${named.length} are found`);
});

test('every promise names a test', () => {
  const [promised = ''] = page.split('## What is not promised');
  const promises = promised.split(/ - (?=[A-Z])/).slice(1);
  for (const promise of promises) assert.match(promise, /\.test\.ts`: "/, promise);
});

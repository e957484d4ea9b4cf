/** The parts of documents that come from the code. A part stands between two comments with its name. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';

/** Tests that the part is as `write` gives it. `npm run` of the command writes it again. */
export function testGenerated(path: string, part: string, command: string, write: () => string): void {
  test(`${path} has the part ${part} from the code`, () => {
    const file = new URL(`../../../${path}`, import.meta.url);
    const text = readFileSync(file, 'utf8');
    const [opening, closing] = [`<!-- ${part} -->\n`, `<!-- /${part} -->`];
    const [from, to] = [text.indexOf(opening) + opening.length, text.indexOf(closing)];
    assert.ok(text.includes(opening) && to > 0, `${path} has lost ${opening.trim()} or ${closing}`);
    if (process.env.TEST_WRITE_DOCS === '1') {
      writeFileSync(file, `${text.slice(0, from)}${write()}\n${text.slice(to)}`);
      return;
    }
    assert.ok(text.slice(from, to) === `${write()}\n`, `the part ${part} is old: npm run ${command}`);
  });
}

export function markdownTable(head: string[], rows: string[][]): string {
  const line = (cells: string[]): string =>
    `|${cells.map((cell) => (cell === '' ? ' ' : ` ${cell} `)).join('|')}|`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

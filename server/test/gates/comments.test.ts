/**
 * Comments begin with the thing that they describe, because a clause such as "What waits" leaves it unnamed. For the
 * same reason no parameter or field is named by a question.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

const openings: Record<string, string> = {
  Of: 'begin with the thing itself: "The account type …"',
  What: 'begin with the noun: "The reports that …", "The reason why …"',
  Whoever: 'name the person or the part: "A user who …", "The caller …"',
  Who: 'name the person or the part: "The members who …", "The sources that …"',
  Nobody: 'name the person and say what they cannot do: "A requester cannot …"',
  Nor: 'write a whole sentence of its own: "It also does not …"',
  Whatever: 'name what may differ, and say what holds: "The result is the same for each …"',
  Where: 'begin with the noun: "The folder of …", "The position at which …"',
  How: 'begin with the noun: "The number of …", "The way in which …"',
  Whether: 'write "True if …", or a whole sentence',
  Why: 'begin with the noun: "The reason why …"',
  Which: 'begin with the noun: "The versions that …"',
  That: 'name the thing: "The source of the repository"',
  Beside: 'begin with the thing: "The fields in addition to …"',
};

/**
 * Returns the first word of each comment, with its line. Lines of `//` or `--` that follow each other are one comment.
 */
function openingsOf(file: string, text: string): { line: number; word: string }[] {
  const mark = file.endsWith('.sql') ? '--' : '//';
  const lines = text.split('\n').map((line) => line.trim());
  return lines.flatMap((line, i) => {
    const before = lines[i - 1] ?? '';
    const block = /^\{?\/\*\*?\s*(\w*)/.exec(line);
    if (block) {
      const next = /^\*?\s*(\w*)/.exec(lines[i + 1] ?? '')?.[1] ?? '';
      return { line: i + 1, word: block[1] || next };
    }
    const single = new RegExp(`^${mark}\\s*(\\w*)`).exec(line);
    return single && !before.startsWith(mark) ? { line: i + 1, word: single[1] ?? '' } : [];
  });
}

test('the first word of a comment is found in every style of comment', () => {
  const code = [
    '/** What a */',
    '{/* Of b */}',
    '/**',
    ' * Nor c',
    ' */',
    '// Who d',
    '// Who e',
    'f(); // Who',
  ];
  assert.deepEqual(
    openingsOf('a.ts', code.join('\n')).map(({ line, word }) => `${line} ${word}`),
    ['1 What', '2 Of', '3 Nor', '6 Who'],
  );
  assert.deepEqual(openingsOf('a.sql', '-- Beside a\n-- Of b'), [{ line: 1, word: 'Beside' }]);
});

function filesLike(...patterns: string[]): string[] {
  return execFileSync('git', ['ls-files', '--', ...patterns], { cwd: root, encoding: 'utf8' })
    .trim()
    .split('\n')
    .filter(
      (file) => !file.includes('/fixtures/') && !file.endsWith('.gen.ts') && existsSync(`${root}${file}`),
    );
}

test('no comment begins with a clause instead of its subject', () => {
  const comments = filesLike('*.ts', '*.tsx', '*.sql', '*.css').flatMap((file) =>
    openingsOf(file, readFileSync(`${root}${file}`, 'utf8')).map((found) => ({ file, ...found })),
  );
  assert.ok(comments.length > 5_000, 'the comments were found');
  const wrong = comments
    .filter(({ word }) => Object.hasOwn(openings, word))
    .map(({ file, line, word }) => `${file}:${line} begins with "${word}": ${openings[word]}`);
  assert.deepEqual(wrong, []);
});

// Without SQL: a database knows the digest of its schema, which must not change for the look of a comment.
test('no line of a comment is longer than 120 characters', () => {
  const wrong = filesLike('*.ts', '*.tsx', '*.js', '*.css').flatMap((file) =>
    readFileSync(`${root}${file}`, 'utf8')
      .split('\n')
      .flatMap((line, i) =>
        line.length > 120 && /^\s*(?:\{?\/?\*|\/\/|--)/.test(line) ? [`${file}:${i + 1}`] : [],
      ),
  );
  assert.deepEqual(wrong, []);
});

test('a parameter or field is named by a noun, not by which, what, how or why', () => {
  // A declaration with its type; a text such as "how: it …" is none.
  const question =
    /^(?!\s*(?:\*|\/\/|\/\*)).*?(?<!['"`].*)\b(which|what|how|why|whom|whose)\??: [A-Za-z'"{([]/;
  const sources = filesLike('*.ts', '*.tsx').filter((file) => !/(?:^|\/)test\/|\.test\.ts$/.test(file));
  assert.ok(sources.some((file) => file.startsWith('benchmarks/')));
  const wrong = sources.flatMap((file) =>
    readFileSync(`${root}${file}`, 'utf8')
      .split('\n')
      .flatMap((line, i) => (question.test(line) ? [`${file}:${i + 1} ${question.exec(line)?.[1]}`] : [])),
  );
  assert.deepEqual(wrong, []);
});

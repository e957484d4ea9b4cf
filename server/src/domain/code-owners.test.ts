/** Tests of CODEOWNERS files, with the examples of the forges' own documentation. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fieldOf } from '../../test/support/fields.ts';
import { CodeOwners, type CodeOwnersSyntax, codeOwnersSyntaxes } from './code-owners.ts';

function owners(text: string, path: string, syntax: CodeOwnersSyntax = 'github'): string[] {
  return new CodeOwners(text, syntax).rulesOf(path).flatMap((rule) => rule.owners);
}

// From docs.github.com, "About code owners", example of a CODEOWNERS file.
const githubExample = `
*       @global-owner1 @global-owner2
*.js    @js-owner #This is an inline comment.
*.go docs@example.com
*.txt @octo-org/octocats
/build/logs/ @doctocat
docs/* docs@example.com
apps/ @octocat
/docs/ @doctocat
/scripts/ @doctocat @octocat
**/logs @octocat
/apps/ @octocat
/apps/github
`;

describe("the example of GitHub's documentation", () => {
  for (const [path, expected] of [
    ['README.md', ['@global-owner1', '@global-owner2']],
    ['src/deep/index.js', ['@js-owner']],
    ['cmd/main.go', ['docs@example.com']],
    ['notes/a.txt', ['@octo-org/octocats']],
    ['build/logs/2031/a.log', ['@octocat']],
    ['other/build/logs.md', ['@global-owner1', '@global-owner2']],
    ['docs/deep/page.md', ['@doctocat']],
    ['scripts/run.sh', ['@doctocat', '@octocat']],
    ['deeply/nested/logs/x', ['@octocat']],
    ['lib/apps/x.md', ['@octocat']],
    ['apps/shop/x.md', ['@octocat']],
    ['apps/github/x.md', []],
  ] as const) {
    test(`${path} is owned by ${expected.join(', ') || 'nobody'}`, () => {
      assert.deepEqual(owners(githubExample, path), expected);
    });
  }

  test('a pattern that ends with /* leaves the directories below out', () => {
    assert.deepEqual(owners('docs/* @a', 'docs/getting-started.md'), ['@a']);
    assert.deepEqual(owners('docs/* @a', 'docs/build-app/troubleshooting.md'), []);
    assert.deepEqual(owners('docs/* @a', 'lib/docs/a.md'), [], 'it begins at the root');
  });

  test('/* owns the files of the root alone, in both syntaxes', () => {
    for (const syntax of codeOwnersSyntaxes) {
      assert.deepEqual(owners('/* @a', 'README.md', syntax), ['@a']);
      assert.deepEqual(owners('/* @a', 'src/index.ts', syntax), []);
      assert.deepEqual(owners('/*/ @a', 'src/deep/index.ts', syntax), ['@a']);
      assert.deepEqual(owners('/*/ @a', 'README.md', syntax), []);
      assert.deepEqual(owners('* @a', 'src/index.ts', syntax), ['@a']);
    }
  });
});

// From docs.gitlab.com, "Code Owners syntax and error handling".
const gitlabExample = `
* @default
[Documentation] @docs-team
docs/
README.md @readme
[Database][2] @database-team
model/db/
config/db/database-setup.md @docs-team
^[Optional]
*.rb @ruby
!generated.rb
[DOCUMENTATION]
terms.md @legal
`;

describe('sections of GitLab', () => {
  for (const [path, expected] of [
    ['src/a.c', ['@default']],
    ['lib/docs/a.md', ['@default', '@docs-team']],
    ['README.md', ['@default', '@readme']],
    ['model/db/a.rb', ['@default', '@database-team', '@ruby']],
    ['model/db/generated.rb', ['@default', '@database-team']],
    ['terms.md', ['@default', '@legal']],
  ] as const) {
    test(`${path} is owned by ${expected.join(', ')}`, () => {
      assert.deepEqual(owners(gitlabExample, path, 'gitlab'), expected);
    });
  }

  test('a pattern with a slash inside matches at any depth', () => {
    assert.deepEqual(owners('internal/README.md @a', 'docs/internal/README.md', 'gitlab'), ['@a']);
    assert.deepEqual(owners('internal/README.md @a', 'docs/internal/README.md', 'github'), []);
    assert.deepEqual(owners('/internal/README.md @a', 'docs/internal/README.md', 'gitlab'), []);
  });

  test('only a pattern that ends with a slash owns a directory, and ** at the end stays in one', () => {
    const matches = (pattern: string, path: string) => owners(`${pattern} @a`, path, 'gitlab').length > 0;
    for (const pattern of ['/docs', 'docs', '/docs/*', '/docs/**', 'docs/**']) {
      assert.ok(!matches(pattern, 'docs/deep/a.md'), pattern);
    }
    for (const pattern of ['/docs/', 'docs/', '/docs/**/*', '/docs/**/']) {
      assert.ok(matches(pattern, 'docs/a.md') && matches(pattern, 'docs/deep/a.md'), pattern);
    }
    assert.ok(matches('/docs/*', 'docs/.hidden') && matches('/docs/**', 'docs/a.md'));
    assert.ok(matches('LICENSE', 'lib/LICENSE') && !matches('/LICENSE', 'lib/LICENSE'));
    assert.ok(matches('*', 'src/a.c') && matches('**', 'src/a.c') && !matches('/**', 'src/a.c'));
  });

  test('a file of GitHub has no sections', () => {
    const file = new CodeOwners('[Documentation] @docs-team\n*.md @a', 'github');
    assert.deepEqual(file.problems, [
      { line: 1, text: 'The pattern is not supported, so the line is left out.' },
    ]);
    assert.deepEqual(file.owners, ['@a']);
  });
});

test('** stands for any number of directories, * and ? stay within one', () => {
  const matches = (pattern: string, path: string) => owners(`${pattern} @a`, path).length > 0;
  assert.ok(matches('/a/**/z', 'a/z') && matches('/a/**/z', 'a/b/c/z') && !matches('/a/**/z', 'b/z'));
  assert.ok(matches('/a/**', 'a/b') && !matches('/a/**', 'a'));
  assert.ok(matches('/a/*.ts', 'a/x.ts') && !matches('/a/*.ts', 'a/b/x.ts'));
  assert.ok(matches('/v?/', 'v1/x') && !matches('/v?/', 'v10/x'));
  assert.ok(matches('a*b*c', 'aXbXXc') && !matches('a*b*c', 'aXcXXb'));
  assert.ok(matches('/src', 'src/deep/x') && !matches('/src', 'srcs/x'));
});

test('a path with a blank is written with a backslash, and owners are compared without case', () => {
  assert.deepEqual(owners('/my\\ docs/ @Acme/Docs Ada@Example.com', 'my docs/a.md'), [
    '@acme/docs',
    'ada@example.com',
  ]);
});

test('a pattern matches a path with accents in either spelling, and an address keeps its letters', () => {
  assert.deepEqual(owners('/Gr\u006f\u0308ße/ @a', 'Größe/x.ts'), ['@a']);
  assert.deepEqual(owners('/Größe/ @a', 'Größe/x.ts'), ['@a']);
  // The lower case of the Kelvin sign is k.
  const file = new CodeOwners('*.md \u212aim@example.com', 'github');
  assert.deepEqual([file.owners, fieldOf(file.problems, 'line')], [[], [1]]);
});

test('an invalid owner and an invalid pattern are reported with their lines', () => {
  const file = new CodeOwners('*.md nobody @a\n!x @a\n[a-z].md @a\n/ok @a', 'github');
  assert.deepEqual(fieldOf(file.problems, 'line'), [1, 2, 3]);
  assert.deepEqual(fieldOf(file.rules, 'line'), [1, 4]);
});

test('hostile patterns are compared until the budget is used up; then nobody owns anything', () => {
  const hostile = `${'*a'.repeat(120)}b`;
  const text = `/ok @a\n${`${hostile} @a\n`.repeat(2_500)}`;
  const file = new CodeOwners(text, 'github', 1_000_000);
  assert.equal(file.rules.length, 2_000);
  assert.match(file.problems[0]?.text ?? '', /more than 2000 rules/);
  assert.equal(file.rulesOf('ok/a').length, 1);
  assert.equal(file.isExhausted, false);
  const part = 'a'.repeat(250);
  for (const name of ['x', 'y', 'z']) assert.deepEqual(file.rulesOf(`${part}/${part}${name}`), []);
  assert.deepEqual(file.rulesOf('ok/b'), []);
  assert.equal(file.isExhausted, true);
});

test('among many rules about other directories at the root, the last rule that matches counts', () => {
  const others = Array.from({ length: 1_000 }, (_, index) => `/folder-${index}/ @b`);
  const rules = ['* @a', ...others, '/folder-1/*.md @c', '/folder-?/y @d', 'z @e', '/z @f'];
  const file = new CodeOwners(rules.join('\n'), 'github');
  for (const [path, owner] of [
    ['x', '@a'],
    ['folder-1/x', '@b'],
    ['folder-1/x.md', '@c'],
    ['folder-2/y', '@d'],
    ['folder-3/z', '@e'],
    ['shed/z', '@e'],
    ['z', '@f'],
    ['shed/x', '@a'],
  ] as const) {
    assert.deepEqual(
      file.rulesOf(path).flatMap((rule) => rule.owners),
      [owner],
      path,
    );
  }
});

test('a section whose exclusions and rules are about another directory owns nothing', () => {
  const file = new CodeOwners('[A]\n/shed/ @a\n!/shed/x\n[B]\n!/bed/x\n* @b', 'gitlab');
  const ownersOf = (path: string) => file.rulesOf(path).flatMap((rule) => rule.owners);
  assert.deepEqual(['shed/y', 'shed/x', 'bed/x', 'bed/y'].map(ownersOf), [['@a', '@b'], ['@b'], [], ['@b']]);
});

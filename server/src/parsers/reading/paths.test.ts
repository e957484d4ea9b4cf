import assert from 'node:assert/strict';
import { test } from 'node:test';
import { normalisePath, pathOfUri, repositoryPath, resolveBases } from './paths.ts';

const none = resolveBases(new Map());

test('URIs become paths from the root of the repository', () => {
  const cases: [string, string | null][] = [
    ['src/a.ts', 'src/a.ts'],
    ['./src//a.ts', 'src/a.ts'],
    ['src\\win\\a.cs', 'src/win/a.cs'],
    ['a%20b/%C3%A9.ts', 'a b/é.ts'],
    ['100%/done.ts', '100%/done.ts'],
    ['%ff%fe.ts', '%ff%fe.ts'],
    ['../../etc/passwd', 'etc/passwd'],
    ['a/%2e%2e/%2e%2e/b', 'b'],
    ['a/..%5c..%5cb', 'b'],
    ['', null],
    ['.', null],
    ['file:///github/workspace/src/a.ts', 'src/a.ts'],
    ['/home/runner/work/shop/shop/src/a.ts', 'src/a.ts'],
    ['/builds/acme/shop/src/a.ts', 'src/a.ts'],
    ['/home/jenkins/workspace/job/src/a.ts', 'src/a.ts'],
    ['file:///home/jenkins/agent/workspace/job/src/a.ts', 'src/a.ts'],
    ['file:///D:/a/shop/shop/src/a.ts', 'src/a.ts'],
    ['D:\\a\\1\\s\\src\\a.ts', 'src/a.ts'],
    ['/codebuild/output/src111/src/src/a.ts', 'src/a.ts'],
    ['file:///codebuild/output/src222/src/src/a.ts', 'src/a.ts'],
    ['/codebuild/output/src222/src/lib/a.ts', 'lib/a.ts'],
    ['/codebuild/output/src222/src/github.com/acme/shop/src/a.ts', 'src/a.ts'],
    ['/codebuild/output/src222/src/git-codecommit.eu-west-1.amazonaws.com/v1/repos/shop/a.ts', 'a.ts'],
    ['/codebuild/output/src222/src/s3/00/src/a.ts', 'src/a.ts'],
    ['/var/lib/buildkite-agent/builds/agent-7/acme/shop/src/a.ts', 'src/a.ts'],
    ['/buildkite/builds/agent-7/acme/shop/src/a.ts', 'src/a.ts'],
    ['codebuild/output/src222/src/a.ts', 'codebuild/output/src222/src/a.ts'],
    ['file:////src/lib/a.js', 'lib/a.js'],
    ['/src/main.tf', 'src/main.tf'],
    ['src/main.tf', 'src/main.tf'],
    ['builds/acme/shop/src/a.ts', 'builds/acme/shop/src/a.ts'],
    ['file://host/share/a.ts', 'share/a.ts'],
    ['file://C:/code/a.c', 'code/a.c'],
    ['file:///C:/code/a.c', 'code/a.c'],
    ['https://code.example/org/repo/blob/0123abc/src/a.ts#L3', 'src/a.ts'],
    ['https://code.example/org/sub/repo/-/blob/main/src/a.ts', 'src/a.ts'],
    ['http://user:word@shop.example:8080/login?token=1#x', 'http://shop.example:8080/login'],
    ['https://', null],
    ['chart.tgz:templates/pod.yaml', 'chart.tgz:templates/pod.yaml'],
  ];
  for (const [uri, expected] of cases) assert.equal(pathOfUri(uri, null, none), expected, uri);
});

test('bases are the repository, unless their place says more', () => {
  const bases = resolveBases(
    new Map([
      ['ROOT', { uri: 'file:///somewhere/on/disk', uriBaseId: null }],
      ['SUB', { uri: 'web/', uriBaseId: 'ROOT' }],
      ['INSIDE', { uri: 'file:///builds/acme/shop/web/', uriBaseId: null }],
      ['DRIVE', { uri: 'file:///C:/', uriBaseId: null }],
      ['HOST', { uri: 'https://code.example/org/repo/', uriBaseId: null }],
      ['NAMELESS', { uri: null, uriBaseId: null }],
      ['ONE', { uri: 'one/', uriBaseId: 'TWO' }],
      ['TWO', { uri: null, uriBaseId: 'ONE' }],
    ]),
  );
  const cases: [string, string, string | null][] = [
    ['a.ts', 'ROOT', 'a.ts'],
    ['a.ts', 'INSIDE', 'web/a.ts'],
    ['work/1/s/a.ts', 'DRIVE', 'a.ts'],
    ['code/a.ts', 'DRIVE', 'code/a.ts'],
    ['a.ts', 'HOST', 'a.ts'],
    ['a.ts', 'NAMELESS', 'a.ts'],
    ['a.ts', 'UNKNOWN', 'a.ts'],
    ['../../a.ts', 'ROOT', 'a.ts'],
  ];
  for (const [uri, base, expected] of cases)
    assert.equal(pathOfUri(uri, base, bases), expected, `${base} ${uri}`);
  assert.equal(pathOfUri('file:///somewhere/on/disk/src/a.ts', null, bases), 'src/a.ts');
  assert.equal(typeof pathOfUri('a.ts', 'ONE', bases), 'string', 'a circle ends');
});

test('a relative base below another keeps its part of the path', () => {
  const bases = resolveBases(
    new Map([
      ['ROOT', { uri: null, uriBaseId: null }],
      ['SUB', { uri: 'web/', uriBaseId: 'ROOT' }],
      ['FAR', { uri: 'file:///disk/checkout/', uriBaseId: null }],
      ['NEAR', { uri: 'web', uriBaseId: 'FAR' }],
    ]),
  );
  assert.equal(pathOfUri('a.ts', 'SUB', bases), 'web/a.ts');
  assert.equal(pathOfUri('a.ts', 'NEAR', bases), 'web/a.ts');
});

test('plain paths are not decoded', () => {
  assert.equal(repositoryPath('/github/workspace/a%20b.ts'), 'a%20b.ts');
  assert.equal(repositoryPath('C:\\code\\a.ts'), 'code/a.ts');
  assert.equal(normalisePath('a\u0000b/\u001bc'), 'ab/c');
  assert.equal(normalisePath('x'.repeat(10_000))?.length, 4096);
  assert.equal(normalisePath('web/package-lock.json?/@garden/rake:1.2'), 'web/package-lock.json');
  assert.equal(normalisePath('web/what.txt?'), 'web/what.txt?');
});

test('the two spellings of a letter with an accent are one path', () => {
  const [one, two] = ['src/Größe/ä.ts', 'src/Gro\u0308ße/a\u0308.ts'];
  assert.notEqual(one, two);
  for (const path of [one, two, 'src/Gro\u0000\u0308ße/ä.ts']) {
    assert.equal(normalisePath(path), one);
    assert.equal(repositoryPath(`/github/workspace/${path}`), one);
  }
  assert.equal(pathOfUri(encodeURI(two), null, new Map()), one);
  // These letters become longer, because NFC takes them apart.
  assert.equal(normalisePath('\u0958'.repeat(4_096))?.length, 4_096);
});

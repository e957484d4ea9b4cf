/** Ranges of advisories: the rules of the OSV schema, written once more as plain pairs of ends. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { seedOf } from '../../test/support/form.ts';
import { processorMs } from '../../test/support/processor-time.ts';
import {
  type AffectedVersions,
  isAffected,
  PackageAdvisories,
  type RangeEvent,
  rangeEventKinds,
} from './affected-versions.ts';
import { compareVersions, isVersion } from './versions.ts';

const seed = seedOf(20_260_101);

const range = (...events: RangeEvent[]): AffectedVersions => ({ ranges: [events], versions: [] });

test('each kind of end counts as the OSV schema says', () => {
  const cases: [string, string, AffectedVersions, boolean][] = [
    ['npm', '1.0.0', range(['introduced', '0'], ['fixed', '1.0.0']), false],
    ['npm', '0.9.9', range(['introduced', '0'], ['fixed', '1.0.0']), true],
    ['npm', '0.0.0-alpha', range(['introduced', '0'], ['fixed', '1.0.0']), true],
    ['npm', '1.0.0', range(['introduced', '1.0.0'], ['last_affected', '1.0.0']), true],
    ['npm', '1.0.1', range(['introduced', '1.0.0'], ['last_affected', '1.0.0']), false],
    ['npm', '9.0.0', range(['introduced', '1.0.0']), true],
    ['npm', '2.0.0', range(['introduced', '1.0.0'], ['limit', '2.0.0']), false],
    ['npm', '1.5.0', range(['introduced', '1.0.0'], ['limit', '2.0.0']), true],
    ['npm', '9.0.0', range(['introduced', '1.0.0'], ['limit', '*']), true],
    [
      'golang',
      '1.20.0',
      range(['introduced', '0'], ['fixed', '1.19.6'], ['introduced', '1.20.0-0'], ['fixed', '1.20.1']),
      true,
    ],
    [
      'golang',
      '1.19.7',
      range(['introduced', '0'], ['fixed', '1.19.6'], ['introduced', '1.20.0-0'], ['fixed', '1.20.1']),
      false,
    ],
    // The toolchain writes its candidates without dots.
    ['golang', '1.24rc1', range(['introduced', '1.24.0-rc.1'], ['fixed', '1.24.0-rc.2']), true],
    ['golang', 'go1.24rc2', range(['introduced', '0'], ['fixed', '1.24.0-rc.2']), false],
    // A range that begins where another one ends continues it, in either order.
    [
      'npm',
      '2.5.0',
      range(['introduced', '2.0.0'], ['fixed', '3.0.0'], ['introduced', '1.0.0'], ['fixed', '2.0.0']),
      true,
    ],
    [
      'npm',
      '1.5.0',
      range(
        ['introduced', '1.0.0'],
        ['last_affected', '1.0.0'],
        ['introduced', '0'],
        ['last_affected', '1.0'],
      ),
      false,
    ],
    [
      'npm',
      '1.0.0',
      range(['introduced', '0'], ['fixed', '1.0.0'], ['introduced', '1.0.0'], ['fixed', '1.1.0']),
      true,
    ],
    ['npm', '1.0.0', range(['introduced', '1.0.0'], ['fixed', '1.0.0']), false],
    ['pypi', '1.0.0', { ranges: [], versions: ['1.0'] }, true],
    ['pypi', '1.0.1', { ranges: [], versions: ['1.0'] }, false],
    ['deb', '2.36-9+deb12u3', range(['introduced', '0'], ['fixed', '2.36-9+deb12u10']), true],
  ];
  for (const [type, version, affected, expected] of cases) {
    assert.equal(
      isAffected(type, version, affected),
      expected,
      `${type} ${version} ${JSON.stringify(affected)}`,
    );
    const together = new PackageAdvisories(type, [affected]).assess(version).affecting;
    assert.equal(together.length === 1, expected, `${type} ${version} of all advisories of the package`);
  }
});

test('a gem that is compiled for a platform is affected as its version is', () => {
  const affected = {
    ranges: [
      [['introduced', '0'] as const, ['fixed', '1.13.6'] as const],
      [['introduced', '1.14.0'] as const, ['fixed', '1.14.3'] as const],
    ],
    versions: ['1.20.0'],
  };
  const platforms = [
    'x86_64-linux',
    'x86_64-linux-gnu',
    'x64-mingw-ucrt',
    'x86-mswin32-60',
    'arm64-darwin',
    'amd64-freebsd-14',
    'freebsd',
    'linux',
    'darwin',
    'aarch64-linux-musl',
    'universal-darwin-19',
    'java',
    'truffleruby',
  ];
  for (const platform of ['', ...platforms.map((name) => `-${name}`)]) {
    const expected = {
      '1.13.5': true,
      '1.13.6': false,
      '1.14.0': true,
      '1.14.2': true,
      '1.14.3': false,
      '1.20.0': true,
    };
    for (const [version, is] of Object.entries(expected)) {
      const installed = `${version}${platform}`;
      assert.equal(isAffected('gem', installed, affected), is, installed);
      const { affecting, fixVersion } = new PackageAdvisories('gem', [affected]).assess(installed);
      assert.equal(affecting.length === 1, is, installed);
      if (version === '1.14.0') assert.equal(fixVersion, '1.14.3', installed);
    }
  }
  assert.ok(isAffected('gem', '2.0.0-java', { ranges: [], versions: ['2.0'] }));
  assert.ok(!isAffected('gem', '2.0.0-java', { ranges: [], versions: ['2.0.0.pre.java'] }));
  // Other endings still are versions before a release.
  assert.ok(isAffected('gem', '1.13.6-rc1', affected));
  assert.ok(isAffected('cocoapods', '1.14.3-arm', affected));
});

test('a Python version with a local label is affected as its public version is', () => {
  const last = range(['introduced', '0'], ['last_affected', '2.7.0']);
  const fixed = range(['introduced', '2.7.0'], ['fixed', '2.7.1']);
  const listed = { ranges: [], versions: ['2.7.0'] };
  const labelled = range(['introduced', '0'], ['fixed', '2.7.0+cu128']);
  const listedBeside = { ...range(['introduced', '3.0']), versions: ['2.7.0'] };
  const all = [last, fixed, listed, labelled, listedBeside];
  for (const [installed, expected] of [
    ['2.7.0', all],
    ['2.7.0+cu118', all],
    ['2.7.0+cu128', [last, fixed, listed, listedBeside]],
    ['2.7.0+cu129', [last, fixed, listed, listedBeside]],
    ['2.7.1+cu128', []],
    ['2.7.0.post1+cu128', [fixed]],
    ['2.6.9+cu128', [last, labelled]],
  ] as const) {
    assert.deepEqual(new PackageAdvisories('pypi', all).assess(installed).affecting, expected, installed);
    const alone = all.filter((affected) => isAffected('pypi', installed, affected));
    assert.deepEqual(alone, expected, installed);
  }
  assert.ok(isAffected('pypi', '1.0+local', { ranges: [], versions: ['1.0.0+local'] }));
  assert.ok(!isAffected('pypi', '1.0', { ranges: [], versions: ['1.0+local'] }));
  // Other ecosystems order what follows the plus, or never look at it.
  assert.ok(!isAffected('deb', '2.36-9+deb12u3', range(['introduced', '0'], ['last_affected', '2.36-9'])));
});

test('a text that is no version is affected only if it is listed, or if all versions are', () => {
  const below = range(['introduced', '0'], ['fixed', '9.0.0']);
  const from = range(['introduced', '0.1.0']);
  const all = range(['introduced', '0']);
  const texts = [
    '^1.2.0',
    '~> 1.2',
    '>=1.0',
    '[1.0,2.0)',
    '*',
    'latest',
    'main',
    'NOASSERTION',
    'UNKNOWN',
    '(devel)',
    '${' + 'project.version}',
    'git+ssh://git@garden.example/rake.git#v1.2.0',
    'workspace:*',
    'file:../rake',
  ];
  for (const type of ['npm', 'golang', 'pypi', 'gem', 'maven', 'composer', 'nuget', 'deb', 'rpm', 'cran']) {
    for (const text of texts) {
      const listed = { ...below, versions: [text] };
      const { affecting, fixVersion } = new PackageAdvisories(type, [below, from, all, listed]).assess(text);
      assert.deepEqual([affecting, fixVersion], [[all, listed], null], `${type} ${text}`);
    }
    for (const text of ['1', 'v1.2.0', '1.2.3.4', '1.2.x', '01.2', '1.2.0-']) {
      assert.ok(isAffected(type, text, below) || isAffected(type, text, from), `${type} ${text}`);
    }
  }
  for (const [type, text] of [
    ['maven', 'r09'],
    ['maven', 'Finchley.RELEASE'],
    ['golang', 'go1.21'],
    ['rpm', 'git20200101-1'],
    ['conan', 'cci.20200203'],
  ] as const) {
    assert.ok(isAffected(type, text, from) || isAffected(type, text, below), `${type} ${text}`);
  }
});

test('a requirement that allows one version only is compared as that version', () => {
  const below = range(['introduced', '0'], ['fixed', '2.0.0']);
  const listed = { ranges: [], versions: ['1.2.3'] };
  for (const written of ['=1.2.3', '=v1.2.3', '== 1.2.3', '===1.2.3', '[1.2.3]']) {
    for (const affected of [below, listed]) {
      assert.ok(isAffected('npm', written, affected), written);
      assert.equal(new PackageAdvisories('npm', [affected]).assess(written).affecting.length, 1, written);
    }
    assert.equal(new PackageAdvisories('npm', [below]).assess(written).fixVersion, '2.0.0', written);
    assert.ok(!isAffected('npm', written.replace('1.2.3', '2.0.0'), below), written);
  }
  for (const written of ['==1.2.*', '[1.2.3,)', '[1.2.3', '=1.2.3, <2', '=latest', '>=1.2.3', '~=1.2.3']) {
    assert.ok(!isAffected('npm', written, below), written);
    assert.deepEqual(new PackageAdvisories('npm', [below]).assess(written).affecting, [], written);
  }
});

test('the events of a range may stand in any order', () => {
  const events: RangeEvent[] = [
    ['introduced', '0'],
    ['fixed', '1.2.0'],
    ['introduced', '2.0.0'],
    ['last_affected', '2.3.0'],
  ];
  fc.assert(
    fc.property(
      fc.shuffledSubarray(events, { minLength: events.length }),
      fc.constantFrom('0.1.0', '1.2.0', '1.9.0', '2.0.0', '2.3.0', '2.3.1'),
      (shuffled, version) =>
        isAffected('npm', version, range(...shuffled)) === isAffected('npm', version, range(...events)),
    ),
    { seed },
  );
});

test('the proposed fix is the lowest newer version that no advisory of the package affects', () => {
  const first = range(['introduced', '0'], ['fixed', '1.2.0'], ['introduced', '2.0.0'], ['fixed', '2.0.5']);
  const second = range(['introduced', '1.1.0'], ['fixed', '1.4.0']);
  const endless = range(['introduced', '1.3.0'], ['last_affected', '1.9.0']);
  const fix = (version: string, ...advisories: AffectedVersions[]) =>
    new PackageAdvisories('npm', advisories).assess(version).fixVersion;
  assert.equal(fix('1.0.0', first), '1.2.0');
  assert.equal(fix('1.0.0', first, second), '1.4.0', 'the second affects 1.2.0');
  assert.equal(fix('2.0.1', first, second), '2.0.5', 'an older fix is a downgrade');
  assert.equal(fix('1.0.0', first, second, endless), '2.0.5');
  assert.equal(fix('1.5.0', endless), null, 'no version is named as fixed');
  assert.equal(fix('3.0.0', first, second, endless), null, 'nothing affects it');
  assert.deepEqual(new PackageAdvisories('npm', [first, second, endless]).assess('1.1.5').affecting, [
    first,
    second,
  ]);
});

test('the advisories of a package together affect what each affects, and a fix is newer and free', () => {
  const version = fc.oneof(
    fc.tuple(fc.nat(4), fc.nat(3)).map(([minor, patch]) => `1.${minor}.${patch}`),
    fc.constantFrom(
      '1.2',
      '1.1.0-rc.1',
      '1.1.0-java',
      '1.1.0+local',
      '1.1+local.2',
      '1.2.3.4',
      'latest',
      '0',
      '*',
      '',
    ),
  );
  const event = fc.tuple(fc.constantFrom(...rangeEventKinds), version);
  const advisory = fc.record({
    ranges: fc.array(fc.array(event, { minLength: 1, maxLength: 5 }), { maxLength: 2 }),
    versions: fc.array(version, { maxLength: 2 }),
  });
  fc.assert(
    fc.property(
      fc.constantFrom('npm', 'pypi', 'gem', 'maven', 'deb', 'cran'),
      version,
      fc.array(advisory, { maxLength: 4 }),
      (type, installed, advisories) => {
        const { affecting, fixVersion } = new PackageAdvisories(type, advisories).assess(installed);
        const expected = advisories.filter((each) => isAffected(type, installed, each));
        assert.deepEqual(affecting, expected);
        if (fixVersion === null) return;
        assert.ok(compareVersions(type, fixVersion, installed) > 0);
        assert.ok(!advisories.some((each) => isAffected(type, fixVersion, each)));
      },
    ),
    { seed, numRuns: 3000 },
  );
});

test('a fix that is the installed version in another spelling is not proposed', () => {
  const advisories = [
    {
      ranges: [
        [['introduced', '1.0.0'] as const, ['fixed', '1.2.0'] as const],
        [['fixed', 'latest'] as const],
      ],
      versions: [],
    },
  ];
  assert.equal(new PackageAdvisories('npm', advisories).assess('1.2').fixVersion, null);
});

test('a package with very many advisories is assessed fast', () => {
  const many = Array.from({ length: 500 }, (_, i) =>
    range(
      ...Array.from(
        { length: 10 },
        (_, j): RangeEvent => [j % 2 === 0 ? 'introduced' : 'fixed', `1.${i % 90}.${j}`],
      ),
    ),
  );
  const started = processorMs();
  const advisories = new PackageAdvisories('pypi', many);
  for (let i = 0; i < 200; i++) advisories.assess(`1.${i % 90}.${i % 11}`);
  // It takes some hundred milliseconds; the margin is for a busy machine.
  assert.ok(processorMs() - started < 10_000, `${processorMs() - started} ms`);
});

const vectors = fileURLToPath(new URL('../../../../shared/intel/versions/', import.meta.url));
const vectorTypes: Record<string, string> = {
  alpine: 'apk',
  cran: 'cran',
  debian: 'deb',
  hackage: 'hackage',
  maven: 'maven',
  nuget: 'nuget',
  packagist: 'composer',
  pub: 'pub',
  pypi: 'pypi',
  redhat: 'rpm',
  rubygems: 'gem',
  semver: 'npm',
};

for (const [ecosystem, type] of Object.entries(vectorTypes)) {
  test(`the ranges that the vectors of ${ecosystem} make hold exactly what they should`, (t) => {
    if (!existsSync(vectors)) {
      t.skip('../shared/intel/versions is not here: no range was made');
      return;
    }
    // Neither is a valid version of Alpine (versions.test.ts).
    const notVersions = new Set(['0.r1 < 0r2', '0.8.21.r2 < 0.8.21r2']);
    let count = 0;
    for (const line of readFileSync(`${vectors}${ecosystem}-versions.txt`, 'utf8').split('\n')) {
      const match = /^(?!#|\/\/)(.*?) ([<=>]) (.*)$/.exec(line);
      if (match === null || notVersions.has(line)) continue;
      const [, left = '', operator, right = ''] = match;
      const [older, newer] = operator === '>' ? [right, left] : [left, right];
      const isSame = operator === '=';
      // The version 0 is the beginning of all versions in a range, whatever the ecosystem thinks of it.
      if (older === '0' || newer === '0') continue;
      // Words alone are compared in the vectors, but are no installed versions.
      if (!isVersion(type, older) || !isVersion(type, newer)) continue;
      const says = (version: string, ...events: RangeEvent[]) => isAffected(type, version, range(...events));
      assert.equal(says(older, ['introduced', '0'], ['fixed', newer]), !isSame, `${line}: below a fix`);
      assert.equal(says(newer, ['introduced', '0'], ['fixed', newer]), false, `${line}: at a fix`);
      assert.equal(
        says(newer, ['introduced', '0'], ['last_affected', older]),
        // The public version stands for those with a local label.
        isSame || (type === 'pypi' && newer.startsWith(`${older}+`)),
        `${line}: after the last`,
      );
      assert.equal(says(older, ['introduced', newer]), isSame, `${line}: before the first`);
      assert.equal(says(newer, ['introduced', older]), true, `${line}: after the first`);
      count++;
    }
    assert.ok(count > 8, `only ${count} vectors`);
  });
}

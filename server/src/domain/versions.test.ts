/**
 * Tests of the order of versions of each ecosystem, with our own examples and with the vectors of a scanner if they are
 * available.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { seedOf } from '../../test/support/form.ts';
import { processorMs } from '../../test/support/processor-time.ts';
import {
  compareVersions,
  highestVersion,
  lowestVersion,
  purlTypeOf,
  sortVersions,
  versionsAbove,
} from './versions.ts';

const seed = seedOf(20_260_101);

/** For each type a list in which every version is older than the next. */
const rising: Record<string, string[]> = {
  npm: ['1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-rc1', '1.0.0', '1.0.1', 'v1.10.0', '2.0'],
  cargo: ['0.9.9', '0.10.0-beta.2', '0.10.0-beta.11', '0.10.0'],
  golang: [
    'v0.0.0-20190308221718-c2843e01d9a2',
    'v0.1.0',
    'go1.21',
    'go1.22beta1',
    '1.22rc1',
    '1.22.0-rc.2',
    '1.22.0-rc2.0.20240308221718-c2843e01d9a2',
    'go1.22rc10',
    '1.22.0',
    'v2.0.0+incompatible',
  ],
  nuget: ['1.0.0-BETA', '1.0.0-beta2', '1.0', '1.0.0.1-pre', '1.0.0.1', '1.0.0.10'],
  pub: ['1.0.0-pre', '1.0.0', '1.0.0+1', '1.0.0+2'],
  pypi: ['2004-legacy', '1.0.dev1', '1.0a1', '1.0rc1', '1.0', '1.0+local', '1.0.post1', '1.0.1', '1!0.1'],
  gem: ['1.0.a9', '1.0.a10', '1.0.b1', '1.0', '1.0.1', '1.10'],
  cocoapods: ['1.0.0.beta.1', '1.0', '1.0.1'],
  maven: [
    '1.0-alpha-1',
    '1.0-beta-1',
    '1.0-rc1',
    '1.0-SNAPSHOT',
    '1.0.RELEASE',
    '1.0-sp',
    '1.0-jre',
    '1.0.1',
  ],
  composer: ['dev-main', '1.0-dev', '1.0a1', '1.0-beta2', '1.0RC1', '1.0', '1.0pl1', '1.0.1'],
  deb: ['2.36~rc1-1', '2.36-9', '2.36-9+deb12u3', '2.36-9+deb12u10', '2.36-10', '1:2.35-1'],
  rpm: ['1.0~rc1-1', '1.0-1.el8', '1.0-1.el9', '1.0-10.el8', '1.0^git1-1', '1.0.1-1', '1:0.9-1'],
  apk: ['1.2_alpha1-r0', '1.2_rc1-r0', '1.2-r0', '1.2-r10', '1.2_p1-r0', '1.2.1-r0', '1.2.10-r0'],
  generic: ['1.0-rc1', '1.0', '1.0.1', '1.9', '1.10'],
};

for (const [type, versions] of Object.entries(rising)) {
  test(`${type}: an older version comes before each newer one`, () => {
    for (const [index, older] of versions.entries()) {
      for (const newer of versions.slice(index + 1)) {
        assert.ok(compareVersions(type, older, newer) < 0, `${older} < ${newer}`);
        assert.ok(compareVersions(type, newer, older) > 0, `${newer} > ${older}`);
      }
    }
  });
}

test('two spellings of one version are equal in their ecosystem', () => {
  const equal = [
    ['npm', '1.2.3+build', 'v1.2.3'],
    ['nuget', '1.0', '1.0.0.0'],
    ['pypi', '1.0', '1.0.0'],
    ['pypi', '1.0-rc.1', '1.0c1'],
    ['maven', '1.0.0.Final', '1'],
    ['maven', '1.0-cr2', '1.0-RC2'],
    ['deb', '0:1.0', '1.0-0'],
    ['gem', '1.0.0', '1'],
    ['golang', 'go1.24rc2', '1.24.0-rc.2'],
    ['golang', '1.9.2rc2', '1.9.2-rc.2'],
    ['golang', '1.24rc1-custom', '1.24.0-rc.1'],
    ['golang', '1.24rc1+abc', '1.24.0-rc.1'],
    ['golang', 'go1.24beta1 X:boringcrypto', '1.24.0-beta.1'],
    ['golang', '1.24.0-rc1', '1.24.0-rc.1'],
    ['golang', 'v1.24.0-rc1', '1.24.0-rc1'],
  ] as const;
  for (const [type, a, b] of equal) assert.equal(compareVersions(type, a, b), 0, `${type}: ${a} = ${b}`);
});

test('a number too large for exact arithmetic is compared digit by digit', () => {
  for (const type of Object.keys(rising)) {
    assert.ok(compareVersions(type, '99999999999999999991.0', '99999999999999999992.0') < 0, type);
  }
});

test('any two texts have one order in both directions, and a text equals itself', () => {
  const version = fc.oneof(
    fc.string({ maxLength: 300 }),
    fc.stringMatching(/^[v0-9a-c.:~^_+-]{0,20}$/),
    fc.constantFrom(...Object.values(rising).flat()),
  );
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(rising)), version, version, (type, a, b) => {
      assert.equal(Math.sign(compareVersions(type, a, b)), 0 - Math.sign(compareVersions(type, b, a)));
      assert.equal(compareVersions(type, a, a), 0);
    }),
    { seed, numRuns: 5000 },
  );
});

test('a very long version is compared fast', () => {
  for (const type of Object.keys(rising)) {
    for (const part of ['1', '1.', 'a', '-', '~', '1a', '.-', '0']) {
      const long = part.repeat(100_000);
      const started = processorMs();
      compareVersions(type, long, `${long}1`);
      // Linear work takes about ten milliseconds. The limit leaves room for a busy machine.
      assert.ok(processorMs() - started < 2000, `${type} ${part}`);
    }
  }
});

test('the lowest and the highest version do not depend on the order given', () => {
  const versions = ['1.0.0', '1.10.0', '1.0', '1.9.0'];
  for (const list of [versions, [...versions].reverse()]) {
    assert.equal(lowestVersion('npm', list), '1.0');
    assert.equal(highestVersion('npm', list), '1.10.0');
  }
  assert.equal(lowestVersion('npm', []), null);
  assert.equal(highestVersion('npm', []), null);
  assert.deepEqual(versionsAbove('npm', '1.9.0-rc.1', versions), ['1.10.0', '1.9.0']);
});

test('the type is read from a package URL, and is empty for other texts', () => {
  assert.equal(purlTypeOf('pkg:npm/%40acme/ui'), 'npm');
  assert.equal(purlTypeOf('lodash'), '');
  assert.equal(purlTypeOf(null), '');
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

// Alpine accepts neither version, because it requires a digit after each dot. Our order of the two is the opposite one.
const notVersions = new Set(['0.r1 < 0r2', '0.8.21.r2 < 0.8.21r2']);

for (const [ecosystem, type] of Object.entries(vectorTypes)) {
  test(`the vectors of ${ecosystem} have the order that they state`, (t) => {
    if (!existsSync(vectors)) {
      t.skip('../shared/intel/versions is not here: the vectors were not compared');
      return;
    }
    let count = 0;
    for (const suffix of ['', '-generated']) {
      const file = `${vectors}${ecosystem}-versions${suffix}.txt`;
      if (!existsSync(file)) continue;
      for (const line of readFileSync(file, 'utf8').split('\n')) {
        const match = /^(?!#|\/\/)(.*?) ([<=>]) (.*)$/.exec(line);
        if (match === null || notVersions.has(line)) continue;
        const [, a = '', operator, b = ''] = match;
        const expected = operator === '<' ? -1 : operator === '>' ? 1 : 0;
        assert.equal(Math.sign(compareVersions(type, a, b)), expected, line);
        assert.equal(Math.sign(compareVersions(type, b, a)), 0 - expected, line);
        count++;
      }
    }
    assert.ok(count > 10, `only ${count} vectors`);
  });
}

test('versions that their ecosystem cannot read all are in one order, however they are given', () => {
  const versions = ['1.0.0', '1.0.0.1', '1.0.0-2'];
  const orders = versions.flatMap((first) => {
    const rest = versions.filter((version) => version !== first);
    return [
      [first, ...rest],
      [first, ...rest.toReversed()],
    ];
  });
  assert.equal(new Set(orders.map((order) => sortVersions('npm', order).join(' '))).size, 1);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Blocking, fixVersion, unblockSteps } from './unblock.ts';

let ids = 0;

function blocking(more: Partial<Blocking>): Blocking {
  ids++;
  return {
    id: `pvl_${ids}`,
    targetType: 'vulnerability',
    title: 'A problem',
    vulnerabilityType: 'dependency',
    purl: null,
    versions: [],
    fixedVersions: [],
    path: null,
    line: null,
    ...more,
  };
}

const inPackage = (more: Partial<Blocking>) =>
  blocking({ purl: 'pkg:npm/tar', versions: ['4.4.0'], path: 'package-lock.json', ...more });

const shown = (list: Blocking[]) =>
  unblockSteps(list).map(({ action, text, to, resolves }) => [action, text, to, resolves.length]);

test('each package needs one upgrade: the lowest version that fixes everything in it', () => {
  const steps = shown([
    inPackage({ fixedVersions: ['4.4.2', '5.0.6'] }),
    inPackage({ fixedVersions: ['4.4.18', '6.1.7'] }),
    inPackage({ fixedVersions: ['4.4.10'] }),
    blocking({ purl: 'pkg:npm/%40acme/ui', versions: ['1.0.0'], fixedVersions: ['1.0.1'] }),
  ]);
  assert.deepEqual(steps, [
    ['upgrade', 'Upgrade tar 4.4.0 to 4.4.18.', '4.4.18', 3],
    ['upgrade', 'Upgrade @acme/ui 1.0.0 to 1.0.1.', '1.0.1', 1],
  ]);
});

test('a fix is above every version in use: never a downgrade', () => {
  assert.equal(fixVersion('pkg:npm/tar', ['1.2.0'], ['1.2.6', '2.0.3']), '1.2.6');
  assert.equal(fixVersion('pkg:npm/tar', ['2.0.1'], ['1.2.6', '2.0.3']), '2.0.3');
  assert.equal(fixVersion('pkg:npm/tar', ['1.2.0', '2.0.1'], ['1.2.6', '2.0.3']), '2.0.3');
  assert.equal(fixVersion('pkg:npm/tar', ['3.0.0'], ['1.2.6', '2.0.3']), null);
  assert.equal(fixVersion('pkg:npm/tar', [], ['2.0.3', '1.2.6']), '1.2.6');
  assert.equal(fixVersion('pkg:npm/tar', ['1.0.0'], []), null);
});

test('an upgrade that is needed anyway also clears the package’s other problems', () => {
  assert.deepEqual(
    shown([
      inPackage({ fixedVersions: ['4.4.2'] }),
      inPackage({ targetType: 'package', vulnerabilityType: null, title: 'tar' }),
    ]),
    [['remove', 'Remove tar.', null, 2]],
  );
  assert.deepEqual(
    shown([inPackage({ fixedVersions: ['4.4.2'] }), inPackage({ vulnerabilityType: 'malware' })]),
    [['remove', 'Remove tar.', null, 2]],
  );
  assert.deepEqual(shown([inPackage({ fixedVersions: ['4.4.2'] }), inPackage({ fixedVersions: [] })]), [
    ['replace', 'Replace tar 4.4.0: no version fixes it.', null, 2],
  ]);
  assert.deepEqual(shown([inPackage({ targetType: 'package_version', vulnerabilityType: null })]), [
    ['replace', 'Replace tar 4.4.0: this version is not allowed.', null, 1],
  ]);
});

test('one vulnerability under two policies gives one step that clears both', () => {
  const [step] = unblockSteps([
    inPackage({ fixedVersions: ['4.4.2'] }),
    inPackage({ fixedVersions: ['4.4.2'] }),
  ]);
  assert.equal(step?.resolves.length, 2);
});

test('code is fixed at its location, a secret is revoked, and a missing scan is run', () => {
  const code = { vulnerabilityType: 'sast', title: 'SQL injection', path: 'src/db.ts', line: 7 };
  assert.deepEqual(
    shown([
      blocking(code),
      blocking(code),
      blocking({ ...code, line: 9 }),
      blocking({ vulnerabilityType: 'secret', title: 'AWS key.', path: '.env', line: 3 }),
      blocking({ targetType: 'analysis', vulnerabilityType: null, title: 'sast: never scanned' }),
      blocking({ targetType: 'provider', vulnerabilityType: null, title: 'Main is protected' }),
    ]),
    [
      ['fix', 'Fix SQL injection in src/db.ts:7.', null, 2],
      ['change', 'Change what the policy is about: Main is protected.', null, 1],
      ['fix', 'Fix SQL injection in src/db.ts:9.', null, 1],
      ['revoke', 'Revoke and remove the secret in .env:3: AWS key.', null, 1],
      ['scan', 'Scan the default branch: sast: never scanned.', null, 1],
    ],
  );
});

test('without a blocking violation there is no step', () => {
  assert.deepEqual(unblockSteps([]), []);
});

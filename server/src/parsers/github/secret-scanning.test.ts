import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  emptyFinding,
  findingsOf,
  readFixture,
  recognises,
  unreadableIn,
} from '../../../test/support/format-reports.ts';
import type { Report, ReportFinding } from '../report.ts';
import { githubSecretScanning } from './secret-scanning.ts';

const fixture = (name: string): Report => readFixture(githubSecretScanning, `${name}.json`);

test('reads an alert with everything it says', () => {
  const report = fixture('before');
  assert.deepEqual(findingsOf(report)[0], {
    ...emptyFinding,
    pointer: '/0',
    type: 'secret',
    severity: 'high',
    title: 'Garden Key',
    description: 'The secret has been leaked in public.',
    rule: 'garden_key',
    path: 'shed/key.py',
    line: 4,
    secret: { value: 'gdn_Zx81Yw72Vu63Ts54', maskedLine: null },
    links: ['https://github.example/green/garden/security/secret-scanning/1'],
    verified: true,
  } satisfies ReportFinding);
  const [run] = report.runs;
  assert.deepEqual(
    [report.read, run?.tool, run?.history, run?.analysisTypes],
    [5, 'github-secret-scanning', true, ['secret']],
  );
});

test('resolved alerts are suppressed, and revoked secrets are no findings', () => {
  const report = fixture('before');
  assert.deepEqual(
    findingsOf(report).map(({ pointer, path, secret, suppression }) => [
      pointer,
      path,
      secret?.value ?? null,
      suppression?.reason ?? null,
    ]),
    [
      ['/0', 'shed/key.py', 'gdn_Zx81Yw72Vu63Ts54', null],
      ['/1', null, 'Qp09Wo82Ei73Ru64', null],
      ['/2', null, 'gdn_Aa11Bb22Cc33Dd44', 'used_in_tests: **** opens the doll’s house.'],
      ['/4', null, null, null],
    ],
  );
  assert.match(report.warnings.join(), /closed/);
});

test('the secret is in its own field only', () => {
  const report = fixture('before');
  const rest = JSON.stringify(report, (key, value: unknown) => (key === 'secret' ? null : value));
  for (const { secret } of findingsOf(report))
    assert.ok(secret?.value == null || !rest.includes(secret.value));
});

test('rows that cannot be understood are unreadable, and other lists are not recognised', () => {
  const report = fixture('broken');
  assert.deepEqual(unreadableIn(report), ['/1', '/2']);
  assert.deepEqual(
    findingsOf(report).map(({ rule, secret }) => [rule, secret?.value ?? null]),
    [
      ['garden_key', null],
      ['7', null],
    ],
  );
  assert.equal(recognises(githubSecretScanning, {}), false);
  assert.equal(recognises(githubSecretScanning, [{ secret_type: 'x' }]), false);
});

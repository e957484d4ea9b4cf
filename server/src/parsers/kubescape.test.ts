import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOf } from '../../test/support/fields.ts';
import {
  emptyEvidence,
  emptyFinding,
  findingsOf,
  readContent,
  readFixture,
  recognises,
  unreadableIn,
} from '../../test/support/format-reports.ts';
import { kubescape } from './kubescape.ts';
import type { Report, ReportFinding } from './report.ts';

const fixture = (name: string): Report => readFixture(kubescape, `${name}.json`);

test('reads a failed control with everything it says', () => {
  const report = fixture('before');
  assert.deepEqual(findingsOf(report)[0], {
    ...emptyFinding,
    pointer: '/results/0/controls/0',
    type: 'iac',
    severity: 'high',
    title: 'Shed without a lock',
    description: 'A shed needs a lock.\n\nResource: Deployment shed',
    rule: 'C-0901',
    path: 'beds/shed.yaml',
    code: 'apps/v1/garden/Deployment/shed',
    evidence: {
      ...emptyEvidence,
      remediation: 'Set spec.lock to true.\nRemove spec.hole.\nReview spec.door.\nBuy a lock.',
    },
  } satisfies ReportFinding);
  assert.ok(!JSON.stringify(report).includes('topsecret'), 'objects are not stored');
  assert.deepEqual(fieldsOf(report.runs, 'tool', 'toolVersion', 'category', 'showsScan'), [
    ['kubescape', 'v3.0.3', 'mitre+nsa', true],
  ]);
});

test('a control with an exception is suppressed and not counted, a skipped one is told', () => {
  const report = fixture('before');
  const [, excepted, gate] = findingsOf(report);
  assert.deepEqual(excepted?.suppression, {
    by: 'file',
    reason: 'They work',
    expiresAt: '2032-01-01T00:00:00.000Z',
  });
  assert.equal(excepted?.severity, 'unknown', 'a score factor of 0 is none');
  assert.deepEqual([gate?.path, gate?.severity, gate?.code], ['rake.yaml', 'low', '/v1//Pod/rake']);
  assert.deepEqual([report.read, report.unreadable.length], [2, 0]);
  assert.match(report.warnings.join(), /skipped/);
});

test('a skipped control is a gap in its resource, and as a whole if it was skipped for more than a hundred', () => {
  assert.deepEqual(fixture('before').runs[0]?.gaps, [{ rule: 'C-0905', path: 'rake.yaml' }]);
  const gapsOf = (resources: number) =>
    readContent(kubescape, {
      customerGUID: '',
      summaryDetails: {},
      results: Array.from({ length: resources }, (_, number) => ({
        resourceID: `v1/garden/Pod/rake-${number}`,
        rawResource: { kind: 'Pod', metadata: { name: `rake-${number}`, namespace: 'garden' } },
        controls: [{ controlID: 'C-1', status: { status: 'skipped' } }],
      })),
    }).runs[0]?.gaps;
  assert.equal(gapsOf(100)?.length, 100);
  assert.deepEqual(gapsOf(101), [{ rule: 'C-1' }]);
});

test('reads a cluster and the versions that have a status for each rule only', () => {
  const report = fixture('old');
  assert.deepEqual(
    findingsOf(report).map(({ rule, path, pathIsTarget, code, suppression }) => [
      rule,
      path,
      pathIsTarget,
      code,
      suppression?.reason ?? null,
    ]),
    [
      ['C-0901', 'garden/Deployment/shed', true, 'apps/v1/garden/Deployment/shed', null],
      ['C-0902', 'garden/Deployment/shed', true, 'apps/v1/garden/Deployment/shed', 'gates-may-be-open'],
      ['C-0901', 'Namespace/garden', true, '/v1//Namespace/garden', null],
    ],
  );
  assert.deepEqual([report.read, report.runs[0]?.category], [3, 'garden-cluster']);
});

test('a resource is the same in a file and in a cluster', () => {
  assert.equal(findingsOf(fixture('before'))[0]?.code, findingsOf(fixture('old'))[0]?.code);
});

test('controls without an id or a status are unreadable, the others are read', () => {
  const report = fixture('broken');
  assert.deepEqual(unreadableIn(report), [
    '/results/0',
    '/results/1/controls/0',
    '/results/1/controls/1',
    '/results/1/controls/2',
  ]);
  const [finding] = findingsOf(report);
  assert.deepEqual([report.read, finding?.rule, finding?.path, finding?.suppression], [5, 'C-2', 'a', null]);
});

test('a report without resources has scanned nothing', () => {
  assert.deepEqual([fixture('empty').read, fixture('empty').runs[0]?.outcome], [0, 'scanned_nothing']);
  assert.equal(recognises(kubescape, { summaryDetails: {} }), false);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOf } from '../../../test/support/fields.ts';
import {
  emptyEvidence,
  emptyFinding,
  findingsOf,
  packageKeys,
  readContent,
  readFixture,
  recognises,
  shownText,
  unreadableIn,
} from '../../../test/support/format-reports.ts';
import type { Report, ReportFinding } from '../report.ts';
import { zap } from '../zap/zap.ts';
import { gitlab } from './gitlab.ts';

const fixture = (name: string): Report => readFixture(gitlab, `${name}.json`);
const runsIn = (report: Report): unknown[] =>
  report.runs.map(({ tool, category, outcome, analysisTypes }) => [
    tool,
    category,
    outcome,
    analysisTypes.join(),
  ]);

test('reads a row about code with everything it says', () => {
  const report = fixture('sast-15');
  const [door, walk] = findingsOf(report);
  assert.deepEqual(door, {
    ...emptyFinding,
    pointer: '/vulnerabilities/0',
    type: 'sast',
    severity: 'high',
    title: 'The shed door is opened with a name from outside',
    description: 'The name of the door comes from the request.\n\nThe name may be constant.',
    rule: 'garden.open-door',
    cwes: ['CWE-22'],
    path: 'shed/door.py',
    line: 14,
    code: 'Shed[0]|open[0]',
    links: ['https://rules.example/open-door', 'https://cwe.example/22', 'https://doors.example/advice'],
    evidence: {
      ...emptyEvidence,
      snippet: {
        text: 'def open(name):\n    door(name)',
        firstLine: null,
        markedFrom: null,
        markedTo: null,
      },
      dataFlow: [
        { path: 'shed/web.py', line: 3, text: 'source' },
        { path: 'shed/door.py', line: 14, text: 'sink' },
      ],
      remediation: 'Check the name against the list of doors.',
    },
  } satisfies ReportFinding);
  assert.deepEqual(
    [walk?.rule, walk?.title, walk?.severity, walk?.evidence?.remediation],
    ['CWE-23', 'A path of the garden is not checked.', 'unknown', 'Check the path.'],
  );
  const [run] = report.runs;
  assert.deepEqual([report.read, run?.tool, run?.toolVersion, run?.category], [2, 'semgrep', '1.50.0', '']);
});

test('a credential that a row about code quotes is masked', () => {
  const row = {
    category: 'sast',
    name: 'Key "rake-and-rose" in the code',
    description: 'The key rake-and-rose opens the gate.',
    raw_source_code_extract: 'gate.open("rake-and-rose")',
    solution: 'Do not write rake-and-rose.',
    identifiers: [{ type: 'cwe', name: 'CWE-798', value: '798' }],
    location: { file: 'shed/gate.py', start_line: 3 },
    details: { code: { type: 'code', value: 'gate.open("rake-and-rose")' } },
  };
  const report = readContent(gitlab, { version: '15.0.0', vulnerabilities: [row], scan: { type: 'sast' } });
  assert.doesNotMatch(shownText(report), /rake-and-rose/);
  assert.deepEqual(
    findingsOf(report).map(({ code, rawCode }) => [code, rawCode]),
    [['gate.open("****")', 'gate.open("rake-and-rose")']],
  );
});

test('each scanner of an old report has a run of its own, named by the row or by its rule', () => {
  const report = fixture('sast-2');
  assert.deepEqual(runsIn(report), [
    ['bandit', '', 'succeeded', 'sast'],
    ['eslint', '', 'succeeded', 'sast'],
    ['njsscan', '', 'succeeded', 'sast'],
    ['trufflehog', '', 'succeeded', 'secret'],
    ['spotbugs', '', 'succeeded', 'sast'],
  ]);
  assert.deepEqual(fieldsOf(findingsOf(report), 'rule', 'title', 'severity', 'code'), [
    ['B103', 'The rake is opened for everybody', 'medium', null],
    ['B501', 'Bandit Test ID B501', 'high', null],
    ['security/no-limit', 'Watering without a limit', 'unknown', null],
    ['can_name', 'can_name', 'low', null],
    ['Password in URL', 'Password in URL', 'critical', null],
    ['OPEN_THREAD', 'A thread of the mower is not closed', 'low', 'garden.Mower\nstart'],
  ]);
});

test('a scanner of infrastructure that reports as SAST finds misconfigurations', () => {
  assert.deepEqual(runsIn(fixture('iac-15')), [['kics', '', 'succeeded', 'iac']]);
});

test('packages have their ecosystem, their fixes, their chain and their inventory', () => {
  const report = fixture('dependency-15');
  assert.deepEqual(packageKeys(report), [
    'dependency CVE-2031-0102 undefined - mower/pom.xml',
    'dependency Gemnasium-0f0f0f0f-1111-2222-3333-444444444444=CVE-2031-0101=GHSA-2222-3333-4444 pkg:npm/%40green/trowel 1.0.0 shed/package-lock.json',
    'dependency Gemnasium-aaaa0000-1111-2222-3333-444444444444 pkg:maven/garden.green/mower 4.1 mower/pom.xml',
  ]);
  const [trowel, mower] = findingsOf(report);
  assert.deepEqual(
    [trowel?.fixedVersions, trowel?.cvss, trowel?.cwes, trowel?.evidence?.dependencyPaths],
    [
      ['2.0.1', '1.9.8'],
      { score: 7.5, vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:N/A:N' },
      ['CWE-672'],
      [['shed@5.0', 'tools@2.2', '@green/trowel@1.0.0']],
    ],
  );
  assert.deepEqual([mower?.package?.name, mower?.evidence], ['garden.green:mower', null]);
  assert.deepEqual(
    report.runs[0]?.manifests.map(({ path, type, packages }) => [
      path,
      type,
      packages.map(({ name, direct }) => [name, direct]),
    ]),
    [
      [
        'shed/package-lock.json',
        'npm',
        [
          ['shed', true],
          ['tools', false],
          ['@green/trowel', false],
        ],
      ],
      ['mower/pom.xml', 'maven', [['garden.green:mower', null]]],
    ],
  );
});

test('an image has its packages, and files in it belong to it', () => {
  const report = fixture('container-15');
  assert.deepEqual(packageKeys(report), [
    'container CVE-2031-0201 pkg:deb/debian/libspade 1:2.28-10 target',
    'container CVE-2031-0202 pkg:deb/debian/libhoe 3.1 target',
  ]);
  assert.deepEqual(fieldsOf(findingsOf(report), 'title', 'severity', 'fixedVersions'), [
    ['spade: bends', 'high', ['1:2.28-11']],
    ['The hoe is blunt.', 'info', []],
  ]);
  assert.deepEqual(report.runs[0]?.image, { name: 'registry.example/garden/shed', tag: '1.2' });
  const template = fixture('container-14-template');
  assert.deepEqual(packageKeys(template), [
    'container CVE-2031-0203 pkg:apk/alpine/spade 1.34.1-r4 target',
    'dependency CVE-2031-0204 pkg:npm/trowel 1.0.0 target',
    'dependency CVE-2031-0205 pkg:composer/green/hose 2.0 var/www/composer.lock',
  ]);
  assert.deepEqual(runsIn(template), [['trivy', 'garden/shed', 'succeeded', 'dependency,container']]);
  const cluster = fixture('cluster-15');
  assert.deepEqual(packageKeys(cluster), [
    'container CVE-2031-0201 pkg:apk/alpine/spade 1.0-r0 garden/Deployment/shed/door',
  ]);
});

test('the secret is in its own field only', () => {
  const report = fixture('secrets-14');
  assert.deepEqual(fieldsOf(findingsOf(report), 'rule', 'line', 'secret'), [
    ['garden-key', 4, { value: 'gdn_Zx81Yw72Vu63Ts54', maskedLine: '****' }],
    ['Shed key', 9, { value: null, maskedLine: '****' }],
    ['garden-token', 20, { value: 'Qp09Wo82Ei73Ru64', maskedLine: '****' }],
  ]);
  const rest = JSON.stringify(report, (key, value: unknown) => (key === 'secret' ? null : value));
  assert.ok(!rest.includes('gdn_Zx81') && !rest.includes('Qp09'));
  assert.equal(report.runs[0]?.history, false);
  const [old] = findingsOf(fixture('secrets-history-15'));
  assert.equal(fixture('secrets-history-15').runs[0]?.history, true);
  assert.deepEqual(
    [old?.committedAt, old?.description],
    ['2031-02-03T04:05:06.000Z', 'garden-key\n\nIn commit 0123456789abcdef0123456789abcdef01234567.'],
  );
});

test('an alert of a site has its address, method and parameter, and nothing of what was sent', () => {
  const report = fixture('dast-13');
  assert.deepEqual(fieldsOf(findingsOf(report), 'rule', 'title', 'path', 'code', 'cwes'), [
    ['10062', 'Gardener named', 'https://shop.garden.example/beds/1', 'GET\nbed', ['CWE-359']],
    ['10063', 'Gate open', 'https://shop.garden.example/gate', 'POST', ['CWE-359']],
  ]);
  assert.ok(!/session=|gardener@/.test(JSON.stringify(report)));
  assert.equal(report.runs[0]?.tool, 'zap');
  assert.equal(recognises(zap, { '@version': '2', site: [], vulnerabilities: [] }), false);
});

test('a scan that failed or reached nothing says so, and an empty one is a success', () => {
  assert.deepEqual(runsIn(fixture('failed-15')), [['semgrep', '', 'failed', 'sast']]);
  assert.deepEqual(runsIn(fixture('dast-nothing-15')), [['zap', '', 'scanned_nothing', 'dast']]);
  assert.deepEqual(runsIn(fixture('empty-15')), [['gemnasium', '', 'succeeded', 'dependency']]);
  assert.deepEqual(runsIn(fixture('empty-2')), [['unknown', '', 'succeeded', '']]);
  const [crash] = findingsOf(fixture('fuzzing-15'));
  assert.deepEqual([crash?.type, crash?.code], ['other', 'grow\nwater']);
});

test('rows that cannot be understood are unreadable, and fields of other types are missing', () => {
  const report = fixture('broken');
  assert.equal(report.read, 6);
  assert.deepEqual(unreadableIn(report), [
    '/vulnerabilities/0',
    '/vulnerabilities/1',
    '/vulnerabilities/2',
    '/vulnerabilities/3',
  ]);
  assert.deepEqual(fieldsOf(findingsOf(report), 'rule', 'severity', 'line'), [
    ['7', 'unknown', 12],
    ['', 'unknown', null],
  ]);
});

test('rows of two images are two runs', () => {
  const row = (image: string): unknown => ({
    identifiers: [{ type: 'cve', value: 'CVE-2031-0001' }],
    location: { image, dependency: { package: { name: 'hoe' }, version: '1-r0' } },
  });
  const report = readContent(gitlab, {
    version: '15.0.0',
    scan: { scanner: { id: 'grype' }, type: 'container_scanning' },
    vulnerabilities: [row('b.example/shed:1'), row('a.example/house@sha256:00'), row('Java')],
  });
  assert.deepEqual(
    report.runs.map(({ category, findings }) => [category, findings.length]),
    [
      ['shed', 1],
      ['house', 2],
    ],
  );
});

test('the report of a clean image shares no series with that of the source or of an image with findings', () => {
  const clean = (type: string) =>
    readContent(gitlab, {
      version: '15.0.0',
      scan: { scanner: { id: 'trivy' }, type, status: 'success' },
      vulnerabilities: [],
    });
  const image = clean('container_scanning');
  assert.equal(image.runs[0]?.category, 'clean-image');
  assert.match(image.warnings.join(), /clean image does not name the image/);
  const files = readContent(gitlab, {
    version: '15.0.0',
    scan: { scanner: { id: 'trivy' }, type: 'container_scanning', status: 'success' },
    vulnerabilities: [
      {
        identifiers: [{ type: 'cve', value: 'CVE-2031-0001' }],
        location: { image: 'Node.js', dependency: { package: { name: 'hoe' }, version: '1' } },
      },
    ],
  });
  assert.deepEqual([files.runs[0]?.category, files.warnings], ['sha256', []]);
  assert.equal(readFixture(gitlab, 'cluster-15.json').runs[0]?.category, 'sha256');
  const source = clean('dependency_scanning');
  assert.deepEqual([source.runs[0]?.category, source.warnings], ['', []]);
});

test('other lists of vulnerabilities are not recognised', () => {
  for (const other of [
    { vulnerabilities: [] },
    { vulnerabilities: [], ok: true, dependencyCount: 3 },
    { vulnerabilities: [{ id: 'CVE-2031-0001', ratings: [] }], version: 1 },
    { vulnerabilities: { trowel: {} }, version: '15.0', scan: { scanner: {} } },
  ]) {
    assert.equal(recognises(gitlab, other), false, JSON.stringify(other));
  }
});

test('a scan of the changes alone closes nothing, and one with a fatal message has failed', () => {
  const runOf = (scan: object) =>
    readContent(gitlab, {
      version: '15.2.3',
      vulnerabilities: [],
      scan: { type: 'sast', status: 'success', scanner: { id: 'semgrep', name: 'Semgrep' }, ...scan },
    }).runs[0];
  for (const mark of [
    { partial_scan: { mode: 'differential' } },
    { partial_scan_mode: 'differential' },
    { sast_partial_scan: 'differential' },
  ]) {
    assert.deepEqual(runOf(mark)?.gaps, [{}], JSON.stringify(mark));
  }
  assert.deepEqual(runOf({ partial_scan: null })?.gaps, []);
  assert.equal(runOf({ messages: [{ level: 'fatal', value: 'No files.' }] })?.outcome, 'failed');
  assert.equal(runOf({ messages: [{ level: 'warn', value: 'A file is too large.' }] })?.outcome, 'succeeded');
});

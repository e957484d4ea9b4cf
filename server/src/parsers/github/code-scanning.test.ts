import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOf } from '../../../test/support/fields.ts';
import {
  emptyEvidence,
  emptyFinding,
  findingsOf,
  readContent,
  readFixture,
  recognises,
  unreadableIn,
} from '../../../test/support/format-reports.ts';
import type { Report, ReportFinding } from '../report.ts';
import { sarif } from '../sarif/sarif.ts';
import { githubCodeScanning } from './code-scanning.ts';

const fixture = (name: string): Report => readFixture(githubCodeScanning, `${name}.json`);

test('reads an alert with everything it says', () => {
  const report = fixture('before');
  const [door] = findingsOf(report);
  assert.deepEqual(door, {
    ...emptyFinding,
    pointer: '/0',
    type: 'sast',
    severity: 'critical',
    title: 'Open door',
    description: 'The name of the door comes from the request.\n\nA door that anybody names.',
    rule: 'py/open-door',
    cwes: ['CWE-22'],
    path: 'shed/door.py',
    line: 14,
    links: ['https://github.example/green/garden/security/code-scanning/1', 'https://doors.example/rule'],
    evidence: {
      ...emptyEvidence,
      help: '# Doors\nCheck the name.',
    },
  } satisfies ReportFinding);
  assert.equal(report.read, 6);
});

test('each tool and category is a run, dismissed alerts are suppressed, fixed ones are no findings', () => {
  const report = fixture('before');
  assert.deepEqual(
    report.runs.map(({ tool, toolVersion, category, findings }) => [
      tool,
      toolVersion,
      category,
      findings.map(({ pointer, severity, suppression }) => [pointer, severity, suppression?.reason ?? null]),
    ]),
    [
      [
        'codeql',
        '2.30.1',
        'language:python',
        [
          ['/0', 'critical', null],
          ['/1', 'low', null],
          ['/2', 'high', "won't fix: Only the gardener comes here."],
        ],
      ],
      ['trivy', '0.60.0', 'trivy', [['/4', 'medium', null]]],
      ['eslint', '2.30.1', '', []],
    ],
  );
  assert.match(report.warnings.join(), /closed/);
});

test('a vulnerable package is read out of the message, as in SARIF', () => {
  const [, , , trowel] = findingsOf(fixture('before'));
  assert.deepEqual(
    [trowel?.type, trowel?.package, trowel?.advisories, trowel?.fixedVersions],
    [
      'dependency',
      { purl: 'pkg:npm/trowel', name: 'trowel', version: '1.0.0' },
      ['CVE-2031-0101'],
      ['2.0.1'],
    ],
  );
});

test('the alert and the SARIF that it came from have the same rule, path, line and category', () => {
  const log = {
    version: '2.1.0',
    runs: [
      {
        automationDetails: { id: '/language:python/' },
        tool: { driver: { name: 'CodeQL', rules: [{ id: 'py/narrow-path' }] } },
        results: [
          {
            ruleId: 'py/narrow-path',
            level: 'note',
            message: { text: 'The name of the door comes from the request.' },
            locations: [
              {
                physicalLocation: { artifactLocation: { uri: 'shed/door.py' }, region: { startLine: 14 } },
              },
            ],
          },
        ],
      },
    ],
  };
  const keys = ({ runs }: Report): unknown =>
    runs.map(({ tool, category, findings }) => [
      tool,
      category,
      findings.map(({ type, rule, path, line, severity }) => [type, rule, path, line, severity]),
    ]);
  assert.deepEqual(keys(fixture('after')), keys(readContent(sarif, log)));
});

test('the text None of a script is a missing value', () => {
  const [run] = fixture('python-none').runs;
  assert.deepEqual([run?.toolVersion, run?.findings[0]?.suppression], [null, null]);
});

test('rows that cannot be understood are unreadable, and other lists are not recognised', () => {
  const report = fixture('broken');
  assert.equal(report.read, 5);
  assert.deepEqual(unreadableIn(report), ['/1', '/2', '/3']);
  assert.deepEqual(fieldsOf(findingsOf(report), 'pointer', 'path', 'line'), [
    ['/0', 'shed/door.py', 14],
    ['/4', '7', 14],
  ]);
  assert.equal(recognises(githubCodeScanning, [{ rule: {}, tool: {} }]), false);
  assert.equal(recognises(githubCodeScanning, []), false);
});

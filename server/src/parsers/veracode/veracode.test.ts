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
  unreadableIn,
} from '../../../test/support/format-reports.ts';
import type { Report, ReportFinding } from '../report.ts';
import { sarif } from '../sarif/sarif.ts';
import { veracode } from './veracode.ts';

const fixture = (name: string): Report => readFixture(veracode, name);
const keyOf = (finding: ReportFinding | undefined): unknown[] => [
  finding?.type,
  finding?.severity,
  finding?.rule,
  finding?.path,
  finding?.line,
  finding?.code,
];

test('reads a flaw of the detailed report with everything it says', () => {
  const report = fixture('before.xml');
  assert.deepEqual(findingsOf(report)[0], {
    ...emptyFinding,
    pointer: '/detailedreport/severity[2]/category[1]/cwe[1]/staticflaws[1]/flaw[1]',
    type: 'sast',
    severity: 'high',
    title: 'SQL Injection',
    description: 'This call builds a query from the seed.\n\nReferences: CWE (https://cwe.example/89)',
    rule: 'CWE-89',
    cwes: ['CWE-89'],
    path: 'garden/beds/Seeds.java',
    line: 31,
    code: 'garden.beds.Seeds.find\njava.sql.Statement.executeQuery',
    links: ['https://cwe.example/89'],
    evidence: {
      ...emptyEvidence,
      help: 'The query is built from a text.',
      remediation: 'Use parameters:\n\n- Check the type\n- Check the length\n\nThen test.',
    },
  } satisfies ReportFinding);
  assert.deepEqual([report.read, report.unreadable], [8, []]);
});

test('each kind of analysis in the detailed report is a run', () => {
  assert.deepEqual(
    fixture('before.xml').runs.map(({ tool, category, toolVersion, analysisTypes, findings }) => [
      tool,
      category,
      toolVersion,
      analysisTypes,
      findings.length,
    ]),
    [
      ['veracode', 'greenhouse/static', '20310401', ['sast'], 2],
      ['veracode', 'greenhouse/dynamic', null, ['dast'], 1],
      ['veracode', 'greenhouse/manual', null, ['other'], 1],
      ['veracode', 'greenhouse/sca', null, ['dependency'], 5],
    ],
  );
  assert.equal(fixture('after.xml').runs[0]?.category, 'greenhouse/spring/static');
  assert.deepEqual(fieldsOf(fixture('empty.xml').runs, 'category', 'showsScan'), [['shed', false]]);
});

test('an accepted mitigation is a suppression with its reason, a proposed one is not, and a fixed flaw is no finding', () => {
  const report = fixture('before.xml');
  assert.deepEqual(
    findingsOf(report).map(({ type, severity, path, code, suppression }) => [
      type,
      severity,
      path,
      code,
      suppression?.reason ?? null,
    ]),
    [
      [
        'sast',
        'high',
        'garden/beds/Seeds.java',
        'garden.beds.Seeds.find\njava.sql.Statement.executeQuery',
        null,
      ],
      [
        'sast',
        'high',
        'garden/beds/Beds.java',
        'garden.beds.Beds.!ctor\njava.sql.Statement.execute',
        'Mitigation accepted in Veracode. Mitigate by OS Environment: The shed is closed.',
      ],
      ['dast', 'low', 'https://garden.example/gate', 'x-lock header', null],
      ['other', 'info', null, null, null],
      ['dependency', 'critical', 'greenhouse.war/WEB-INF/lib/hose-4.1.jar', null, null],
      ['dependency', 'critical', 'shed/pom.xml', null, null],
      [
        'dependency',
        'medium',
        'greenhouse.war/WEB-INF/lib/hose-4.1.jar',
        null,
        'Mitigation accepted in Veracode. Mitigate by Design',
      ],
      ['dependency', 'medium', 'shed/pom.xml', null, 'Mitigation accepted in Veracode. Mitigate by Design'],
      ['dependency', 'unknown', 'spade-core-1.2.jar', null, null],
    ],
  );
  assert.match(report.warnings.join(), /fixed or closed/);
});

test('a component is a package by its coordinates, else by the name of its file', () => {
  const report = fixture('before.xml');
  assert.deepEqual(
    packageKeys(report).filter((key) => key.startsWith('dependency')),
    [
      'dependency CVE-2031-0101 pkg:maven/garden.green/hose 4.1 greenhouse.war/WEB-INF/lib/hose-4.1.jar',
      'dependency CVE-2031-0101 pkg:maven/garden.green/hose 4.1 shed/pom.xml',
      'dependency CVE-2031-0102 pkg:maven/spade-core 1.2 spade-core-1.2.jar',
      'dependency SRCCLR-SID-2031 pkg:maven/garden.green/hose 4.1 greenhouse.war/WEB-INF/lib/hose-4.1.jar',
      'dependency SRCCLR-SID-2031 pkg:maven/garden.green/hose 4.1 shed/pom.xml',
    ],
  );
  const [rake] = findingsOf(fixture('api-sca.json'));
  assert.deepEqual(
    [rake?.package, rake?.severity, rake?.cvss, rake?.path, rake?.cwes, rake?.links, rake?.description],
    [
      { purl: 'pkg:npm/console-rake', name: 'console-rake', version: '2.6.3' },
      'critical',
      { score: 9.8, vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' },
      'shed/package-lock.json',
      ['CWE-20'],
      ['https://cve.example/CVE-2031-0104'],
      'The hose leaks.',
    ],
  );
});

test('a flaw is the same with another number, line, severity and text', () => {
  const [before] = findingsOf(fixture('before.xml'));
  const [after] = findingsOf(fixture('after.xml'));
  assert.deepEqual(
    [after?.rule, after?.path, after?.code, after?.severity, after?.line],
    [before?.rule, before?.path, before?.code, 'critical', 40],
  );
});

const garden = '11111111-2031-4aaa-8bbb-000000000001';

test('the REST API gives the same flaws as the detailed report', () => {
  const report = fixture('api.json');
  const [find, beds, gate] = findingsOf(report);
  assert.deepEqual([find, beds, gate].map(keyOf), findingsOf(fixture('before.xml')).slice(0, 3).map(keyOf));
  assert.deepEqual(
    [find?.description, find?.evidence?.remediation, find?.links, find?.title],
    [
      'This call builds a query from the seed.',
      'Use parameters.',
      ['https://cwe.example/89'],
      'SQL Injection',
    ],
  );
  assert.equal(beds?.suppression?.reason, 'Mitigation accepted in Veracode. OSENV: The shed is closed.');
  assert.equal(gate?.suppression, null);
  assert.deepEqual(
    [report.read, report.runs.map(({ category, outcome, findings }) => [category, outcome, findings.length])],
    [
      5,
      [
        [`${garden}/static`, 'succeeded', 2],
        [`${garden}/dynamic`, 'succeeded', 1],
        [`${garden}/manual`, 'succeeded', 0],
      ],
    ],
  );
  const page = {
    _embedded: { findings: [] },
    page: { total_pages: 2, total_elements: 7 },
    _links: { application: {} },
  };
  assert.equal(readContent(veracode, page).runs[0]?.outcome, 'failed');
  const joined = { ...page, page: { total_pages: 2, total_elements: 0 } };
  assert.equal(readContent(veracode, joined).runs[0]?.outcome, 'succeeded', 'all pages joined into one');
  const row = {
    scan_type: 'STATIC',
    finding_status: { status: 'OPEN' },
    finding_details: { severity: 3, cwe: { id: 80 } },
  };
  const bare = [99, 100, 101, 500].map(
    (count) => readContent(veracode, Array(count).fill(row)).runs[0]?.outcome,
  );
  assert.deepEqual(bare, ['succeeded', 'failed', 'succeeded', 'failed'], 'as long as a full page');
});

test('each application and sandbox of the REST API is in series of its own', () => {
  const row = (context_type: string, context_guid: string): unknown => ({
    scan_type: 'STATIC',
    context_type,
    context_guid,
    finding_details: { severity: 4, cwe: { id: 89 }, file_path: 'garden/beds/Seeds.java' },
  });
  const sandbox = '11111111-2031-4aaa-8bbb-000000000002';
  const { runs } = readContent(veracode, [row('APPLICATION', garden), row('SANDBOX', sandbox)]);
  assert.deepEqual(fieldsOf(runs, 'category', 'analysisTypes'), [
    [`${garden}/static`, ['sast']],
    [`${sandbox}/static`, ['sast']],
  ]);
});

test('a pipeline scan gives the same flaws, with the flow from its source', () => {
  const report = fixture('pipeline.json');
  const [find, gate] = findingsOf(report);
  assert.deepEqual(keyOf(find), keyOf(findingsOf(fixture('before.xml'))[0]));
  assert.deepEqual(find?.evidence?.dataFlow, [
    { path: 'Visitor.java', line: 14, text: 'garden.Visitor.visit' },
    { path: 'garden/beds/Seeds.java', line: 31, text: '"select " + seed' },
  ]);
  assert.deepEqual(
    [gate?.rule, gate?.path, gate?.evidence?.dataFlow[0]?.text],
    ['CWE-259', 'gate/Gate.java', '"****"'],
  );
  assert.ok(!JSON.stringify(report).includes('topsecret'));
  assert.deepEqual(fieldsOf(report.runs, 'category', 'toolVersion', 'outcome', 'showsScan'), [
    ['pipeline', '31.5.0-0', 'succeeded', true],
  ]);
  assert.deepEqual(fieldsOf(fixture('pipeline-failed.json').runs, 'category', 'outcome', 'showsScan'), [
    ['pipeline', 'failed', false],
  ]);
});

test('the SARIF that Veracode makes of a pipeline scan gives the same finding', () => {
  const report = readContent(sarif, {
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Veracode Static Analysis Pipeline Scan',
            rules: [{ id: '89', name: 'SQL Injection', properties: { 'security-severity': '7.0' } }],
          },
        },
        results: [
          {
            level: 'error',
            message: { text: 'This call builds a query from the seed.' },
            ruleId: '89',
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri: 'garden/beds/Seeds.java' },
                  region: { startLine: 31 },
                },
                logicalLocations: [
                  { name: 'find', fullyQualifiedName: 'garden.beds.Seeds.find', kind: 'function' },
                  { fullyQualifiedName: 'java.sql.Statement.executeQuery', kind: 'member', parentIndex: 0 },
                ],
              },
            ],
          },
        ],
      },
    ],
  });
  const [own] = fixture('pipeline.json').runs;
  assert.deepEqual(fieldsOf(report.runs, 'tool', 'category'), [[own?.tool, own?.category]]);
  assert.deepEqual(keyOf(findingsOf(report)[0]), keyOf(own?.findings[0]));
});

test('rows that cannot be understood are unreadable', () => {
  const report = fixture('broken.json');
  assert.deepEqual(unreadableIn(report), ['/1', '/2', '/3', '/4']);
  assert.deepEqual(findingsOf(report).map(keyOf), [
    ['sast', 'unknown', 'Open Gate', null, null, null],
    ['dast', 'unknown', 'CWE-16', 'https://garden.example/gate', null, null],
  ]);
  const xml = fixture('broken.xml');
  assert.deepEqual(
    [xml.read, unreadableIn(xml)],
    [
      4,
      [
        '/detailedreport/severity[1]/category[1]/cwe[1]/staticflaws[1]/flaw[1]',
        '/detailedreport/software_composition_analysis[1]/vulnerable_components[1]/component[1]/vulnerabilities[1]/vulnerability[1]',
        '/detailedreport/software_composition_analysis[1]/vulnerable_components[1]/component[2]/vulnerabilities[1]/vulnerability[1]',
      ],
    ],
  );
  assert.deepEqual(findingsOf(xml).map(keyOf), [['sast', 'unknown', 'Open Gate', null, null, null]]);
});

test('an answer without findings is read, and findings of others are not recognised', () => {
  const report = fixture('api-empty.json');
  assert.deepEqual([report.read, report.runs[0]?.showsScan], [0, false]);
  for (const other of [
    { findings: [] },
    { findings: [{ scan_type: 'STATIC' }] },
    { findings: [{ issue_type_id: 'taint' }] },
    { page: { total_elements: 0 } },
    '<detailedreports/>',
  ]) {
    assert.equal(recognises(veracode, other), false, JSON.stringify(other));
  }
});

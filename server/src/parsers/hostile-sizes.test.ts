/**
 * Reports of a few megabytes whose lists would be read once for each row, location or package. Such a parser would take
 * longer than the time limit of a test file, and so these tests need no clock.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOf } from '../../test/support/fields.ts';
import { findingsOf, readContent, unreadableIn } from '../../test/support/format-reports.ts';
import { asff } from './asff/asff.ts';
import { bundlerAudit } from './bundler-audit.ts';
import { cargoAudit } from './cargo-audit.ts';
import { csaf } from './csaf/csaf.ts';
import { cyclonedx } from './cyclonedx/cyclonedx.ts';
import { fortify } from './fortify/fortify.ts';
import { kubeBench } from './kube-bench.ts';
import { mobsf } from './mobsf/mobsf.ts';
import { nessus } from './nessus/nessus.ts';
import { npmAudit } from './npm-audit.ts';
import { ocsf } from './ocsf/ocsf.ts';
import { openvex } from './openvex.ts';
import { osvScanner } from './osv-scanner/osv-scanner.ts';
import { maxLicenses } from './reading/licenses.ts';
import { newManifest } from './reading/packages.ts';
import { ReportError, runsWithUnreadableRows } from './report.ts';
import { snyk } from './snyk/snyk.ts';
import { xray } from './xray/xray.ts';
import { zap } from './zap/zap.ts';

const many = 200_000;

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

function isLimit(error: unknown): boolean {
  return error instanceof ReportError && error.code === 'LIMIT_EXCEEDED';
}

test('unreadable rows are assigned to their runs', () => {
  const runs = times(many, (index) => ({ pointer: `/runs/${index}` }));
  const rows = times(many, (index) => ({ pointer: `/runs/${many - 1}/results/${index}`, reason: '' }));
  assert.deepEqual([...runsWithUnreadableRows(runs, rows)], [`/runs/${many - 1}`]);
  const nested = ['', '/runs/1', '/runs/10'].map((pointer) => ({ pointer }));
  assert.deepEqual([...runsWithUnreadableRows(nested, [{ pointer: '/runs/10', reason: '' }])].sort(), [
    '',
    '/runs/10',
  ]);
});

test('the licenses of a package with many mentions are joined', () => {
  const mention = { purl: 'pkg:npm/spade', name: 'spade', version: '1', direct: null };
  const { packages } = newManifest(
    '.',
    times(many, (index) => ({ ...mention, licenses: [`L-${index}`] })),
  );
  assert.deepEqual([packages.length, packages[0]?.licenses.length], [1, maxLicenses]);
});

test('CycloneDX: rows without an analysis in a document without components', () => {
  const vulnerabilities = times(many, (index) => ({ id: `x-${index}` }));
  const bom = { bomFormat: 'CycloneDX', specVersion: '1.5', vulnerabilities };
  assert.equal(findingsOf(readContent(cyclonedx, bom)).length, many);
});

test('CycloneDX: a row with many components, ids and fixed versions', () => {
  const purl = 'pkg:npm/spade@1.0.0';
  const report = readContent(cyclonedx, {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    components: [{ type: 'library', name: 'spade', purl, 'bom-ref': 'spade' }],
    vulnerabilities: [
      {
        id: 'GO-2031-0001',
        references: times(50_000, (index) => ({ id: `GO-2031-${index + 10}` })),
        properties: times(many, (index) => ({ name: 'grype:fixed_versions', value: `2.${index}` })),
        affects: times(50_000, () => ({ ref: 'spade' })),
      },
    ],
  });
  const [finding] = findingsOf(report);
  assert.deepEqual([finding?.advisories.length, finding?.fixedVersions.length], [50_001, 100]);
  assert.deepEqual(finding?.fixedVersions.slice(0, 2), ['2.0', '2.1']);
});

test('CycloneDX: a statement about many versions of a product with a long name', () => {
  const ref = `spade-${'x'.repeat(1_000_000)}`;
  const report = readContent(cyclonedx, {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    components: [{ type: 'library', name: 'spade', purl: 'pkg:npm/spade', 'bom-ref': ref }],
    vulnerabilities: [
      {
        id: 'CVE-2031-0001',
        analysis: { state: 'not_affected' },
        affects: [{ ref, versions: times(many, (index) => ({ version: `${index}`, status: 'unaffected' })) }],
      },
    ],
  });
  assert.equal(report.statements.length, many);
});

test('OpenVEX: a product with a long name and many parts', () => {
  const report = readContent(openvex, {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    statements: [
      {
        vulnerability: { name: 'CVE-2031-0001' },
        status: 'affected',
        products: [
          {
            '@id': 'x'.repeat(1_000_000),
            subcomponents: times(many, (index) => ({ '@id': `pkg:npm/spade@${index}` })),
          },
        ],
      },
    ],
  });
  assert.equal(report.statements.length, many);
  assert.equal(new Set(fieldsOf(report.statements, 'product').flat()).size, 1);
});

test('CSAF: many products with the same packages count against the limit before they are read', () => {
  const document = (vulnerability: object) => ({
    document: { csaf_version: '2.1' },
    product_tree: {
      full_product_names: [
        {
          product_id: 'part',
          product_identification_helper: { purls: times(80_000, (index) => `pkg:npm/spade-${index}@1`) },
        },
      ],
      relationships: times(80_000, (index) => ({
        product_reference: 'part',
        full_product_name: { product_id: `p${index}` },
      })),
    },
    vulnerabilities: [
      { ...vulnerability, product_status: { known_affected: times(80_000, (index) => `p${index}`) } },
    ],
  });
  assert.throws(() => readContent(csaf, document({ cve: 'CVE-2031-0001' })), isLimit);
  assert.deepEqual(readContent(csaf, document({})).statements, []);
});

test('Nessus: a row for each CVE of one result', () => {
  const rows = times(50_000, (index) => `1,High,shed,CVE-2031-${99_999 - index}`);
  const [finding] = findingsOf(readContent(nessus, ['Plugin ID,Risk,Host,CVE', ...rows].join('\n')));
  assert.equal(finding?.relatedAdvisories.length, rows.length);
  assert.deepEqual(finding?.relatedAdvisories.slice(0, 2), ['CVE-2031-50000', 'CVE-2031-50001']);
});

test('Snyk: an issue with many remedies and ids in many locations', () => {
  const issue = {
    type: 'issue',
    attributes: {
      key: 'SNYK-JS-SPADE-1',
      title: 'Loose handle',
      type: 'package_vulnerability',
      problems: times(100_000, (index) => ({ id: `GHSA-${index}` })),
      coordinates: times(300, (row) => ({
        remedies: times(100, (index) => ({ details: { upgrade_package: `${row}.${index}` } })),
        representations: times(300, (index) => ({
          dependency: { package_name: 'spade', package_version: `${row % 2}.${index}` },
        })),
      })),
    },
  };
  const found = findingsOf(readContent(snyk, { jsonapi: { version: '1.0' }, data: [issue] }));
  assert.deepEqual([found.length, found[0]?.fixedVersions.length], [600, 100]);
  const places = { coordinates: [{ representations: times(1000, (line) => place(line + 1)) }] };
  const data = times(300, () => ({ ...issue, attributes: { ...issue.attributes, problems: [], ...places } }));
  assert.throws(() => readContent(snyk, { jsonapi: { version: '1.0' }, data }), isLimit);
});

function place(line: number) {
  return { sourceLocation: { file: 'src/shed.js', region: { start: { line } } } };
}

test('bundler-audit: a gem with many patched versions', () => {
  const patched = times(3000, (row) => times(100, (index) => `>= ${row}.${index}.1`).join(', '));
  const row = {
    type: 'unpatched_gem',
    gem: { name: 'spade', version: '1' },
    advisory: { id: 'CVE-2031-0001', patched_versions: ['~> 0.1, >= 0.1.2', ...patched] },
  };
  const [finding] = findingsOf(readContent(bundlerAudit, { version: '0.9', results: [row] }));
  assert.deepEqual(finding?.fixedVersions.slice(0, 2), ['0.1.2', '0.0.1']);
  assert.equal(finding?.fixedVersions.length, 300_001);
});

test('cargo-audit and OSV-Scanner: an advisory with as many names as related ones', () => {
  const aliases = times(400_000, (index) => `GHSA-${index}`);
  const related = [...aliases.toReversed(), 'GHSA-new'];
  const cargo = {
    lockfile: { 'dependency-count': 1 },
    vulnerabilities: {
      list: [{ advisory: { id: 'RUSTSEC-2031-0001', aliases, related }, package: { name: 'spade' } }],
    },
  };
  const osv = {
    results: [
      {
        source: { path: 'Cargo.lock', type: 'lockfile' },
        packages: [
          {
            package: { name: 'spade', version: '1', ecosystem: 'crates.io' },
            vulnerabilities: [{ id: 'RUSTSEC-2031-0001', aliases, related }],
          },
        ],
      },
    ],
  };
  for (const report of [readContent(cargoAudit, cargo), readContent(osvScanner, osv)]) {
    const [finding] = findingsOf(report);
    assert.deepEqual(
      [finding?.advisories.length, finding?.relatedAdvisories],
      [aliases.length + 1, ['GHSA-new']],
    );
  }
});

test('npm audit: the advisories and versions of a row count against the limit', () => {
  const cause = { source: 1, url: 'https://github.com/advisories/GHSA-aaaa-bbbb-cccc' };
  const row = {
    name: 'spade',
    via: times(300_000, () => cause),
    nodes: times(10_000, (index) => `n${index}`),
  };
  assert.throws(
    () => readContent(npmAudit, { auditReportVersion: 2, vulnerabilities: { spade: row } }),
    isLimit,
  );
  const findings = times(300_000, (index) => ({ version: `${index}`, paths: [] }));
  const advisory = { module_name: 'spade', id: 1, findings };
  assert.throws(() => readContent(npmAudit, { advisories: { 1: advisory }, actions: [] }), isLimit);
  const one = readContent(npmAudit, {
    auditReportVersion: 2,
    vulnerabilities: { spade: { ...row, via: [cause] } },
  });
  assert.deepEqual([one.read, findingsOf(one).length], [1, 1]);
});

test('OCSF: a row with many vulnerabilities, links and kinds', () => {
  const row = (vulnerabilities: unknown[]) => ({
    class_uid: 2002,
    severity_id: 3,
    metadata: { product: { name: 'Garden Watch' } },
    finding_info: { title: 'The door is open', uid: 'u', types: times(100_000, () => 'a/b') },
    remediation: { references: times(100_000, () => 'no link') },
    vulnerabilities,
  });
  const code = { affected_code: [{ file: { path: 'src/door.py' }, start_line: 3 }] };
  const found = findingsOf(readContent(ocsf, row(times(100_000, () => code))));
  assert.deepEqual([found.length, found[0]?.rule], [100_000, 'b']);
  assert.equal(findingsOf(readContent(ocsf, row(times(100_000, () => ({}))))).length, 1);
  const resources = times(100_000, (index) => ({ uid: `r${index}` }));
  const fixes = times(100_000, (index) => `1.${index}`);
  const affected = { cve: { uid: 'CVE-2031-0001' }, affected_packages: [{ name: 'spade', fixed_in: fixes }] };
  const [finding] = findingsOf(readContent(ocsf, { ...row([affected]), resources }));
  assert.equal(finding?.fixedVersions.length, 100_000);
});

test('ASFF: a finding with many vulnerabilities, fields and kinds', () => {
  const record = (vulnerability: object) => ({
    SchemaVersion: '2018-10-08',
    ProductArn: 'arn:aws:securityhub:eu-garden-1::product/aws/inspector',
    AwsAccountId: '000000000031',
    GeneratorId: 'AWSInspector',
    Title: 'The door is open',
    Types: times(100_000, () => 'a/b'),
    ProductFields: Object.fromEntries(times(100_000, (index) => [`aws/inspector/${index}`, ''])),
    Vulnerabilities: times(100_000, () => vulnerability),
  });
  const code = { CodeVulnerabilities: [{ FilePath: { FilePath: 'src/door.py' } }] };
  const packages = { Id: 'CVE-2031-0001', VulnerablePackages: [{ Name: 'spade' }] };
  for (const [vulnerability, expected] of [
    [code, 100_000],
    [packages, 100_000],
    [{}, 1],
  ] as const) {
    assert.equal(findingsOf(readContent(asff, { Findings: [record(vulnerability)] })).length, expected);
  }
});

test('MobSF: a rule with a long list of links in many files', () => {
  const reference = times(3000, (index) => `https://garden.example/${index}`).join(' ');
  const files = times(many, (index) => ({ file_path: `src/${index}.kt`, match_lines: [1, 1] }));
  const results = { open_door: { files, metadata: { reference, severity: 'INFO' } } };
  const found = findingsOf(readContent(mobsf, { mobsfscan_version: '0.1', results }));
  assert.deepEqual(
    [found.length, found[0]?.links.length, found[0]?.sharedRow],
    [many, 30, '/results/open_door'],
  );
});

test('ZAP: an alert with a long number and many instances', () => {
  const instances = times(50_000, (index) => ({ uri: `https://garden.example/${index}` }));
  const alert = { pluginid: '1', name: 'Door', alertRef: '1'.repeat(5_000_000), instances };
  const site = [{ '@name': 'https://garden.example', alerts: [alert] }];
  assert.equal(findingsOf(readContent(zap, { '@version': '2.16', site })).length, instances.length);
});

test('kube-bench: a section with a long name and many results', () => {
  const results = times(20_000, (index) => ({ test_number: `1.${index}`, status: 'FAIL' }));
  const tests = [{ desc: 'x'.repeat(1_000_000), results }];
  const found = findingsOf(readContent(kubeBench, { Controls: [{ node_type: 'master', tests }] }));
  assert.deepEqual([found.length, found[0]?.description?.length], [results.length, 1000]);
});

test('Xray: an issue with many links and components', () => {
  const issue = {
    issue_id: 'XRAY-1',
    summary: 'Loose handle',
    components: Object.fromEntries(times(100_000, (index) => [`npm://spade:${index}`, {}])),
  };
  const scan = (vulnerabilities: unknown[]) => [{ scan_id: '1', component_id: 'shed', vulnerabilities }];
  const references = times(100_000, () => 'no link');
  assert.equal(findingsOf(readContent(xray, scan([{ ...issue, references }]))).length, 100_000);
  assert.throws(() => readContent(xray, scan([issue, issue, issue])), isLimit);
});

test('Fortify: many issues with one snippet, one node, long links and names in their texts', () => {
  const count = 10_000;
  const issues = times(
    count,
    (index) =>
      `<Vulnerability><ClassInfo><ClassID>c</ClassID><Type>Door</Type></ClassInfo>` +
      `<InstanceInfo><InstanceID>${index}</InstanceID></InstanceInfo><AnalysisInfo><Unified>` +
      `<ReplacementDefinitions><Def key="k" value="${'n'.repeat(500)}"/></ReplacementDefinitions>` +
      `<Trace><Primary>${'<Entry><NodeRef id="1"/></Entry>'.repeat(20)}</Primary></Trace>` +
      '</Unified></AnalysisInfo></Vulnerability>',
  );
  const lines = ['door', ...times(100_000, () => 'x'.repeat(9))].join('\n');
  const links = '<Reference><Source>no link</Source></Reference>'.repeat(100_000);
  const report = readContent(
    fortify,
    `<FVDL xmlns="xmlns://www.fortifysoftware.com/schema/fvdl">${issues.join('')}
    <Node id="1"><SourceLocation path="${'\\'.repeat(500_000)}shed.js" line="1" snippet="s"/></Node>
    <Description classID="c"><Abstract>${'&lt;Replace key="k"/&gt;'.repeat(150)}</Abstract>
    <References>${links}</References></Description>
    <Snippet id="s"><StartLine>1</StartLine><Text>${lines}</Text></Snippet></FVDL>`,
  );
  const [finding] = findingsOf(report);
  assert.deepEqual([findingsOf(report).length, unreadableIn(report)], [count, []]);
  assert.deepEqual([finding?.code, finding?.evidence?.snippet?.text.split('\n').length], ['door', 60]);
});

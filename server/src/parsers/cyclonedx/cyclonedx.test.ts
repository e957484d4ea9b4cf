import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fieldOf, fieldsOf } from '../../../test/support/fields.ts';
import {
  findingsOf,
  packageKeys,
  readContent,
  readFixture,
  recognises,
  unreadableIn,
} from '../../../test/support/format-reports.ts';
import { type Report, ReportError } from '../report.ts';
import { cyclonedx } from './cyclonedx.ts';

/** A BOM of one npm package, `spade`, with the given vulnerabilities and fields. */
function bom(vulnerabilities: unknown, more: object = {}): object {
  const component = { 'bom-ref': 'spade', type: 'library', purl: 'pkg:npm/spade@1.0.0' };
  return { bomFormat: 'CycloneDX', specVersion: '1.5', components: [component], vulnerabilities, ...more };
}

/** The report without the pointers of rows, which differ between XML and JSON. */
function withoutPointers(report: Report): unknown {
  return JSON.parse(JSON.stringify(report, (key, value) => (key === 'pointer' ? null : value)));
}

test('an image in two versions gives the same packages, with one removed and one added', () => {
  const before = readFixture(cyclonedx, 'image-1.4.json');
  const after = readFixture(cyclonedx, 'image-1.7.json');
  assert.deepEqual(packageKeys(before), [
    'container CVE-2030-0100 pkg:deb/debian/libgarden 1.0-1 target',
    'dependency CVE-2030-0102 pkg:pypi/rake-tool 0.9 usr/lib/rake_tool/METADATA',
    'dependency GHSA-2222-3333-4444=CVE-2030-0101 pkg:npm/%40tools/spade 2.0.0 app/package-lock.json',
    'dependency GHSA-2222-3333-4444=CVE-2030-0101 pkg:npm/handle 0.1.0 app/package-lock.json',
  ]);
  assert.deepEqual(packageKeys(after), [
    'container CVE-2030-0103 pkg:deb/debian/libgarden 1.0-1 target',
    'dependency CVE-2030-0102 pkg:pypi/rake-tool 0.9 usr/lib/rake_tool/METADATA',
    'dependency GHSA-2222-3333-4444=CVE-2030-0101 pkg:npm/%40tools/spade 2.0.0 app/package-lock.json',
  ]);
  assert.deepEqual([before.read, after.read], [3, 3]);
  for (const [report, version] of [
    [before, '0.30.0'],
    [after, '0.70.0'],
  ] as const) {
    const [run] = report.runs;
    assert.deepEqual(
      [run?.tool, run?.toolVersion, run?.category, report.warnings],
      ['trivy', version, 'green/shed/cyclonedx', []],
    );
  }
});

test('an inventory and an analysis, neither of which names a tool, are two series', () => {
  const component = {
    type: 'library',
    name: 'spade',
    version: '2.0.0',
    purl: 'pkg:npm/spade@2.0.0',
    'bom-ref': 'a',
  };
  const bom = { bomFormat: 'CycloneDX', specVersion: '1.6', components: [component] };
  const found = { id: 'CVE-2030-0101', ratings: [{ severity: 'high' }], affects: [{ ref: 'a' }] };
  const runOf = (content: object) => {
    const [run] = readContent(cyclonedx, content).runs;
    return [run?.tool, run?.category, run?.findings.length];
  };
  assert.deepEqual(runOf(bom), ['cyclonedx', '', 0]);
  assert.deepEqual(runOf({ ...bom, vulnerabilities: [found] }), ['cyclonedx', 'vulnerabilities', 1]);
  assert.deepEqual(runOf({ ...bom, vulnerabilities: [] }), ['cyclonedx', 'vulnerabilities', 0]);
});

test('the same BOM in JSON and XML gives the same report', () => {
  const json = readFixture(cyclonedx, 'image-1.4.json');
  const xml = readFixture(cyclonedx, 'image-1.4.xml');
  assert.deepEqual(withoutPointers(xml), withoutPointers(json));
  assert.equal(findingsOf(json)[2]?.pointer, '/vulnerabilities/1');
  assert.equal(findingsOf(xml)[2]?.pointer, '/bom/vulnerabilities[1]/vulnerability[2]');
});

test('a real BOM in JSON and XML gives the same findings', (t) => {
  const samples = new URL('../../../../../shared/samples/', import.meta.url);
  if (!existsSync(samples)) {
    t.skip('../shared/samples is not here: the real twins were not read');
    return;
  }
  const name = 'cyclonedx-1.4-grype-log4j';
  const [json, xml] = ['json', 'xml'].map((ending) =>
    readContent(cyclonedx, readFileSync(new URL(`cyclonedx-${ending}/${name}.${ending}`, samples), 'utf8')),
  );
  assert.ok(json && xml);
  assert.equal(findingsOf(json).length, 8);
  assert.deepEqual(
    findingsOf(xml).map((finding) => ({ ...finding, pointer: null })),
    findingsOf(json).map((finding) => ({ ...finding, pointer: null })),
  );
});

test('a vulnerability gives a finding with all its fields, rated by its own source', () => {
  const [weeds, spade] = findingsOf(readFixture(cyclonedx, 'image-1.4.json'));
  assert.equal(weeds?.severity, 'low');
  assert.deepEqual(weeds?.cvss, { score: 9.8, vector: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' });
  assert.equal(weeds?.title, 'Weeds grow in libgarden');
  assert.equal(weeds?.description, 'Weeds grow in libgarden\n\nUpgrade libgarden to version 1.0-2');
  assert.deepEqual(weeds?.fixedVersions, ['1.0-2']);
  assert.deepEqual(weeds?.cwes, ['CWE-79', 'CWE-416']);
  assert.deepEqual(weeds?.links, ['https://tracker.example/CVE-2030-0100', 'https://garden.example/weeds']);
  assert.equal(weeds?.artifact?.purl, 'pkg:deb/debian/libgarden@1.0-1');
  assert.equal(weeds?.exploitable, false);
  assert.equal(spade?.title, 'GHSA-2222-3333-4444 in @tools/spade');
  assert.equal(spade?.severity, 'high');
  assert.equal(spade?.exploitable, true);
});

test('a score of the source that the vulnerability names is used instead of the severity of another source', () => {
  const severity = (...ratings: object[]): unknown => {
    const row = { id: 'CVE-2031-0001', source: { name: 'NVD' }, affects: [{ ref: 'spade' }], ratings };
    return findingsOf(readContent(cyclonedx, bom([row])))[0]?.severity;
  };
  const own = { source: { name: 'NVD' }, method: 'CVSSv31', score: 9.8 };
  const other = { source: { name: 'garden' }, severity: 'low' };
  assert.equal(severity(other, own), 'critical');
  assert.equal(severity(other, { ...own, score: 0 }), 'low');
  assert.equal(severity({ ...own, score: 0 }), 'info');
});

test('ratings in another order give the same severity', () => {
  const ratings = [
    { severity: 'none', score: 0, method: 'CVSSv31', source: { name: 'Acme' } },
    { severity: 'high', score: 8.1, method: 'CVSSv31', source: { name: 'GitHub' } },
    { severity: 'critical', score: 9.1, method: 'CVSSv4', source: { name: 'GitHub' } },
    { severity: 'weird', score: 3, method: 'SSVC', source: { name: 'NVD' } },
    { score: '5.0', method: 'CVSSv2', source: { name: 'NVD' } },
  ];
  for (const order of [ratings, ratings.toReversed()]) {
    const [finding] = findingsOf(
      readContent(cyclonedx, bom([{ id: 'CVE-1', ratings: order, affects: [{ ref: 'spade' }] }])),
    );
    assert.deepEqual([finding?.severity, finding?.cvss], ['critical', { score: 5, vector: null }]);
  }
});

test('packages are listed with licenses, direct ones by a graph with circles', () => {
  const [run] = readFixture(cyclonedx, 'image-1.4.json').runs;
  assert.deepEqual(run?.manifests.length, 1);
  const [manifest] = run?.manifests ?? [];
  assert.deepEqual([manifest?.path, manifest?.type], ['green/shed', 'image']);
  assert.deepEqual(
    manifest?.packages.map(({ purl, version, licenses, direct }) => [purl, version, licenses, direct]),
    [
      ['pkg:deb/debian/libgarden', '1.0-1', ['MIT', 'Shed License'], null],
      ['pkg:npm/%40tools/spade', '2.0.0', ['MIT OR Apache-2.0'], true],
      ['pkg:npm/handle', '0.1.0', [], false],
      ['pkg:pypi/rake-tool', '0.9', [], true],
    ],
  );
});

test('the last license of a package with many is listed', () => {
  const licenses = Array.from({ length: 61 }, (_, i) => ({ license: { name: `License ${i}` } }));
  const component = { type: 'library', name: 'spade', version: '1', purl: 'pkg:npm/spade@1', licenses };
  const report = readContent(cyclonedx, {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    components: [component],
  });
  assert.equal(report.runs[0]?.manifests[0]?.packages[0]?.licenses.at(-1), 'License 60');
});

test('a finding has the chain of packages to its component, and the recommendation', () => {
  const library = (name: string) => ({
    type: 'library',
    'bom-ref': name,
    name,
    version: '1',
    purl: `pkg:npm/${name}@1`,
  });
  const report = readContent(cyclonedx, {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    metadata: { component: { 'bom-ref': 'shed', type: 'application', name: 'shed' } },
    components: [
      { type: 'application', 'bom-ref': 'lock', name: 'package-lock.json' },
      ...['tools', 'rope', 'hemp'].map(library),
    ],
    dependencies: [
      { ref: 'shed', dependsOn: ['lock'] },
      { ref: 'lock', dependsOn: ['tools'] },
      { ref: 'tools', dependsOn: ['rope'] },
      { ref: 'rope', dependsOn: ['hemp', 'tools'] },
    ],
    vulnerabilities: [
      { id: 'CVE-2030-0500', recommendation: 'Update hemp.', affects: [{ ref: 'hemp' }] },
      { id: 'CVE-2030-0501', affects: [{ ref: 'tools' }] },
    ],
  });
  const [hemp, tools] = report.runs.flatMap((run) => run.findings);
  assert.deepEqual(
    [hemp?.evidence?.remediation, hemp?.evidence?.dependencyPaths, tools?.evidence],
    ['Update hemp.', [['tools@1', 'rope@1', 'hemp@1']], null],
  );
});

test('a BOM without vulnerabilities is an inventory, and closes nothing of its tool', () => {
  const tools = [{ name: 'cyclonedx-library' }, { name: 'Grype', version: '1.0' }];
  const runs = (content: object): unknown[] =>
    readContent(cyclonedx, content).runs.map(({ tool, toolVersion, manifests }) => [
      tool,
      toolVersion,
      manifests.map(({ path, type, packages }) => [path, type, packages.length]),
    ]);
  const component = { name: 'shed', group: 'green', type: 'application' };
  const metadata = { tools, component };
  assert.deepEqual(runs(bom(undefined, { metadata })), [['cyclonedx', null, [['green/shed', 'npm', 1]]]]);
  assert.deepEqual(runs(bom([], { metadata })), [['grype', '1.0', [['green/shed', 'npm', 1]]]]);
  const trivy = { tools: { components: [{ name: 'trivy', version: '1.0' }] }, component };
  const report = readContent(cyclonedx, bom([], { metadata: trivy }));
  assert.equal(report.runs[0]?.tool, 'cyclonedx');
  assert.match(report.warnings.join(), /nothing is fixed by it/);
  const empty = (list: string): string =>
    `<bom xmlns="http://cyclonedx.org/schema/bom/1.4"><metadata><tools><tool><name>grype</name></tool></tools></metadata>${list}</bom>`;
  assert.equal(readContent(cyclonedx, empty('<vulnerabilities/>')).runs[0]?.tool, 'grype');
  assert.equal(readContent(cyclonedx, empty('')).runs[0]?.tool, 'cyclonedx');
});

test('a VEX document gives statements about products, and no run', () => {
  const report = readFixture(cyclonedx, 'vex.json');
  assert.deepEqual([report.read, report.runs], [4, []]);
  assert.deepEqual(
    report.statements.map(({ pointer, advisories, status, reason, package: named, at }) => [
      pointer,
      advisories.join('='),
      status,
      reason,
      named === null ? null : `${named.purl} ${named.version}`,
      at,
    ]),
    [
      [
        '/vulnerabilities/0/affects/0',
        'CVE-2030-0201',
        'not_affected',
        'code_not_reachable: The gate is locked.',
        null,
        '2030-03-01T00:00:00.000Z',
      ],
      ...['pkg:maven/org.garden/hose 1.2', 'pkg:npm/%40tools/spade 2.0.0', null].map((named, index) => [
        `/vulnerabilities/1/affects/${index}`,
        'CVE-2030-0202=GHSA-5555-6666-7777',
        'fixed',
        null,
        named,
        '2030-03-04T05:06:07.000Z',
      ]),
      ['/vulnerabilities/2', 'CVE-2030-0203', 'false_positive', null, null, '2030-03-04T05:06:07.000Z'],
    ],
  );
  assert.deepEqual(report.unreadable, []);
  assert.match(report.warnings.join(), /the whole repository/);
  assert.match(report.warnings.join(), /rows without an analysis were ignored/);
});

test('decisions that Dependency-Track exports are statements, and its other rows are no findings', () => {
  const project = { 'bom-ref': 'b2c1', type: 'application', name: 'Shed', version: '4.2' };
  const analysis = { state: 'false_positive', detail: 'The gate is locked.' };
  const rows = [
    { 'bom-ref': 'r1', id: 'CVE-2030-0301', analysis, affects: [{ ref: 'b2c1' }] },
    { 'bom-ref': 'r2', id: 'CVE-2030-0302', affects: [{ ref: 'b2c1' }] },
  ];
  const metadata = {
    tools: [{ vendor: 'OWASP', name: 'Dependency-Track', version: '4.13.0' }],
    component: project,
  };
  for (const vulnerabilities of [rows, rows.slice(1)]) {
    const { components: _, ...document } = bom(vulnerabilities, { metadata }) as { components: unknown };
    const report = readContent(cyclonedx, document);
    assert.deepEqual([report.runs, report.read, report.unreadable], [[], vulnerabilities.length, []]);
    assert.equal(report.statements.length, vulnerabilities.length - 1);
  }
});

test('a vulnerability of nothing and one of unknown components are read alike', () => {
  const unknown = [{ ref: 'rake' }, { ref: 'hoe' }];
  const report = readContent(cyclonedx, bom([{ id: 'CVE-1' }, { id: 'CVE-2', affects: unknown }]));
  assert.deepEqual(packageKeys(report), ['dependency CVE-1 undefined - -', 'dependency CVE-2 undefined - -']);
  assert.deepEqual(report.unreadable, []);
  assert.match(report.warnings.join(), /not in this document/);
});

test('an analysis beside components gives findings and statements', () => {
  const report = readContent(
    cyclonedx,
    bom(
      [
        {
          id: 'CVE-1',
          analysis: { state: 'in_triage' },
          affects: [{ ref: 'urn:cdx:aaaaaaaa-0000-4000-8000-000000000000/1#spade' }],
        },
        { id: 'CVE-2', analysis: { state: 'perhaps' }, affects: [{ ref: 'pkg:npm/rake@3' }] },
        { id: 'CVE-3', affects: [{ ref: 'spade', versions: [{ version: '1.0.0', status: 'unaffected' }] }] },
        { id: 'CVE-4' },
      ],
      { serialNumber: 'urn:uuid:AAAAAAAA-0000-4000-8000-000000000000' },
    ),
  );
  assert.deepEqual(packageKeys(report), [
    'dependency CVE-1 pkg:npm/spade 1.0.0 -',
    'dependency CVE-2 pkg:npm/rake 3 -',
    'dependency CVE-4 undefined - -',
  ]);
  assert.deepEqual(
    report.statements.map(({ advisories, status, package: named }) => [advisories, status, named?.purl]),
    [[['CVE-1'], 'under_investigation', 'pkg:npm/spade']],
  );
  assert.deepEqual([report.read, report.unreadable.length, report.warnings.length], [4, 0, 2]);
});

test('a resolved vulnerability of a component is a statement and no finding, and its run is an analysis', () => {
  const row = (id: string, state: string) => ({ id, analysis: { state }, affects: [{ ref: 'spade' }] });
  const resolved = [row('CVE-1', 'resolved'), row('CVE-2', 'resolved_with_pedigree')];
  const metadata = { tools: [{ name: 'Dependency-Track', version: '4.13.0' }] };
  for (const more of [[], [row('CVE-3', 'exploitable')]]) {
    const report = readContent(cyclonedx, bom([...resolved, ...more], { metadata }));
    assert.deepEqual(
      packageKeys(report),
      more.map(() => 'dependency CVE-3 pkg:npm/spade 1.0.0 -'),
    );
    assert.deepEqual(
      report.statements
        .slice(0, 2)
        .map(({ advisories, status, package: named }) => [advisories.join(), status, named?.purl]),
      [
        ['CVE-1', 'fixed', 'pkg:npm/spade'],
        ['CVE-2', 'fixed', 'pkg:npm/spade'],
      ],
    );
    assert.deepEqual(fieldsOf(report.runs, 'tool', 'analysisTypes'), [['dependency-track', ['dependency']]]);
    assert.match(report.warnings.join(), /resolved/);
    assert.deepEqual([report.read, report.unreadable], [2 + more.length, []]);
  }
});

test('a statement about a component that is no package does not cover the whole repository', () => {
  const components = [{ 'bom-ref': 'gate', type: 'file', name: 'gate.bin' }];
  const row = { id: 'CVE-1', analysis: { state: 'not_affected' }, affects: [{ ref: 'gate' }] };
  const report = readContent(cyclonedx, bom([row], { components }));
  assert.deepEqual(report.statements, []);
  assert.deepEqual(packageKeys(report), ['dependency CVE-1 undefined - -']);
  assert.match(report.warnings.join(), /were left out/);
});

test('a denial about an unknown component is left out if it is of another document, a CPE or an invalid package URL', () => {
  const read = (state: string, ref: string): Report => {
    const { components: _, ...document } = bom([{ id: 'CVE-1', analysis: { state }, affects: [{ ref }] }], {
      serialNumber: 'urn:uuid:aaaaaaaa-0000-4000-8000-000000000000',
    }) as { components: unknown };
    return readContent(cyclonedx, document);
  };
  const own = 'urn:cdx:aaaaaaaa-0000-4000-8000-000000000000/1';
  const cpe = 'cpe:2.3:a:garden:rake:1.0:*:*:*:*:*:*:*';
  const refs = [
    ...['/1#product', '/1'].map((end) => `urn:cdx:bbbbbbbb-0000-4000-8000-000000000000${end}`),
    ...[cpe, 'CPE:/a:garden:rake:1.0', 'pkg:npm/', 'pkg:npm/%zz@1'],
    ...[`${own}#${cpe}`, `${own}#pkg%3Anpm%2F`],
  ];
  for (const ref of refs) {
    for (const state of ['not_affected', 'false_positive']) {
      const report = read(state, ref);
      assert.deepEqual([report.statements, report.runs, report.unreadable], [[], [], []]);
      assert.match(report.warnings.join(), /were left out/);
    }
    for (const state of ['exploitable', 'in_triage', 'resolved']) {
      assert.deepEqual(fieldOf(read(state, ref).statements, 'package'), [null], state);
    }
  }
  for (const ref of ['product', `${own}#product`]) {
    assert.deepEqual(fieldOf(read('not_affected', ref).statements, 'package'), [null], ref);
  }
  const [statement] = read('not_affected', 'PKG:npm/rake@1').statements;
  assert.deepEqual(statement?.package, { purl: 'pkg:npm/rake', name: 'rake', version: '1' });
});

test('a denial about named versions of a component denies no other version', () => {
  const versions = [
    { version: 'v1.2.0', status: 'unaffected' },
    { version: '1.3.0', status: 'affected' },
    { version: '1.4.0' },
    { version: '1.5.0', status: 'unknown' },
    { range: 'vers:golang/>=2.0.0|<3.0.0', status: 'unaffected' },
    { version: '2.1.0', status: 'unaffected' },
  ];
  const stated = (state: string, affects: object): unknown[] => {
    const row = { id: 'CVE-1', analysis: { state }, affects: [affects] };
    const components = [{ 'bom-ref': 'rake', type: 'library', purl: 'pkg:golang/garden.example/rake' }];
    const { statements } = readContent(cyclonedx, bom([row], { components }));
    return statements.map(({ package: named }) => named && `${named.purl} ${named.version}`);
  };
  const links = [
    'rake',
    'pkg:golang/garden.example/rake',
    'urn:cdx:bbbbbbbb-0000-4000-8000-000000000000/1#pkg:golang/garden.example/rake',
  ];
  const rake = 'pkg:golang/garden.example/rake';
  for (const ref of links) {
    for (const state of ['not_affected', 'false_positive']) {
      assert.deepEqual(stated(state, { ref, versions }), [`${rake} 1.2.0`, `${rake} 2.1.0`], ref);
      assert.deepEqual(stated(state, { ref, versions: versions.slice(1, 5) }), [], ref);
      assert.deepEqual(stated(state, { ref }), [`${rake} null`], ref);
    }
    assert.deepEqual(stated('exploitable', { ref, versions }), [`${rake} null`], ref);
  }
  assert.deepEqual(stated('not_affected', { ref: 'pkg:npm/spade@1.0.0', versions }), ['pkg:npm/spade 1.0.0']);
  const foreign = { ref: rake, versions: [{ range: 'vers:golang/*', status: 'unaffected' }] };
  const row = { id: 'CVE-1', analysis: { state: 'not_affected' }, affects: [foreign] };
  const report = readContent(cyclonedx, bom([row]));
  assert.deepEqual([report.statements, findingsOf(report)], [[], []]);
  assert.match(report.warnings.join(), /Ranges of versions/);
});

test('the extension for vulnerabilities before 1.4 is read inside of components', () => {
  const report = readFixture(cyclonedx, 'extension-1.2.xml');
  assert.deepEqual(packageKeys(report), ['dependency CVE-2030-0102 pkg:pypi/rake-tool 0.9 -']);
  const [finding] = findingsOf(report);
  assert.deepEqual(
    [report.read, report.runs[0]?.tool, finding?.severity, finding?.cwes, finding?.links],
    [1, 'jake', 'medium', ['CWE-79'], ['https://nvd.example/CVE-2030-0102', 'https://garden.example/teeth']],
  );
  assert.deepEqual(finding?.cvss, { score: 6.1, vector: 'CVSS:3.0/AV:N/AC:L/PR:N/UI:R/S:C/C:L/I:L/A:N' });
  assert.equal(finding?.pointer, '/bom/components[1]/component[1]/vulnerabilities[1]/vulnerability[1]');
});

test('a row of the extension affects the component around it, whatever its own name says', () => {
  const row = (id: string, ref: string) =>
    `<v:vulnerabilities><v:vulnerability ref="${ref}"><v:id>${id}</v:id></v:vulnerability></v:vulnerabilities>`;
  const component = (name: string, inside: string) =>
    `<component type="library"><name>${name}</name><version>1</version>${inside}</component>`;
  const nested = `<components>${component('hoe', row('CVE-2030-0104', 'row-2'))}</components>`;
  const report = readContent(
    cyclonedx,
    `<bom xmlns="http://cyclonedx.org/schema/bom/1.2" xmlns:v="http://cyclonedx.org/schema/ext/vulnerability/1.0">
      <components>${component('spade', row('CVE-2030-0103', 'row-1') + nested)}</components></bom>`,
  );
  assert.deepEqual(packageKeys(report), [
    'dependency CVE-2030-0103 pkg:generic/spade 1 -',
    'dependency CVE-2030-0104 pkg:generic/hoe 1 -',
  ]);
  assert.deepEqual(
    findingsOf(report).map(({ pointer }) => pointer.includes('/components[1]/component[1]/components[1]/')),
    [false, true],
  );
});

test('bad rows are unreadable, and the others are read', () => {
  const report = readContent(
    cyclonedx,
    bom([
      null,
      'CVE-1',
      { id: ' ' },
      { id: 7, affects: null, ratings: null, cwes: 'CWE-79', references: {} },
    ]),
  );
  assert.deepEqual(unreadableIn(report), ['/vulnerabilities/0', '/vulnerabilities/1', '/vulnerabilities/2']);
  assert.deepEqual(fieldsOf(findingsOf(report), 'rule', 'cwes'), [['7', ['CWE-79']]]);
  assert.equal(report.read, 4);
});

test('fixed versions apply only to the package that they name', () => {
  const versionsOf = (more: object): (readonly string[] | undefined)[] =>
    findingsOf(
      readContent(
        cyclonedx,
        bom([{ id: 'CVE-1', affects: [{ ref: 'spade' }, { ref: 'pkg:npm/rake@1' }], ...more }]),
      ),
    ).map(({ fixedVersions }) => fixedVersions);
  assert.deepEqual(
    versionsOf({ recommendation: 'Upgrade spade to version 1.1, 2.0; Upgrade rake to version 3' }),
    [['1.1', '2.0'], ['3']],
  );
  assert.deepEqual(versionsOf({ recommendation: 'Upgrade everything soon' }), [[], []]);
  assert.deepEqual(versionsOf({ properties: [{ name: 'grype:fixed_versions', value: '4,5' }] }), [
    ['4', '5'],
    ['4', '5'],
  ]);
});

test('only CycloneDX is recognised, and only version 1 is read', () => {
  assert.ok(recognises(cyclonedx, { bomFormat: 'CycloneDX', specVersion: '1.2' }));
  assert.ok(!recognises(cyclonedx, { specVersion: '1.2', components: [] }));
  assert.ok(!recognises(cyclonedx, '<bom xmlns="urn:other"/>'));
  assert.ok(!recognises(cyclonedx, '<report xmlns="http://cyclonedx.org/schema/bom/1.4"/>'));
  assert.throws(
    () => readContent(cyclonedx, bom([], { specVersion: '2.0' })),
    (error) =>
      error instanceof ReportError && error.code === 'UNKNOWN_FORMAT' && /1\.2 to 1\.7/.test(error.message),
  );
  assert.match(readContent(cyclonedx, bom([], { specVersion: '1.9' })).warnings.join(), /newer/);
  assert.throws(
    () => readContent(cyclonedx, '<!DOCTYPE bom>\n<bom xmlns="http://cyclonedx.org/schema/bom/1.4"/>'),
    (error) => error instanceof ReportError && error.code === 'MALFORMED_REPORT' && error.line === 1,
  );
});

test('a vulnerability of many components counts against the limit', () => {
  const affects = Array.from({ length: 300_000 }, () => ({ ref: 'spade' }));
  assert.throws(
    () => readContent(cyclonedx, bom([{ id: 'CVE-1', affects }])),
    (error) => error instanceof ReportError && error.code === 'LIMIT_EXCEEDED',
  );
});

/**
 * Tests for each format which image its report is about, which types of problems the run looked for, found or not, and
 * whether a report without findings shows that something was scanned.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldOf } from '../../test/support/fields.ts';
import { readContent, readFixture } from '../../test/support/format-reports.ts';
import { asff } from './asff/asff.ts';
import { checkov } from './checkov/checkov.ts';
import { cyclonedx } from './cyclonedx/cyclonedx.ts';
import { defectdojoGeneric } from './defectdojo-generic/defectdojo-generic.ts';
import type { Format } from './format.ts';
import { gitlab } from './gitlab/gitlab.ts';
import { gitleaks } from './gitleaks.ts';
import { grype } from './grype.ts';
import { nmap } from './nmap.ts';
import { osvScanner } from './osv-scanner/osv-scanner.ts';
import type { Report, Run } from './report.ts';
import { sarif } from './sarif/sarif.ts';
import { semgrep } from './semgrep/semgrep.ts';
import { snyk } from './snyk/snyk.ts';
import { sonarqube } from './sonarqube/sonarqube.ts';
import { spdx } from './spdx/spdx.ts';
import { trivy } from './trivy/trivy.ts';
import { trufflehog } from './trufflehog.ts';

function scanned(report: Report): [string | null, string | null, string][] {
  return report.runs.map(({ image, analysisTypes }: Run) => [
    image?.name ?? null,
    image?.tag ?? null,
    analysisTypes.join(),
  ]);
}

const ofContent = (format: Format, content: unknown): unknown => scanned(readContent(format, content))[0];
const nothing = [null, null] as const;

test('fixtures name their images and what was looked for', () => {
  const fixtures: [Format, string, ...[string | null, string | null, string][]][] = [
    [trivy, 'image-legacy.json', ['registry.example/garden/shed', '1.2', 'dependency,container']],
    [trivy, 'image-schema2.json', ['mirror.example/garden/shed', '1.3', 'dependency,container']],
    // Lists of packages alone: nothing was found in them.
    [trivy, 'image-packages.json', ['registry.example/garden/shed', '1.3', 'dependency,container']],
    [trivy, 'packages.json', [...nothing, 'dependency']],
    [trivy, 'repository.json', [...nothing, 'dependency,secret,iac,license']],
    [trivy, 'cluster.json', [...nothing, 'iac,container']],
    [grype, 'image-0.7.json', ['registry.example/garden/shed', '1.2', 'dependency,container']],
    [grype, 'image-0.94.json', ['registry.example/garden/shed', '1.3', 'dependency,container']],
    [cyclonedx, 'image-1.4.json', ['registry.example/green/shed', '1.0', 'dependency,container']],
    [cyclonedx, 'image-1.4.xml', ['registry.example/green/shed', '1.0', 'dependency,container']],
    [cyclonedx, 'image-1.7.json', ['mirror.example:5000/green/shed', '1.1', 'dependency,container']],
    [spdx, 'shed-2.3.json', ['registry.example/green/shed', '1.0', '']],
    [spdx, 'github-2.3.json', [...nothing, '']],
    [
      sarif,
      'dependencies.sarif',
      ['registry.example/garden/shed', '1.2', 'dependency,iac,container'],
      [...nothing, 'dependency,container'],
      [...nothing, 'dependency'],
      [...nothing, 'dependency'],
    ],
    [checkov, 'before.json', [...nothing, 'dependency,secret,iac,license']],
    [osvScanner, 'before.json', [...nothing, 'dependency']],
    [semgrep, 'before.json', [...nothing, 'dependency,sast,secret']],
    [gitleaks, 'version8.json', [...nothing, 'secret']],
  ];
  for (const [format, name, ...runs] of fixtures) {
    assert.deepEqual(scanned(readFixture(format, name)), runs, `${format.name}/${name}`);
  }
});

test('Trivy: classes give the analysis types, and without classes it is packages', () => {
  const report = (more: object): object => ({ SchemaVersion: 2, ArtifactName: '.', ...more });
  const files = { ArtifactType: 'filesystem' };
  const image = { ArtifactType: 'container_image', ArtifactName: 'garden/shed:1' };
  for (const [content, expected] of [
    [{ ...files, Results: [] }, [...nothing, 'dependency']],
    [{ ...files, Results: [{ Target: 'main.tf', Class: 'config' }] }, [...nothing, 'iac']],
    [{ ...files, Results: [{ Target: 'LICENSE', Class: 'license-file' }] }, [...nothing, 'license']],
    [{ ...files, Results: [{ Target: 'x', Class: 'custom' }] }, [...nothing, 'dependency']],
    // An SBOM and a machine's disk are no container images.
    [{ ...image, ArtifactType: 'cyclonedx', Results: [] }, [...nothing, 'dependency']],
    [
      { ...image, ArtifactType: 'vm', Results: [{ Target: 'x', Class: 'os-pkgs' }] },
      [...nothing, 'container'],
    ],
    [{ ...image }, ['garden/shed', '1', 'dependency,container']],
    [
      { ...image, Results: [{ Target: 'garden/shed:1 (debian 12)', Class: 'os-pkgs' }] },
      ['garden/shed', '1', 'container'],
    ],
    [
      { ...image, Results: [{ Target: 'Java', Class: 'lang-pkgs' }] },
      ['garden/shed', '1', 'dependency,container'],
    ],
    [{ ...image, Results: [{ Target: '/key', Class: 'secret' }] }, ['garden/shed', '1', 'secret']],
    [{ ...image, ArtifactName: '/tmp/shed.tar' }, ['shed.tar', null, 'dependency,container']],
    [
      { ...image, ArtifactName: 'sha256:0011', Metadata: { RepoTags: ['garden/shed:2'] } },
      ['garden/shed', '2', 'dependency,container'],
    ],
  ] as const) {
    assert.deepEqual(ofContent(trivy, report(content)), expected, JSON.stringify(content));
  }
  const legacy = [
    { Target: 'garden/shed:1 (alpine 3.7.1)', Vulnerabilities: null },
    { Target: 'app/composer.lock', Vulnerabilities: null },
  ];
  assert.deepEqual(ofContent(trivy, legacy), ['garden/shed', '1', 'dependency,container']);
  assert.deepEqual(ofContent(trivy, legacy.slice(1)), [...nothing, 'dependency']);
});

test('Grype: the image is known by its source, with or without findings', () => {
  const report = (source: object): object => ({ matches: [], source, descriptor: { name: 'grype' } });
  const target = { userInput: 'registry.example/garden/shed:1@sha256:00' };
  assert.deepEqual(ofContent(grype, report({ type: 'image', target })), [
    'registry.example/garden/shed',
    '1',
    'dependency,container',
  ]);
  assert.deepEqual(ofContent(grype, report({ type: 'directory', target: '.' })), [...nothing, 'dependency']);
});

test('CycloneDX: only a BOM with a list of vulnerabilities counts as scanned for them', () => {
  const metadata = {
    component: { type: 'container', name: 'garden/shed', version: 'sha256:00' },
    tools: [{ name: 'sower' }],
  };
  const components = [{ 'bom-ref': 'spade', type: 'library', purl: 'pkg:npm/spade@1.0.0' }];
  const bom = (more: object): object => ({ bomFormat: 'CycloneDX', specVersion: '1.5', components, ...more });
  const row = { id: 'CVE-2030-0100', affects: [{ ref: 'spade' }] };
  for (const [content, expected] of [
    [{ metadata }, ['garden/shed', null, '']],
    [{ metadata, vulnerabilities: [] }, ['garden/shed', null, 'dependency,container']],
    [{ vulnerabilities: [] }, [...nothing, 'dependency']],
    [{ vulnerabilities: [row] }, [...nothing, 'dependency']],
    // Trivy writes the empty list whether it looked or not.
    [
      { metadata: { ...metadata, tools: [{ name: 'trivy' }] }, vulnerabilities: [] },
      ['garden/shed', null, ''],
    ],
    [{ metadata: { component: { ...metadata.component, version: '1.2' } } }, ['garden/shed', '1.2', '']],
    [{ metadata: { component: { type: 'application', name: 'shed:1' } } }, [...nothing, '']],
  ] as const) {
    assert.deepEqual(ofContent(cyclonedx, bom(content)), expected, JSON.stringify(content));
  }
});

test('SARIF: the image of a run by Trivy and Grype; a clean run by its tool', () => {
  const log = (name: string, results: unknown[], run: object = {}): object => ({
    version: '2.1.0',
    runs: [{ tool: { driver: { name } }, results, ...run }],
  });
  const named = (fullyQualifiedName: string): object => ({
    ruleId: 'CVE-2030-0100-spade',
    message: { text: 'A high vulnerability in npm package: spade, version 1.0 was found' },
    locations: [
      {
        physicalLocation: { artifactLocation: { uri: 'image/app/package.json' } },
        logicalLocations: [{ name: '/app/package.json', fullyQualifiedName }],
      },
    ],
  });
  const layer = `sha256:${'0'.repeat(64)}`;
  const properties = { imageName: '/builds/shed.tar.gz' };
  for (const [content, expected] of [
    [log('Trivy', [], { properties }), ['shed.tar.gz', null, 'dependency,container']],
    [log('Trivy', []), [...nothing, 'dependency']],
    [
      log('Grype', [named(`ghcr.io/garden/shed:1@${layer}:/app/@tools/package.json`)]),
      ['ghcr.io/garden/shed', '1', 'dependency,container'],
    ],
    [
      log('Grype', [named(`garden/shed@${layer}@${layer}:/app/package.json`)]),
      ['garden/shed', null, 'dependency,container'],
    ],
    [log('Grype', [named('shed/package.json')]), [...nothing, 'dependency']],
    [log('Other', [named(`garden/shed:1@${layer}:/app`)]), [...nothing, 'sast']],
    [log('Grype', []), [...nothing, 'dependency']],
    [log('Gitleaks', []), [...nothing, 'secret']],
    [log('CodeQL', []), [...nothing, 'sast']],
    // The findings of a scanner of many kinds show which of them it was run for.
    [log('Checkov', [{ ruleId: 'CKV_SECRET_6', message: { text: 'x' } }]), [...nothing, 'secret']],
    [log('Checkov', []), [...nothing, 'iac']],
  ] as const) {
    assert.deepEqual(ofContent(sarif, content), expected, JSON.stringify(content));
  }
});

test('Checkov, OSV-Scanner and TruffleHog give their analysis types', () => {
  const part = (check_type: string): object => ({ check_type, results: { failed_checks: [] }, summary: {} });
  for (const [frameworks, types] of [
    [['terraform', 'secrets'], 'secret,iac'],
    [['sca_package'], 'dependency,license'],
    [['sca_image'], 'dependency,container,license'],
    [['sast_python'], 'sast'],
  ] as const) {
    assert.deepEqual(ofContent(checkov, frameworks.map(part)), [...nothing, types]);
  }
  assert.deepEqual(ofContent(checkov, { passed: 0, failed: 0, checkov_version: '3.2.0' }), [
    ...nothing,
    'iac',
  ]);

  const source = (type: string, path: string): object => ({ source: { type, path }, packages: [] });
  const licenses = { experimental_config: { licenses: { summary: false, allowlist: ['MIT'] } } };
  for (const [content, expected] of [
    [{ results: [source('lockfile', 'go.mod')] }, [...nothing, 'dependency']],
    [{ results: [], ...licenses }, [...nothing, 'dependency,license']],
    [{ results: [], image_metadata: { os: 'Alpine' } }, [...nothing, 'dependency,container']],
    [{ results: [source('docker', 'garden/shed:1')] }, ['garden/shed', '1', 'dependency,container']],
    [
      { results: [source('docker', 'shed:1'), source('docker', 'fence:1')] },
      [...nothing, 'dependency,container'],
    ],
  ] as const) {
    assert.deepEqual(ofContent(osvScanner, content), expected, JSON.stringify(content));
  }

  const leak = (Data: object): object => ({
    SourceMetadata: { Data },
    DetectorName: 'Garden',
    Raw: 'gdn_Zx81Yw72Vu63Ts54',
  });
  const docker = { image: 'garden/shed', tag: '1', file: '/app/key' };
  assert.deepEqual(ofContent(trufflehog, leak({ Docker: docker })), ['garden/shed', '1', 'secret']);
  assert.deepEqual(ofContent(trufflehog, leak({ Filesystem: { file: 'key' } })), [...nothing, 'secret']);
});

test('GitLab, Snyk and SonarQube: a report without findings says what shows a scan, or nothing', () => {
  const scanner = { scanner: { id: 'semgrep' }, type: 'sast' };
  const page = { paging: { pageIndex: 1, pageSize: 100, total: 0 }, facets: [], issues: [] };
  const project = { ok: true, vulnerabilities: [], org: 'green', projectName: 'shed' };
  const gate = (status: string): object => ({
    sonarBaseURL: 'https://sonar.example',
    issues: [],
    qualityGateStatus: { projectStatus: { status } },
  });
  const infrastructure = { packageManager: 'k8sconfig', infrastructureAsCodeIssues: [] };
  const cases: [Format, object, boolean][] = [
    [gitlab, { scan: { ...scanner, status: 'success' }, vulnerabilities: [] }, true],
    [gitlab, { scan: { ...scanner, scanned_resources: [{ url: '/' }] }, vulnerabilities: [] }, true],
    [gitlab, { scan: scanner, vulnerabilities: [] }, false],
    [gitlab, { scan: { ...scanner, status: 'failure' }, vulnerabilities: [] }, false],
    [
      gitlab,
      { scan: { ...scanner, type: 'dast', status: 'success', scanned_resources: [] }, vulnerabilities: [] },
      false,
    ],
    [gitlab, { version: '2.0', remediations: [], vulnerabilities: [] }, false],
    [snyk, { ...project, dependencyCount: 12 }, true],
    [snyk, { ...project, packageManager: 'npm' }, true],
    [snyk, { ...project, packageManager: 'npm', dependencyCount: 0 }, false],
    [snyk, { ...project, dependencyCount: 0, applications: [{ dependencyCount: 3 }] }, true],
    [
      snyk,
      [
        { ...project, dependencyCount: 0 },
        { ...project, dependencyCount: 2 },
      ],
      true,
    ],
    [snyk, { ok: false, error: 'The manifest is missing.', path: '/garden', packageManager: 'npm' }, false],
    [snyk, { ...project, ...infrastructure }, true],
    [snyk, { jsonapi: { version: '1.0' }, data: [] }, false],
    [sonarqube, { ...page, components: [{ key: 'garden', qualifier: 'TRK' }] }, true],
    [sonarqube, { ...page, components: [] }, false],
    [sonarqube, gate('OK'), true],
    [sonarqube, gate('NONE'), false],
    [sonarqube, { ...gate('NONE'), rules: { 'python:S1': { name: 'Water' } } }, true],
  ];
  for (const [format, content, expected] of cases) {
    const { runs } = readContent(format, content);
    assert.deepEqual(fieldOf(runs, 'showsScan'), [expected], `${format.name}: ${JSON.stringify(content)}`);
  }
});

test('nothing but a code scanner counts as a search for problems in code', () => {
  const port = '<port protocol="tcp" portid="22"><state state="open"/></port>';
  const host = `<host><address addr="192.0.2.1" addrtype="ipv4"/><ports>${port}</ports></host>`;
  assert.deepEqual(ofContent(nmap, `<nmaprun version="7">${host}</nmaprun>`), [...nothing, 'other']);
  const reference = {
    referenceCategory: 'SECURITY',
    referenceType: 'advisory',
    referenceLocator: 'CVE-2031-0001',
  };
  const packages = [{ name: 'rake', SPDXID: 'SPDXRef-1', externalRefs: [reference] }];
  assert.deepEqual(ofContent(spdx, { spdxVersion: 'SPDX-2.3', packages }), [...nothing, 'dependency']);
  const row = { SchemaVersion: '2018-10-08', ProductArn: 'a/garden-watch', GeneratorId: 'g', Title: 't' };
  assert.deepEqual(ofContent(asff, [row]), [...nothing, 'other']);
  const finding = { title: 't', severity: 'High', description: 'd' };
  const ofType = (type: string): unknown => ofContent(defectdojoGeneric, { type, findings: [finding] });
  assert.deepEqual(ofType('Garden walk'), [...nothing, 'other']);
  assert.deepEqual(ofType('Semgrep'), [...nothing, 'other,sast']);
});

test('an image that was scanned by its id has the name of its tags or digests, in its category too', () => {
  const id = `sha256:${'0'.repeat(64)}`;
  const descriptor = { name: 'grype' };
  const digests = [`ghcr.io/garden/shed@${id}`];
  const sarif210 = (properties: object): object => ({
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'Trivy' } }, results: [], properties }],
  });
  const grypeOf = (target: object): object => ({
    matches: [],
    source: { type: 'image', target },
    descriptor,
  });
  const trivyOf = (Metadata: object): object => ({
    SchemaVersion: 2,
    ArtifactType: 'container_image',
    ArtifactName: id,
    Metadata,
  });
  for (const [format, content, category] of [
    [trivy, trivyOf({ RepoTags: ['garden/shed:2', 'garden/fence:2'] }), 'garden/fence'],
    [trivy, trivyOf({ RepoTags: [], RepoDigests: digests }), 'garden/shed'],
    [trivy, trivyOf({}), 'sha256'],
    [sarif, sarif210({ imageName: id, repoTags: ['garden/shed:2'] }), 'garden/shed'],
    [sarif, sarif210({ imageName: id, repoDigests: digests }), 'garden/shed'],
    [grype, grypeOf({ userInput: id.slice(7, 19), tags: ['garden/shed:2'] }), 'garden/shed'],
    [grype, grypeOf({ userInput: id, repoDigests: digests }), 'garden/shed'],
  ] as const) {
    const [run] = readContent(format, content).runs;
    assert.equal(run?.category, category, JSON.stringify(content));
  }
});

test('an archive with a tag has the category of the tag, whatever its file is called', () => {
  const repoTags = ['ghcr.io/garden/shed:1'];
  const ofArchive = (file: string): readonly [Format, object][] => [
    [
      trivy,
      {
        SchemaVersion: 2,
        ArtifactType: 'container_image',
        ArtifactName: file,
        Metadata: { RepoTags: repoTags },
      },
    ],
    [
      sarif,
      {
        version: '2.1.0',
        runs: [
          {
            tool: { driver: { name: 'Trivy' } },
            results: [],
            properties: { imageName: file, repoTags, repoDigests: null },
          },
        ],
      },
    ],
    [
      grype,
      {
        matches: [],
        source: { type: 'image', target: { userInput: file, tags: repoTags, repoDigests: [] } },
        descriptor: { name: 'grype' },
      },
    ],
  ];
  for (const file of ['out/image.tar', 'image-0a1b2c.tar.gz']) {
    for (const [format, content] of ofArchive(file)) {
      const [run] = readContent(format, content).runs;
      assert.deepEqual(
        [run?.category, run?.image],
        ['garden/shed', { name: 'ghcr.io/garden/shed', tag: '1' }],
        JSON.stringify(content),
      );
    }
  }
});

test('the directories of an image are no numbers of a run', () => {
  const log = (imageName: string): object => ({
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'Trivy' } }, results: [], properties: { imageName } }],
  });
  const categories = ['garden/job-1', 'garden/job-2'].map(
    (name) => readContent(sarif, log(name)).runs[0]?.category,
  );
  assert.deepEqual(categories, ['garden/job-1', 'garden/job-2']);
});

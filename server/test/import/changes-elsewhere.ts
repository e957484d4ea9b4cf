/** Cases of the table in docs/identity.md about suppressions, packages, images, secrets and branches. */
import { sarif, trivy } from '../support/reports.ts';
import {
  gitleaks,
  grype,
  type Leak,
  trivyImage,
  trivySecrets,
  trivySecretsSarif,
} from '../support/scanner-reports.ts';
import {
  a,
  alone,
  type Change,
  code,
  kept,
  other,
  replaced,
  reports,
  stays,
  unchanged,
} from './report-change.ts';

const lodash = { id: 'CVE-2020-8203', name: 'lodash', version: '4.17.15' };
const openssl = { id: 'CVE-2023-5678', package: 'libssl3', version: '3.0.11-1' };
const zlib = { id: 'CVE-2022-37434', package: 'zlib1g', version: '1.2.11-1' };
const secret = `k${'3xW9'.repeat(8)}`;
const leak: Leak = { path: 'app.env', line: 3, secret, text: `API_KEY=${secret}` };
const masked = { path: 'app.env', line: 3, masked: 'API_KEY=********************************' };
const otherMasked = { ...masked, line: 7, masked: 'TEST_API_KEY=********************************' };

/** An SBOM by this tool, with one vulnerability in each of these packages. */
const affected = (tool: string, ...purls: string[]) => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  metadata: { tools: [{ name: tool }] },
  components: purls.map((purl) => ({ type: 'library', 'bom-ref': purl, name: 'spade', purl })),
  vulnerabilities: [
    { id: 'CVE-2031-0001', ratings: [{ severity: 'high' }], affects: purls.map((ref) => ({ ref })) },
  ],
});
/** A report of kube-bench, in which the check 1.2.6 has this description. */
const kubeBench = (description: string) => ({
  Controls: [
    {
      node_type: 'master',
      tests: [{ results: [{ test_number: '1.2.6', test_desc: description, status: 'FAIL' }] }],
    },
  ],
});
/** A report of ZAP with an alert about this address. */
const zapAt = (uri: string) => ({
  '@version': '2.16.0',
  site: [{ alerts: [{ pluginid: '10096', name: 'Timestamp', instances: [{ uri, method: 'GET' }] }] }],
});
/** A finding of Security Hub about this resource. */
const securityHubAt = (Id: string) => [
  {
    SchemaVersion: '2018-10-08',
    AwsAccountId: '000000000031',
    Title: 'ECS.1 Task definitions have a user',
    ProductFields: { 'aws/securityhub/ProductName': 'Security Hub' },
    Resources: [{ Id, Region: 'eu-west-1' }],
    Compliance: { Status: 'FAILED', SecurityControlId: 'ECS.1' },
  },
];
const taskDefinition = 'arn:aws:ecs:eu-west-1:000000000031:task-definition/shop';
const jar = 'pkg:maven/example.garden/spade@1.2';
const jarWithoutGroup = 'pkg:maven/spade@1.2';

export const changesElsewhere: Change[] = [
  {
    change: 'suppressed by a comment in the source',
    says: 'suppressed there: fixed on that reference',
    steps: code(a, { ...a, suppressed: true }),
    // The report still shows it.
    counts: { fixed: 1, unchanged: 1 },
    known: [{ status: 'fixed', decidedBy: null }],
  },
  {
    change: 'suppressed by a comment on a branch',
    says: 'fixed on the branch, open on the default branch',
    steps: [
      { report: sarif([a]) },
      { report: sarif([a]), ref: 'x' },
      { report: sarif([{ ...a, suppressed: true }]), ref: 'x' },
    ],
    counts: { fixed: 1, unchanged: 1 },
    known: [{ status: 'open', on: { main: 'open', x: 'fixed' } }],
  },
  {
    change: 'the comment is taken away again',
    says: 'reopened',
    steps: reports(sarif([a]), sarif([{ ...a, suppressed: true }]), sarif([a])),
    counts: { reopened: 1 },
    known: [{ status: 'open' }],
  },
  {
    change: 'suppressed by a file, on the default branch, by a key that may decide',
    says: 'ignored, with a date accepted until then: a decision that lasts as long as the file says so',
    steps: reports(
      sarif([a, other]),
      sarif([
        { ...a, suppressed: 'external' },
        { ...other, suppressed: 'external', until: '2099-01-01T00:00:00Z' },
      ]),
    ),
    counts: { unchanged: 2 },
    known: [
      { status: 'ignored', decidedBy: 'suppression', places: 1 },
      { status: 'accepted', decidedBy: 'suppression', places: 1 },
    ],
  },
  {
    change: 'suppressed by a file, by a key that may not decide',
    says: 'unchanged: a suggestion',
    steps: [{ report: sarif([a]) }, { report: sarif([{ ...a, suppressed: 'external' }]), mayDecide: false }],
    counts: unchanged,
    known: [{ status: 'open', decidedBy: null }],
  },
  {
    change: 'suppressed by a file, on a branch',
    says: 'unchanged: a suggestion, until it is on the default branch',
    steps: [
      { report: sarif([a]) },
      { report: sarif([a]), ref: 'x' },
      { report: sarif([{ ...a, suppressed: 'external' }]), ref: 'x' },
    ],
    counts: unchanged,
    known: [{ status: 'open', decidedBy: null, on: { main: 'open', x: 'open' } }],
  },
  {
    change: 'the suppression by the file is taken away again',
    says: 'open again',
    steps: reports(sarif([a]), sarif([{ ...a, suppressed: 'external' }]), sarif([a])),
    counts: unchanged,
    known: [{ status: 'open', decidedBy: null }],
  },
  {
    change: 'package upgraded, still vulnerable',
    ...stays,
    steps: reports(trivy([lodash]), trivy([{ ...lodash, version: '4.17.18' }])),
    matchMethods: ['advisory-and-package'],
  },
  {
    change: 'severity of the advisory raised',
    says: 'unchanged, with the new severity',
    steps: reports(trivy([lodash]), trivy([{ ...lodash, severity: 'CRITICAL' }])),
    counts: unchanged,
    known: [{ status: 'open', severity: 'critical', places: 1 }],
  },
  {
    change: 'severity of the advisory lowered',
    says: 'unchanged, with the new severity',
    steps: reports(trivy([lodash]), trivy([{ ...lodash, severity: 'LOW' }])),
    counts: unchanged,
    known: [{ status: 'open', severity: 'low', places: 1 }],
  },
  {
    change: 'package moved to another lock file',
    ...stays,
    steps: reports(trivy([lodash]), trivy([{ ...lodash, path: 'web/package-lock.json' }])),
    matchMethods: ['advisory-and-package'],
  },
  {
    change: 'the same package in a second lock file',
    says: 'unchanged, one vulnerability with two locations',
    steps: reports(trivy([lodash]), trivy([lodash, { ...lodash, path: 'web/package-lock.json' }])),
    counts: unchanged,
    known: [{ status: 'open', places: 2 }],
  },
  {
    change: 'one of two lock files is upgraded',
    says: 'unchanged, one location less',
    steps: reports(trivy([lodash, { ...lodash, path: 'web/package-lock.json' }]), trivy([lodash])),
    ...kept,
  },
  {
    change: 'another advisory of the same package',
    says: 'new and fixed',
    steps: reports(trivy([lodash]), trivy([{ ...lodash, id: 'CVE-2021-23337' }])),
    ...replaced,
  },
  {
    change: 'found by another tool too, in a package',
    says: 'unchanged, two reporters',
    steps: reports(trivy([lodash]), grype([{ ...lodash, package: lodash.name }])),
    counts: unchanged,
    known: [{ status: 'open', tools: ['grype', 'trivy'] }],
  },
  {
    change: 'jar found by another tool too, which does not know its group',
    says: 'unchanged, two reporters',
    steps: reports(affected('trivy', jar), affected('grype', jarWithoutGroup)),
    counts: unchanged,
    known: [{ status: 'open', tools: ['grype', 'trivy'] }],
  },
  {
    change: 'jar found by another tool too, with its group at last',
    says: 'unchanged, two reporters',
    steps: reports(
      affected('grype', 'pkg:maven/spade/spade@1.2'),
      affected('trivy', jar),
      affected('trivy', jar),
    ),
    counts: unchanged,
    known: [{ status: 'open', tools: ['grype', 'trivy'] }],
  },
  {
    change: 'jars of two groups, then one without a group',
    says: 'new: no telling which',
    steps: reports(
      affected('trivy', jar, 'pkg:maven/example.shed/spade@1.2'),
      affected('grype', jarWithoutGroup),
    ),
    counts: { new: 1 },
    known: [{ tools: ['trivy'] }, { tools: ['trivy'] }, { tools: ['grype'] }],
  },
  {
    change: 'jar with a group, then one without, then one of another group',
    says: 'the last one new: one without a group connects no two groups',
    steps: reports(
      affected('trivy', jar),
      affected('grype', jarWithoutGroup),
      affected('syft', 'pkg:maven/example.shed/spade@1.2'),
    ),
    counts: { new: 1 },
    known: [{ tools: ['grype', 'trivy'] }, { tools: ['syft'] }],
  },
  {
    change: 'jar of another version, without its group',
    says: 'new: it may be another',
    steps: reports(affected('trivy', jar), affected('grype', 'pkg:maven/spade@1.3')),
    counts: { new: 1 },
    known: [{ tools: ['trivy'] }, { tools: ['grype'] }],
  },
  {
    change: 'tag and digest of the image',
    ...stays,
    steps: reports(
      trivyImage('registry.acme.example/shop:1.0', [openssl]),
      trivyImage(`registry.acme.example/shop:1.1@sha256:${'ab'.repeat(32)}`, [openssl]),
    ),
  },
  {
    change: 'registry of the image',
    ...stays,
    steps: reports(
      trivyImage('registry.acme.example/acme/shop:1.0', [openssl]),
      trivyImage('ghcr.io/acme/shop:1.0', [openssl]),
    ),
  },
  {
    change: 'directory of the image in its registry',
    says: 'unchanged; what is absent stays open, for the image of the other directory sees it',
    steps: reports(
      trivyImage('ghcr.io/acme/shop:1.0', [openssl, zlib]),
      trivyImage('ghcr.io/team/shop:1.0', [openssl]),
    ),
    counts: unchanged,
    known: [{ status: 'open' }, { status: 'open' }],
  },
  {
    change: 'target of Trivy renamed: the archive of the image moved',
    says: 'unchanged, one location',
    steps: reports(
      trivyImage('build/shop.tar.gz', [openssl]),
      trivyImage('artifacts/2026/shop.tar.gz', [openssl]),
    ),
    ...kept,
  },
  {
    change: 'target of Trivy renamed: another release of the system',
    says: 'unchanged, one location',
    steps: reports(trivyImage('shop:1.0', [openssl]), trivyImage('shop:1.0', [openssl], { system: '12.6' })),
    ...kept,
  },
  {
    change: 'another benchmark of kube-bench gives the number to another check',
    says: 'new and fixed',
    steps: reports(kubeBench('Ensure that the gate is closed'), kubeBench('Ensure that the shed has a roof')),
    ...replaced,
  },
  {
    change: 'another benchmark of kube-bench marks the check as `(Automated)` in place of `(Scored)`',
    ...stays,
    steps: reports(
      kubeBench('Ensure that the gate is closed (Scored)'),
      kubeBench('Ensure that the gate is closed (Automated)'),
    ),
  },
  {
    change: 'hash of a bundler in the name of a script of a site',
    ...stays,
    steps: reports(
      zapAt('https://shop.example/static/main.3f2a1b9c.js'),
      zapAt('https://shop.example/static/main.9d8e7f6a.js'),
    ),
  },
  {
    change: 'revision of a task definition of ECS',
    ...stays,
    steps: reports(securityHubAt(`${taskDefinition}:57`), securityHubAt(`${taskDefinition}:58`)),
  },
  {
    change: 'secret moved to another line',
    ...stays,
    steps: reports(gitleaks([leak]), gitleaks([{ ...leak, line: 90 }])),
  },
  {
    change: 'secret moved to another file',
    ...stays,
    steps: reports(gitleaks([leak]), gitleaks([{ ...leak, path: 'deploy/prod.env' }])),
    matchMethods: ['secret'],
  },
  {
    change: 'masked secret moved to another line',
    ...stays,
    steps: reports(trivySecrets([masked]), trivySecrets([{ ...masked, line: 90 }])),
  },
  {
    change: 'masked secret moved to another file',
    says: 'new and fixed: what is masked may be another',
    steps: reports(trivySecrets([masked]), trivySecrets([{ ...masked, path: 'deploy/prod.env' }])),
    ...replaced,
  },
  {
    change: 'two masked secrets of Trivy in one file, in its JSON and then in its SARIF',
    says: 'unchanged',
    steps: reports(trivySecrets([masked, otherMasked]), trivySecretsSarif([otherMasked, masked])),
    counts: { unchanged: 2 },
    known: [{ status: 'open' }, { status: 'open' }],
  },
  {
    change: 'secret rotated, in the same location',
    says: 'new and fixed',
    steps: reports(
      gitleaks([leak]),
      gitleaks([{ ...leak, secret: `${secret}Z`, text: `API_KEY=${secret}Z` }]),
    ),
    ...replaced,
  },
  {
    change: 'secret rotated, in a line that another tool shows masked',
    says: 'new: two bare secrets are never one',
    steps: reports(
      gitleaks([leak]),
      trivySecrets([masked]),
      gitleaks([{ ...leak, secret: `${secret}Z`, text: `API_KEY=${secret}Z` }]),
    ),
    counts: { new: 1 },
    known: [
      { status: 'open', tools: ['trivy'] },
      { status: 'open', tools: ['gitleaks'] },
    ],
  },
  {
    change: 'secret masked by one tool, then bare by another in the same line',
    says: 'unchanged, two reporters',
    steps: reports(trivySecrets([masked]), gitleaks([leak])),
    counts: unchanged,
    known: [{ status: 'open', tools: ['gitleaks', 'trivy'] }],
    matchMethods: ['secret-location'],
  },
  {
    change: 'secret bare by one tool, then masked by another in the same line',
    says: 'unchanged, two reporters',
    steps: reports(gitleaks([leak]), trivySecrets([masked])),
    counts: unchanged,
    known: [{ status: 'open', tools: ['gitleaks', 'trivy'] }],
    matchMethods: ['secret-location'],
  },
  {
    change: 'secret bare, then masked by the same tool, in the same line',
    ...stays,
    steps: reports(gitleaks([leak]), gitleaks([{ ...leak, secret: 'REDACTED', text: 'API_KEY=REDACTED' }])),
    matchMethods: ['secret-location'],
  },
  {
    change: 'seen on another branch too',
    says: 'unchanged: the same on both',
    steps: [{ report: sarif([a]) }, { report: sarif([{ ...a, line: 25 }]), ref: 'x' }],
    counts: unchanged,
    known: [{ status: 'open', on: { main: 'open', x: 'open' }, places: 2 }],
    matchMethods: ['code'],
  },
  {
    change: 'seen on another branch too, with no code and no line in the report',
    says: 'unchanged: the same on both',
    steps: [{ report: sarif([alone]) }, { report: sarif([alone]), ref: 'x' }],
    counts: unchanged,
    known: [{ status: 'open', on: { main: 'open', x: 'open' }, places: 2 }],
    matchMethods: ['nearest-line'],
  },
  {
    change: 'found on a branch, then in another line on the default branch',
    says: 'unchanged: the same on both',
    steps: [{ report: sarif([]) }, { report: sarif([a]), ref: 'x' }, { report: sarif([{ ...a, line: 25 }]) }],
    counts: unchanged,
    known: [{ status: 'open', on: { main: 'open', x: 'open' } }],
    matchMethods: ['code'],
  },
  {
    change: 'fixed on the default branch, still on a branch',
    says: 'fixed; on the branch open',
    steps: [{ report: sarif([a]) }, { report: sarif([a]), ref: 'x' }, { report: sarif([]) }],
    counts: { fixed: 1 },
    known: [{ status: 'fixed', on: { main: 'fixed', x: 'open' } }],
  },
  {
    change: 'fixed on a branch, still on the default branch',
    says: 'open; on the branch fixed',
    steps: [{ report: sarif([a]) }, { report: sarif([a]), ref: 'x' }, { report: sarif([]), ref: 'x' }],
    counts: { fixed: 1 },
    known: [{ status: 'open', on: { main: 'open', x: 'fixed' } }],
  },
  {
    change: 'a partial scan does not show it',
    says: 'open: it closes nothing',
    steps: [{ report: sarif([a, other]) }, { report: sarif([other]), partial: true }],
    counts: unchanged,
    known: [{ status: 'open' }, { status: 'open' }],
  },
  {
    change: 'a partial scan shows another',
    says: 'new, the rest open',
    steps: [{ report: sarif([a]) }, { report: sarif([other]), partial: true }],
    counts: { new: 1 },
    known: [{ status: 'open' }, { status: 'open' }],
  },
  {
    change: 'an older scan comes late and does not show it',
    says: 'open: it closes nothing',
    steps: [{ report: sarif([a, other]) }, { report: sarif([other]), day: 0 }],
    counts: unchanged,
    known: [{ status: 'open' }, { status: 'open' }],
  },
  {
    change: 'an older scan comes late and shows what is fixed since',
    says: 'fixed: it reopens nothing',
    steps: [
      { report: sarif([a, other]), day: 1 },
      { report: sarif([other]), day: 3 },
      { report: sarif([a, other]), day: 2 },
    ],
    counts: { unchanged: 2 },
    known: [{ status: 'fixed' }, { status: 'open' }],
  },
];

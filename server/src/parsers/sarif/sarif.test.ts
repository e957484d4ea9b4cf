import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fieldOf } from '../../../test/support/fields.ts';
import { emptyEvidence, emptyFinding } from '../../../test/support/format-reports.ts';
import { parseReport } from '../parse-report.ts';
import { defaultLimits } from '../reading/limits.ts';
import type { Report, ReportFinding } from '../report.ts';
import { messageText } from './locations.ts';

function fixture(name: string): Report {
  return parseReport(readFileSync(new URL(`../../../test/fixtures/sarif/${name}.sarif`, import.meta.url)));
}

/** The findings of one run whose results are given; the rest of the log is the least there can be. */
function findingsOf(
  results: unknown[],
  run: object = {},
  driver: object = { name: 'Tool' },
): ReportFinding[] {
  const log = { version: '2.1.0', runs: [{ tool: { driver }, results, ...run }] };
  return parseReport(Buffer.from(JSON.stringify(log))).runs[0]?.findings ?? [];
}

test('reads runs with their tool and category', () => {
  const report = fixture('code');
  assert.equal(report.read, 9);
  const heads = report.runs.map(({ findings, ...head }) => ({ ...head, count: findings.length }));
  assert.deepEqual(heads, [
    {
      tool: 'glasshouse',
      toolVersion: '3.1.4',
      category: 'nightly/web',
      history: false,
      outcome: 'succeeded',
      pointer: '/runs/0',
      gaps: [],
      showsScan: true,
      analysisTypes: ['sast'],
      image: null,
      manifests: [],
      count: 5,
    },
    {
      tool: 'glasshouse',
      toolVersion: null,
      category: 'nightly/web',
      history: false,
      outcome: 'succeeded',
      pointer: '/runs/1',
      gaps: [],
      showsScan: true,
      analysisTypes: ['sast'],
      image: null,
      manifests: [],
      count: 1,
    },
    {
      tool: 'glasshouse',
      toolVersion: null,
      category: '',
      history: false,
      outcome: 'scanned_nothing',
      pointer: '/runs/2',
      gaps: [],
      showsScan: false,
      analysisTypes: ['sast'],
      image: null,
      manifests: [],
      count: 0,
    },
  ]);
  assert.deepEqual(report.unreadable, [
    { pointer: '/runs/0/results/6', reason: 'The result is not an object.' },
    { pointer: '/runs/0/results/7', reason: 'The result has neither a rule nor a message.' },
  ]);
  // A pass, an absent one, the run that did not scan, and the unreadable rows.
  assert.equal(report.warnings.length, 4);
});

test('reads a result: rule, location, code, fingerprint, text', () => {
  const [first, redirect, query, cookie, unlocated] = fixture('code').runs[0]?.findings ?? [];
  const fingerprint = { scheme: 'primaryLocationLineHash', value: '39fa2ee980eb94b0:1', pathFree: false };
  assert.deepEqual(first, {
    ...redirect,
    path: 'src/db.ts',
    line: 1,
    code: null,
    fingerprint,
    evidence: null,
  });
  assert.deepEqual(redirect, {
    ...emptyFinding,
    pointer: '/runs/0/results/0',
    type: 'sast',
    severity: 'high',
    title: 'Redirect to a foreign address',
    description: 'See the handler.\n\nThe address comes from the request.',
    rule: 'GH100',
    cwes: ['CWE-601'],
    path: 'web app/src/index.ts',
    line: 12,
    code: 'res.redirect(req.query.to)',
    links: ['https://glasshouse.example/rules/GH100'],
    sharedRow: '/runs/0/results/0',
    evidence: {
      ...emptyEvidence,
      snippet: { text: 'res.redirect(req.query.to)', firstLine: 12, markedFrom: 12, markedTo: 12 },
    },
  } satisfies ReportFinding);
  assert.equal(query?.rule, 'GH200/variant');
  assert.equal(query?.severity, 'critical');
  assert.equal(query?.title, "'query' is built from input, see {docs}.");
  assert.equal(query?.path, 'src/db.ts');
  assert.equal(query?.code, 'query(input)');
  assert.deepEqual(query?.cwes, ['CWE-89']);
  assert.deepEqual(query?.suppression, {
    by: 'source',
    reason: 'Input is a constant',
    expiresAt: null,
  });
  assert.equal(cookie?.rule, 'WEB1');
  assert.equal(cookie?.severity, 'low');
  assert.equal(cookie?.description, 'Shared words about cookies.');
  assert.equal(cookie?.path, 'https://shop.example/login');
  assert.equal(cookie?.line, null);
  assert.equal(cookie?.suppression, null, 'its end was before the run');
  assert.equal(unlocated?.path, null);
  assert.equal(unlocated?.suppression, null, 'under review');
});

test('a result without a rule is named by a text made from its message', () => {
  const [finding] = fixture('code').runs[1]?.findings ?? [];
  assert.equal(finding?.rule, 'found-of-in-file');
  assert.equal(finding?.severity, 'info');
  assert.equal(finding?.suppression, null);
});

test('the evidence is the code around, the first data flow, the help of the rule and the proposed fix', () => {
  const at = (line: number, text: string, snippet?: string) => ({
    message: { text },
    physicalLocation: {
      artifactLocation: { uri: 'src/bed.ts' },
      region: { startLine: line, endLine: line + 1, ...(snippet ? { snippet: { text: snippet } } : {}) },
      ...(line === 7
        ? { contextRegion: { startLine: 5, snippet: { text: 'five\nsix\nsow(x)\n)\nnine' } } }
        : {}),
    },
  });
  const result = {
    ruleId: 'R',
    message: { text: 'm' },
    locations: [at(7, '')],
    codeFlows: [
      {
        threadFlows: [
          {
            locations: [
              { location: at(2, 'ControlFlowNode for seed') },
              { location: at(2, 'ControlFlowNode for seed') },
              { location: at(7, 'is sown') },
            ],
          },
        ],
      },
    ],
    fixes: [{ description: { text: 'Water it.' } }],
  };
  const rules = [{ id: 'R', help: { text: 'plain', markdown: '# Seeds' } }];
  const [finding] = findingsOf([result], {}, { name: 'Tool', rules });
  assert.deepEqual(finding?.evidence, {
    snippet: { text: 'five\nsix\nsow(x)\n)\nnine', firstLine: 5, markedFrom: 7, markedTo: 8 },
    dataFlow: [
      { path: 'src/bed.ts', line: 2, text: 'seed' },
      { path: 'src/bed.ts', line: 7, text: 'sow(x)\nis sown' },
    ],
    help: '# Seeds',
    remediation: 'Water it.',
    dependencyPaths: [],
  });
});

test('the message names the locations that it links to, and each of its lines once', () => {
  const related = (id: number, uri: string) => ({
    id,
    physicalLocation: { artifactLocation: { uri }, region: { startLine: 10 + id } },
  });
  const [finding] = findingsOf([
    {
      ruleId: 'R',
      message: { text: 'It depends on [a seed](1).\nIt depends on [a seed](2).\nIt depends on [a seed](2).' },
      relatedLocations: [related(1, 'src/bed.ts'), related(2, 'src/pot.ts')],
    },
  ]);
  assert.equal(
    finding?.description,
    'It depends on a seed (src/bed.ts:11).\nIt depends on a seed (src/pot.ts:12).',
  );
  assert.equal(finding?.title.includes('src/bed.ts'), false, 'a title does not change with a line');
});

test('severity comes from the score before the level, as text or number', () => {
  const scores: [unknown, string][] = [
    ['9.0', 'critical'],
    [8.9, 'high'],
    ['4', 'medium'],
    [0.1, 'low'],
    ['0.0', 'info'],
    ['High', 'high'],
    ['critical', 'critical'],
    ['x', 'medium'],
    [-1, 'medium'],
    [null, 'medium'],
  ];
  for (const [score, expected] of scores) {
    const [finding] = findingsOf([
      { ruleId: 'R', message: { text: 'm' }, properties: { 'security-severity': score } },
    ]);
    assert.equal(finding?.severity, expected, String(score));
  }
});

test('the SARIF of govulncheck joins its JSON: module, version and the names of the advisory', () => {
  const rules = [{ id: 'GO-2031-0001', properties: { tags: ['CVE-2031-1001', 'GHSA-aaaa-bbbb-cccc'] } }];
  const frame = (module: string) => ({ module, location: { message: { text: 'a call' } } });
  const result = (text: string, level: string, more: object = {}) => ({
    ruleId: 'GO-2031-0001',
    level,
    message: { text },
    locations: [{ physicalLocation: { artifactLocation: { uri: 'go.mod', uriBaseId: '%SRCROOT%' } } }],
    ...more,
  });
  const unused = "but doesn't appear to call any of the vulnerable symbols.";
  const frames = [frame('garden.example/shed'), frame('golang.org/x/text@v0.3.0')];
  const findings = findingsOf(
    [
      result('Your code calls vulnerable functions in 1 package (golang.org/x/text/language).', 'error', {
        codeFlows: [{ threadFlows: [{ locations: frames }] }],
      }),
      result(`Your code imports 1 vulnerable package (net/http), ${unused}`, 'warning', {
        stacks: [{ frames: [frame('stdlib@go1.22.1')] }],
      }),
      result(`Your code depends on 1 vulnerable module (github.com/garden/rake), ${unused}`, 'note'),
    ],
    {},
    { name: 'govulncheck', rules },
  );
  assert.deepEqual(
    findings.map((finding) => [
      `${finding.package?.purl} ${finding.package?.version}`,
      finding.advisories,
      finding.severity,
      finding.exploitable,
    ]),
    [
      ['pkg:golang/golang.org/x/text 0.3.0', true],
      ['pkg:golang/stdlib 1.22.1', false],
      ['pkg:golang/github.com/garden/rake null', false],
    ].map(([named, isCalled]) => [
      named,
      ['GO-2031-0001', 'CVE-2031-1001', 'GHSA-aaaa-bbbb-cccc'],
      'unknown',
      isCalled,
    ]),
  );
});

test('an accepted suppression counts only where none is open or refused', () => {
  const cases: [unknown, boolean][] = [
    [[{ kind: 'inSource' }], true],
    [[{ kind: 'external', status: 'accepted' }], true],
    [
      [
        { kind: 'external', status: 'accepted' },
        { kind: 'external', status: 'rejected' },
      ],
      false,
    ],
    [[{ kind: 'external', status: 'underReview' }], false],
    [[], false],
    [null, false],
    [[null], false],
  ];
  for (const [suppressions, expected] of cases) {
    const [finding] = findingsOf([{ ruleId: 'R', message: { text: 'm' }, suppressions }]);
    assert.equal(finding?.suppression !== null, expected, JSON.stringify(suppressions));
  }
});

test('a suppression in the source that ends counts as one of a file, which ends too', () => {
  const expiresAt = '2020-01-01T00:00:00.000Z';
  const ending = { kind: 'inSource', properties: { expiryUtc: expiresAt } };
  for (const [suppressions, expected] of [
    [[{ kind: 'inSource' }], { by: 'source', expiresAt: null }],
    [[ending], { by: 'file', expiresAt }],
    [[ending, { kind: 'inSource' }], { by: 'source', expiresAt: null }],
  ] as const) {
    const [finding] = findingsOf([{ ruleId: 'R', message: { text: 'm' }, suppressions }]);
    assert.deepEqual(finding?.suppression, { ...expected, reason: null });
  }
});

test('a private key is the same with each kind of line ends', () => {
  const key = '-----BEGIN RSA PRIVATE KEY-----\nMIIEowIBAAKCAQEA7\nabc=\n-----END RSA PRIVATE KEY-----';
  for (const end of ['\n', '\r\n', '\r']) {
    const [finding] = findingsOf(
      [{ ruleId: 'R', message: { text: 'm' }, properties: { secret: key.replaceAll('\n', end) } }],
      {},
      { name: 'gitleaks' },
    );
    assert.equal(finding?.secret?.value, key);
  }
});

test('a fingerprint is read only if its scheme is allowed and its value varies', () => {
  const result = (fingerprints: object): object => ({ ruleId: 'R', message: { text: 'm' }, fingerprints });
  const semgrep = (value: string): ReportFinding | undefined =>
    findingsOf([result({ 'matchBasedId/v1': value })], {}, { name: 'Semgrep OSS' })[0];
  assert.equal(semgrep('0123456789abcdef_0')?.fingerprint?.value, '0123456789abcdef_0');
  assert.equal(semgrep('requires login')?.fingerprint, null);
  assert.equal(findingsOf([result({ commitSha: '0123456789abcdef' })])[0]?.fingerprint, null);
  const snyk = findingsOf([result({ '0': 'a1b2c3d4e5', '1': 'b1b2c3d4e5' })], {}, { name: 'SnykCode' })[0];
  assert.deepEqual(snyk?.fingerprint, { scheme: '1', value: 'b1b2c3d4e5', pathFree: false });
  const same = [1, 2, 3].map((line) => ({
    ...result({ primaryLocationLineHash: '0123456789abcdef' }),
    locations: [{ physicalLocation: { artifactLocation: { uri: 'a' }, region: { startLine: line } } }],
  }));
  assert.deepEqual(fieldOf(findingsOf(same), 'fingerprint'), [null, null, null]);
});

test('the package is found in the field that each dependency scanner uses', () => {
  const report = fixture('dependencies');
  const rows = report.runs.flatMap((run) =>
    run.findings.map((finding) => [
      run.tool,
      run.category,
      finding.type,
      finding.rule,
      finding.package?.purl ?? null,
      finding.package?.version ?? null,
      finding.path,
      finding.pathIsTarget,
    ]),
  );
  assert.deepEqual(rows, [
    [
      'trivy',
      'garden/shed',
      'container',
      'CVE-2030-0001',
      'pkg:apk/alpine/libgarden',
      '1.0.0-r3',
      'garden/shed',
      true,
    ],
    [
      'trivy',
      'garden/shed',
      'dependency',
      'CVE-2030-0002',
      'pkg:npm/%40tools/spade',
      '2.0.0',
      'app/package-lock.json',
      false,
    ],
    ['trivy', 'garden/shed', 'iac', 'GDN-0003', null, null, 'main.tf', false],
    [
      'grype',
      '',
      'dependency',
      'GHSA-aaaa-bbbb-cccc',
      'pkg:pypi/rake-tool',
      '0.9',
      'requirements.txt',
      false,
    ],
    ['grype', '', 'container', 'CVE-2030-0009', 'pkg:deb/debian/libsoil', '4', null, true],
    [
      'snyk-open-source',
      '',
      'dependency',
      'SNYK-JAVA-ORGGARDEN-1',
      'pkg:maven/org.garden/fence',
      '1.1',
      'pom.xml',
      false,
    ],
    [
      'osv-scanner',
      '',
      'dependency',
      'CVE-2030-0020',
      'pkg:golang/github.com/garden/pot',
      '1.0.0',
      'go.mod',
      false,
    ],
    ['osv-scanner', '', 'dependency', 'CVE-2030-0021', null, null, null, false],
  ]);
  const [overflow, spade, , rake, , fence, pot] = report.runs.flatMap((run) => run.findings);
  assert.deepEqual(overflow?.fixedVersions, ['1.0.1-r0', '1.1.0-r0']);
  assert.deepEqual(overflow?.cvss, { score: 7.5, vector: null });
  assert.deepEqual(overflow?.artifact?.purl, 'pkg:apk/alpine/libgarden@1.0.0-r3');
  assert.equal(spade?.severity, 'low');
  assert.deepEqual(rake?.fixedVersions, ['1.0']);
  assert.equal(fence?.title, 'Path Traversal vulnerability in org.garden:fence');
  assert.deepEqual(fence?.advisories, ['SNYK-JAVA-ORGGARDEN-1']);
  assert.deepEqual(
    fence?.relatedAdvisories,
    ['CVE-2030-0010', 'CVE-2030-0011'],
    'several CVEs are no aliases',
  );
  assert.deepEqual(pot?.advisories, ['CVE-2030-0020', 'GHSA-dddd-eeee-ffff']);
});

test('the secret is in its own field only', () => {
  const findings = fixture('secrets').runs[0]?.findings ?? [];
  assert.deepEqual(
    findings.map(({ rule, secret, committedAt }) => [rule, secret?.value, secret?.maskedLine, committedAt]),
    [
      ['garden-token', 'gdn-not-a-real-token-1', null, '2030-02-03T04:05:06.000Z'],
      ['garden-token', null, 'token: "****" # old', null],
      ['garden-key-secret-detected', 'gdn-not-a-real-token-3', 'key = ****;', '2030-01-02T01:04:05.000Z'],
      ['garden-token', null, null, null],
    ],
  );
  for (const { secret, ...rest } of findings) {
    assert.equal(rest.code, null);
    assert.ok(!JSON.stringify([rest, secret?.maskedLine]).includes('gdn-not'), rest.pointer);
  }
});

test('secrets of commits are of the history, and secrets of files are not', () => {
  const run = (date: string) => ({
    tool: { driver: { name: 'gitleaks' } },
    results: [
      {
        ruleId: 'garden-token',
        message: { text: 'garden-token has detected secret for file a.ts.' },
        locations: [{ physicalLocation: { artifactLocation: { uri: 'a.ts' }, region: { startLine: 1 } } }],
        partialFingerprints: { commitSha: date === '' ? '' : 'a'.repeat(40), date },
      },
    ],
  });
  const log = { version: '2.1.0', runs: [run('2030-01-02T01:04:05Z'), run('')] };
  const { runs } = parseReport(Buffer.from(JSON.stringify(log)));
  assert.deepEqual(
    runs.map(({ history }) => history),
    [true, false],
  );
});

test('a secret without a rule or a value is not in the name made from the message', () => {
  const message = { text: 'Found key: gdnonlylettershere' };
  const [finding] = findingsOf([{ message }], {}, { name: 'TruffleHog' });
  assert.equal(finding?.rule, 'found-key');
  assert.ok(!JSON.stringify(finding).includes('gdnonly'));
});

test('a run that did not succeed has the outcome failed', () => {
  const outcomeOf = (invocation: object) => {
    const log = { $schema: 'sarif', version: '2.1.0', runs: [{ results: [], invocations: [invocation] }] };
    const { runs, warnings } = parseReport(Buffer.from(JSON.stringify(log)));
    return [runs[0]?.outcome, /did not succeed/.test(warnings.join())];
  };
  for (const invocation of [
    { executionSuccessful: false },
    { exitSignalName: 'SIGKILL' },
    { exitSignalNumber: 9 },
    { processStartFailureMessage: 'not found' },
  ]) {
    assert.deepEqual(outcomeOf(invocation), ['failed', true], JSON.stringify(invocation));
  }
  for (const invocation of [
    { executionSuccessful: true, exitSignalName: 'SIGPIPE' },
    { exitSignalNumber: 0 },
  ]) {
    assert.deepEqual(outcomeOf(invocation), ['succeeded', false], JSON.stringify(invocation));
  }
});

test('a long message with a long rule description is cut to the limit of one text', () => {
  const rule = { id: 'LONG1', fullDescription: { text: 'The rule says this.' } };
  const message = { text: 'word '.repeat(20_000) };
  const [finding] = findingsOf([{ ruleId: 'LONG1', message }], {}, { name: 'Tool', rules: [rule] });
  assert.ok((finding?.description?.length ?? 0) > 0);
  assert.ok((finding?.description?.length ?? 0) <= defaultLimits.maxTextLength);
});

test('one long string of a rule does not make a long text for each result', () => {
  const related = new Map([['1', 'x'.repeat(4_000)]]);
  for (const [text, parameters] of [
    [`{0} ${'word '.repeat(60_000)}`, ['first']],
    ['{0}'.repeat(100_000), ['x'.repeat(1_000)]],
    ['[a](1) '.repeat(40_000), []],
  ] as const) {
    const message = { id: 'long', arguments: parameters };
    const { length } = messageText(message, [{ long: { text } }], related) ?? '';
    assert.ok(length > 0 && length <= 2 * 65_536, `${length}`);
  }
  const rules = [
    {
      id: 'LONG2',
      fullDescription: { text: 'What is wrong.' },
      messageStrings: { long: { text: 'word '.repeat(60_000) } },
    },
  ];
  const results = [1, 2].map(() => ({ ruleId: 'LONG2', message: { id: 'long' } }));
  const found = findingsOf(results, {}, { name: 'Tool', rules });
  assert.deepEqual(
    found.map(({ description }) => description?.length),
    [65_536, 65_536],
  );
});

test('a severity in the text of a result or rule is used instead of the score of the rule', () => {
  const severities = (name: string, rule: object, ...results: object[]): unknown[] =>
    findingsOf(
      results.map((result) => ({ ruleId: 'R', ...result })),
      {},
      { name, rules: [{ id: 'R', ...rule }] },
    ).map(({ severity }) => severity);
  const message = (word: string): object => ({
    message: { text: `Package: rake\nInstalled Version: 1\nVulnerability CVE-2031-0001\nSeverity: ${word}` },
  });
  const scored = (score: string): object => ({ properties: { 'security-severity': score } });
  assert.deepEqual(
    severities('Trivy', scored('3.1'), message('CRITICAL'), message('LOW'), { message: { text: 'none' } }),
    ['critical', 'low', 'low'],
  );
  assert.deepEqual(severities('Trivy', scored('0.0'), message('UNKNOWN')), ['unknown']);
  const help = { text: 'Vulnerability CVE-2031-0001\nSeverity: Unknown\nPackage: rake' };
  assert.deepEqual(severities('Grype', { ...scored('0.0'), help }, { message: { text: 'm' } }), ['unknown']);
  assert.deepEqual(severities('Grype', { ...scored('7.5'), help }, { message: { text: 'm' } }), ['high']);
  const policy = { 'snykPolicy/v1': { severity: 'high', originalSeverity: 'low' } };
  assert.deepEqual(
    severities('SnykCode', {}, { level: 'note', message: { text: 'm' }, properties: policy }),
    ['high'],
  );
});

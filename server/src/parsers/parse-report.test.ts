import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type ParseOptions, parseReport } from './parse-report.ts';
import { findJsonError } from './reading/decode.ts';
import { type Report, ReportError } from './report.ts';

const fixture = readFileSync(new URL('../../test/fixtures/sarif/code.sarif', import.meta.url));

function refusal(content: string | Uint8Array, options: ParseOptions = {}): ReportError {
  try {
    parseReport(typeof content === 'string' ? Buffer.from(content) : content, options);
  } catch (error) {
    assert.ok(error instanceof ReportError, String(error));
    return error;
  }
  throw new assert.AssertionError({ message: 'the report was taken' });
}

test('reads UTF-8 and UTF-16, with and without byte-order mark', () => {
  const text = fixture.toString('utf8');
  const little = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
  const big = Buffer.from(little).swap16();
  const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), fixture]);
  const expected = parseReport(fixture);
  for (const bytes of [little, big, marked]) assert.deepEqual(parseReport(bytes), expected);
});

test('a report with one invalid UTF-8 byte is read, and binary data is refused', () => {
  const bytes = Buffer.from(
    '{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"caf\u00e9"}},"results":[]}]}',
    'latin1',
  );
  assert.equal(parseReport(bytes).runs.length, 1);
  assert.equal(refusal(Uint8Array.of(0x7b, 0, 0xff, 0x80)).code, 'MALFORMED_REPORT');
});

test('a file without a report is refused with the reason', () => {
  const cases: [string, ReportError['code'], RegExp][] = [
    ['', 'MALFORMED_REPORT', /empty/],
    [' \n ', 'MALFORMED_REPORT', /empty/],
    ['null', 'UNKNOWN_FORMAT', /null/],
    ['[]', 'UNKNOWN_FORMAT', /empty list/],
    ['[null, 1]', 'UNKNOWN_FORMAT', /without objects/],
    ['{"results": []}', 'UNKNOWN_FORMAT', /name the format/],
    ['"text"', 'UNKNOWN_FORMAT', /single JSON string/],
    ['hello', 'UNKNOWN_FORMAT', /neither JSON/],
    ['{"a":1}', 'UNKNOWN_FORMAT', /no known format/],
    ['{"version":"2.1.0"}', 'UNKNOWN_FORMAT', /nearest is sarif, but it has no "runs"/],
    ['[{"ArtifactName":"x"}]', 'UNKNOWN_FORMAT', /nearest is trivy/],
    ['{"version":"1.0.0","runs":[]}', 'UNKNOWN_FORMAT', /version of SARIF is not supported/],
    ['{"$schema":"https://example/sarif-2.1.0.json","runs":null}', 'MALFORMED_REPORT', /no list of runs/],
    ['{"version":"2.1.0","runs":[]}', 'MALFORMED_REPORT', /The SARIF log has no run/],
  ];
  for (const [content, code, message] of cases) {
    const error = refusal(content);
    assert.equal(error.code, code, content);
    assert.match(error.message, message, content);
  }
});

test('an error in JSON is reported with its line, and never quotes the text', () => {
  const error = refusal('{"version": "2.1.0",\n "runs": [\n  hunter2secret\n]}');
  assert.equal(error.code, 'MALFORMED_REPORT');
  assert.equal(error.line, 3);
  assert.match(error.message, /looks like sarif/);
  assert.ok(!error.message.includes('hunter2'));
  assert.equal(refusal('{"SchemaVersion": 2,\n"Results": [').line, 2);
});

test('the position of an error is found wherever JSON.parse finds one', () => {
  const good = '{"a": [1, -2.5e+3, true, null, "x\\u00e9\\n"], "b": {}, "c": []}';
  assert.equal(findJsonError(good), good.length);
  for (let at = 0; at < good.length; at++) {
    for (const bad of ['~', '\u0001']) {
      const broken = good.slice(0, at) + bad + good.slice(at);
      if (bad === '~' && isJson(broken)) continue;
      assert.ok(findJsonError(broken) <= at + 1, broken);
    }
    assert.ok(findJsonError(good.slice(0, at)) <= at);
  }
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

test('a format may be named, and a wrong name is refused with the format of the content', () => {
  assert.equal(parseReport(fixture, { format: 'sarif' }).format, 'sarif');
  assert.equal(parseReport(fixture, { format: 'auto' }).format, 'sarif');
  assert.match(refusal(fixture, { format: 'trivy' }).message, /is not trivy: its content is sarif/);
  assert.match(refusal(fixture, { format: 'sariff' }).message, /nearest is sarif/);
});

test('the limits of nesting and findings are kept, and named in the refusal', () => {
  const deep = (levels: number): string =>
    `{"SchemaVersion":2,"ArtifactName":"x","y":${'['.repeat(levels)}${']'.repeat(levels)}}`;
  assert.equal(parseReport(Buffer.from(deep(199))).read, 0);
  const tooDeep = refusal(deep(200));
  assert.equal(tooDeep.code, 'LIMIT_EXCEEDED');
  assert.match(tooDeep.message, /200/);
  assert.equal(refusal('['.repeat(5_000_000)).code, 'LIMIT_EXCEEDED');
  assert.equal(parseReport(Buffer.from(`{"SchemaVersion":2,"ArtifactName":"${'['.repeat(500)}"}`)).read, 0);

  const rows = Array.from({ length: 3 }, () => ({ ruleId: 'R', message: { text: 'm' } }));
  const log = JSON.stringify({
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 't' } }, results: rows }],
  });
  assert.equal(parseReport(Buffer.from(log), { limits: { maxFindings: 3 } }).read, 3);
  const tooMany = refusal(log, { limits: { maxFindings: 2 } });
  assert.equal(tooMany.code, 'LIMIT_EXCEEDED');
  assert.equal(tooMany.pointer, '/runs/0/results');
  assert.match(tooMany.message, /more than 2 findings/);
});

test('a row that names more than 10,000 advisories is refused', () => {
  const report = (others: number): string =>
    JSON.stringify({
      descriptor: { name: 'grype' },
      matches: [
        {
          vulnerability: { id: 'CVE-2031-1' },
          artifact: { name: 'rake', version: '1.0', type: 'npm' },
          relatedVulnerabilities: Array.from({ length: others }, (_, n) => ({ id: `GARDEN-${n}` })),
        },
      ],
    });
  assert.equal(parseReport(Buffer.from(report(9_999))).read, 1);
  const { code, pointer, message } = refusal(report(10_000));
  assert.deepEqual([code, pointer], ['LIMIT_EXCEEDED', '/matches/0']);
  assert.match(message, /more than 10000 advisories/);
  const document = (aliases: number): string =>
    JSON.stringify({
      '@context': 'https://openvex.dev/ns/v0.2.0',
      statements: [
        {
          vulnerability: {
            name: 'CVE-2031-1',
            aliases: Array.from({ length: aliases }, (_, n) => `GHSA-${n}`),
          },
          products: [{ '@id': 'pkg:npm/rake@1.0' }],
          status: 'affected',
        },
      ],
    });
  assert.equal(parseReport(Buffer.from(document(9_999))).statements.length, 1);
  assert.equal(refusal(document(10_000)).pointer, '/statements/0/products/0');
});

test('a report whose findings together name more than ten ids or fixed versions for each allowed one is refused', () => {
  const report = (packages: number, { ids = 0, fixes = 0 }): string =>
    JSON.stringify({
      bomFormat: 'CycloneDX',
      specVersion: '1.6',
      components: Array.from({ length: packages }, (_, n) => ({
        ...{
          'bom-ref': `c${n}`,
          type: 'library',
          name: `rake-${n}`,
          version: '1',
          purl: `pkg:npm/rake-${n}@1`,
        },
      })),
      vulnerabilities: [
        {
          id: 'GHSA-aaaa-bbbb-cccc',
          references: Array.from({ length: ids }, (_, n) => ({ id: `CVE-2031-${1000 + n}` })),
          properties: [
            { name: 'grype:fixed_versions', value: Array.from({ length: fixes }, (_, n) => `2.${n}`).join() },
          ],
          affects: Array.from({ length: packages }, (_, n) => ({ ref: `c${n}` })),
        },
      ],
    });
  const limits = { maxFindings: 40 };
  for (const [lists, message] of [
    [{ ids: 49 }, /more than 400 advisories together/],
    [{ fixes: 50 }, /more than 400 fixed versions together/],
  ] as const) {
    assert.equal(parseReport(Buffer.from(report(8, lists)), { limits }).runs[0]?.findings.length, 8);
    const { code, pointer, message: text } = refusal(report(9, lists), { limits });
    assert.deepEqual([code, pointer], ['LIMIT_EXCEEDED', '/vulnerabilities/0']);
    assert.match(text, message);
  }
  const fixes = Array.from({ length: 1_001 }, (_, n) => `2.${n}`).join(', ');
  const row = { VulnerabilityID: 'CVE-1', PkgName: 'rake', InstalledVersion: '1', FixedVersion: fixes };
  const trivy = {
    SchemaVersion: 2,
    ArtifactName: 'shed',
    Results: [{ Target: 'a', Type: 'npm', Vulnerabilities: [row] }],
  };
  assert.match(refusal(JSON.stringify(trivy)).message, /more than 1000 fixed versions/);
});

test('a finding has the first hundred weaknesses, and a warning says so', () => {
  const tags = (from: number) => Array.from({ length: 90 }, (_, n) => `external/cwe/cwe-${from + n}`);
  const result = { ruleId: 'R', message: { text: 'm' }, properties: { tags: tags(1000) } };
  const rules = [{ id: 'R', properties: { cwe: [...tags(1), ...tags(200)] } }];
  const runs = [{ tool: { driver: { name: 't', rules } }, results: [result] }];
  const report = parseReport(Buffer.from(JSON.stringify({ version: '2.1.0', runs })));
  const cwes = report.runs[0]?.findings[0]?.cwes;
  assert.deepEqual([cwes?.length, cwes?.[0], cwes?.[99]], [100, 'CWE-1000', 'CWE-10']);
  assert.deepEqual(report.warnings, ['Some findings name more than 100 weaknesses; the rest was left out.']);
});

/** A document of each format of VEX, in which the status is about one package. */
const vexDocuments: Record<string, (purl: string, isDenial: boolean) => object> = {
  openvex: (purl, isDenial) => ({
    '@context': 'https://openvex.dev/ns/v0.2.0',
    statements: [
      {
        vulnerability: 'CVE-1',
        status: isDenial ? 'not_affected' : 'affected',
        products: [{ '@id': 'pkg:oci/shed', subcomponents: [{ '@id': purl }] }, purl],
      },
    ],
  }),
  cyclonedx: (purl, isDenial) => ({
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    components: [{ 'bom-ref': 'part', type: 'library', name: 'b', purl }],
    vulnerabilities: [
      {
        id: 'CVE-1',
        analysis: { state: isDenial ? 'false_positive' : 'exploitable' },
        affects: [{ ref: 'part' }, { ref: purl }],
      },
    ],
  }),
  csaf: (purl, isDenial) => ({
    document: { category: 'csaf_vex', csaf_version: '2.0' },
    product_tree: {
      full_product_names: [
        { product_id: 'part', name: 'b', product_identification_helper: { purl } },
        { product_id: 'same', name: 'b', product_identification_helper: { purl } },
      ],
    },
    vulnerabilities: [
      {
        cve: 'CVE-2031-0001',
        product_status: { [isDenial ? 'known_not_affected' : 'known_affected']: ['part', 'same'] },
      },
    ],
  }),
  spdx: (purl, isDenial) => ({
    '@context': 'https://spdx.org/rdf/3.0.1/spdx-context.jsonld',
    '@graph': [
      { type: 'security_Vulnerability', spdxId: 'urn:v', name: 'CVE-1' },
      { type: 'software_Package', spdxId: 'urn:part', name: 'b', software_packageUrl: purl },
      {
        type: `security_Vex${isDenial ? 'NotAffected' : 'Affected'}VulnAssessmentRelationship`,
        spdxId: 'urn:r',
        relationshipType: isDenial ? 'doesNotAffect' : 'affects',
        from: 'urn:v',
        to: ['urn:part', purl],
      },
    ],
  }),
};

for (const [format, documentOf] of Object.entries(vexDocuments)) {
  test(`${format}: a denial about a path inside a package is left out, and the package is not denied`, () => {
    const read = (purl: string, isDenial = true): Report =>
      parseReport(Buffer.from(JSON.stringify(documentOf(purl, isDenial))), { format });
    for (const purl of ['pkg:golang/github.com/a/b@v4.5.0#api', 'pkg:golang/github.com/a/b@v4.5.0#api/v4']) {
      const denial = read(purl);
      assert.deepEqual(denial.statements, [], purl);
      assert.match(denial.warnings.join(), /a part of a package/);
      assert.equal(read(purl, false).statements.length, 2);
    }
    for (const purl of ['pkg:golang/github.com/a/b@v4.5.0', 'pkg:golang/github.com/a/b@v4.5.0#v4']) {
      const denial = read(purl);
      assert.equal(denial.statements.length, 2, purl);
      assert.doesNotMatch(denial.warnings.join(), /a part of a package/);
    }
  });
}

test('an empty list or null is no report of a tool that writes objects', () => {
  for (const content of ['[]', 'null']) {
    for (const format of ['gitleaks', 'nuclei', 'github-dependabot']) {
      assert.equal(parseReport(Buffer.from(content), { format }).format, format);
    }
    for (const format of ['grype', 'semgrep', 'mobsf', 'bandit', 'sarif', 'npm-audit', 'dependency-check']) {
      assert.throws(
        () => parseReport(Buffer.from(content), { format }),
        (error: unknown) =>
          error instanceof ReportError && error.message.includes(`which ${format} never is`),
        format,
      );
    }
  }
});

/** Tests of SARIF and JUnit of a verdict: readers of these formats can parse them, whatever the texts are. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseReport } from '../../../server/src/parsers/parse-report.ts';
import { defaultLimits, ParseContext } from '../../../server/src/parsers/reading/limits.ts';
import { attributeOf, childOf, readXml, type XmlElement } from '../../../server/src/parsers/reading/xml.ts';
import type { Gate } from '../../src/gate/gate-answer.ts';
import { escapeXml, junitOf } from '../../src/gate/junit.ts';
import { sarifOf } from '../../src/gate/sarif.ts';
import { gateOf, nastyGate, nastyTexts, violation } from '../support/gates.ts';

const warning = { blocking: false, enforcement_mode: 'warn' };
const other = { id: 'pol_2', key: 'denied', name: 'Denied licenses' };
const both = gateOf([
  violation(1),
  violation(2, { ...warning, policy: other, location: null, package: null, fix_version: null }),
]);

interface Rows {
  cases: XmlElement[];
  /** Attributes of the suites, the outer one first. */
  suites: ReadonlyMap<string, string>[];
}

function casesOf(text: string): Rows {
  const cases: XmlElement[] = [];
  const suites: ReadonlyMap<string, string>[] = [];
  readXml(text, new ParseContext(defaultLimits), {
    row: 'testcase',
    onRow: (element) => cases.push(element),
    onRoot: (root) => suites.push(root.attributes),
    onOpen: (element) => suites.push(element.attributes),
  });
  return { cases, suites };
}

test('SARIF: a rule for each policy, a result for each violation, always with a location', () => {
  const [run] = JSON.parse(sarifOf(both)).runs;
  assert.deepEqual(
    run.tool.driver.rules.map(
      ({ id, help, defaultConfiguration }: Record<string, Record<string, string>>) => [
        id,
        help?.text,
        defaultConfiguration?.level,
      ],
    ),
    [
      [
        'no-critical',
        'Policy of the workspace: No critical vulnerabilities.\nUpgrade lodash 4.17.20 to 4.17.21.',
        'error',
      ],
      ['denied', 'Policy of the workspace: Denied licenses.', 'warning'],
    ],
  );
  const [first, second] = run.results;
  assert.deepEqual(
    [first.ruleId, first.ruleIndex, first.level, first.partialFingerprints['merlonViolation/v1']],
    ['no-critical', 0, 'error', 'pvl_1'],
  );
  assert.equal(first.hostedViewerUri, 'https://merlon.example.com/w/acme/violations/pvl_1');
  assert.match(
    first.message.text,
    /^lodash: Prototype pollution 1 \(CVE-2030-1; lodash 4.17.20, fixed in 4.17.21; due /,
  );
  assert.deepEqual([first.properties.advisory, first.properties.rule], ['CVE-2030-1', null]);
  assert.deepEqual(first.locations[0].physicalLocation, {
    artifactLocation: { uri: 'web/package-lock.json' },
    region: { startLine: 12 },
  });
  assert.deepEqual([second.ruleIndex, second.level], [1, 'warning']);
  assert.equal(second.locations[0].physicalLocation.artifactLocation.uri, '.');
  const empty = JSON.parse(sarifOf(gateOf([])));
  assert.deepEqual([empty.runs[0].results, empty.runs[0].tool.driver.rules], [[], []]);
});

test('JUnit: an output of the suite says that no policy is active', () => {
  const output = '<system-out>No policy is active, so nothing is checked.</system-out>';
  assert.ok(junitOf({ gate: gateOf([], { active_policies: 0 }), noVerdict: null }).includes(output));
  assert.ok(!junitOf({ gate: gateOf([]), noVerdict: null }).includes('system-out'));
  const none = junitOf({
    gate: gateOf([], { active_policies: 0 }),
    noVerdict: { kind: 'failed', text: 'a scan failed' },
  });
  assert.ok(!none.includes('system-out'));
});

test('SARIF: a path is a relative reference, and a text is not a link', () => {
  const uriOf = (path: string): string =>
    JSON.parse(sarifOf(gateOf([violation(1, { location: { path, line: null } })]))).runs[0].results[0]
      .locations[0].physicalLocation.artifactLocation.uri;
  assert.equal(uriOf('a b/ü#?%41.ts'), 'a%20b/%C3%BC%23%3F%2541.ts');
  assert.equal(uriOf('C:/x'), 'C%3A/x');
  for (const path of [
    '//evil.example/x',
    'https://evil.example',
    '/etc/passwd',
    '',
    '/',
    'javascript:alert(1)',
  ]) {
    const url = new URL(uriOf(path), 'https://here.example/');
    assert.equal(url.origin, 'https://here.example', path);
  }
  const title = '[click](https://evil.example) {0}';
  const [run] = JSON.parse(sarifOf(gateOf([violation(1, { title })]))).runs;
  assert.match(run.results[0].message.text, /^\[click\] \(https:\/\/evil\.example\) \{ 0 \}/);
});

test('SARIF: Merlon reads its own file back, whatever the texts are', () => {
  for (const text of nastyTexts) {
    const written = sarifOf(nastyGate(text));
    const report = parseReport(Buffer.from(written));
    assert.deepEqual([report.format, report.unreadable, report.read], ['sarif', [], 2]);
    for (const { message } of JSON.parse(written).runs[0].results) {
      assert.doesNotMatch(message.text, /[\p{Cc}\p{Bidi_Control}]/u);
      assert.ok([...message.text].length <= 1_000);
    }
  }
  const cut = gateOf([violation(1)], {
    summary: { blocking: 2_000, warning: 1, on_base: 0 },
    truncated: true,
  });
  const [{ invocations }] = JSON.parse(sarifOf(cut)).runs;
  assert.match(
    invocations[0].toolExecutionNotifications[0].message.text,
    /^2000 more violations of acme\/shop/,
  );
});

test('JUnit: a case for each violation, failed where it blocks', () => {
  const { cases, suites } = casesOf(junitOf({ gate: both, noVerdict: null }));
  assert.deepEqual(
    suites.map((attributes) => [
      attributes.get('tests'),
      attributes.get('failures'),
      attributes.get('errors'),
    ]),
    [
      ['2', '1', '0'],
      ['2', '1', '0'],
    ],
  );
  assert.equal(suites[1]?.get('name'), 'merlon gate acme/shop refs/pull/7/head at aaaaaaaaaaaa');
  const [blocking, warns] = cases;
  assert.ok(blocking && warns);
  assert.deepEqual(
    ['classname', 'name', 'file', 'line'].map((name) => attributeOf(blocking, name)),
    ['no-critical', 'lodash: Prototype pollution 1 (pvl_1)', 'web/package-lock.json', '12'],
  );
  const failure = childOf(blocking, 'failure');
  assert.ok(failure);
  assert.equal(attributeOf(failure, 'message'), 'lodash: Prototype pollution 1');
  assert.match(
    failure.text,
    /\nCVE-2030-1\nlodash 4\.17\.20, fixed in 4\.17\.21\nweb\/package-lock\.json:12\ndue 2030-01-08.*owner Ada Lovelace\n/,
  );
  assert.match(
    failure.text,
    /\nTo unblock: Upgrade lodash 4\.17\.20 to 4\.17\.21\..*\nhttps:\/\/merlon\.example\.com\/w\/acme\/violations\/pvl_1$/,
  );
  assert.ok(!childOf(warns, 'failure'));
  assert.match(childOf(warns, 'system-out')?.text ?? '', /Denied licenses \(denied\)/);
});

test('JUnit: no violation gives one passed case, and no verdict gives one error', () => {
  const clean = casesOf(junitOf({ gate: gateOf([]), noVerdict: null }));
  assert.deepEqual(
    [clean.cases.length, clean.cases[0]?.children, clean.suites[0]?.get('tests')],
    [1, [], '1'],
  );
  const none = casesOf(junitOf({ gate: gateOf([]), noVerdict: { kind: 'failed', text: 'a scan failed' } }));
  assert.equal(none.suites[0]?.get('errors'), '1');
  const [only] = none.cases;
  assert.equal(only && attributeOf(childOf(only, 'error') ?? only, 'message'), 'a scan failed');
});

test('a block that no violation shows, as of a superseded commit, is a failed case of JUnit and an error of SARIF', () => {
  const warned = [violation(1, { blocking: false })];
  for (const violations of [[], warned]) {
    const gate = gateOf(violations, { verdict: 'block', superseded: true });
    const { cases, suites } = casesOf(junitOf({ gate, noVerdict: null }));
    assert.equal(suites[0]?.get('failures'), '1');
    const failed = cases.filter((element) => childOf(element, 'failure'));
    assert.deepEqual(
      failed.map((element) => attributeOf(element, 'name')),
      ['verdict'],
    );
    const text = sarifOf(gate);
    assert.deepEqual(parseReport(Buffer.from(text)).unreadable, []);
    const [{ results, tool }] = JSON.parse(text).runs;
    assert.equal(results.length, violations.length + 1);
    const { ruleId, ruleIndex, level, message } = results.at(-1);
    assert.deepEqual([ruleId, level, tool.driver.rules[ruleIndex].id], ['merlon/verdict', 'error', ruleId]);
    assert.match(
      message.text,
      /^acme\/shop refs\/pull\/7\/head at aaaaaaaaaaaa keeps the verdict of its scans/,
    );
  }
  const hidden = gateOf([], { verdict: 'block', summary: { blocking: 2, warning: 0, on_base: 0 } });
  assert.equal(
    casesOf(junitOf({ gate: hidden, noVerdict: null })).cases.length,
    1,
    'hidden ones have a case',
  );
  assert.deepEqual(JSON.parse(sarifOf(hidden)).runs[0].results, []);
});

test('JUnit: texts of reports are escaped', () => {
  for (const text of nastyTexts) {
    const written = junitOf({ gate: nastyGate(text), noVerdict: null });
    assert.doesNotMatch(written, /<!|\]\]>|(?!\n)\p{Cc}|[\ufffe\uffff]/u);
    assert.ok(written.isWellFormed());
    const { cases } = casesOf(written);
    assert.deepEqual(
      cases.map((element) => element.children.map(({ name }) => name)),
      [['failure'], ['system-out']],
    );
    const title = attributeOf(cases[0]?.children[0] as XmlElement, 'message') ?? '';
    assert.ok([...title].length <= 300);
  }
  assert.equal(
    escapeXml(`<a b="c" d='e'>&]]>\u0000\ufffe\ud800</a>`),
    '&lt;a b=&quot;c&quot; d=&apos;e&apos;&gt;&amp;]]&gt;\ufffd&lt;/a&gt;',
  );
  const seen = casesOf(
    junitOf({ gate: gateOf([violation(1, { title: `]]> <![CDATA[ & "x" 'y'` })]), noVerdict: null }),
  );
  assert.equal(attributeOf(seen.cases[0]?.children[0] as XmlElement, 'message'), `]]> <![CDATA[ & "x" 'y'`);
});

test('two thousand violations are written, and those that the server does not show are counted', () => {
  const many = Array.from({ length: 2_000 }, (_, i) => violation(i, { blocking: i % 2 === 0 }));
  assert.equal(JSON.parse(sarifOf(gateOf(many))).runs[0].results.length, 2_000);
  const all = casesOf(junitOf({ gate: gateOf(many), noVerdict: null }));
  assert.deepEqual([all.cases.length, all.suites[0]?.get('failures')], [2_000, '1000']);
  const cut: Gate = gateOf(many.slice(0, 4), {
    summary: { blocking: 9, warning: 8, on_base: 0 },
    truncated: true,
  });
  const { cases, suites } = casesOf(junitOf({ gate: cut, noVerdict: null }));
  assert.deepEqual([cases.length, suites[0]?.get('failures')], [6, '3']);
  assert.match(attributeOf(cases[4]?.children[0] as XmlElement, 'message') ?? '', /^7 more/);
});

/** Tests of a verdict on a terminal: it has all facts, and no text that a terminal would execute. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeGate } from '../../src/gate/print-gate.ts';
import { gateOf, nastyGate, nastyTexts, violation } from '../support/gates.ts';

const shown = (gate: Parameters<typeof gateOf>[1], ...violations: ReturnType<typeof violation>[]): string =>
  describeGate({ gate: gateOf(violations, gate), noVerdict: null }).join('\n');

test('blocking violations are printed with all details, then warnings and steps to unblock', () => {
  const warning = { blocking: false, enforcement_mode: 'warn', severity: 'low' } as const;
  const snoozed = { ...warning, enforcement_mode: 'block', snoozed_until: '2030-01-05T00:00:00Z' };
  const text = shown(
    {},
    violation(1),
    violation(2, {
      ...{ ...warning, owner: null, package: null, fix_version: null },
      ...{ advisory: null, rule: 'js/prototype-pollution' },
    }),
    violation(3, snoozed),
  );
  assert.equal(
    text,
    `blocked: acme/shop refs/pull/7/head at aaaaaaaaaaaa
compared with main@bbbbbbbbbbbb: 3 that the base has too do not count
1 blocks, 2 warn

Blocking:
  critical  lodash: Prototype pollution 1
            policy No critical vulnerabilities (no-critical)
            CVE-2030-1; lodash 4.17.20, fixed in 4.17.21; web/package-lock.json:12
            due 2030-01-08, in 7 days; owner Ada Lovelace <ada@example.com>
            https://merlon.example.com/w/acme/violations/pvl_1

Warnings:
  low       lodash: Prototype pollution 2 (no-critical; js/prototype-pollution; web/package-lock.json:12)
  low       lodash: Prototype pollution 3 (no-critical; CVE-2030-3; lodash 4.17.20, fixed in 4.17.21; web/package-lock.json:12; snoozed until 2030-01-05)

To unblock:
  1. Upgrade lodash 4.17.20 to 4.17.21. (web/package-lock.json; clears 1)

Details, and exceptions for violations that cannot be fixed now:
  https://merlon.example.com/w/acme/scans/scan_1`,
  );
});

test('base, due time and state are printed as labels', () => {
  const base = { state: 'missing', ref: 'main', sha: null, at: null };
  assert.match(shown({ base }), /^base missing \(main was never scanned\): all violations count$/m);
  assert.match(shown({ base: { ...base, state: 'ignored' } }), /^--all: violations on the base count too/m);
  assert.doesNotMatch(shown({ base: { ...base, state: 'none', ref: null } }), /base|compared/);
  const superseded = shown({ superseded: true }, violation(1));
  assert.match(
    superseded,
    /^another commit was scanned since, or the reference is inactive: this is the worst verdict of its scans$/m,
  );
  assert.doesNotMatch(superseded, /exception/);
  const late = violation(1, { remaining_seconds: -2 * 3600, owner: null, status: 'pending_review' });
  assert.match(
    shown({}, late),
    /due 2030-01-08, overdue by 2 hours; no owner\n +an exception is requested and not approved/,
  );
  const named = shown({}, violation(1, { title: 'CVE-2030-1: Prototype pollution' }));
  assert.equal(named.split('CVE-2030-1').length, 2, 'an advisory in the title is not repeated');
  assert.match(shown({}, violation(1, { title: 'CVE-2030-11 in lodash' })), /^ +CVE-2030-1; lodash/m);
  assert.match(shown({}, violation(1, { fix_version: null })), /lodash 4.17.20, no version fixes it/);
  assert.match(shown({ reference: null, sha: null, verdict: 'pass' }), /^passed: acme\/shop$/m);
});

test('without a verdict no violation is printed', () => {
  const lines = describeGate({
    gate: gateOf([violation(1)]),
    noVerdict: { kind: 'failed', text: 'a scan failed: trivy scan_1' },
  });
  assert.deepEqual(lines, [
    'no verdict: acme/shop refs/pull/7/head at aaaaaaaaaaaa: a scan failed: trivy scan_1',
  ]);
});

test('control characters of a report do not reach the terminal', () => {
  const harmless = describeGate({ gate: nastyGate('x'), noVerdict: null }).length;
  for (const text of nastyTexts) {
    const lines = describeGate({ gate: nastyGate(text), noVerdict: null });
    for (const line of [
      ...lines,
      ...describeGate({ gate: nastyGate(text), noVerdict: { kind: 'failed', text } }),
    ]) {
      assert.doesNotMatch(line, /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u, JSON.stringify(line));
    }
    assert.equal(lines.length, harmless, 'no text makes lines of its own');
  }
});

test('of two thousand violations the first are printed and the others counted', () => {
  const many = Array.from({ length: 2_000 }, (_, i) => violation(i, { blocking: i < 1_500 }));
  const lines = describeGate({ gate: gateOf(many), noVerdict: null });
  assert.ok(lines.length < 600, `${lines.length} lines`);
  assert.ok(lines.includes('  and 1400 more') && lines.includes('  and 480 more'));
  const cut = gateOf(many.slice(0, 500), {
    summary: { blocking: 1_500, warning: 500, on_base: 0 },
    truncated: true,
  });
  const seen = describeGate({ gate: cut, noVerdict: null });
  assert.ok(seen.includes('  and 1400 more') && seen.includes('  and 500 more'));
});

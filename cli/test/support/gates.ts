/** Answers of the gate for tests of its outputs, with hostile texts like those of reports. */
import type { Gate, GateViolation } from '../../src/gate/gate-answer.ts';

export function violation(n: number, fields: Partial<GateViolation> = {}): GateViolation {
  return {
    id: `pvl_${n}`,
    page: `https://merlon.example.com/w/acme/violations/pvl_${n}`,
    status: 'open',
    enforcement_mode: 'block',
    blocking: true,
    snoozed_until: null,
    due_at: '2030-01-08T00:00:00Z',
    remaining_seconds: 7 * 86_400 + 60,
    policy: { id: 'pol_1', key: 'no-critical', name: 'No critical vulnerabilities' },
    title: `lodash: Prototype pollution ${n}`,
    advisory: `CVE-2030-${n}`,
    rule: null,
    severity: 'critical',
    target: {
      type: 'vulnerability',
      id: `vc_${n}`,
      title: 'x',
      severity: 'critical',
      status: 'open',
      vulnerability_type: 'dependency',
    },
    location: { path: 'web/package-lock.json', line: 12 },
    package: { purl: 'pkg:npm/lodash', name: 'lodash', versions: ['4.17.20'] },
    fix_version: '4.17.21',
    owner: { id: 'usr_1', display_name: 'Ada Lovelace', email: 'ada@example.com' },
    ...fields,
  };
}

/** The counts follow from the violations, as on the server; `fields` override them. */
export function gateOf(violations: GateViolation[], fields: Partial<Gate> = {}): Gate {
  const blocking = violations.filter((one) => one.blocking);
  return {
    repository: { id: 'repo_1', full_name: 'acme/shop' },
    reference: { id: 'ref_1', ref: 'refs/pull/7/head', sha: 'a'.repeat(40), type: 'pull_request' },
    sha: 'a'.repeat(40),
    superseded: false,
    policies_pending: false,
    active_policies: 2,
    verdict: blocking.length > 0 ? 'block' : violations.length > 0 ? 'warn' : 'pass',
    status: 'completed',
    scans: [],
    missing: [],
    base: { state: 'compared', ref: 'main', sha: 'b'.repeat(40), at: '2030-01-01T00:00:00Z' },
    summary: { blocking: blocking.length, warning: violations.length - blocking.length, on_base: 3 },
    page: 'https://merlon.example.com/w/acme/scans/scan_1',
    violations,
    truncated: false,
    unblock:
      blocking.length === 0
        ? []
        : [
            {
              action: 'upgrade',
              text: 'Upgrade lodash 4.17.20 to 4.17.21.',
              package: 'pkg:npm/lodash',
              from: ['4.17.20'],
              to: '4.17.21',
              paths: ['web/package-lock.json'],
              resolves: blocking.map(({ id }) => id),
            },
          ],
    ...fields,
  };
}

/** Texts that a title, a path or a name from a report may contain. */
export const nastyTexts = [
  '@all @acme/security please /close #1 !2 $3 ~bug %4 :tada: GH-5',
  '</code></details><script>alert(1)</script><img src=x onerror=alert(1)>',
  '[click](https://evil.example) ![x](https://evil.example/x.png) https://evil.example www.evil.example',
  '`` ` ``` code ````` @all `',
  '`@all',
  'a\n/close\n# heading\r\n- item\n\n> quote\u2028@all\u2029x',
  '\u001b[31mred\u001b]0;title\u0007\u009b2J\u0008\u0000',
  ']]> <![CDATA[ <!-- --> & &amp; &#64;all "quoted" \'single\'',
  'a\u202egnp.exe\u2066\u200f \ud800 lone \udfff \ufffe\uffff',
  '| cell | cell |\\| **bold** __x__ ~~y~~ {0} {"a"} [[wiki]] $`math`$',
  '-->\n<!-- merlon-gate acme repo_1 -->',
  '',
  '   ',
  'x'.repeat(20_000),
  '🙂'.repeat(5_000),
];

/** The same text in every field that the server copies from reports. */
export function nastyGate(text: string): Gate {
  const policy = { id: 'pol_1', key: text, name: text };
  const owner = { id: 'usr_1', display_name: text, email: text };
  const used = { purl: text, name: text, versions: [text] };
  const fields = {
    page: text,
    title: text,
    // A name that the title does not have.
    advisory: `${text} 1`,
    policy,
    owner,
    package: used,
    fix_version: text,
    location: { path: text, line: 3 },
  };
  const gate = gateOf([
    violation(1, fields),
    violation(2, { ...fields, blocking: false, enforcement_mode: 'warn', severity: text }),
  ]);
  return {
    ...gate,
    repository: { id: 'repo_1', full_name: text },
    reference: { id: 'ref_1', ref: text, sha: text, type: 'branch' },
    sha: text,
    page: text,
    base: { ...gate.base, ref: text, sha: text },
    unblock: gate.unblock.map((step) => ({ ...step, text, paths: [text, text, text, text], package: text })),
  };
}

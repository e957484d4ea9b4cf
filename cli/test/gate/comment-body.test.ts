/** Tests of the comment's Markdown: foreign text is never more than text, and the comment is never too long. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { code, commentBody, commentMarker } from '../../src/gate/comment-body.ts';
import { gateOf, nastyGate, nastyTexts, violation } from '../support/gates.ts';
import { codeSpans } from '../support/markdown.ts';

const github = 65_536;
const gitlab = 1_000_000;
const marker = commentMarker('acme', gateOf([]));

test('the body has verdict, counts, violations and steps', () => {
  const snoozed = {
    blocking: false,
    severity: null,
    owner: null,
    location: null,
    snoozed_until: '2030-01-05T00:00:00Z',
  };
  const gate = gateOf([violation(1), violation(2, snoozed)]);
  assert.equal(
    commentBody({ gate, noVerdict: null }, marker, github),
    `<!-- merlon-gate acme repo_1 -->
### Merlon: blocked

\`acme/shop refs/pull/7/head at aaaaaaaaaaaa\`: 1 blocks, 1 warns; \`compared with main@bbbbbbbbbbbb: 3 that the base has too do not count\`; [details and exceptions](https://merlon.example.com/w/acme/scans/scan_1)

**Blocking**

- **critical** \`lodash: Prototype pollution 1\` · \`CVE-2030-1\` · \`lodash 4.17.20\` → \`4.17.21\` · \`web/package-lock.json:12\` · policy \`no-critical\` · due \`2030-01-08\` · owner \`Ada Lovelace\` · [\`pvl_1\`](https://merlon.example.com/w/acme/violations/pvl_1)

**To unblock**

- \`Upgrade lodash 4.17.20 to 4.17.21.\` (\`web/package-lock.json\`; clears 1)

<details><summary>Warnings: 1</summary>

- \`lodash: Prototype pollution 2\` · \`CVE-2030-2\` · \`lodash 4.17.20\` → \`4.17.21\` · policy \`no-critical\` · due \`2030-01-08\` · snoozed until 2030-01-05 · [\`pvl_2\`](https://merlon.example.com/w/acme/violations/pvl_2)

</details>

`,
  );
  assert.equal(
    commentBody(
      { gate: gateOf([]), noVerdict: { kind: 'failed', text: 'a scan failed: trivy scan_1' } },
      marker,
      github,
    ),
    '<!-- merlon-gate acme repo_1 -->\n### Merlon: no verdict\n\n`acme/shop refs/pull/7/head at aaaaaaaaaaaa`: `a scan failed: trivy scan_1`\n',
  );
  assert.match(commentBody({ gate: gateOf([]), noVerdict: null }, marker, github), /^### Merlon: passed$/m);
});

test('the body says that no policy is active', () => {
  const body = commentBody({ gate: gateOf([], { active_policies: 0 }), noVerdict: null }, marker, github);
  assert.match(body, /^### Merlon: passed\n\n.*\n\nNo policy is active, so nothing is checked\.\n$/m);
});

test('texts of a report appear in code spans only', () => {
  const harmless = codeSpans(commentBody({ gate: nastyGate('x'), noVerdict: null }, marker, gitlab)).outside;
  assert.equal(harmless.split('•').length, 25, 'the texts were found');
  for (const text of nastyTexts) {
    const body = commentBody({ gate: nastyGate(text), noVerdict: null }, marker, gitlab);
    const { outside, inside } = codeSpans(body);
    assert.equal(outside, harmless, JSON.stringify(text.slice(0, 80)));
    for (const span of inside) {
      assert.match(span, /\S/, 'an empty span is none');
      assert.doesNotMatch(span, /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u);
    }
    assert.ok(body.isWellFormed());
    const none = codeSpans(
      commentBody({ gate: nastyGate('x'), noVerdict: { kind: 'failed', text } }, marker, gitlab),
    );
    assert.equal(none.outside, `${marker}\n### Merlon: no verdict\n\n•: •\n`);
  }
});

test('e-mail addresses are not shown', () => {
  assert.doesNotMatch(
    commentBody({ gate: gateOf([violation(1)]), noVerdict: null }, marker, github),
    /@example/,
  );
});

test('a code span holds any run of backticks, also at its ends', () => {
  for (const text of ['`', '``', '`a', 'a`', 'a``b`c', '` `` ```', 'a\\`', '\\']) {
    const { outside, inside } = codeSpans(`- ${code(text)} end`);
    assert.equal(outside, '- • end', text);
    assert.equal(inside[0]?.trim(), text);
  }
});

test('the marker ends only at its own end', () => {
  const gate = { ...gateOf([]), repository: { id: 'a --> <b>', full_name: 'x' } };
  assert.equal(commentMarker('a-->b', gate), '<!-- merlon-gate a-b a-b- -->');
});

test('the body fits the limit of the API and counts what it leaves out', () => {
  for (const longest of [github, gitlab]) {
    for (const title of ['short', '🙂'.repeat(300), '`'.repeat(300)]) {
      const many = Array.from({ length: 2_000 }, (_, i) =>
        violation(i, { title, blocking: i < 1_500, location: { path: title, line: i } }),
      );
      const gate = gateOf(many, {
        unblock: many.map(({ id }) => ({
          action: 'fix',
          text: title,
          package: null,
          from: [],
          to: null,
          paths: [title],
          resolves: [id],
        })),
      });
      const body = commentBody({ gate, noVerdict: null }, marker, longest);
      assert.ok(Buffer.byteLength(body) <= longest);
      const titles = ['**Blocking**', '**To unblock**', '<details>'];
      for (const name of titles) assert.ok(body.includes(name), name);
      assert.match(body, /<\/details>\n\n$/);
      const [blocking = '', rest = ''] = body.split('**To unblock**');
      const [steps = '', warnings = ''] = rest.split('<details>');
      for (const [part, total] of [
        [blocking, 1_500],
        [steps, 2_000],
        [warnings, 500],
      ] as const) {
        const lines = part.split('\n').filter((line) => line.startsWith('- '));
        const more = Number(/^- and (\d+) more$/m.exec(part)?.[1] ?? 0);
        const listed = lines.length - (more > 0 ? 1 : 0);
        assert.ok(listed > 5, 'some are shown');
        assert.equal(listed + more, total);
      }
    }
  }
});

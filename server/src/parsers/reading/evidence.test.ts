import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evidenceLimits, newEvidence } from './evidence.ts';
import { defaultLimits, ParseContext } from './limits.ts';

const context = new ParseContext(defaultLimits);
const nowhere = { firstLine: null, markedFrom: null, markedTo: null };

test('nothing and blank texts give no evidence', () => {
  assert.equal(newEvidence({}, context), null);
  const blank = { snippet: { text: ' \n ', ...nowhere }, help: '  ', dependencyPaths: [['only']] };
  assert.equal(newEvidence(blank, context), null);
});

test('every text is bounded and loses tokens', () => {
  const token = `ghp_${'a'.repeat(36)}`;
  const long = `${token} ${'x'.repeat(30_000)}`;
  const evidence = newEvidence(
    {
      snippet: { text: `${token}\n`.repeat(500), firstLine: 1, markedFrom: 2, markedTo: 2 },
      dataFlow: [{ path: 'a.ts', line: 1, text: long }],
      help: long,
      remediation: long,
      dependencyPaths: [Array.from({ length: 900 }, (_, index) => `package-${index}@1`)],
    },
    context,
  );
  assert.ok(evidence);
  assert.ok(!JSON.stringify(evidence).includes(token));
  assert.ok((evidence.snippet?.text.split('\n').length ?? 0) <= evidenceLimits.snippetLines);
  assert.ok((evidence.dataFlow[0]?.text.length ?? 0) <= evidenceLimits.stepLength);
  assert.ok((evidence.help?.length ?? 0) <= evidenceLimits.helpLength);
  assert.ok((evidence.remediation?.length ?? 0) <= evidenceLimits.remediationLength);
  assert.equal(evidence.dependencyPaths[0]?.length, evidenceLimits.packagesOfPath);
});

test('a long data flow keeps its source and its sink', () => {
  const dataFlow = Array.from({ length: 200 }, (_, line) => ({ path: 'a.ts', line, text: `step ${line}` }));
  const steps = newEvidence({ dataFlow }, context)?.dataFlow ?? [];
  assert.equal(steps.length, evidenceLimits.steps);
  assert.equal(steps[0]?.text, 'step 0');
  assert.equal(steps.at(-1)?.text, 'step 199');
});

test('the half of a secret where a text is cut is not kept', () => {
  const secret = `https://user:${'Tz7vQm4p'.repeat(8)}@cdn.example/`;
  const at = (limit: number): string => `${'x'.repeat(limit - 40)} ${secret} ${'y'.repeat(100)}`;
  const { stepLength, helpLength, remediationLength, snippetLength } = evidenceLimits;
  const evidence = newEvidence(
    {
      snippet: { text: at(snippetLength), ...nowhere },
      dataFlow: [{ path: 'a.ts', line: 1, text: at(stepLength) }],
      help: at(helpLength),
      remediation: at(remediationLength),
    },
    context,
  );
  assert.ok(evidence?.snippet && evidence.dataFlow[0] && evidence.help && evidence.remediation);
  assert.ok(!JSON.stringify(evidence).includes('Tz7vQm4p'));
  assert.ok(evidence.help.length <= helpLength && evidence.help.endsWith('…'));
});

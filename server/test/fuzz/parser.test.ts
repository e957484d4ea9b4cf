/**
 * Tests of changed reports of every format through the parsers: parsed or refused, in time, within the limits, without
 * a secret.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byForm } from '../support/form.ts';
import { runParts } from './run-parts.ts';

// The fuzz of `npm test` takes at most a minute of two cores. `npm run fuzz` is the long form.
const inputs = byForm({ short: 100, ci: 1_000, full: 1_000 });

test('changed reports of every format are read or refused, and the result keeps the limits', async (t) => {
  const { rows, total } = await runParts(t, 'parser', inputs);
  assert.ok(rows.length >= 18, `${rows.length} formats`);
  assert.ok(total.accepted > 0.8 * total.inputs, 'most pass the detection');
});

/**
 * Tests of random requests made from the document of the API: no server error, no undocumented answer, and no data of
 * others.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { operations } from './api-document.ts';
import { runParts } from './run-parts.ts';

test('every operation answers any request as the document of the API says', async (t) => {
  const { total } = await runParts(t, 'api', 20 * operations.length, ['operations']);
  assert.ok(total.accepted > 0.1 * total.inputs, 'many requests succeed');
});

test('a parameter or a body field that is not documented is refused with 422 and named', async (t) => {
  const { total } = await runParts(t, 'api', 3 * operations.length, ['unknown-names']);
  assert.equal(total.inputs, 3 * operations.length);
});

test('a list accepts its own cursor and refuses any other with 422', async (t) => {
  const { total } = await runParts(t, 'api', 300, ['cursors']);
  assert.ok(total.accepted > 0 && total.found > 0.2 * total.inputs, 'lists have cursors, and take them');
});

test('an upload of a changed report is accepted or refused, and its scan ends', async (t) => {
  const { total } = await runParts(t, 'api', 120, ['uploads']);
  assert.ok(total.accepted > 0.25 * total.inputs && total.found > 0, 'many uploads are taken');
});

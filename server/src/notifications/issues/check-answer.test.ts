/** Tests of the check of answers: that a large one does not take the time of others. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { checkedAnswer } from './check-answer.ts';

test('an answer of a hundred thousand parts is checked faster than it is parsed twice', () => {
  const Answer = Type.Object({ people: Type.Array(Type.Object({ username: Type.String() })) });
  const text = JSON.stringify({ people: Array.from({ length: 100_000 }, () => ({ username: '' })) });
  const timeOf = (work: () => unknown): number => {
    const startedAt = performance.now();
    work();
    return performance.now() - startedAt;
  };
  const answer: unknown = JSON.parse(text);
  assert.equal(checkedAnswer(Answer, answer).people.length, 100_000);
  // The fastest of ten runs is that which nothing else on the machine has disturbed. Both take turns, so that the
  // machine is as busy for one as for the other.
  let parsing = Number.POSITIVE_INFINITY;
  let checking = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 10; run++) {
    parsing = Math.min(
      parsing,
      timeOf(() => JSON.parse(text)),
    );
    checking = Math.min(
      checking,
      timeOf(() => checkedAnswer(Answer, answer)),
    );
  }
  assert.ok(checking < 2 * parsing, `checked in ${checking} ms, parsed in ${parsing} ms`);
});

/** Tests of the check of answers: that a large one does not take the time of others. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { checkedAnswer } from './check-answer.ts';

test('an answer of a hundred thousand parts is checked faster than it is parsed twice', () => {
  const Answer = Type.Object({ people: Type.Array(Type.Object({ username: Type.String() })) });
  const text = JSON.stringify({ people: Array.from({ length: 100_000 }, () => ({ username: '' })) });
  const timeOf = <T>(work: () => T): [took: number, result: T] => {
    const startedAt = performance.now();
    const result = work();
    return [performance.now() - startedAt, result];
  };
  checkedAnswer(Answer, { people: [] });
  const [parsing, answer] = timeOf((): unknown => JSON.parse(text));
  const [checking, checked] = timeOf(() => checkedAnswer(Answer, answer));
  assert.equal(checked.people.length, 100_000);
  assert.ok(checking < 2 * parsing, `checked in ${checking} ms, parsed in ${parsing} ms`);
});

/** Tests of names: a misleading name of a person is refused, and one of another system is cleaned. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  checkedEnvironment,
  checkedName,
  cleanedName,
  isPlainName,
  maxNameLength,
  nameKeyOf,
} from './plain-name.ts';

test('misleading characters are removed from a name, white space becomes a blank, and a long name is cut', () => {
  const cases: [string, string][] = [
    ['Mia Lang', 'Mia Lang'],
    ['  Mia \t\n Lang ', 'Mia Lang'],
    ['Mia\u0000\u001b[31m Lang\u007f', 'Mia[31m Lang'],
    ['Mia \u202e Lang\u2066!\u2069', 'Mia Lang!'],
    ['\u202egnaL aiM', 'gnaL aiM'],
    ['Mia\u2028Lang', 'Mia Lang'],
    // Plain direction marks are part of writing.
    ['\u200fمريم\u200f', '\u200fمريم\u200f'],
    ['', ''],
    [' \u202e\u0007 ', ''],
    ['\u200b\u2066', ''],
    ['x'.repeat(300), 'x'.repeat(maxNameLength)],
    [`${'x'.repeat(maxNameLength - 1)}😀`, 'x'.repeat(maxNameLength - 1)],
    ['Mia\ud800', 'Mia\ufffd'],
  ];
  for (const [given, kept] of cases) {
    assert.equal(cleanedName(given), kept, JSON.stringify(given));
    assert.ok(isPlainName(cleanedName(given)));
    if (kept !== '') assert.equal(checkedName(kept, 'name'), kept);
  }
});

test('a name has as many characters as the schema counts: an emoji is one', () => {
  const longest = '😀'.repeat(maxNameLength);
  assert.equal(checkedName(longest, 'name'), longest);
  assert.throws(() => checkedName(`${longest}x`, 'name'), {
    message: 'A name must have 1 to 255 characters.',
  });
});

test('an environment has no blanks around it and no character that is never seen', () => {
  for (const given of ['production ', '\tproduction\n', '\ufeffproduction']) {
    assert.equal(checkedEnvironment(given, 'environment'), 'production', JSON.stringify(given));
  }
  for (const given of ['prod\u200buction', 'production\u2060', 'prod\ufeffuction']) {
    assert.throws(
      () => checkedEnvironment(given, 'environment'),
      { message: /never seen/ },
      JSON.stringify(given),
    );
  }
});

test('names that differ in case, or in the spelling of a letter with an accent, have one key', () => {
  assert.equal(nameKeyOf('acme/CAF\u0045\u0301'), nameKeyOf('acme/café'));
  assert.equal(nameKeyOf('acme/\u212aim'), 'acme/kim');
  assert.notEqual(nameKeyOf('acme/cafe'), nameKeyOf('acme/café'));
});

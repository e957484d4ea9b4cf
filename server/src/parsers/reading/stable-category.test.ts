import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stableCategory } from './stable-category.ts';

test('times, commits, random ids and numbers of runs are left out', () => {
  for (const varying of [
    '2031-05-06T07:08:09Z',
    '2031-05-06T07:08:09.123+02:00',
    '2031-05-06 07:08:09',
    '2031-05-06',
    '20310506T070809Z',
    '1935816489123',
    '48213',
    '#48213',
    'run-17',
    'build 3',
    '9f86d081884c7d65',
    '0f8fad5b-d9cb-469f-a165-70867728950e',
  ]) {
    assert.equal(stableCategory(`Snyk/Open Source/shed/${varying}`), 'Snyk/Open Source/shed', varying);
    assert.equal(stableCategory(`nightly-${varying}/web`), 'nightly/web', varying);
  }
});

test('names and versions stay', () => {
  for (const category of [
    '',
    'python-3.12',
    'java17/web',
    'facade',
    'api/v2',
    'decade',
    'node-22',
    'web-01',
    'deadbeef',
  ]) {
    assert.equal(stableCategory(category), category);
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stableCategory } from './stable-category.ts';

test('times, commits and random ids are left out', () => {
  for (const varying of [
    '2031-05-06T07:08:09Z',
    '2031-05-06T07:08:09.123+02:00',
    '2031-05-06 07:08:09',
    '2031-05-06',
    '20310506T070809Z',
    '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b',
    '0f8fad5b-d9cb-469f-a165-70867728950e',
  ]) {
    assert.equal(stableCategory(`Snyk/Open Source/shed/${varying}`), 'Snyk/Open Source/shed', varying);
    assert.equal(stableCategory(`nightly-${varying}/web`), 'nightly/web', varying);
  }
});

test('the number of a run is left out as the last part alone', () => {
  for (const varying of ['run-17', 'build 3', '#48213', '1935816489', '1935816489123']) {
    assert.equal(stableCategory(`shed/${varying}`), 'shed', varying);
  }
  assert.equal(stableCategory('job-1/web'), 'job-1/web');
});

test('names, versions and other numbers stay, because they may tell two series apart', () => {
  for (const category of [
    ...['', 'python-3.12', 'java17/web', 'facade', 'api/v2', 'decade', 'node-22', 'web-01', 'deadbeef'],
    ...['customer-1001', 'app/port-8080', 'cis-2023', 'services/a1b2c3d', 'tf/prod-12345'],
  ]) {
    assert.equal(stableCategory(category), category);
  }
});

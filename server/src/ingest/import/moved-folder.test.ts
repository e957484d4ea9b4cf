import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findMovedFolder, type MovedFolder } from './moved-folder.ts';

function moved(before: string, now: string, files = ['a.js', 'b/c.js', 'b/d/e.js']): MovedFolder | null {
  const rows = (folder: string) => files.map((file) => ({ ruleKey: 'rule', path: `${folder}${file}` }));
  return findMovedFolder(rows(before), rows(now), true);
}

test('the folder that moved is the part of the paths before the folders and files that both have', () => {
  assert.deepEqual(moved('src/', 'lib/src/'), { from: '', to: 'lib' });
  assert.deepEqual(moved('', 'src/'), { from: '', to: 'src' });
  assert.deepEqual(moved('old/shed/', 'new/garden/shed/'), { from: 'old', to: 'new/garden' });
  assert.deepEqual(moved('src/toolshed/', 'src/shed/'), { from: 'src/toolshed', to: 'src/shed' });
  assert.deepEqual(moved('toolshed/', 'shed/'), { from: 'toolshed', to: 'shed' });
});

test('paths longer than 512 characters are not compared', () => {
  const long = `${'deep/'.repeat(100)}x`;
  assert.deepEqual(moved('old/', 'new/', [`${long}/a`, `${long}/b`]), { from: 'old', to: 'new' });
  assert.equal(moved('old/', 'new/', [`${long}/aaaaaaaa`, `${long}/bbbbbbbb`]), null);
  assert.equal(moved('', 'new/folder/', [`${long}/aaaaaa`, `${long}/bbbbbb`]), null);
});

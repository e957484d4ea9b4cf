import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newManifest } from './packages.ts';

test('a manifest stays inside of the repository, whatever the report names it', () => {
  const paths = ['../../garden/shed', 'C:\\garden\\shed', '..', ''].map((path) => newManifest(path, []).path);
  assert.deepEqual(paths, ['garden/shed', 'C:/garden/shed', '.', '.']);
});

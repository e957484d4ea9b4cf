/** Tests of the client of GitLab: who can read a project. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gitlabClient } from './gitlab-client.ts';

const cases: [url: string, visibility: string, isPublic: boolean][] = [
  ['https://gitlab.com', 'private', false],
  ['https://gitlab.com', 'internal', true],
  ['https://gitlab.com', 'public', true],
  ['https://gitlab.example.com', 'private', false],
  ['https://gitlab.example.com', 'internal', false],
  ['https://gitlab.example.com', 'public', true],
  ['https://gitlab.example.com', 'another', true],
];
for (const [url, visibility, isPublic] of cases) {
  test(`a project that is ${visibility} at ${url} counts as ${isPublic ? 'public' : 'not public'}`, async () => {
    const access = { url, project: 'acme/shop', token: 'secret', user: null };
    const client = gitlabClient(access, async () => Response.json({ visibility }));
    assert.equal((await client.readProject()).isPublic, isPublic);
  });
}

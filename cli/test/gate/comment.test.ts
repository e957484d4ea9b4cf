/**
 * Tests of the comment of a pull request: there is one, it is found among many, no foreign comment is changed, and a
 * failed comment never fails the gate.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type CommentSubject, commentOn } from '../../src/gate/comment.ts';
import { commentMarker } from '../../src/gate/comment-body.ts';
import type { GateResult } from '../../src/gate/gate-answer.ts';
import { type Comment, type Forge, type Person, startForge } from '../support/forge.ts';
import { gateOf, violation } from '../support/gates.ts';

const workflow: Person = { id: 1, type: 'Bot' };
const robot: Person = { id: 2, type: 'User' };
const stranger: Person = { id: 3, type: 'User' };
const merlonKey = `mrl_wsk_${'k'.repeat(46)}`;

const github = await startForge('github', { workflow_token: workflow, robot_token: robot });
const gitlab = await startForge('gitlab', { robot_token: robot });
const blocked: GateResult = { gate: gateOf([violation(1)]), noVerdict: null };
const passed: GateResult = { gate: gateOf([]), noVerdict: null };
const marker = commentMarker('acme', blocked.gate);

const forges: [string, Forge, string, Record<string, string>][] = [
  [
    'GitHub',
    github,
    'refs/pull/7/head',
    { GITHUB_REPOSITORY: 'acme/shop', GITHUB_API_URL: `${github.url}/`, GITHUB_TOKEN: 'robot_token' },
  ],
  [
    'GitLab',
    gitlab,
    'refs/merge-requests/7/head',
    {
      CI_API_V4_URL: gitlab.url,
      CI_PROJECT_ID: '99',
      CI_PROJECT_PATH: 'acme/shop',
      CI_MERGE_REQUEST_IID: '7',
      GITLAB_TOKEN: 'robot_token',
    },
  ],
];

async function comment(
  env: Record<string, string>,
  result: GateResult,
  subject: Partial<CommentSubject>,
): Promise<string[]> {
  const said: string[] = [];
  const about = { workspace: 'acme', repo: 'acme/shop', ref: 'refs/pull/7/head', ...subject };
  await commentOn({ env: { MERLON_TOKEN: merlonKey, ...env } }, about, result, {
    pause: async () => {},
    say: (message) => said.push(message),
  });
  for (const line of said) assert.ok(!/_token|mrl_/.test(line), line);
  return said;
}

function others(count: number, body = 'Looks good.'): Comment[] {
  return Array.from({ length: count }, (_, i) => ({ id: i + 1, body, by: stranger }));
}

for (const [name, forge, ref, env] of forges) {
  describe(name, () => {
    test('the comment is created once and then updated, on whichever page it is', async () => {
      forge.reset(others(250));
      assert.match(
        (await comment(env, blocked, { ref })).join(),
        /^commented on (pull|merge) request 7 of acme\/shop$/,
      );
      assert.equal(forge.comments.length, 251);
      assert.match(forge.comments[250]?.body ?? '', /^<!-- merlon-gate acme repo_1 -->\n### Merlon: blocked/);
      assert.equal(forge.requests.filter((request) => request.startsWith('GET')).length, 3);
      forge.comments.push(...others(30));
      assert.match((await comment(env, passed, { ref })).join(), /^updated the comment on/);
      assert.equal(forge.comments.length, 281);
      assert.match(forge.comments[250]?.body ?? '', /### Merlon: passed/);
      assert.ok(!forge.headers.includes('mrl_'), 'the key goes nowhere else');
    });

    test('a comment by somebody else with the marker is not changed', async () => {
      forge.reset(others(1, `${marker}\n### Merlon: passed`));
      await comment(env, blocked, { ref });
      assert.equal(forge.comments.length, 2);
      assert.deepEqual(
        [forge.comments[0]?.body, forge.comments[1]?.by],
        [`${marker}\n### Merlon: passed`, robot],
      );
      await comment(env, passed, { ref });
      assert.equal(forge.comments.length, 2);
      assert.match(forge.comments[1]?.body ?? '', /passed/);
    });

    test('another workspace or repository has its own comment, and a quoted marker does not count', async () => {
      forge.reset([{ id: 5, body: `> ${marker}`, by: robot }]);
      await comment(env, blocked, { ref });
      await comment(env, blocked, { ref, workspace: 'other' });
      await comment(env, passed, { ref, workspace: 'other' });
      assert.equal(forge.comments.length, 3);
      assert.match(forge.comments[1]?.body ?? '', /blocked/);
      assert.match(forge.comments[2]?.body ?? '', /merlon-gate other repo_1 -->\n### Merlon: passed/);
    });

    test('a comment as long as the API takes goes through', async () => {
      forge.reset([]);
      const many = Array.from({ length: 2_000 }, (_, i) => violation(i, { title: '|'.repeat(300) }));
      assert.match(
        (await comment(env, { gate: gateOf(many), noVerdict: null }, { ref })).join(),
        /^commented on/,
      );
      assert.ok((forge.comments[0]?.body.length ?? 0) > 60_000);
    });

    test('outside of a pull request it says so and sends no request', async () => {
      forge.reset([]);
      const cases: [Record<string, string>, Partial<CommentSubject>][] = [
        [env, { ref: 'refs/heads/main' }],
        [env, { ref: undefined }],
        [env, { ref, repo: 'acme/other', workspace: 'acme' }],
        [{}, { ref }],
      ];
      for (const [given, subject] of cases) {
        const other = {
          ...blocked,
          gate: { ...blocked.gate, repository: { id: 'repo_2', full_name: 'acme/other' } },
        };
        const result = subject.repo === undefined ? blocked : other;
        assert.match((await comment(given, result, subject)).join(), /^no comment: this is not a job of/);
      }
      assert.deepEqual(forge.requests, []);
    });

    test('an error is printed without the token', async () => {
      const token = name === 'GitHub' ? 'GITHUB_TOKEN' : 'GITLAB_TOKEN';
      const url = name === 'GitHub' ? 'GITHUB_API_URL' : 'CI_API_V4_URL';
      const cases: [Record<string, string>, Forge['fail'], RegExp][] = [
        [{ [token]: '' }, null, new RegExp(`${token} is (not )?set`)],
        [
          { [token]: 'wrong_token' },
          null,
          /The API of the forge answers 401: Bad credentials \((the job|the token) needs/,
        ],
        [{ [token]: 'a_token\nx: y' }, null, /invalid characters/],
        [{ [token]: merlonKey }, null, /a key of Merlon, which must not be sent elsewhere/],
        [{ [url]: 'file:///etc/passwd' }, null, /The address of the forge’s API is not valid\./],
        [{ [url]: 'http://user:a_token@127.0.0.1/' }, null, /The address of the forge’s API is not valid\./],
        [{ [url]: 'http://127.0.0.1:9' }, null, /The server at http:\/\/127\.0\.0\.1:9 cannot be reached/],
        [
          {},
          { status: 403, body: '{"message":"No\\u001b[31m\\n way"}' },
          /The API of the forge answers 403: No \[31m +way \(/,
        ],
        [{}, { status: 200, body: '<html>' }, /did not answer with a list/],
        [
          {},
          { status: 302, body: '', location: 'https://evil.example/' },
          /The API of the forge answers 302/,
        ],
        [{}, { status: 500, body: 'x'.repeat(5_000) }, /The API of the forge answers 500\.$/],
      ];
      for (const [change, fail, message] of cases) {
        forge.reset([]);
        forge.fail = fail;
        const said = await comment({ ...env, ...change }, blocked, { ref });
        assert.match(said.at(-1) ?? '', message);
        assert.match(said.at(-1) ?? '', /^no comment: /);
        assert.deepEqual(forge.comments, []);
        assert.ok(!forge.headers.includes('mrl_'));
      }
    });
  });
}

test('GitHub: with a workflow token, which has no user, the comment of a program is found', async () => {
  const env = { ...forges[0]?.[3], GITHUB_TOKEN: 'workflow_token' };
  github.reset(others(1, `${marker}\n### Merlon: passed`));
  await comment(env, blocked, {});
  await comment(env, passed, {});
  assert.deepEqual(
    github.comments.map(({ by, body }) => [by.type, body.includes('### Merlon: passed')]),
    [
      ['User', true],
      ['Bot', true],
    ],
  );
});

test('GitLab: a fork’s pipeline comments in the project of the merge request, and our own token comes first', async () => {
  const env = {
    ...forges[1]?.[3],
    CI_PROJECT_ID: '100',
    CI_PROJECT_PATH: 'eve/shop',
    CI_MERGE_REQUEST_PROJECT_ID: '99',
    CI_MERGE_REQUEST_PROJECT_PATH: 'acme/shop',
    GITLAB_TOKEN: 'wrong_token',
    MERLON_GITLAB_TOKEN: 'robot_token',
  };
  gitlab.reset([]);
  await comment(env, blocked, { ref: 'refs/merge-requests/7/head' });
  assert.equal(gitlab.comments.length, 1);
});

/** Tests of `merlon` in CI without a stored key: the run's own token is exchanged for one. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { startWorker } from '../../server/src/worker.ts';
import { startCiProvider } from '../../server/test/support/ci-provider.ts';
import { createTestServer } from '../../server/test/support/server.ts';
import { signInAs } from '../../server/test/support/session.ts';
import { trivyReport } from '../../server/test/support/tool-reports.ts';
import { createTestWorkspace } from '../../server/test/support/workspace.ts';
import { GitRepository } from './support/git-repository.ts';
import { type Run, runMerlon } from './support/run-merlon.ts';

const provider = await startCiProvider();
const server = await createTestServer({ MERLON_CI_ISSUERS: provider.issuer });
server.beforeClose(() => provider.close());
const worker = await startWorker(server, { info: () => {}, warn: () => {}, error: () => {} });
server.beforeClose(() => worker.stop());
const url = await server.app.listen({ port: 0, host: '127.0.0.1' });
const { people } = await createTestWorkspace(server, 'acme');
const admin = await signInAs(server, people.admin.user.id);

for (const rule of [
  { provider: 'github', audience: url, claims: { repository_owner_id: '77' } },
  { provider: 'gitlab', audience: url, claims: { namespace_id: '88' } },
]) {
  const body = { name: rule.provider, issuer: provider.issuer, ...rule };
  const { status, text } = await admin.post('/manage/v1/acme/trust-rules', body);
  assert.equal(status, 201, text);
}

// GitHub's own service on the runner: it signs a token for the audience that the job asks for.
const tokenService = createServer((request, response) => {
  const isAllowed = request.headers.authorization === 'Bearer of-the-runner';
  const audience = new URL(request.url ?? '', 'http://localhost').searchParams.get('audience') ?? '';
  void provider.github({ audience }).then((value) => {
    response.writeHead(isAllowed ? 200 : 401, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isAllowed ? { value } : {}));
  });
});
await new Promise<void>((resolve) => tokenService.listen(0, '127.0.0.1', resolve));
server.beforeClose(() => new Promise((resolve) => tokenService.close(resolve)));
const tokenUrl = `http://127.0.0.1:${(tokenService.address() as AddressInfo).port}/token?api-version=2.0`;

const checkout = new GitRepository();
checkout.git('remote', 'add', 'origin', 'git@github.com:acme/shop.git');
checkout.git('branch', '-M', 'main');
checkout.commit();
writeFileSync(
  join(checkout.directory, 'report.json'),
  JSON.stringify(trivyReport({ packages: [{ id: 'CVE-2030-1', package: 'lodash', severity: 'HIGH' }] })),
);

function merlon(env: Record<string, string>, workspace = { MERLON_WORKSPACE: 'acme' }): Promise<Run> {
  return runMerlon(['scan', 'upload', 'report.json', '--wait', '--gate', '--ref', 'main'], {
    cwd: checkout.directory,
    env: { MERLON_URL: url, ...workspace, ...env },
  });
}

const github = { ACTIONS_ID_TOKEN_REQUEST_URL: tokenUrl, ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of-the-runner' };

test('a job of GitHub Actions uploads and gets a verdict without a stored key', async () => {
  const run = await merlon(github);
  assert.equal(run.code, 0, run.stderr);
  assert.match(run.stdout, /report\.json: trivy: 1 new/);
  assert.match(run.stdout, /pass/i);
});

test('a job of GitLab CI uploads by the token in its environment', async () => {
  const run = await merlon({ MERLON_ID_TOKEN: await provider.gitlab({ audience: url }) });
  assert.equal(run.code, 0, run.stderr);
});

test('without a workspace, without permission for a token, or with a token that no rule accepts, the error says what to do', async () => {
  const { MERLON_WORKSPACE: _, ...none } = { MERLON_WORKSPACE: '' };
  const cases: [Run, number, RegExp][] = [
    [
      await merlon(github, none as { MERLON_WORKSPACE: string }),
      2,
      /set MERLON_WORKSPACE, or use --workspace/,
    ],
    [await merlon({ ...github, ACTIONS_ID_TOKEN_REQUEST_TOKEN: '' }), 2, /permissions: id-token: write/],
    [await merlon({ ...github, ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'wrong' }), 3, /it answers 401/],
    [
      await merlon({ MERLON_ID_TOKEN: await provider.gitlab() }),
      3,
      /No trust rule of the workspace acme accepts/,
    ],
    [await merlon({ MERLON_ID_TOKEN: 'garbage' }), 3, /issuer of the token/],
    [await merlon({}), 2, /MERLON_TOKEN is not set.*from forks\.\n$/],
    [
      await merlon({ GITHUB_ACTIONS: 'true', GITHUB_REPOSITORY: 'acme/shop' }),
      2,
      /needs "permissions: id-token: write"/,
    ],
    [
      await merlon({ GITLAB_CI: 'true', CI_PROJECT_PATH: 'acme/shop' }),
      2,
      /needs MERLON_ID_TOKEN under "id_tokens"/,
    ],
  ];
  for (const [run, code, says] of cases) {
    assert.equal(run.code, code, run.stderr);
    assert.match(run.stderr, says);
  }
});

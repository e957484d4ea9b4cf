/**
 * Tests the shell steps of the CI templates as scripts, like their CI runs them: they install `merlon` from a release,
 * upload a report of a checkout to a real server, and end with the exit code of the verdict.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { GitRepository } from '../cli/test/support/git-repository.ts';
import { blockCritical } from '../cli/test/support/policies.ts';
import { runMerlon } from '../cli/test/support/run-merlon.ts';
import { readYaml } from '../packages/yaml/src/read-yaml.ts';
import { startWorker } from '../server/src/worker.ts';
import { createDirectory } from '../server/test/support/process.ts';
import { createTestServer } from '../server/test/support/server.ts';
import { trivyReport } from '../server/test/support/tool-reports.ts';
import { createTestWorkspace } from '../server/test/support/workspace.ts';
import { ciTemplates, releaseUrl, withInstall } from './ci-templates.ts';
import { pack } from './pack.ts';

const templates = ciTemplates();
const textOf = (path: string): string => templates.get(`deploy/ci/${path}`) ?? '';

/** A step: its script, its variables, and the shell that the CI runs it with. */
interface Step {
  shell: string[];
  script: string;
  env: Record<string, string>;
}

const bash = ['bash', '--noprofile', '--norc'];

/** The inputs that a user of the template sets. */
interface Inputs {
  [name: string]: string;
  url: string;
  token: string;
  reports: string;
}

/** Replaces `${{ inputs.url }}`, `$[[ inputs.url ]]` and `$(MERLON_TOKEN)` by their values. */
function filledIn(text: string, inputs: Record<string, string>): string {
  const expression =
    /\$\{\{ (?:inputs|parameters)\.([\w-]+) \}\}|\$\[\[ inputs\.([\w-]+) \]\]|\$\(MERLON_(TOKEN)\)/g;
  return text.replaceAll(expression, (...[, github, gitlab, azure]) => {
    const name = String(github ?? gitlab ?? azure).toLowerCase();
    assert.ok(inputs[name] !== undefined, `the template asks for ${name}`);
    return inputs[name];
  });
}

const stepsOf: Record<string, (inputs: Inputs) => { steps: Step[]; env: Record<string, string> }> = {
  'GitHub Actions'(given) {
    const action = yaml<{
      inputs: Record<string, { default?: string }>;
      runs: { steps: { run: string; env: Record<string, string> }[] };
    }>(textOf('github/action.yml'));
    const inputs = Object.fromEntries(
      Object.entries(action.inputs).map(([name, input]) => [name, given[name] ?? input.default ?? '']),
    );
    const steps = action.runs.steps.map(({ run, env }) => ({
      shell: [...bash, '-eo', 'pipefail'],
      script: run,
      env: filledInAll(env, inputs),
    }));
    return {
      steps,
      env: {
        GITHUB_ACTIONS: 'true',
        GITHUB_REPOSITORY: 'acme/github',
        GITHUB_EVENT_NAME: 'push',
        GITHUB_REF: 'refs/heads/main',
        GITHUB_SHA: sha,
      },
    };
  },

  'GitLab CI, by including'(inputs) {
    const { '.merlon': job } = yaml<Record<string, GitlabJob>>(textOf('gitlab/merlon.gitlab-ci.yml'));
    return gitlab(job, 'acme/gitlab', { MERLON_URL: inputs.url, MERLON_REPORTS: inputs.reports }, inputs);
  },

  'GitLab CI, by the component'(given) {
    const [spec = '', text = ''] = textOf('gitlab/templates/merlon.yml').split('\n---\n');
    const declared = yaml<{ spec: { inputs: Record<string, { default?: string }> } }>(spec).spec.inputs;
    const inputs = Object.fromEntries(
      Object.entries(declared).map(([name, input]) => [name, given[name] ?? input.default ?? '[]']),
    );
    return gitlab(
      yaml<Record<string, GitlabJob>>(filledIn(text, inputs)).merlon,
      'acme/component',
      {},
      given,
    );
  },

  Jenkins({ url, token, reports }) {
    const text = textOf('jenkins/Jenkinsfile');
    const variables = [...text.matchAll(/^ +(MERLON_\w+) = '(.*)'$/gm)].map(([, name, value]) => [
      name,
      value,
    ]);
    const [, script = ''] = /sh '''\n(.*?)'''/s.exec(text) ?? [];
    assert.doesNotMatch(script, /\\/, 'Groovy would read a backslash');
    return {
      steps: [{ shell: ['sh', '-xe'], script, env: Object.fromEntries(variables) }],
      env: {
        ...{ JENKINS_URL: 'https://ci.example.com', BRANCH_NAME: 'main', GIT_COMMIT: sha },
        ...{ GIT_URL: 'https://git.example.com/acme/jenkins.git' },
        ...{ MERLON_URL: url, MERLON_TOKEN: token, MERLON_REPORTS: reports },
      },
    };
  },

  'Azure Pipelines'(given) {
    const { parameters, steps } = yaml<{
      parameters: { name: string; default?: string }[];
      steps: [{ bash: string; env: Record<string, string> }];
    }>(textOf('azure/merlon.yml'));
    const inputs = Object.fromEntries(
      parameters.map((each) => [each.name, given[each.name] ?? each.default ?? '']),
    );
    const env = filledInAll(steps[0].env, { ...inputs, token: given.token });
    return {
      steps: [{ shell: bash, script: steps[0].bash, env }],
      env: {
        ...{ TF_BUILD: 'True', BUILD_SOURCEBRANCH: 'refs/heads/main', BUILD_SOURCEVERSION: sha },
        BUILD_REPOSITORY_URI: 'https://dev.azure.com/acme/_git/azure',
      },
    };
  },
};

interface GitlabJob {
  variables: Record<string, string>;
  script: string[];
}

function gitlab(job: GitlabJob | undefined, project: string, own: Record<string, string>, { token }: Inputs) {
  assert.ok(job);
  return {
    steps: [{ shell: ['sh', '-e'], script: job.script.join('\n'), env: { ...job.variables, ...own } }],
    env: {
      ...{ GITLAB_CI: 'true', CI_PROJECT_PATH: project, CI_COMMIT_SHA: sha, CI_COMMIT_BRANCH: 'main' },
      MERLON_TOKEN: token,
    },
  };
}

function filledInAll(env: Record<string, string>, inputs: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).map(([name, value]) => [name, filledIn(value, inputs)]));
}

function yaml<Value>(text: string): Value {
  return readYaml(text).value as Value;
}

const server = await createTestServer();
const silent = { info: () => {}, warn: () => {}, error: () => {} };
const worker = await startWorker(server, silent);
server.beforeClose(() => worker.stop());
const url = await server.app.listen({ port: 0, host: '127.0.0.1' });
const { people } = await createTestWorkspace(server, 'acme');
const token = people.admin.key;
const checkout = new GitRepository();
checkout.git('remote', 'add', 'origin', 'https://git.example.com/acme/shop.git');
const sha = checkout.commit();
const directory = createDirectory();
let releasedFiles = '';
let tampered = '';

const release = createServer((request, response) => {
  const name = request.url?.slice(1) ?? '';
  const file = join(releasedFiles, name);
  if (!existsSync(file)) return response.writeHead(404).end();
  return response.end(
    Buffer.concat([readFileSync(file), Buffer.from(name === 'merlon.cjs' ? tampered : '')]),
  );
});

function writeReport(name: string, severity: 'HIGH' | 'CRITICAL'): void {
  const report = trivyReport({ packages: [{ id: 'CVE-2030-1', package: 'lodash', severity }] });
  writeFileSync(join(checkout.directory, name), JSON.stringify(report));
}

before(async () => {
  releasedFiles = await pack(join(directory, 'dist'));
  release.listen(0, '127.0.0.1');
  writeReport('--base-ref=low.json', 'HIGH');
  writeFileSync(join(directory, 'policies.yaml'), blockCritical);
  const { code, stderr } = await runMerlon(['policy', 'apply', join(directory, 'policies.yaml')], {
    cwd: directory,
    env: { MERLON_URL: url, MERLON_TOKEN: token },
  });
  assert.equal(code, 0, stderr);
});
after(() => release.close());

/** Runs the steps one after the other until one fails. */
async function run({ steps, env }: { steps: Step[]; env: Record<string, string> }, settings = {}) {
  const { port } = release.address() as AddressInfo;
  const pathFile = join(directory, 'github-path');
  writeFileSync(pathFile, '');
  let output = '';
  let code: number | null = null;
  for (const step of steps) {
    const added = readFileSync(pathFile, 'utf8').trim();
    const script = step.script.replaceAll(releaseUrl, `http://127.0.0.1:${port}`);
    assert.doesNotMatch(script, /https:/, 'nothing else is fetched');
    const child = spawn(step.shell[0] ?? '', [...step.shell.slice(1), '-c', script], {
      cwd: checkout.directory,
      env: {
        PATH: [added, dirname(process.execPath), process.env.PATH].filter(Boolean).join(':'),
        GITHUB_PATH: pathFile,
        TMPDIR: directory,
        ...{ ...step.env, ...env, ...settings },
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk;
      });
    code = await new Promise((resolve) => child.once('close', resolve));
    if (code !== 0) break;
  }
  return { code, output };
}

for (const [name, template] of Object.entries(stepsOf)) {
  test(`${name}: the job passes, is blocked by the verdict, and runs no file with another checksum`, async () => {
    writeReport('trivy.json', 'CRITICAL');
    const blocked = await run(template({ url, token, reports: 'trivy.json' }));
    assert.equal(blocked.code, 1, blocked.output);
    assert.match(blocked.output, /^blocked:/m);
    writeReport('trivy.json', 'HIGH');
    const passed = await run(template({ url, token, reports: 'trivy.json' }));
    assert.equal(passed.code, 0, passed.output);
    assert.match(passed.output, /trivy: [01] new/);
    assert.match(passed.output, /^passed, with warnings: acme\/\w+ main at/m);

    // A pull request may add a file whose name looks like an option.
    const named = await run(template({ url, token, reports: '*low.json' }));
    assert.equal(named.code, 0, named.output);
    assert.match(named.output, /^--base-ref=low\.json: trivy: /m);

    const pinned = await run(template({ url, token, reports: 'trivy.json' }), {
      MERLON_SHA256: '0'.repeat(64),
    });
    tampered = '\n// changed';
    const changed = await run(template({ url, token, reports: 'trivy.json' }));
    tampered = '';
    for (const { code, output } of [pinned, changed]) {
      assert.equal(code, 1, output);
      assert.match(output, /merlon.cjs: FAILED/);
      assert.doesNotMatch(output, /trivy:/);
    }
  });
}

test('every template has the step that installs, as npm run ci-templates writes it', () => {
  assert.equal(templates.size, 6);
  for (const [path, text] of templates) {
    assert.ok(text.includes(`${releaseUrl}/`), path);
    assert.equal(text, withInstall(text), path);
  }
});

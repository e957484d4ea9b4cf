/**
 * Tests the Helm chart: its values against its schema, and its templates, rendered by the engine of Helm and checked
 * against the types of the Kubernetes API. Helm itself and a cluster are not needed.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import type { Deployment } from 'kubernetes-types/apps/v1.d.ts';
import type { CronJob, Job } from 'kubernetes-types/batch/v1.d.ts';
import type { PodSpec, Secret } from 'kubernetes-types/core/v1.d.ts';
import { parse, parseAllDocuments } from 'yaml';
import { settings } from '../server/src/config.ts';
import { createDirectory } from '../server/test/support/process.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const folder = join(root, 'deploy/helm/merlon');
const read = (path: string): string => readFileSync(join(folder, path), 'utf8');
const chart = parse(read('Chart.yaml'));
const values = parse(read('values.yaml')) as Record<string, object>;
const isValid = new Ajv({ strict: false }).compile(JSON.parse(read('values.schema.json')));
const addresses = {
  url: 'postgresql://merlon_app:a@db/merlon',
  ownerUrl: 'postgresql://owner:o@db/merlon',
  port: 5432,
};

test('the values are valid by the schema of the chart, and a misspelt one is not', () => {
  assert.equal(isValid(values), true, JSON.stringify(isValid.errors));
  assert.ok(isValid({ ...values, database: addresses, settings: { MERLON_TRUST_PROXY: '10.0.0.0/8' } }));
  for (const wrong of [
    { replicas: 2 },
    { server: { replicas: 0 } },
    { settings: { PORT: 1 } },
    { database: { url: 'mysql://' } },
  ])
    assert.equal(isValid({ ...values, ...wrong }), false, JSON.stringify(wrong));
});

const sprig = '/usr/share/gocode/src/github.com/Masterminds/sprig';
const skip =
  spawnSync('go', ['version']).status !== 0 || !existsSync(sprig)
    ? 'golang-go and golang-github-masterminds-sprig-dev are not installed'
    : false;

type Manifest = {
  apiVersion: string;
  kind: string;
  metadata: { name: string; annotations?: Record<string, string> };
};

function render(changed: object, found: object = {}): { stderr: string; manifests: Manifest[] } {
  const files = globSync('templates/*', { cwd: folder })
    .sort()
    .map((path) => join(folder, path));
  const context = {
    Values: { ...values, ...changed },
    Release: { Name: 'acme', Namespace: 'security', Service: 'Helm' },
    Chart: { Name: chart.name, Version: chart.version, AppVersion: chart.appVersion },
    Found: found,
  };
  const { stdout, stderr } = spawnSync('go', ['run', join(root, 'packaging/helm-render/main.go'), ...files], {
    env: { ...process.env, GO111MODULE: 'off', GOPATH: '/usr/share/gocode' },
    input: JSON.stringify(context),
    encoding: 'utf8',
  });
  const manifests = parseAllDocuments(stdout).map((document) => {
    assert.deepEqual(document.errors, [], stdout);
    return document.toJS() as Manifest | null;
  });
  return { stderr, manifests: manifests.filter((manifest) => manifest !== null) };
}

const find = <T>(manifests: Manifest[], kind: string, name = 'acme-merlon'): T =>
  manifests.find((manifest) => manifest.kind === kind && manifest.metadata.name === name) as T;
const environmentOf = (pod: PodSpec | undefined) =>
  Object.fromEntries((pod?.containers[0]?.env ?? []).map(({ name, value }) => [name, value]));

test('the rendered objects are valid by the types of the Kubernetes API', { skip }, () => {
  const { manifests, stderr } = render({
    database: addresses,
    settings: { MERLON_TRUST_PROXY: '10.0.0.0/8', MERLON_MAX_UPLOAD_MB: 50, MERLON_KEEP_SCANS_DAYS: 400 },
    networkPolicy: {
      enabled: true,
      ports: [9464],
      from: [{ podSelector: {} }],
      egress: [{ ports: [{ port: 443 }] }],
    },
    tolerations: [{ key: 'security', operator: 'Exists' }],
    imagePullSecrets: [{ name: 'registry' }],
  });
  assert.equal(stderr, '');
  const kinds = manifests.map(({ kind }) => kind).toSorted();
  assert.deepEqual(kinds, [
    'CronJob',
    'Deployment',
    'Deployment',
    'Job',
    'NetworkPolicy',
    'PodDisruptionBudget',
    'Secret',
    'Secret',
    'Service',
  ]);
  const groups: Record<string, string> = { v1: 'core/v1', 'networking.k8s.io/v1': 'networking/v1' };
  const lines = manifests.map(({ apiVersion, kind, ...rest }, i) => {
    const from = `kubernetes-types/${groups[apiVersion] ?? apiVersion}`;
    const value = JSON.stringify({ apiVersion, kind, ...rest });
    return `export const value${i}: import('${from}').${kind} = ${value};`;
  });
  const directory = createDirectory();
  execFileSync('ln', ['-s', join(root, 'node_modules'), join(directory, 'node_modules')]);
  const compile = (text: string): string => {
    writeFileSync(join(directory, 'manifests.ts'), text);
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--types', 'node'];
    return spawnSync(join(root, 'node_modules/.bin/tsc'), [...options, 'manifests.ts'], {
      cwd: directory,
      encoding: 'utf8',
    }).stdout;
  };
  const text = lines.join('\n');
  assert.equal(compile(text), '');
  assert.match(
    compile(text.replace('"readOnlyRootFilesystem"', '"readOnlyRootFileSystem"')),
    /readOnlyRootFileSystem/,
  );
});

/** The pods of the server, the worker, the migration and, if something is not kept for ever, the deletion. */
const podsOf = (manifests: Manifest[]) => [
  find<Deployment>(manifests, 'Deployment').spec?.template.spec,
  find<Deployment>(manifests, 'Deployment', 'acme-merlon-worker').spec?.template.spec,
  find<Job>(manifests, 'Job', 'acme-merlon-migrate').spec?.template.spec,
  ...manifests
    .filter(({ kind }) => kind === 'CronJob')
    .map((job) => (job as CronJob).spec?.jobTemplate.spec?.template.spec),
];

test('every pod is unprivileged and read-only, only the migration and the deletion are the owner, and the settings exist', {
  skip,
}, () => {
  const { manifests } = render({ database: addresses, settings: { MERLON_KEEP_SCANS_DAYS: 400 } });
  const known = new Set<string>(Object.values(settings).map(({ name }) => name));
  const pods = podsOf(manifests);
  for (const pod of pods) {
    assert.equal(pod?.securityContext?.runAsNonRoot, true);
    // Else Kubernetes gives pods variables of the Service, such as MERLON_PORT=tcp://…, which are no settings.
    assert.equal(pod?.enableServiceLinks, false);
    const { readOnlyRootFilesystem, allowPrivilegeEscalation } = pod?.containers[0]?.securityContext ?? {};
    assert.deepEqual([readOnlyRootFilesystem, allowPrivilegeEscalation], [true, false]);
    for (const name of Object.keys(environmentOf(pod))) assert.ok(known.has(name), name);
  }
  const owners = pods.map((pod) => 'MERLON_DATABASE_OWNER_URL' in environmentOf(pod));
  assert.deepEqual(owners, [false, false, true, true]);
  const [server] = pods;
  assert.equal(environmentOf(server).MERLON_WORKERS, '0', 'the workers read reports');
  const drain = Number(environmentOf(server).MERLON_DRAIN_SECONDS);
  assert.ok(drain > 0 && Number(server?.terminationGracePeriodSeconds) > drain + 30);
  const { failureThreshold = 0, periodSeconds = 0 } = server?.containers[0]?.readinessProbe ?? {};
  assert.ok(failureThreshold > 1, 'one slow answer does not remove a pod');
  assert.ok(failureThreshold * periodSeconds < drain, 'a pod that drains is removed in time');
  assert.match(
    String(find<Job>(manifests, 'Job', 'acme-merlon-migrate').metadata?.annotations?.['helm.sh/hook']),
    /pre-upgrade/,
  );
});

test('data is deleted every night if a setting no longer keeps it, and otherwise never', { skip }, () => {
  const jobOf = (given: object) =>
    find<CronJob | undefined>(
      render({ database: addresses, settings: given }).manifests,
      'CronJob',
      'acme-merlon-prune',
    );
  for (const kind of ['FIXED', 'REFERENCES', 'SCANS', 'AUDIT']) {
    const name = `MERLON_KEEP_${kind}_DAYS`;
    const job = jobOf({ [name]: 400 })?.spec;
    assert.deepEqual([job?.schedule, job?.concurrencyPolicy], ['30 4 * * *', 'Forbid']);
    const pod = job?.jobTemplate.spec?.template.spec;
    assert.deepEqual(pod?.containers[0]?.args, ['prune']);
    assert.equal(environmentOf(pod)[name], '400');
  }
  for (const kept of [{}, { MERLON_KEEP_FIXED_DAYS: 0 }, { MERLON_KEEP_REPORTS_DAYS: 30 }]) {
    assert.equal(jobOf(kept), undefined);
  }
  assert.ok(isValid({ ...values, prune: { schedule: '0 3 * * *' } }));
});

test('settings reach the pods as they are written, large whole numbers too', { skip }, () => {
  const given = { MERLON_MAX_FINDINGS: 10_000_000, MERLON_PASSWORDS: 'on', MERLON_TRUST_PROXY: false };
  const { manifests } = render({ database: addresses, settings: given });
  for (const pod of podsOf(manifests)) {
    const { MERLON_MAX_FINDINGS, MERLON_PASSWORDS, MERLON_TRUST_PROXY } = environmentOf(pod);
    assert.deepEqual(
      [MERLON_MAX_FINDINGS, MERLON_PASSWORDS, MERLON_TRUST_PROXY],
      ['10000000', 'on', 'false'],
    );
  }
});

test('every pod reads secret settings from the named Secret, and without one from none', { skip }, () => {
  for (const [settingsSecret, expected] of [
    ['merlon-settings', [{ secretRef: { name: 'merlon-settings' } }]],
    ['', undefined],
  ] as const)
    for (const pod of podsOf(render({ database: addresses, settingsSecret }).manifests))
      assert.deepEqual(pod?.containers[0]?.envFrom, expected);
  assert.ok(isValid({ ...values, settingsSecret: 'merlon-settings' }));
});

test('servers and workers restart with another address of the database, and not without a change', {
  skip,
}, () => {
  const checksumsOf = (database: object) => {
    const { manifests } = render({ database });
    return ['acme-merlon', 'acme-merlon-worker'].map((name) =>
      String(
        find<Deployment>(manifests, 'Deployment', name).spec?.template.metadata?.annotations?.[
          'checksum/database'
        ],
      ),
    );
  };
  const [server = '', worker] = checksumsOf(addresses);
  assert.match(server, /^[0-9a-f]{64}$/);
  assert.deepEqual([server, worker], checksumsOf({ ...addresses }));
  const changed = checksumsOf({ ...addresses, url: 'postgresql://merlon_app:b@db/merlon' });
  assert.ok(changed[0] === changed[1] && changed[0] !== server);
});

test('the address of a replica is in the secret if it is given, and no pod needs it', { skip }, () => {
  const readUrl = 'postgresql://merlon_app:a@replica/merlon';
  for (const [given, expected] of [
    [readUrl, Buffer.from(readUrl).toString('base64')],
    ['', undefined],
  ] as const) {
    const { manifests } = render({ database: { ...addresses, readUrl: given } });
    assert.equal(find<Secret>(manifests, 'Secret').data?.['database-read-url'], expected);
    const pod = find<Deployment>(manifests, 'Deployment').spec?.template.spec;
    const read = pod?.containers[0]?.env?.find(({ name }) => name === 'MERLON_DATABASE_READ_URL');
    assert.equal(read?.valueFrom?.secretKeyRef?.optional, true);
  }
});

test('without workers the servers read reports; one replica has no disruption budget', { skip }, () => {
  const { manifests } = render({
    existingSecret: 'own',
    worker: { ...values.worker, replicas: 0 },
    server: { ...values.server, replicas: 1 },
  });
  assert.deepEqual(manifests.map(({ kind }) => kind).toSorted(), [
    'Deployment',
    'Job',
    'NetworkPolicy',
    'Service',
  ]);
  assert.equal(
    environmentOf(find<Deployment>(manifests, 'Deployment').spec?.template.spec).MERLON_WORKERS,
    undefined,
  );
});

test('a generated secret is 32 bytes in hexadecimal and is made once; without addresses the chart says what is missing', {
  skip,
}, () => {
  const secretOf = (): string =>
    Buffer.from(
      find<Secret>(render({ database: addresses }).manifests, 'Secret', 'acme-merlon-key').data?.secret ?? '',
      'base64',
    ).toString();
  const made = secretOf();
  assert.match(made, /^[0-9a-f]{64}$/);
  assert.notEqual(secretOf(), made);
  const upgraded = render({ database: addresses }, { data: { secret: 'c2VjcmV0' } }).manifests;
  assert.deepEqual(
    upgraded.filter(({ kind }) => kind === 'Secret').map(({ metadata }) => metadata?.name),
    ['acme-merlon'],
  );
  assert.match(render({}).stderr, /database\.url or existingSecret is required/);
});

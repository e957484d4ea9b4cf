/**
 * Tests of backups: a backup shows one moment of a whole install, and a restored install answers like the first one.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createWriteStream, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { after, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { generateIdentity, identityToRecipient } from 'age-encryption';
import pg from 'pg';
import { invite } from '../../src/access/members/invitations.ts';
import { addMember } from '../../src/access/members/service.ts';
import { resetPassword } from '../../src/access/sign-in/transfer-account.ts';
import { createUser } from '../../src/access/users/service.ts';
import { reEvaluateIntel } from '../../src/actions/intel/re-evaluate.ts';
import { removeMemberAsOperator } from '../../src/actions/members/remove-member.ts';
import { readInstall, readWorkspace } from '../../src/backup/backup.ts';
import { packed } from '../../src/backup/backup-file.ts';
import { importWorkspace } from '../../src/backup/import-workspace.ts';
import { type Piece, readPieces, writePieces } from '../../src/backup/pieces.ts';
import { importTx, installTx, tenantTx } from '../../src/db/database.ts';
import { installSecret } from '../../src/db/install-secret.ts';
import { readSettings } from '../../src/db/server-settings.ts';
import { formatId, type TenantId } from '../../src/domain/ids.ts';
import { matchWorkspace } from '../../src/ingest/matching/match-workspace.ts';
import { networksOf } from '../../src/notifications/outbound/public-address.ts';
import { createWebhook, withDefaults } from '../../src/notifications/webhooks/webhook-service.ts';
import { evaluatePolicies } from '../../src/policies/evaluation/evaluate-policies.ts';
import { bom } from '../support/boms.ts';
import { clientOf } from '../support/client.ts';
import { importAll } from '../support/import.ts';
import { assertInvariants } from '../support/invariants.ts';
import { merlondHere } from '../support/merlond-here.ts';
import { loadOsv, osvRecord } from '../support/osv.ts';
import { applyAndEvaluate } from '../support/policies.ts';
import { createDirectory } from '../support/process.ts';
import { trivy } from '../support/reports.ts';
import { createTestServer, type TestServer } from '../support/server.ts';
import { nodeSettings } from '../support/serving.ts';
import { signInAs } from '../support/session.ts';
import {
  createTestKey,
  createTestWorkspace,
  createTestWorkspaceKey,
  principalAs,
  reportInput,
} from '../support/workspace.ts';

const directory = createDirectory();
const first = await createTestServer();
const acme = await createTestWorkspace(first, 'acme');
await createTestWorkspace(first, 'other');
const packages = (from: number) =>
  Array.from({ length: 20 }, (_, i) => ({
    id: `CVE-2030-${1000 + from + i}`,
    name: `lib-${i}\t"quoted\\" ünïcode`,
    version: '1.0.0',
  }));
await importAll(first, 'acme', [
  reportInput(trivy(packages(0))),
  reportInput(trivy(packages(5)), { ref: 'topic' }),
]);
await importAll(first, 'other', [reportInput(trivy(packages(100)))]);
await applyAndEvaluate(
  first,
  acme.tenant.id,
  `{key: severe, target_type: vulnerability, enforcement_mode: block, condition: {all: [{fact: severity, operator: '>=', value: low}]}}`,
);

await importTx(first.db, acme.tenant.id, (tx) =>
  createWebhook(
    tx,
    { actorId: acme.people.admin.user.id },
    withDefaults({ name: 'Receiver', url: 'https://receiver.invalid/' }),
    { secret: first.secret, allowed: networksOf([]), allowsHttp: false },
  ),
);
const invited = { email: 'guest@guests.example', role: 'member' } as const;
await tenantTx(first.db, acme.tenant.id, (tx) =>
  invite(tx, principalAs(acme, 'admin'), invited, { error: null }),
);

const settingsOf = (server: TestServer): Record<string, string> => ({
  ...nodeSettings(server),
  MERLON_DATABASE_OWNER_URL: server.ownerUrl,
});
const here = settingsOf(first);

async function backup(name: string, ...options: string[]): Promise<string> {
  const file = join(directory, name);
  const { code, stderr } = await merlondHere(['backup', file, ...options], here);
  assert.equal(code, 0, stderr);
  return file;
}

/** The answers of an install, page by page. */
async function answersOf({ app }: TestServer, key = acme.people.admin.key): Promise<Record<string, unknown>> {
  const client = clientOf(app, key);
  const answers: Record<string, unknown> = {};
  const get = async (path: string): Promise<{ items?: { id: string }[] }> => {
    const answer = await client.get<{ items?: { id: string }[] }>(path);
    assert.equal(answer.status, 200, `${path}: ${answer.text}`);
    // The remaining time passes between the two requests.
    answers[path] = JSON.parse(JSON.stringify(answer.body), (name, value) =>
      name === 'remaining_seconds' ? null : value,
    );
    return answer.body;
  };
  for (const list of [
    'vulnerabilities',
    'policy-violations?repo=acme/shop',
    'scans',
    'repositories',
    'policies',
  ]) {
    const { items = [] } = await get(`/api/v1/acme/${list}`).catch(() => get(`/manage/v1/acme/${list}`));
    assert.ok(items.length > 0, list);
    if (list === 'vulnerabilities')
      for (const { id } of items) await get(`/api/v1/acme/vulnerabilities/${id}`);
  }
  await get('/api/v1/acme/gate?repo=acme/shop');
  await get('/api/v1/acme/vulnerabilities?q=lib-7');
  return answers;
}

test('a restored install gives the same answers, and processes the waiting reports', async () => {
  await signInAs(first, acme.people.admin.user.id);
  const file = await backup('plain.backup');
  const second = await createTestServer();
  const { code, stderr, stdout } = await merlondHere(['restore', file, '--json'], settingsOf(second));
  assert.equal(code, 0, stderr);
  assert.equal(JSON.parse(stdout).workspaces, 2);
  assert.ok(isDeepStrictEqual(await answersOf(second), await answersOf(first)), 'the answers differ');
  await assertInvariants(second.owner);
  const { rows } = await second.owner.query(
    `select relname from pg_class where relnamespace = 'public'::regnamespace and relrowsecurity and not relforcerowsecurity`,
  );
  assert.deepEqual(rows, [], 'every table is under row-level security again');
  const indexes = (server: TestServer) =>
    server.owner
      .query(`select indexdef from pg_indexes where schemaname = 'public' order by 1`)
      .then((found) => found.rows);
  assert.deepEqual(await indexes(second), await indexes(first));
  const { rows: webhooks } = await second.owner.query('select name, enabled, disabled_reason from webhook');
  assert.deepEqual([webhooks.length, webhooks[0]?.enabled], [1, false]);
  assert.match(webhooks[0]?.disabled_reason, /restored from a backup/);
  const { rows: invitations } = await second.owner.query('select mail_status, mail_error from invitation');
  assert.equal(invitations[0]?.mail_status, 'failed');
  assert.match(invitations[0]?.mail_error, /restored from a backup/);
  const { rows: sessions } = await second.owner.query('select id from user_session');
  assert.deepEqual(sessions, [], 'a session that has ended since the backup stays so');

  const again = await merlondHere(['restore', file], settingsOf(second));
  assert.equal(again.code, 3);
  assert.match(again.stderr, /The database is not empty: \w+ has rows/);
  const next = await importAll(second, 'acme', [reportInput(trivy(packages(10)))]);
  assert.equal(next[0]?.status, 'completed', 'the restored install takes reports');
});

test('a backup during imports shows one moment', async () => {
  const importing = importAll(
    first,
    'other',
    Array.from({ length: 8 }, (_, i) =>
      reportInput(trivy(packages(200 + i)), { repository: `acme/service-${i}` }),
    ),
  );
  const file = await backup('busy.backup');
  await importing;
  const second = await createTestServer();
  const { code, stderr } = await merlondHere(['restore', file], settingsOf(second));
  assert.equal(code, 0, stderr);
  await assertInvariants(second.owner);
});

test('an encrypted backup opens only with its key, and has the secret only if that was requested', async () => {
  const identity = await generateIdentity();
  const keyFile = join(directory, 'key.txt');
  writeFileSync(keyFile, `# made by age-keygen\n${identity}\n`);
  const otherKey = join(directory, 'other.txt');
  writeFileSync(otherKey, await generateIdentity());
  const recipient = await identityToRecipient(identity);
  const file = await backup('sealed.backup', '--recipient', recipient, '--include-secret');
  assert.ok(readFileSync(file).subarray(0, 21).equals(Buffer.from('age-encryption.org/v1')));
  const second = await createTestServer();
  const secretFile = join(directory, 'restored-secret');
  const there = { ...settingsOf(second), MERLON_SECRET_FILE: secretFile };
  const refused = await merlondHere(['restore', file], there);
  assert.match(refused.stderr, /The backup is encrypted\. .*--identity/);
  const wrong = await merlondHere(['restore', file, '--identity', otherKey], there);
  assert.match(wrong.stderr, /no identity matched/);
  const restored = await merlondHere(['restore', file, '--identity', keyFile], there);
  assert.equal(restored.code, 0, restored.stderr);
  assert.equal(readFileSync(secretFile, 'utf8'), readFileSync(here.MERLON_SECRET_FILE ?? '', 'utf8'));
});

test('a backup with the secret says that it is not encrypted, unless it is', async () => {
  const recipient = await identityToRecipient(await generateIdentity());
  for (const [name, options, isSaid] of [
    ['secret-in-plain.backup', ['--include-secret'], true],
    ['secret-encrypted.backup', ['--include-secret', '--recipient', recipient], false],
    ['secret-elsewhere.backup', [], false],
  ] as const) {
    const { code, stderr } = await merlondHere(['backup', join(directory, name), ...options], here);
    assert.equal(code, 0, stderr);
    assert.equal(stderr.includes('it is not encrypted: everybody who has this file'), isSaid, stderr);
  }
});

test('a restore whose rows are written keeps their secret, even if PostgreSQL cannot analyze them', async () => {
  const file = await backup('with-secret.backup', '--include-secret');
  const second = await createTestServer();
  await second.owner.query(
    `create function unless_analyzed(text) returns text language plpgsql immutable as $$
       begin
         if current_query() = 'analyze' then raise disk_full; end if;
         return $1;
       end $$`,
  );
  await second.owner.query('create index on tenant (unless_analyzed(slug))');
  const secretFile = join(directory, 'secret-of-analyzed');
  const there = { ...settingsOf(second), MERLON_SECRET_FILE: secretFile };
  const { code, stderr } = await merlondHere(['restore', file], there);
  assert.deepEqual([code, existsSync(secretFile)], [0, true], stderr);
});

test('a backup that is cut off, changed, of another install or of other tables is refused, and nothing is restored', async () => {
  const whole = readFileSync(await backup('whole.backup'));
  const second = await createTestServer();
  const there = settingsOf(second);
  const refuse = async (content: Buffer, message: RegExp, settings = there): Promise<void> => {
    const file = join(directory, `${randomBytes(4).toString('hex')}.backup`);
    writeFileSync(file, content);
    const { code, stderr } = await merlondHere(['restore', file], settings);
    assert.notEqual(code, 0);
    assert.match(stderr, message);
    const { rows } = await second.owner.query('select 1 from tenant union all select 1 from vulnerability');
    assert.equal(rows.length, 0, String(message));
  };
  await refuse(whole.subarray(0, whole.length >> 1), /not a complete backup/);
  await refuse(whole.subarray(0, 3), /not a complete backup/);
  await refuse(Buffer.alloc(0), /not a complete backup/);
  const changed = Buffer.from(whole);
  changed[whole.length >> 1] = (changed[whole.length >> 1] ?? 0) ^ 255;
  await refuse(changed, /not a complete backup|The database|invalid/);
  await refuse(Buffer.from('{"kind":"merlon-backup"}'), /not a complete backup/);
  const otherSecret = join(directory, 'other-secret');
  writeFileSync(otherSecret, 'ab'.repeat(32));
  await refuse(whole, /holds another secret than that of the backup\. Put the secret of the backup there/, {
    ...there,
    MERLON_SECRET_FILE: otherSecret,
  });
  await second.owner.query('alter table vulnerability add column later text');
  await refuse(whole, /its tables differ from those of this version/);
});

test('a restore that fails leaves neither the secret of the backup nor a database that belongs to it', async () => {
  const file = await backup('of-another-secret.backup', '--include-secret');
  // The end is missing, so the backup proves damaged after its secret and most rows were written.
  const damaged = join(directory, 'damaged.backup');
  const whole = readFileSync(file);
  writeFileSync(damaged, whole.subarray(0, whole.length - 20));
  const second = await createTestServer();
  const secretFile = join(directory, 'secret-of-damaged');
  const there = { ...settingsOf(second), MERLON_SECRET_FILE: secretFile };
  const bound = async () => (await second.owner.query('select fingerprint from install_secret')).rows;
  const { code, stderr } = await merlondHere(['restore', damaged], there);
  assert.notEqual(code, 0);
  assert.match(stderr, /not a complete backup/);
  assert.deepEqual([existsSync(secretFile), await bound()], [false, []]);

  // The database takes the backup of an install with another secret.
  writeFileSync(secretFile, 'cd'.repeat(32));
  const other = await merlondHere(['restore', file, '--another-secret'], there);
  assert.equal(other.code, 0, other.stderr);
});

test('a restore that fails does not unbind a database that was bound before', async () => {
  const whole = readFileSync(await backup('of-the-same-secret.backup', '--include-secret'));
  const damaged = join(directory, 'damaged-again.backup');
  writeFileSync(damaged, whole.subarray(0, whole.length - 20));
  const second = await createTestServer();
  assert.equal((await merlondHere(['workspace', 'list'], settingsOf(second))).code, 0);
  const secretFile = join(directory, 'lost-secret');
  const { code } = await merlondHere(['restore', damaged], {
    ...settingsOf(second),
    MERLON_SECRET_FILE: secretFile,
  });
  assert.notEqual(code, 0);
  const { rows } = await second.owner.query('select fingerprint from install_secret');
  assert.deepEqual([existsSync(secretFile), rows], [false, [{ fingerprint: second.secret.fingerprint }]]);
});

test('a backup reaches the shards of all workspaces before it reads any table', async (t) => {
  const statements: string[] = [];
  const { query } = pg.Client.prototype;
  const record = function (this: pg.Client, ...args: [string | { text: string }]): unknown {
    statements.push(typeof args[0] === 'string' ? args[0] : String(args[0].text));
    return (query as (...args: unknown[]) => unknown).apply(this, args);
  };
  t.mock.method(pg.Client.prototype, 'query', record as typeof query);
  const options = { url: first.ownerUrl, secretFingerprint: '', secret: null, progress: () => {} };
  const position = (text: string): number => statements.findIndex((statement) => statement.includes(text));
  for await (const { head } of readInstall(options)) assert.ok(head.kind);
  const reaches = position('count(*) from tenant_anchor');
  assert.ok(position('begin') < reaches && reaches > 0, statements.slice(0, 20).join('\n'));
  assert.ok(reaches < position('from tenant ') && reaches < position('copy ('));

  // A file of one workspace needs its node alone.
  statements.length = 0;
  for await (const { head } of readWorkspace('acme', options)) assert.ok(head.kind);
  assert.equal(position('count(*) from tenant_anchor'), -1);
});

test('an owner that is not a superuser creates and restores a backup', async () => {
  const name = `owner_${randomBytes(6).toString('hex')}`;
  const admin = new pg.Client({ connectionString: first.ownerUrl });
  await admin.connect();
  await admin.query(`create role ${name} login createrole password 'test'`);
  await admin.query(`create database ${name} owner ${name}`);
  after(async () => {
    await admin.query(`drop database if exists ${name} with (force)`);
    await admin.end();
  });
  const url = (from: string, user?: string): string =>
    Object.assign(new URL(from), {
      pathname: `/${name}`,
      ...(user ? { username: user, password: 'test' } : {}),
    }).href;
  const there = {
    ...settingsOf(first),
    MERLON_DATABASE_URL: url(first.appUrl),
    MERLON_DATABASE_OWNER_URL: url(first.ownerUrl, name),
  };
  const file = await backup('for-an-owner.backup');
  for (const args of [['migrate'], ['restore', file], ['backup', join(directory, 'by-an-owner.backup')]]) {
    const { code, stderr } = await merlondHere(args, there);
    assert.equal(code, 0, stderr);
  }
  const counted = await merlondHere(
    ['restore', join(directory, 'by-an-owner.backup'), '--json'],
    settingsOf(await createTestServer()),
  );
  assert.equal(counted.code, 0, counted.stderr);
  const before = await first.owner.query('select count(*)::int as n from vulnerability');
  const restored = new pg.Client({ connectionString: url(first.ownerUrl) });
  await restored.connect();
  const now = await restored.query('select count(*)::int as n from vulnerability');
  await restored.end();
  assert.equal(now.rows[0].n, before.rows[0].n);
});

test('a server that limits times and writes dates and numbers in its own form changes no value', async (t) => {
  await first.owner.query(
    `insert into epss (cve, score, percentile) values ('CVE-2030-9', 0.12345678, 0.5) on conflict do nothing`,
  );
  const second = await createTestServer();
  // This session begins before the settings, so they do not limit it.
  const client = await first.owner.connect();
  t.after(() => client.release());
  const change = async ({ ownerUrl }: TestServer, settings: string[]): Promise<void> => {
    const name = new URL(ownerUrl).pathname.slice(1);
    for (const setting of settings) await client.query(`alter database ${name} ${setting}`);
  };
  const known = await readSettings(first.owner, ['transaction_timeout']);
  const settings = [
    "set datestyle = 'SQL, DMY'",
    'set extra_float_digits = 0',
    "set statement_timeout = '5ms'",
    ...(known.has('transaction_timeout') ? ["set transaction_timeout = '100ms'"] : []),
  ];
  await change(first, settings);
  await change(second, settings);
  const file = await backup('other-settings.backup').finally(() => change(first, ['reset all']));
  const ownerUrl = `${second.ownerUrl}?options=${encodeURIComponent('-c statement_timeout=5ms')}`;
  const { code, stderr } = await merlondHere(['restore', file], {
    ...settingsOf(second),
    MERLON_DATABASE_OWNER_URL: ownerUrl,
  });
  assert.equal(code, 0, stderr);
  const values = async ({ owner }: TestServer) => {
    const { rows } = await owner.query(
      'select extract(epoch from created_at) as at, (select max(score::float8) from epss) as score from tenant order by id',
    );
    return rows;
  };
  // Only the time of a statement is limited for an import. The comparison below has no limit.
  await change(second, ['reset all', "set statement_timeout = '5ms'"]);
  const [next] = await importAll(second, 'acme', [reportInput(trivy(packages(10)))]);
  assert.equal(next?.status, 'completed', 'an import takes as long as it needs');
  await change(second, ['reset all']);
  assert.deepEqual(await values(second), await values(first));
});

test('a workspace moves into another install that is in use, and its people are found by e-mail address', async () => {
  const { admin, member } = acme.people;
  const { items } = (
    await clientOf(first.app, admin.key).get<{ items: { id: string }[] }>('/api/v1/acme/vulnerabilities')
  ).body;
  const { key: ofCi } = await createTestWorkspaceKey(first, acme.tenant, 'member');
  for (const [at, { email, by }] of [
    { ...admin.user, by: admin.key },
    { ...member.user, by: ofCi },
  ].entries()) {
    const assigned = await clientOf(first.app, by).patch(
      `/api/v1/acme/vulnerabilities/${items[at]?.id}/assignment`,
      { assignee: email },
    );
    assert.equal(assigned.status, 200, assigned.text);
  }
  const second = await createTestServer();
  const home = await createTestWorkspace(second, 'home');
  await importAll(second, 'home', [reportInput(trivy(packages(0)))]);
  // The admin already has an account there, with another id.
  const there = await installTx(second.db, (tx) => createUser(tx, admin.user.email, admin.user.name, null));
  const before = await clientOf(second.app, home.people.admin.key).get('/api/v1/home/vulnerabilities');
  await first.owner.query(
    `insert into trust_rule (tenant_id, id, name, provider, issuer, audience, claims, user_id)
     values ($1, gen_random_uuid(), 'CI', 'github', 'https://ci.example', 'here', '{"repository_id": "1"}', $2)`,
    [acme.tenant.id, admin.user.id],
  );
  // A person who has left is named only as the target of what others did.
  const left = await installTx(first.db, (tx) => createUser(tx, 'left@acme.example', 'Has left', null));
  await tenantTx(first.db, acme.tenant.id, (tx) => addMember(tx, left.id, 'member'));
  await removeMemberAsOperator(first.db, acme.tenant.id, left);
  const file = join(directory, 'moved.workspace');
  const written = await merlondHere(['workspace', 'export', 'acme', file], here);
  assert.equal(written.code, 0, written.stderr);
  const settings = settingsOf(second);
  const { code, stdout, stderr } = await merlondHere(['workspace', 'import', file, '--json'], settings);
  assert.equal(code, 0, stderr);
  assert.equal(JSON.parse(stdout).slug, 'acme');

  const { rows: webhooks } = await second.owner.query('select name from webhook');
  assert.deepEqual(webhooks, [], 'one install alone tells a receiver');
  const { rows: rules } = await second.owner.query('select name from trust_rule');
  assert.deepEqual(rules, [], 'nobody trusted the CI in this install');
  const { rows: batches } = await second.owner.query('select id from event_batch where tenant_id = $1', [
    acme.tenant.id,
  ]);
  assert.deepEqual(batches, [], 'the feed of the other install stays there');

  // The worker evaluates policies again, because this install has other intel.
  await evaluatePolicies(second.db, acme.tenant.id);
  const { key } = await createTestKey(second, { userId: there.id, role: 'admin' });
  const expected = JSON.parse(
    JSON.stringify(await answersOf(first)).replaceAll(
      formatId('user', admin.user.id),
      formatId('user', there.id),
    ),
  );
  assert.deepEqual(await answersOf(second, key), expected);
  await assertInvariants(second.owner, { isFeedWhole: false });
  const after = await clientOf(second.app, home.people.admin.key).get('/api/v1/home/vulnerabilities');
  assert.deepEqual(after.body, before.body, 'the other workspace is as it was');
  for (const refused of [admin.key, member.key]) {
    assert.equal((await clientOf(second.app, refused).get('/api/v1/acme/vulnerabilities')).status, 401);
  }
  const next = await importAll(second, 'acme', [reportInput(trivy(packages(10)))]);
  assert.equal(next[0]?.status, 'completed', 'the workspace takes reports');
  const removals = await clientOf(second.app, key).get<{ items: { target: { name: string } }[] }>(
    '/manage/v1/acme/audit?action=member.remove',
  );
  assert.equal(removals.body.items[0]?.target.name, 'Has left');
  const { rows: strangers } = await second.owner.query(
    `select email from user_account where email like '%@other.example'`,
  );
  assert.deepEqual(strangers, [], 'people of other workspaces are not in the file');

  const again = await merlondHere(['workspace', 'import', file, '--slug', 'copy'], settings);
  assert.equal(again.code, 3);
  assert.match(again.stderr, /is in this install already/);
  const restored = await merlondHere(['restore', file], settingsOf(await createTestServer()));
  assert.match(restored.stderr, /The file has one workspace, acme\. Use merlond workspace import/);
  const whole = await merlondHere(['workspace', 'import', await backup('not-one.backup')], settings);
  assert.match(whole.stderr, /The file has a whole install\. Use merlond restore/);
  const services = () => second.owner.query(`select name from user_account where kind = 'service'`);
  assert.equal((await services()).rowCount, 1, 'the account of the key, for its name in the history');
  const deleted = await merlondHere(['workspace', 'delete', 'acme', '--yes'], settings);
  assert.equal(deleted.code, 0, deleted.stderr);
  assert.equal((await services()).rowCount, 0, 'it ends with the workspace');
});

test('a workspace with a person whose address is not proved in the other install is refused until the operator confirms it', async () => {
  const second = await createTestServer();
  const { email } = acme.people.admin.user;
  const squatter = await installTx(second.db, (tx) =>
    createUser(tx, email, 'Squatter', 'a password of another person', { emailVerified: false }),
  );
  const file = join(directory, 'squatted.workspace');
  assert.equal((await merlondHere(['workspace', 'export', 'acme', file], here)).code, 0);
  const importHere = () => merlondHere(['workspace', 'import', file], settingsOf(second));
  const refused = await importHere();
  assert.equal(refused.code, 3);
  assert.match(refused.stderr, /is not proved, so another person may have it/);
  await installTx(second.db, (tx) => resetPassword(tx, squatter.id, 'a password of the owner'), squatter.id);
  const { code, stderr } = await importHere();
  assert.equal(code, 0, stderr);
});

test('a file of a workspace that holds rows of another is refused, and nothing is imported', async () => {
  const second = await createTestServer();
  const home = await createTestWorkspace(second, 'home');
  const forged = async function* (): AsyncGenerator<Piece> {
    const pieces = readWorkspace('acme', {
      url: first.ownerUrl,
      secretFingerprint: '',
      progress: () => {},
    });
    for await (const { head, bytes } of pieces) {
      const isOrganization = head.kind === 'rows' && head.table === 'organization';
      const text = bytes.toString('latin1').replaceAll(acme.tenant.id, home.tenant.id);
      yield { head, bytes: isOrganization ? Buffer.from(text, 'latin1') : bytes };
    }
  };
  const pieces = readPieces(writePieces(forged()));
  await assert.rejects(
    importWorkspace(second.appUrl, null, pieces, () => {}),
    /not a complete backup: .*row-level security policy for table "organization"/,
  );
  const { rows } = await second.owner.query('select slug from tenant');
  assert.deepEqual(rows, [{ slug: 'home' }]);
});

test('a workspace that moves is compared with the intel of the install that it comes to', async () => {
  const { tenant } = await createTestWorkspace(first, 'moved');
  await importAll(first, 'moved', [reportInput(trivy([{ id: 'CVE-2030-7', name: 'left', version: '1.0' }]))]);
  await applyAndEvaluate(
    first,
    tenant.id,
    `{key: kev, target_type: vulnerability, enforcement_mode: block, condition: {all: [{fact: in_kev, operator: '==', value: true}]}}`,
  );
  const second = await createTestServer();
  await second.owner.query(
    `insert into kev (cve, added_on, vendor, product, name) values ('CVE-2030-7', '2024-01-01', 'a', 'b', 'c')`,
  );
  const pieces = readWorkspace('moved', { url: first.ownerUrl, secretFingerprint: '', progress: () => {} });
  await importWorkspace(second.appUrl, null, readPieces(writePieces(pieces)), () => {});
  const { rows } = await second.owner.query(
    'select bool_and(evaluated_revision < revision) as pending from policy where key = $1',
    ['kev'],
  );
  assert.deepEqual(rows, [{ pending: true }], 'no verdict is taken for evaluated');
  await reEvaluateIntel(second.db, tenant.id, new Date());
  const { rows: known } = await second.owner.query(
    'select exploitable_at is not null as known from vulnerability',
  );
  assert.deepEqual(known, [{ known: true }]);
});

test('a secret in the file of a workspace is not imported, and errors name the wrong part of the file', async () => {
  const second = await createTestServer();
  const forged = async (change: (piece: Piece) => Piece[]): Promise<string> => {
    const read = async function* (): AsyncGenerator<Piece> {
      const pieces = readWorkspace('acme', {
        url: first.ownerUrl,
        secretFingerprint: installSecret(Buffer.alloc(32, 7)).fingerprint,
        progress: () => {},
      });
      for await (const piece of pieces) yield* change(piece);
    };
    const file = join(directory, `${randomBytes(4).toString('hex')}.workspace`);
    await pipeline(await packed(writePieces(read()), null), createWriteStream(file));
    return file;
  };
  const secretFile = join(directory, 'no-secret-yet');
  const withSecret = await forged((piece) =>
    piece.head.kind === 'merlon-backup'
      ? [piece, { head: { kind: 'secret' }, bytes: Buffer.from('07'.repeat(32)) }]
      : [piece],
  );
  const brought = await merlondHere(['workspace', 'import', withSecret], {
    ...settingsOf(second),
    MERLON_SECRET_FILE: secretFile,
  });
  assert.match(
    brought.stderr,
    /no-secret-yet is missing\. Give --another-secret: .* Do not change the secret/,
  );
  assert.doesNotMatch(brought.stderr, /Put the secret/);
  assert.equal(existsSync(secretFile), false);
  const noPeople = await forged((piece) =>
    piece.head.kind === 'people' ? [{ ...piece, bytes: piece.bytes.subarray(1) }] : [piece],
  );
  const unread = await merlondHere(['workspace', 'import', noPeople, '--another-secret'], settingsOf(second));
  assert.match(unread.stderr, /not a complete backup: its people are no JSON/);
  const large = Buffer.alloc(2_000_000, 'x\tx\n');
  const badRow = await forged((piece) =>
    piece.head.kind === 'rows' && piece.head.table === 'vulnerability'
      ? [Buffer.from('x\n'), large, large, large].map((bytes) => ({ head: piece.head, bytes }))
      : [piece],
  );
  const refused = await merlondHere(['workspace', 'import', badRow, '--another-secret'], settingsOf(second));
  assert.match(refused.stderr, /not a complete backup: invalid input syntax for type bigint/);
  for (const id of ['0', '9007199254740992', '01', '+7', '0x10']) {
    const badKey = await forged(({ head, bytes }) =>
      head.kind === 'merlon-backup' && head.workspace !== null
        ? [{ head: { ...head, workspace: { ...head.workspace, id: id as TenantId } }, bytes }]
        : [{ head, bytes }],
    );
    const answer = await merlondHere(['workspace', 'import', badKey, '--another-secret'], settingsOf(second));
    assert.match(answer.stderr, /not a complete backup: its workspace has no valid key/, id);
  }
});

test('the commands of docs/backup.md work as it says', async () => {
  const text = readFileSync(new URL('../../../docs/backup.md', import.meta.url), 'utf8');
  const lines = [...text.matchAll(/^(?:MERLON_DATA_DIR=\S+ )?npx merlond (.*)$/gm)].map(
    ([, line = '']) => line,
  );
  assert.equal(lines.length, 6);
  const identity = await generateIdentity();
  writeFileSync(join(directory, 'key.txt'), identity);
  const recipient = await identityToRecipient(identity);
  for (const line of lines) {
    const args = line
      .split(' ')
      .map((word) =>
        /\.(backup|txt|workspace)$/.test(word) ? join(directory, word) : word.replace('age1…', recipient),
      );
    const writes = args[0] === 'backup' || args[1] === 'export';
    const settings = writes ? here : settingsOf(await createTestServer());
    const { code, stderr } = await merlondHere(args, settings);
    assert.equal(code, 0, `${line}: ${stderr}`);
  }
});

test('a workspace that moves to an install without advisories keeps what they have found', async () => {
  const { tenant } = await createTestWorkspace(first, 'matched');
  await importAll(first, 'matched', [reportInput(bom([{ purl: 'pkg:npm/left@1.0.0' }]))]);
  const advisories = [osvRecord('GHSA-aaaa-bbbb-cccc', { ranges: [['0', '1.2.0']] })];
  await loadOsv(first, tenant.id, advisories);
  const second = await createTestServer();
  const pieces = readWorkspace('matched', { url: first.ownerUrl, secretFingerprint: '', progress: () => {} });
  await importWorkspace(second.appUrl, null, readPieces(writePieces(pieces)), () => {});
  const states = async () =>
    (await second.owner.query('select (packed_state >> 4 & 15)::int as status from vulnerability')).rows;
  await matchWorkspace(second.db, tenant.id, () => new Date());
  assert.deepEqual(await states(), [{ status: 0 }]);
  const { match } = await loadOsv(second, tenant.id, advisories);
  assert.equal(match.references, 1);
  assert.deepEqual(await states(), [{ status: 0 }]);
});

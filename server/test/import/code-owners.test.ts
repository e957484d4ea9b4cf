/**
 * Tests of code owners: who may change the CODEOWNERS file of a repository, which team owns a new vulnerability, and
 * how the owners change with the file, with the names of teams, and with deleted teams.
 */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { applyInventory } from '../../src/actions/inventory-file/apply.ts';
import { importTx } from '../../src/db/database.ts';
import { formatId, getId, newId, type TeamId } from '../../src/domain/ids.ts';
import { sweepTeams } from '../../src/vulnerabilities/owning-teams.ts';
import { sweepTenant } from '../../src/vulnerabilities/sweep.ts';
import { clientOf, succeeded } from '../support/client.ts';
import { fieldsOf } from '../support/fields.ts';
import { importAll } from '../support/import.ts';
import { assertInvariants } from '../support/invariants.ts';
import { untilLockWaits } from '../support/lock-waits.ts';
import { sarif, trivy } from '../support/reports.ts';
import { createTestServer } from '../support/server.ts';
import { type SessionClient, signInAs } from '../support/session.ts';
import {
  createTestKey,
  createTestWorkspace,
  createTestWorkspaceKey,
  reportInput,
} from '../support/workspace.ts';

const server = await createTestServer();
const acme = await createTestWorkspace(server, 'acme');
const { admin, member } = acme.people;
const upload = '/ingest/v1/acme/code-owners';
const path = '.github/CODEOWNERS';
const ci = clientOf(server.app, member.key);

interface Row {
  id: string;
  title: string;
  location: { path: string };
  team?: { name: string } | null;
  assignee?: { id: string } | null;
}

let session: SessionClient;
const teams: Record<string, string> = {};
before(async () => {
  session = await signInAs(server, admin.user.id);
  for (const [name, ownerName] of [
    ['Payments', '@acme/payments'],
    ['Web', '@acme/web'],
  ] as const) {
    const members = name === 'Payments' ? [formatId('user', member.user.id)] : [];
    const { status, body, text } = await session.post<{ id: string }>('/manage/v1/acme/teams', {
      name,
      owner_names: [ownerName],
      members,
    });
    assert.equal(status, 201, text);
    teams[name] = body.id;
  }
});

async function send(content: string, query = 'repo=acme/shop&ref=main', client = ci): Promise<string> {
  const { status, body, text } = await client.put<{ outcome: string }>(`${upload}?${query}`, {
    path,
    content,
  });
  assert.equal(status, 200, text);
  return body.outcome;
}

let line = 0;
const report = (...paths: string[]) =>
  sarif(paths.map((file) => ({ path: file, line: ++line, rule: `rule-${line}`, code: `danger(${line})` })));

async function importReport(...paths: string[]): Promise<void> {
  await importAll(server, 'acme', [reportInput(report(...paths), { partial: true })]);
}

async function list(query = ''): Promise<Row[]> {
  const body = succeeded(
    await ci.get<{ items: Row[] }>(`/api/v1/acme/vulnerabilities?include=team,assignee&per_page=200${query}`),
  );
  return body.items;
}

async function teamOf(file: string): Promise<string | null> {
  const row = (await list()).find((each) => each.location.path === file);
  return row?.team?.name ?? null;
}

const sweep = () => sweepTenant(server.db, acme.tenant.id, new Date(), 30);

describe('the CODEOWNERS file of a repository', () => {
  test('an unknown repository is refused with 404, and the default branch alone changes the file', async () => {
    assert.equal((await ci.put(`${upload}?repo=acme/shop&ref=main`, { path, content: '* @a' })).status, 404);
    await importReport('src/old.ts');
    assert.equal(await send('* @acme/web', 'repo=acme/shop&ref=feature/x'), 'not_default_branch');
    assert.equal(await send('* @acme/web', 'repo=acme/shop&ref=refs/pull/7/head'), 'not_default_branch');
    assert.equal(await send('/pay/ @acme/payments\n/web/ @acme/web @stranger'), 'applied');
    assert.equal(await send('/pay/ @acme/payments\n/web/ @acme/web @stranger'), 'unchanged');
  });

  test('an admin sees what its names mean, and a name that means nobody', async () => {
    const id = await repositoryId();
    const { body } = await session.get<{
      owners: { name: string; team: { name: string } | null; person: unknown }[];
      rules: number;
    }>(`/manage/v1/acme/repositories/${id}/code-owners`);
    assert.equal(body.rules, 2);
    assert.deepEqual(
      body.owners.map(({ name, team, person }) => [name, team?.name ?? null, person]),
      [
        ['@acme/payments', 'Payments', null],
        ['@acme/web', 'Web', null],
        ['@stranger', null, null],
      ],
    );
  });

  test('no upload replaces the file of an admin, until the admin removes it', async () => {
    const file = `/manage/v1/acme/repositories/${await repositoryId()}/code-owners`;
    const mine = { path: 'CODEOWNERS', content: '/pay/ @acme/web' };
    assert.equal((await ci.put(file, mine)).status, 403);
    assert.equal((await session.put(file, mine)).status, 200);
    assert.equal(await send('* @acme/payments'), 'set_by_admin');
    assert.equal((await session.delete(file)).status, 204);
    assert.equal(await send('/pay/ @acme/payments\n/web/ @acme/web @stranger'), 'applied');
  });

  test('a file that is too large, or no text, is refused with 422', async () => {
    for (const content of ['x'.repeat(256 * 1024 + 1), 'é'.repeat(200 * 1024), '* @a\0']) {
      const answer = await ci.put(`${upload}?repo=acme/shop&ref=main`, { path, content });
      assert.equal(answer.status, 422, answer.text.slice(0, 200));
    }
  });

  test('the key of a run of CI changes the file of its own repository and reference only', async () => {
    const bind = async (reference: string) => {
      const bound = await createTestWorkspaceKey(server, acme.tenant, 'member');
      const { rows } = await server.owner.query<{ id: string }>(
        "select id from repository where tenant_id = $1 and name_key = 'acme/shop'",
        [acme.tenant.id],
      );
      await server.owner.query(
        `update api_key set trust_rule_id = $2, bound_reference = $3, expires_at = now() + interval '1 hour', repository_id = $4
          where id = $1`,
        [bound.id, newId(), reference, rows[0]?.id],
      );
      return clientOf(server.app, bound.key);
    };
    await importAll(server, 'acme', [reportInput(report('a.ts'), { repository: 'acme/other' })]);
    const onMain = await bind('refs/heads/main');
    const content = '/pay/ @acme/payments\n/web/ @acme/web @stranger';
    assert.equal(await send(content, 'repo=acme/shop&ref=main', onMain), 'unchanged');
    for (const repo of ['acme/other', 'acme/nothing']) {
      const refused = await onMain.put(`${upload}?repo=${repo}&ref=main`, { path, content: '* @acme/web' });
      assert.equal(refused.status, 422, refused.text);
    }
    const ofPullRequests = await bind('pull_requests');
    const refused = await ofPullRequests.put(`${upload}?repo=acme/shop&ref=main`, { path, content });
    assert.equal(refused.status, 422, refused.text);
  });
});

describe('the team of a vulnerability', () => {
  test('is there when an import opens it, in the list, its filters, its detail and the figures', async () => {
    await importReport('pay/card.ts', 'web/page.ts', 'lib/other.ts');
    assert.deepEqual(
      [await teamOf('pay/card.ts'), await teamOf('web/page.ts'), await teamOf('lib/other.ts')],
      ['Payments', 'Web', null],
    );
    for (const [query, files] of [
      ['&team=mine', ['pay/card.ts']],
      ['&team=web', ['web/page.ts']],
      [`&team=${teams.Payments}`, ['pay/card.ts']],
      ['&team=mine&ref=main', ['pay/card.ts']],
      ['&team=mine&state=fixed', []],
    ] as const) {
      assert.deepEqual(
        (await list(query)).map((row) => row.location.path),
        files,
        query,
      );
    }
    assert.equal((await ci.get('/api/v1/acme/vulnerabilities?team=nobody')).status, 422);
    const [row] = await list('&team=web');
    const { body } = await ci.get<{
      owners: { name: string; line: number; team: { name: string } | null }[];
    }>(`/api/v1/acme/vulnerabilities/${row?.id}`);
    assert.deepEqual(
      body.owners.map(({ name, line: at, team }) => [name, at, team?.name ?? null]),
      [
        ['@acme/web', 2, 'Web'],
        ['@stranger', 2, null],
      ],
    );
    const { body: figures } = await ci.get<{ items: { id: string; open: number }[] }>(
      '/api/v1/acme/team-open',
    );
    assert.deepEqual(fieldsOf(figures.items, 'id', 'open'), [
      [teams.Payments, 1],
      [teams.Web, 1],
    ]);
    await assertInvariants(server.owner);
  });

  test('follows a new file, and the names of teams, at the next sweep', async () => {
    assert.equal(await send('/pay/ @acme/web\n/lib/ @acme/libraries'), 'applied');
    await sweep();
    assert.deepEqual(
      [await teamOf('pay/card.ts'), await teamOf('web/page.ts'), await teamOf('lib/other.ts')],
      ['Web', null, null],
    );
    const change = await session.patch(`/manage/v1/acme/teams/${teams.Payments}`, {
      owner_names: ['@acme/payments', '@acme/libraries'],
    });
    assert.equal(change.status, 200, change.text);
    await sweep();
    assert.equal(await teamOf('lib/other.ts'), 'Payments');
    await assertInvariants(server.owner);
  });

  test('follows the location that the list shows, and is that of the own file after a split', async () => {
    assert.equal(await send('/web/ @acme/web\n/pay/ @acme/payments', 'repo=acme/shop&ref=main'), 'applied');
    const packages = (...folders: string[]) =>
      reportInput(
        trivy(
          folders.map((folder) => ({
            id: 'CVE-2031-1',
            name: 'lodash',
            version: '1.0.0',
            path: `${folder}/package-lock.json`,
          })),
        ),
      );
    await importAll(server, 'acme', [packages('pay', 'web')]);
    await sweep();
    assert.equal(await teamOf('pay/package-lock.json'), 'Payments');
    await importAll(server, 'acme', [packages('web')]);
    await sweep();
    assert.equal(await teamOf('web/package-lock.json'), 'Web');
    await importAll(server, 'acme', [packages('pay', 'web')]);
    await sweep();
    const whole = (await list()).find((row) => row.location.path === 'pay/package-lock.json');
    const { body } = await ci.get<{ items: { id: string; path: string }[] }>(
      `/api/v1/acme/vulnerabilities/${whole?.id}/locations`,
    );
    const location = body.items.find((each) => each.path === 'web/package-lock.json')?.id;
    const split = await session.post(`/manage/v1/acme/vulnerabilities/${whole?.id}/split`, {
      locations: [location],
      reason: 'Another product.',
    });
    assert.equal(split.status, 200, split.text);
    await sweep();
    assert.deepEqual(
      [await teamOf('pay/package-lock.json'), await teamOf('web/package-lock.json')],
      ['Payments', 'Web'],
    );
    assert.equal(await send('/pay/ @acme/web\n/lib/ @acme/libraries'), 'applied');
    await sweep();
  });

  test('follows the syntax of the VCS that becomes known later, by an admin or an inventory file', async () => {
    const file = { path: 'CODEOWNERS', content: '[Late] @acme/payments\nlate/\n' };
    for (const [name, learn] of [
      ['late-one', (id: string) => session.patch(`/manage/v1/acme/repositories/${id}`, gitlab)],
      ['late-two', (_: string, repository: string) => applyFile({ full_name: repository, source: 'gitlab' })],
    ] as const) {
      const repository = `acme/${name}`;
      await importAll(server, 'acme', [reportInput(report(`late/${name}.ts`), { repository })]);
      const sent = await ci.put<{ outcome: string }>(`${upload}?repo=${repository}&ref=main`, file);
      assert.equal(sent.body.outcome, 'applied', sent.text);
      await sweep();
      assert.equal(await teamOf(`late/${name}.ts`), null, 'GitHub has no sections');
      await learn(await repositoryId(repository), repository);
      await sweep();
      assert.equal(await teamOf(`late/${name}.ts`), 'Payments');
    }
    const names = async (owner_names: string[]) => {
      const { status, text } = await session.patch(`/manage/v1/acme/teams/${teams.Payments}`, {
        owner_names,
      });
      assert.equal(status, 200, text);
      await sweep();
    };
    await names([]);
    assert.equal(await teamOf('late/late-one.ts'), null);
    await names(['@acme/payments', '@acme/libraries']);
    assert.equal(await teamOf('late/late-one.ts'), 'Payments');
    await assertInvariants(server.owner);
  });

  test('is found by later sweeps where the budget of the file did not suffice, and stays until then', async () => {
    const paths = costlyPaths(100);
    const bring = (repository: string, ...files: string[]) =>
      importAll(server, 'acme', [reportInput(report(...files), { repository, partial: true })]);
    const counts = async (repository = 'acme/large') => {
      const { rows } = await server.owner.query<{ name: string | null; count: number }>(
        `select t.name, count(*)::int as count from vulnerability v
           join repository r on r.tenant_id = v.tenant_id and r.id = v.repository_id
           left join team t on t.tenant_id = v.tenant_id and t.id = v.team_id
          where r.name_key = $1 group by 1`,
        [repository],
      );
      return Object.fromEntries(rows.map(({ name, count }) => [name ?? 'none', count]));
    };
    const alignOnce = () => sweepTeams(server.db, acme.tenant.id, 0);
    await bring('acme/large', 'b.ts');
    await bring('acme/small', 'b.ts');
    await send(`* @acme/web\n${costly}`, 'repo=acme/large&ref=main');
    await sweep();
    assert.deepEqual(await counts(), { Web: 1 });
    await bring('acme/large', ...paths);
    assert.deepEqual(await counts(), { Web: 101 });
    await send(`* @acme/payments\n${costly}`, 'repo=acme/large&ref=main');
    await send('* @acme/web', 'repo=acme/small&ref=main');
    await alignOnce();
    const between = await counts();
    assert.deepEqual(Object.keys(between).toSorted(), ['Payments', 'Web']);
    await alignOnce();
    assert.deepEqual([await counts(), await counts('acme/small')], [between, { Web: 1 }]);
    // A change before the end lets it begin again after the end.
    await send(`* @acme/payments\n${costly}#`, 'repo=acme/large&ref=main');
    await alignOnce();
    assert.deepEqual(await counts(), { Payments: 101 });
    await alignOnce();
    await send(`* @acme/web\n${costly}`, 'repo=acme/large&ref=main');
    await alignOnce();
    assert.deepEqual(await counts(), { Payments: between.Payments, Web: between.Web });
    await alignOnce();
    assert.deepEqual(await counts(), { Web: 101 });
  });

  test('follows a change of a team that comes while the sweep aligns, and the change does not wait', async () => {
    const repository = 'acme/race';
    await importAll(server, 'acme', [reportInput(report('race.ts'), { repository, partial: true })]);
    await sweep();
    const other = await server.owner.connect();
    const id = (await list()).find((row) => row.location.path === 'race.ts')?.id ?? '';
    await other.query('begin');
    await other.query('select 1 from vulnerability where id = $1 for update', [getId('vulnerability', id)]);
    await send('* @acme/libraries', `repo=${repository}&ref=main`);
    const sweeping = sweepTeams(server.db, acme.tenant.id);
    await untilLockWaits(server.owner);
    const changed = await session.patch(`/manage/v1/acme/teams/${teams.Payments}`, {
      owner_names: ['@acme/payments'],
    });
    await other.query('rollback');
    other.release();
    assert.equal(changed.status, 200, changed.text);
    await sweeping;
    assert.equal(await teamOf('race.ts'), null);
  });

  test('ends with the team', async () => {
    assert.equal((await session.delete(`/manage/v1/acme/teams/${teams.Web}`)).status, 204);
    assert.equal(await teamOf('pay/card.ts'), null);
    await sweep();
    const { rows: left } = await server.owner.query<{ team_id: TeamId }>(
      'select distinct team_id from vulnerability where tenant_id = $1 and team_id is not null',
      [acme.tenant.id],
    );
    assert.deepEqual(
      left.map(({ team_id: id }) => formatId('team', id)),
      [teams.Payments],
    );
  });
});

describe('the assignment to a code owner', () => {
  const content = `/mine/ @acme/payments ${member.user.email.toUpperCase()}\n/gone/ nobody@nowhere.example`;

  test('is off by default', async () => {
    assert.equal(await send(content), 'applied');
    await importReport('mine/a.ts');
    assert.deepEqual(await list(`&assignee=${formatId('user', member.user.id)}`), []);
  });

  test('assigns new vulnerabilities to the member whom the file names, and the history shows the line', async () => {
    succeeded(await session.patch('/manage/v1/acme/settings', { assign_owners: 'on' }));
    await importReport('mine/b.ts', 'gone/c.ts', 'lib/d.ts');
    const rows = await list('&assignee=me');
    assert.deepEqual(
      rows.map((row) => [row.location.path, row.team?.name]),
      [['mine/b.ts', 'Payments']],
    );
    const { body } = await ci.get<{ history: { event: string; reason: string | null; actor: unknown }[] }>(
      `/api/v1/acme/vulnerabilities/${rows[0]?.id}`,
    );
    assert.deepEqual(
      body.history.find(({ event }) => event === 'assigned'),
      {
        ...body.history.find(({ event }) => event === 'assigned'),
        actor: null,
        reason: 'Code owner by line 1 of .github/CODEOWNERS.',
      },
    );
    const { text } = await clientOf(server.app, admin.key).get(
      '/export/v1/acme/events?types=vulnerability.assigned',
    );
    // The last line is the cursor.
    assert.equal(text.trimEnd().split('\n').length, 2, text);
    await assertInvariants(server.owner);
  });

  test('the detail leaves the e-mail addresses of the file out for viewers, and for keys that do not read members', async () => {
    const [row] = await list('&assignee=me');
    const reader = await createTestKey(server, {
      userId: member.user.id,
      role: 'member',
      scopes: ['vulnerabilities:read', 'scans:write'],
    });
    const team = ['@acme/payments', 'Payments', undefined];
    for (const [key, expected] of [
      [member.key, [team, [member.user.email, undefined, member.user.name]]],
      [acme.people.viewer.key, [team]],
      [reader.key, [team]],
    ] as const) {
      const { body } = await clientOf(server.app, key).get<{
        owners: { name: string; team: { name: string } | null; person: { name: string } | null }[];
      }>(`/api/v1/acme/vulnerabilities/${row?.id}`);
      assert.deepEqual(
        body.owners.map(({ name, team: owning, person }) => [name, owning?.name, person?.name]),
        expected,
      );
    }
  });

  test('has a larger budget than a turn of the sweep, which gives a team to the vulnerabilities beyond it', async () => {
    const repository = 'acme/costly';
    const bring = (...files: string[]) =>
      importAll(server, 'acme', [reportInput(report(...files), { repository, partial: true })]);
    const counts = async () => {
      const { rows } = await server.owner.query<{ teams: number; assigned: number }>(
        `select count(v.team_id)::int as teams, count(v.assignee_id)::int as assigned from vulnerability v
           join repository r on r.tenant_id = v.tenant_id and r.id = v.repository_id where r.name_key = $1`,
        [repository],
      );
      return rows[0] ?? { teams: 0, assigned: 0 };
    };
    await bring('b.ts');
    await send(`* @acme/payments ${member.user.email}\n${costly}`, `repo=${repository}&ref=main`);
    await sweep();
    // The sweep begins with the first paths, and an import reads this report in its order.
    await bring(...costlyPaths(750).toReversed());
    const { teams: owned, assigned } = await counts();
    assert.ok(assigned === owned - 1 && assigned > 600 && assigned < 750, `${assigned} of ${owned}`);
    await sweepTeams(server.db, acme.tenant.id, 0);
    assert.deepEqual(await counts(), { teams: 751, assigned });
  });

  test('does not change an assignment by a person', async () => {
    const [row] = await list('&assignee=me');
    const path = `/api/v1/acme/vulnerabilities/${row?.id}/assignment`;
    assert.equal((await ci.patch(path, { assignee: admin.user.email })).status, 200);
    await importReport('mine/e.ts');
    const after = (await list()).find(({ id }) => id === row?.id);
    assert.equal(after?.assignee?.id, formatId('user', admin.user.id));
  });
});

test('the sweep gives a repository of many paths its teams in several turns', async () => {
  const repository = 'acme/many';
  const count = async () => {
    const { rows } = await server.owner.query<{ count: number }>(
      `select count(v.team_id)::int as count from vulnerability v
         join repository r on r.tenant_id = v.tenant_id and r.id = v.repository_id where r.name_key = $1`,
      [repository],
    );
    return rows[0]?.count;
  };
  const paths = Array.from({ length: 5_001 }, (_, at) => `many/${at}.ts`);
  await importAll(server, 'acme', [reportInput(report(...paths), { repository, partial: true })]);
  // No other repository is due, because a turn aligns the paths of one.
  await sweepTeams(server.db, acme.tenant.id, Number.POSITIVE_INFINITY);
  await send('* @acme/payments', `repo=${repository}&ref=main`);
  await sweepTeams(server.db, acme.tenant.id, 0);
  assert.equal(await count(), 5_000);
  await sweepTeams(server.db, acme.tenant.id, 0);
  assert.equal(await count(), 5_001);
});

// A path takes some 300,000 steps: a turn of the sweep suffices for about 70 of them, and an import for about 710.
const costly = `${'*a'.repeat(100)}b @nobody\n`.repeat(600);
const costlyPaths = (count: number) =>
  Array.from({ length: count }, (_, at) => `${'a'.repeat(230)}${100 + at}.ts`);

const gitlab = { source: 'gitlab', external_id: '77' };

function applyFile(repository: { full_name: string; source: 'gitlab' }): Promise<unknown> {
  return importTx(server.db, acme.tenant.id, (tx) => applyInventory(tx, { repositories: [repository] }));
}

async function repositoryId(repository = 'acme/shop'): Promise<string> {
  const { body } = await session.get<{ id: string }>(
    `/console/api/v1/acme/repositories/${encodeURIComponent(repository)}`,
  );
  return body.id;
}

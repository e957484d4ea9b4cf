/** Tests of limits and forms of query parameters: page size, lengths, patterns, lists, cursors, names. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Answer, clientOf, type Json } from '../support/client.ts';
import { importAll } from '../support/import.ts';
import { createTestServer } from '../support/server.ts';
import { trivyReport } from '../support/tool-reports.ts';
import { createTestKey, createTestWorkspace, reportInput } from '../support/workspace.ts';
import { limits } from './spec-tables.ts';

const server = await createTestServer();
const { people } = await createTestWorkspace(server, 'acme');
const other = await createTestWorkspace(server, 'other');
const { user } = people.admin;
await server.owner.query("insert into member (tenant_id, user_id, role) values ($1, $2, 'admin')", [
  other.tenant.id,
  user.id,
]);
const packages = Array.from({ length: 60 }, (_, i) => ({
  id: `CVE-2030-${1000 + i}`,
  package: `lib${i}`,
  severity: i % 2 === 0 ? ('HIGH' as const) : ('LOW' as const),
}));
for (const slug of ['acme', 'other']) {
  await importAll(server, slug, [
    reportInput(trivyReport({ packages })),
    reportInput(trivyReport({ packages: packages.slice(0, 1) }), { ref: 'next' }),
    reportInput(trivyReport({ packages: packages.slice(0, 1) }), { repository: 'acme/api' }),
    reportInput(trivyReport({ packages: packages.slice(0, 1) }), { repository: 'beta/api' }),
  ]);
}
const client = clientOf(server.app, people.admin.key);
const base = '/api/v1/acme';
const list = `${base}/vulnerabilities`;
const first = await client.get<{ items: { id: string }[] }>(`${list}?q=lib0&repo=acme/shop`);
const vulnerability = first.body.items[0]?.id ?? '';
await client.post('/manage/v1/acme/applications', { name: 'Shop' });
/** Every list of the API, with a parameter with which it has two pages of one row. */
const lists = [
  '/api/v1/tenants',
  `${base}/organizations`,
  `${base}/repositories`,
  `${base}/applications`,
  list,
  `${list}/${vulnerability}/locations`,
  `${base}/scans`,
];

function onField(answer: Answer, field: string, shown: string): string {
  assert.equal(answer.status, 422, `${shown}: ${answer.text.slice(0, 300)}`);
  assert.equal(answer.body.code, 'VALIDATION_FAILED', shown);
  const { errors } = answer.body.details as { errors: Record<string, string[]> };
  assert.deepEqual(Object.keys(errors), [field], shown);
  return errors[field]?.join(' ') ?? '';
}

async function lengthOf(path: string): Promise<number> {
  const { status, body, text } = await client.get<{ items: Json[] }>(path);
  assert.equal(status, 200, `${path}: ${text}`);
  return body.items.length;
}

describe('page size', () => {
  test('1 to 200 written as digits are accepted on every list, and 50 is the default', async () => {
    for (const path of lists) {
      for (const size of [limits.perPage.least, limits.perPage.most, '007']) {
        assert.ok((await lengthOf(`${path}?per_page=${size}`)) <= Number(size), path);
      }
      for (const size of [
        '0',
        '201',
        '-1',
        'abc',
        '1e2',
        '1.0',
        '',
        '+1',
        '%201',
        '0x10',
        '١',
        '9'.repeat(30),
      ]) {
        const answer = await client.get(`${path}?per_page=${encodeURIComponent(decodeURIComponent(size))}`);
        onField(answer, 'per_page', `${path}?per_page=${size}`);
      }
    }
    assert.equal(await lengthOf(list), limits.perPage.usual);
    assert.equal(await lengthOf(`${list}?per_page=1`), 1);
    assert.equal(await lengthOf(`${list}?per_page=200`), 62);
  });
});

describe('texts', () => {
  test('at most 255 characters, 500 for q', async () => {
    for (const name of ['repo', 'ref', 'assignee', 'cursor', 'severity', 'type']) {
      const most = await client.get(`${list}?${name}=${'x'.repeat(limits.shortFilter)}`);
      assert.doesNotMatch(most.text, /Must not be longer/, name);
      const more = await client.get(`${list}?${name}=${'x'.repeat(limits.shortFilter + 1)}`);
      assert.match(onField(more, name, name), /longer than 255/);
    }
    const word = `${'x'.repeat(49)} `;
    const longest = encodeURIComponent(word.repeat(10).slice(0, limits.longFilter));
    assert.equal((await client.get(`${list}?q=${longest}`)).status, 200);
    assert.match(onField(await client.get(`${list}?q=${longest}x`), 'q', 'q'), /longer than 500/);
    for (const name of ['org', 'source', 'cursor']) {
      const answer = await client.get(`${base}/repositories?${name}=${'x'.repeat(256)}`);
      assert.match(onField(answer, name, name), /longer than 255/);
    }
    // The limit counts characters, not bytes or UTF-16 units.
    const astral = encodeURIComponent('𝔵'.repeat(255));
    assert.equal((await client.get(`${list}?repo=${astral}`)).status, 404);
    assert.equal((await client.get(`${list}?severity=${astral}`)).body.code, 'INVALID_FILTER_VALUE');
    for (const name of [
      'repo',
      'ref',
      'assignee',
      'cursor',
      'severity',
      'type',
      'q',
      'sha',
      'state',
      'sort',
    ]) {
      const empty = await client.get(`${list}?${name}=`);
      assert.equal(empty.status, 422, `${name} empty: ${empty.text}`);
    }
  });

  test('search terms have three characters or more', async () => {
    for (const q of ['ab', 'lib0 a', '...', '  ']) {
      onField(await client.get(`${list}?q=${encodeURIComponent(q)}`), 'q', q);
    }
  });

  test('NUL and other control characters are refused or match nothing, and never cause a fault', async () => {
    for (const name of ['repo', 'ref', 'assignee', 'q', 'cursor', 'severity']) {
      for (const text of ['%00', 'abc%00def', '%01%02%03', '%ED%9F%BFabc', '%EF%BF%BFabc']) {
        const { status } = await client.get(`${list}?${name}=${text}`);
        assert.ok([200, 404, 422].includes(status), `${name}=${text} → ${status}`);
      }
    }
    for (const path of ['organizations/%00', 'repositories/acme%2F%00', 'vulnerabilities/%00', 'scans/%00']) {
      assert.equal((await client.get(`${base}/${path}`)).status, 404, path);
    }
    for (const query of [
      'repositories?org=%00',
      'scans?repo=%00',
      'scans?tool=%00',
      'scans/status?repo=acme/shop&ref=%00',
      'scans/status?repo=acme/shop&expect=%00',
    ]) {
      const { status, text } = await client.get(`${base}/${query}`);
      assert.ok([200, 404, 422].includes(status), `${query} → ${status} ${text}`);
    }
  });

  test('epss_min is a number from 0 to 1, introduced_since is a date or a time, and package has no version', async () => {
    for (const [name, value] of [
      ...['1.1', '-0.1', '.5', '1e-1', '50%', 'NaN'].map((value) => ['epss_min', value] as const),
      ['introduced_since', '2026-02-30'],
      ['introduced_since', '0000-12-31'],
      ['introduced_since', '0001-01-01T00:00:00+01:00'],
      ['introduced_since', '2026-2-3'],
      ['introduced_since', '7d'],
      ['introduced_since', '2026-02-03T10:00:00'],
      ['package', 'pkg:npm/lodash@4.17.20'],
      ['package', 'pkg:'],
      ['package', 'pkg:npm'],
    ] as const) {
      onField(await client.get(`${list}?${name}=${encodeURIComponent(value)}`), name, value);
    }
    for (const query of [
      'introduced_since=2026-02-03',
      'introduced_since=2026-02-03T10:00:00%2B02:00',
      `package=${encodeURIComponent('𝔵'.repeat(500))}`,
      `package=${encodeURIComponent('pkg:npm/%E0%A4%A')}`,
      'package=//',
    ]) {
      const { status, text } = await client.get(`${list}?${query}`);
      assert.ok(status === 200 || (status === 422 && query.includes('%25E0')), `${query}: ${text}`);
    }
  });

  test('sha: 7 to 40 hexadecimal characters of any case', async () => {
    const { least, most } = limits.sha;
    for (const sha of ['a'.repeat(least), 'A'.repeat(least), 'a'.repeat(most)]) {
      assert.equal((await client.get(`${list}?sha=${sha}`)).status, 200, sha);
    }
    for (const sha of [
      'a'.repeat(least - 1),
      'a'.repeat(most + 1),
      'abcdefg',
      'abcdef0%20',
      'HEAD',
      'abcdef0%0A',
    ]) {
      onField(await client.get(`${list}?sha=${sha}`), 'sha', sha);
    }
  });

  test('sha of scans and of the gate: 7 to 64 hexadecimal characters of any case', async () => {
    const paths = ['scans?', 'scans/status?repo=acme/shop&', 'gate?repo=acme/shop&'];
    await importAll(server, 'acme', [reportInput(trivyReport({ packages }), { sha: 'ab'.repeat(32) })]);
    for (const path of paths) {
      for (const sha of ['ab'.repeat(32), 'AB'.repeat(4)]) {
        assert.equal((await client.get(`${base}/${path}sha=${sha}`)).status, 200, path + sha);
      }
      for (const sha of ['a'.repeat(6), 'a'.repeat(65), 'abcdefg', 'HEAD', 'abcdef0%0A']) {
        onField(await client.get(`${base}/${path}sha=${sha}`), 'sha', path + sha);
      }
    }
  });
});

describe('enumerations', () => {
  test('an invalid single value is VALIDATION_FAILED, an invalid list value INVALID_FILTER_VALUE', async () => {
    for (const [name, value] of [
      ['state', 'closed'],
      ['state', 'OPEN'],
      ['state', 'open,fixed'],
      ['source', 'git-history'],
      ['confirmed', 'true'],
      ['triaged', '1'],
      ['fix', 'true'],
      ['sort', 'title'],
    ] as const) {
      assert.match(onField(await client.get(`${list}?${name}=${value}`), name, `${name}=${value}`), /one of/);
    }
    onField(await client.get(`${list}/${vulnerability}/locations?scope=fixed`), 'scope', 'scope');
    const cases: [string, string[]][] = [
      [`${list}?severity=awful,high,bad`, ['awful', 'bad']],
      [`${list}?severity=HIGH`, ['HIGH']],
      [`${list}?type=sast&type=worm`, ['worm']],
      [`${base}/repositories?source=github`, ['github']],
      [`${base}/scans?status=done,failed,done`, ['done']],
      [`${list}?type=yy,sast&severity=zz&severity[]=yy&include=fix,xx`, ['zz', 'yy', 'xx']],
    ];
    for (const [path, values] of cases) {
      const answer = await client.get(path);
      assert.deepEqual([answer.status, answer.body.code], [422, 'INVALID_FILTER_VALUE'], path);
      assert.deepEqual((answer.body.details as Json).invalid_values, values, path);
      for (const value of values) assert.match(String(answer.body.message), new RegExp(value), path);
    }
    for (const query of ['severity=high,', 'severity=,', 'severity=', 'severity[]=high&severity=']) {
      assert.match(onField(await client.get(`${list}?${query}`), 'severity', query), /empty/, query);
    }
  });
});

describe('names of parameters', () => {
  test('an unknown one is refused with the nearest known one', async () => {
    for (const [query, name, nearest] of [
      ['severty=high', 'severty', 'severity'],
      ['Severity=high', 'Severity', 'severity'],
      ['pagesize=5', 'pagesize', null],
      ['perpage=5', 'perpage', 'per_page'],
      ['status=open', 'status', null],
      ['__proto__=1', '__proto__', null],
      ['constructor=1', 'constructor', null],
      ['toString', 'toString', null],
      ['repo[]=acme', 'repo[]', 'repo'],
    ] as const) {
      const messages = onField(await client.get(`${list}?${query}`), name, query);
      assert.match(messages, /Unknown parameter/, query);
      if (nearest !== null) assert.match(messages, new RegExp(`Did you mean ${nearest}\\?`), query);
    }
    for (const path of [`${base}/whoami`, `${base}/repositories/acme/shop`, `${list}/${vulnerability}`]) {
      onField(await client.get(`${path}?verbose=1`), 'verbose', path);
    }
  });

  test('a single value may be given once, a list by commas or repeated', async () => {
    for (const name of ['repo', 'state', 'sha', 'per_page', 'q', 'sort', 'cursor']) {
      const answer = await client.get(`${list}?${name}=1&${name}=1`);
      assert.match(onField(answer, name, name), /once/);
    }
    const repeated = await client.get(`${list}?severity=high&severity=low`);
    const commas = await client.get(`${list}?severity=high,low`);
    assert.deepEqual(
      [repeated.status, repeated.body.summary, repeated.body.items],
      [200, commas.body.summary, commas.body.items],
    );
  });

  test('a filter that shows data of another scope is refused with 403 without that scope', async () => {
    const { key } = await createTestKey(server, {
      userId: user.id,
      role: 'admin',
      scopes: ['vulnerabilities:read'],
    });
    const reader = clientOf(server.app, key);
    for (const [query, scope] of [
      ['application=Shop', 'applications:read'],
      ['application=nowhere', 'applications:read'],
    ] as const) {
      for (const path of [`${list}?${query}`, `${list}/facets?${query}`]) {
        const { status, body, headers } = await reader.get(path);
        assert.deepEqual([status, body.code], [403, 'TOKEN_ABILITY_DENIED'], path);
        assert.ok(String(headers['www-authenticate']).includes(`scope="${scope}"`), path);
      }
    }
    assert.equal((await reader.get(`${list}?fix=yes&package=lib0&introduced_since=2020-01-01`)).status, 200);
  });

  test('an unknown object in a filter is 404', async () => {
    for (const path of [
      `${list}?repo=acme/nowhere`,
      `${list}?repo=repo_00000000000000000000000000`,
      `${list}?repo=${vulnerability}`,
      `${list}?application=nowhere`,
      `${list}?application=app_00000000000000000000000000`,
      `${base}/repositories?org=nowhere`,
      `${base}/repositories?org=org_nonsense`,
      `${base}/scans?repo=acme/nowhere`,
      `${base}/repositories/repo_nonsense`,
      `${list}/repo_00000000000000000000000000`,
      `${list}/vc_zzzzzzzzzzzzzzzzzzzzzzzzzz`,
      `${list}/${vulnerability.toUpperCase()}`,
    ]) {
      const answer = await client.get(path);
      assert.deepEqual([answer.status, answer.body.code], [404, 'RESOURCE_NOT_FOUND'], path);
    }
    for (const text of ['nobody', 'nobody@acme.example', 'usr_nonsense', 'Me']) {
      onField(await client.get(`${list}?assignee=${text}`), 'assignee', text);
    }
  });
});

describe('cursors', () => {
  async function cursorOf(path: string): Promise<string> {
    const { body, text } = await client.get(path);
    assert.equal(typeof body.next_cursor, 'string', `${path}: ${text}`);
    return String(body.next_cursor);
  }
  const refused = async (path: string): Promise<void> => {
    onField(await client.get(path), 'cursor', path);
  };

  test('have at most 255 characters, and lead to another page', async () => {
    for (const path of lists.filter((each) => !each.endsWith('/applications'))) {
      const cursor = await cursorOf(`${path}?per_page=1`);
      assert.ok(cursor.length <= 255);
      const { body } = await client.get(`${path}?per_page=1&cursor=${cursor}`);
      assert.notDeepEqual(body.items, (await client.get(`${path}?per_page=1`)).body.items, path);
    }
  });

  test('altered ones are 422, wherever they are altered', async () => {
    for (const path of lists.filter((each) => !each.endsWith('/applications'))) {
      const cursor = await cursorOf(`${path}?per_page=1`);
      for (let i = 0; i < cursor.length; i += 3) {
        const letter = cursor[i] === 'A' ? 'B' : 'A';
        await refused(`${path}?per_page=1&cursor=${cursor.slice(0, i)}${letter}${cursor.slice(i + 1)}`);
      }
      for (const text of [cursor.slice(0, -1), `${cursor}A`, `${cursor}=`, 'x', cursor.toLowerCase()]) {
        await refused(`${path}?per_page=1&cursor=${text}`);
      }
    }
  });

  test('one of another list, workspace, filter or order is 422', async () => {
    const cursor = await cursorOf(`${list}?per_page=1&severity=high&sort=newest`);
    for (const path of [
      `${list}?severity=high`,
      `${list}?severity=high&sort=oldest`,
      `${list}?severity=low&sort=newest`,
      `${list}?sort=newest`,
      `${list}?severity=high&sort=newest&state=open`,
      `${list}?severity=high&sort=newest&q=lib`,
      `${list}?severity=high&sort=newest&exploitable=yes`,
      `${list}?severity=high&sort=newest&fix=no`,
      `${list}?severity=high&sort=newest&epss_min=0.1`,
      `${list}?severity=high&sort=newest&introduced_since=2020-01-01`,
      `${list}?severity=high&sort=newest&application=Shop`,
      `${list}?severity=high&sort=newest&package=lib0`,
      `/api/v1/other/vulnerabilities?severity=high&sort=newest`,
      `${base}/repositories?per_page=1`,
      `${base}/scans?per_page=1`,
      `${list}/${vulnerability}/locations?per_page=1`,
      '/api/v1/tenants?per_page=1',
    ]) {
      await refused(`${path}&cursor=${cursor}`);
    }
    const size = await client.get(`${list}?per_page=7&severity=high&sort=newest&cursor=${cursor}`);
    assert.equal(size.status, 200, 'the size of pages may change on the way');
    const ofRepositories = await cursorOf(`${base}/repositories?per_page=1&org=acme`);
    await refused(`${base}/repositories?per_page=1&org=beta&cursor=${ofRepositories}`);
    await refused(`${base}/repositories?per_page=1&cursor=${ofRepositories}`);
    const live = await cursorOf(`${list}/${vulnerability}/locations?per_page=1`);
    await refused(`${list}/${vulnerability}/locations?per_page=1&scope=all&cursor=${live}`);
  });

  test('one of `me` is 422 for another person', async () => {
    const { body } = await client.get<{ items: { id: string }[] }>(`${list}?per_page=3`);
    for (const { id } of body.items) await client.patch(`${list}/${id}/assignment`, { assignee: 'me' });
    const cursor = await cursorOf(`${list}?assignee=me&per_page=1`);
    const member = clientOf(server.app, people.member.key);
    onField(await member.get(`${list}?assignee=me&per_page=1&cursor=${cursor}`), 'cursor', 'me');
    assert.equal((await client.get(`${list}?assignee=me&per_page=1&cursor=${cursor}`)).status, 200);
  });
});

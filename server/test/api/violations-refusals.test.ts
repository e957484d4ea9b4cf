/** Tests of the refusals of the list and the detail of policy violations, with their messages. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Answer, clientOf, type Json } from '../support/client.ts';
import { createTestWorkspace } from '../support/workspace.ts';
import { errors as errorTable, limits } from './spec-tables.ts';
import { createViolationWorkspace } from './violation-workspace.ts';

const world = await createViolationWorkspace();
const { server, client, base, find, exceptions } = world;
const stranger = await createTestWorkspace(server, 'other');

function refusal({ status, body, text }: Answer, shown: string): Json {
  assert.equal(status, 422, `${shown}: ${text}`);
  return body.details as Json;
}

async function onField(query: string, field: string): Promise<string[]> {
  const answer = await client.get(`${base}${query}`);
  const { errors } = refusal(answer, query) as { errors: Record<string, string[]> };
  assert.equal(answer.body.code, 'VALIDATION_FAILED', query);
  assert.deepEqual(answer.body.errors, errors, 'the alternative shape');
  assert.deepEqual(Object.keys(errors), [field], query);
  return errors[field] ?? [];
}

describe('refusals of the list', () => {
  test('without a repository: the field is required', async () => {
    for (const query of ['', '?', '?status=open']) {
      assert.match((await onField(query, 'repo')).join(), /required/i);
    }
    await onField('?repo=', 'repo');
    await onField('?repo=acme/shop&repo=acme/old', 'repo');
  });

  test('an unknown repository or one of another workspace is 404', async () => {
    for (const repo of ['acme/nowhere', 'acme', 'repo_nonsense', `repo_${'0'.repeat(26)}`, '%25']) {
      const answer = await client.get(`${base}?repo=${repo}`);
      assert.deepEqual([answer.status, answer.body.code], [404, 'RESOURCE_NOT_FOUND'], repo);
    }
    const other = clientOf(server.app, stranger.people.admin.key);
    const answer = await other.get('/api/v1/other/policy-violations?repo=acme/shop');
    assert.deepEqual([answer.status, answer.body.code], [404, 'RESOURCE_NOT_FOUND']);
  });

  test('values outside the enumerations are refused by name, before the repository is looked up', async () => {
    const cases: [query: string, invalid: string[]][] = [
      ['status=closed', ['closed']],
      ['status=open,closed,Open,closed', ['closed', 'Open']],
      ['status=fixed', ['fixed']],
      ['enforcement=strict', ['strict']],
      ['enforcement=block&enforcement=null', ['null']],
      ['target_type=image,asset', ['image']],
      ['target_type=vulnerability%20', ['vulnerability ']],
      ['policy=nobody', ['nobody']],
      ['policy=critical,CRITICAL', ['CRITICAL']],
      [`policy=pol_${'0'.repeat(26)},high`, [`pol_${'0'.repeat(26)}`]],
    ];
    for (const [query, invalid] of cases) {
      for (const repo of ['acme/shop', 'acme/nowhere']) {
        const answer = await client.get(`${base}?repo=${repo}&${query}`);
        assert.deepEqual(refusal(answer, query), { invalid_values: invalid }, query);
        assert.equal(answer.body.code, 'INVALID_FILTER_VALUE', query);
        for (const value of invalid) assert.ok(String(answer.body.message).includes(value), query);
      }
    }
  });

  test('a text of 255 characters is accepted, a longer one refused', async () => {
    const long = (length: number): string => 'x'.repeat(length);
    const most = limits.shortFilter;
    assert.equal((await client.get(`${base}?repo=${long(most)}`)).status, 404);
    await onField(`?repo=${long(most + 1)}`, 'repo');
    assert.equal((await client.get(`${base}?repo=acme/shop&ref=${long(most)}`)).status, 200);
    await onField(`?repo=acme/shop&ref=${long(most + 1)}`, 'ref');
    for (const name of ['status', 'enforcement', 'policy', 'target_type']) {
      const details = refusal(await client.get(`${base}?repo=acme/shop&${name}=${long(most)}`), name);
      assert.deepEqual(details.invalid_values, [long(most)]);
      await onField(`?repo=acme/shop&${name}=${long(most + 1)}`, name);
      // The limit counts all values together, however they are written.
      await onField(`?repo=acme/shop&${`${name}=${long(127)}&`.repeat(2)}${name}=x`, name);
    }
    await onField(`?repo=acme/shop&cursor=${long(most + 1)}`, 'cursor');
  });

  test('an empty value is refused', async () => {
    for (const name of ['ref', 'cursor', 'per_page']) await onField(`?repo=acme/shop&${name}=`, name);
    for (const name of ['status', 'enforcement', 'policy', 'target_type']) {
      for (const value of ['', 'open,', ',']) {
        const answer = await client.get(`${base}?repo=acme/shop&${name}=${value}`);
        assert.equal(answer.status, 422, `${name}=${value}: ${answer.text}`);
      }
    }
  });

  test('an invalid page size is refused', async () => {
    for (const size of [limits.perPage.least, limits.perPage.most]) {
      assert.equal((await client.get(`${base}?repo=acme/shop&per_page=${size}`)).status, 200);
    }
    for (const size of ['0', '201', '-1', '1.5', '1e2', 'ten', '1&per_page=2']) {
      await onField(`?repo=acme/shop&per_page=${size}`, 'per_page');
    }
    assert.equal(limits.perPage.usual, 50);
  });

  test('an unknown parameter is refused with the nearest known one', async () => {
    for (const [name, nearest] of [
      ['repository', ''],
      ['statuses', 'status'],
      ['state', 'status'],
      ['enforcment', 'enforcement'],
      ['targettype', 'target_type'],
      ['refs', 'ref'],
      ['__proto__', ''],
    ]) {
      const [problem = ''] = await onField(`?repo=acme/shop&${name}=open`, name ?? '');
      if (nearest) assert.match(problem, new RegExp(`Did you mean ${nearest}\\?`));
    }
  });

  test('a cursor that is altered, foreign or of other filters is refused', async () => {
    const cursorOf = async (query: string, from = client, path = base): Promise<string> => {
      const { body } = await from.get<{ next_cursor: string | null }>(`${path}?${query}&per_page=1`);
      assert.ok(body.next_cursor, query);
      return body.next_cursor;
    };
    const plain = 'repo=acme/shop';
    const cursor = await cursorOf(plain);
    assert.ok(cursor.length <= limits.shortFilter);
    assert.equal((await client.get(`${base}?${plain}&per_page=7&cursor=${cursor}`)).status, 200);
    const reordered = await cursorOf(`${plain}&target_type=vulnerability`);
    const again = `?target_type=vulnerability&cursor=${reordered}&${plain}`;
    assert.equal(
      (await client.get(`${base}${again}`)).status,
      200,
      'the order of the parameters does not matter',
    );
    const filters = [
      'repo=acme/stale',
      'repo=ACME/shop',
      `${plain}&ref=main`,
      `${plain}&ref=HEAD`,
      `${plain}&status=open`,
      `${plain}&enforcement=block`,
      `${plain}&policy=high`,
      `${plain}&target_type=vulnerability`,
    ];
    for (const query of filters) await onField(`?${query}&cursor=${cursor}`, 'cursor');
    for (const query of filters.slice(2)) {
      const { body } = await client.get<{ next_cursor: string | null }>(`${base}?${query}&per_page=1`);
      if (body.next_cursor) await onField(`?${plain}&cursor=${body.next_cursor}`, 'cursor');
    }
    for (let i = 0; i < cursor.length; i++) {
      const letter = cursor[i] === 'A' ? 'B' : 'A';
      await onField(`?${plain}&cursor=${cursor.slice(0, i)}${letter}${cursor.slice(i + 1)}`, 'cursor');
    }
    for (const other of ['x', cursor.slice(1), `${cursor}A`, cursor.slice(0, -4), cursor.toLowerCase()]) {
      await onField(`?${plain}&cursor=${other}`, 'cursor');
    }
    const ofVulnerabilities = await cursorOf(plain, client, '/api/v1/acme/vulnerabilities');
    await onField(`?${plain}&cursor=${ofVulnerabilities}`, 'cursor');
  });
});

describe('refusals of the detail', () => {
  const notFound = async (path: string): Promise<void> => {
    const answer = await client.get(`${base}/${path}`);
    assert.deepEqual([answer.status, answer.body.code], [404, 'RESOURCE_NOT_FOUND'], path);
  };

  test('an invalid id, an unknown one and one of another kind are 404', async () => {
    const { id, policy, target } = await find('critical', 'lib0');
    for (const text of [
      'nonsense',
      'pvl_',
      `pvl_${'0'.repeat(26)}`,
      id.slice(0, -1),
      `${id}0`,
      id.toUpperCase(),
      `pvl_${'z'.repeat(26)}`,
      id.slice(4),
      policy.id,
      target.id,
      'pvl_%00',
      `${id}%2F`,
    ]) {
      await notFound(text);
    }
  });

  test('another or an unknown repository is 404', async () => {
    const { id } = await find('critical', 'lib0');
    for (const repo of ['acme/old', 'acme/nowhere', 'repo_nonsense', 'x'.repeat(255)]) {
      await notFound(`${id}?repo=${repo}`);
    }
  });

  test('a violation of another workspace is 404', async () => {
    const { id } = await find('critical', 'lib0');
    const answer = await clientOf(server.app, stranger.people.admin.key).get(
      `/api/v1/other/policy-violations/${id}`,
    );
    assert.deepEqual([answer.status, answer.body.code], [404, 'RESOURCE_NOT_FOUND']);
  });

  test('wrong parameters are refused before unknown objects', async () => {
    const { id } = await find('critical', 'lib0');
    for (const violation of [id, 'nonsense']) {
      await onField(`/${violation}?repo=${'x'.repeat(256)}`, 'repo');
      await onField(`/${violation}?repo=`, 'repo');
      await onField(`/${violation}?ref=main`, 'ref');
      await onField(`/${violation}?repo=acme/shop&repo=acme/shop`, 'repo');
    }
  });
});

test('a second review of an exception is refused with 409', async () => {
  const answer = await client.post(`/manage/v1/acme/exceptions/${exceptions.waived}/review`, {
    decision: 'refuse',
  });
  const row = errorTable.INVALID_TRANSITION;
  assert.deepEqual([answer.status, answer.body.code], [row?.status, 'INVALID_TRANSITION'], answer.text);
  assert.deepEqual(Object.keys(answer.body).sort(), ['code', 'message']);
  assert.match(String(answer.body.message), /approved/);
});

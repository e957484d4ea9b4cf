/** Tests cursors of every paged list: only the list's own cursor, with the same filters, is accepted. */
import assert from 'node:assert/strict';
import { send } from '../support/client.ts';
import { type Operation, operations, problemOfAnswer, problemOfRefusal } from './api-document.ts';
import { adminFor, pathOf } from './api-fuzz.ts';
import type { ApiTarget, Caller } from './api-target.ts';
import { type FuzzJob, type FuzzRow, Tally } from './fuzz-job.ts';
import { oddTexts } from './mutate.ts';
import { Random } from './random.ts';

const lists = operations.filter(
  ({ method, parameters = [] }) => method === 'GET' && parameters.some(({ name }) => name === 'cursor'),
);

const kinds = [
  'own',
  'malformed',
  'truncated',
  'altered',
  'longer',
  'twice',
  'swapped',
  'foreign',
  'filters',
] as const;

interface Page {
  /** The address has the query without the cursor. */
  address: string;
  cursor: string | null;
}

/** The first page of a list, of one row. */
async function firstPage(
  { server }: ApiTarget,
  operation: Operation,
  caller: Caller,
  path: string,
  repository: string,
): Promise<Page> {
  const required = (operation.parameters ?? []).filter((item) => item.in === 'query' && item.required);
  const values = { repo: repository, change: 'created' };
  const query = new URLSearchParams({ per_page: '1' });
  for (const { name, schema } of required) {
    query.set(
      name,
      name === 'repo' ? values.repo : String(schema.enum?.[0] ?? schema.items?.enum?.[0] ?? 'new'),
    );
  }
  const address = `${path}?${query}`;
  const { body } = await send(server.app, { path: address, headers: caller.headers });
  return { address, cursor: typeof body.next_cursor === 'string' ? body.next_cursor : null };
}

function altered(cursor: string, random: Random): string {
  const bytes = Buffer.from(cursor, 'base64url');
  const at = random.below(bytes.length);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
  return bytes.toString('base64url');
}

export async function fuzzCursors(job: FuzzJob, target: ApiTarget, deadline: number): Promise<FuzzRow> {
  const tally = new Tally(job);
  const foreign = { ...target, slug: 'other' };
  const seen: { list: Operation; cursor: string }[] = [];
  for (const number of tally.numbers(deadline)) {
    const random = new Random(`${job.seed}:cursors:${number}`);
    const list = lists[number % lists.length] as Operation;
    const caller = adminFor(list, target.admins);
    const page = await firstPage(target, list, caller, pathOf(list, target, random), 'acme/shop');
    const kind = random.pick(kinds);
    // The list has more than one row, so that a cursor can be changed.
    if (page.cursor !== null) tally.found++;
    const others = seen.filter((other) => other.list !== list);
    if (page.cursor !== null && seen.length < 200) seen.push({ list, cursor: page.cursor });
    const cursorOf = async (): Promise<string | null> => {
      if (kind === 'malformed') return random.pick(oddTexts).toWellFormed();
      if (kind === 'swapped') return others.length > 0 ? random.pick(others).cursor : null;
      if (kind === 'foreign') {
        const by = adminFor(list, target.foreignAdmins);
        return (await firstPage(foreign, list, by, pathOf(list, foreign, random), 'other/zebrafish')).cursor;
      }
      if (page.cursor === null) return null;
      if (kind === 'truncated') return page.cursor.slice(0, random.below(page.cursor.length));
      if (kind === 'altered') return altered(page.cursor, random);
      if (kind === 'longer') return page.cursor + random.pick(['A', '=', ' ', '.', page.cursor]);
      return page.cursor;
    };
    const cursor = await cursorOf();
    if (cursor === null) continue;
    const text = `&cursor=${encodeURIComponent(cursor)}`;
    const filter = (list.parameters ?? []).find(
      ({ name }) => name === 'state' || name === 'status' || name === 'repo',
    );
    const isFiltered =
      kind === 'filters' && filter !== undefined && !page.address.includes(`${filter.name}=`);
    const value =
      filter?.name === 'repo'
        ? 'acme/shop'
        : String(filter?.schema.enum?.[0] ?? filter?.schema.items?.enum?.[0] ?? 'open');
    const more = isFiltered ? `&${filter?.name}=${encodeURIComponent(value)}` : kind === 'twice' ? text : '';
    const taken = kind === 'own' || (kind === 'filters' && !isFiltered);
    try {
      const answer = await send(target.server.app, {
        path: page.address + text + more,
        headers: caller.headers,
      });
      const problem =
        problemOfAnswer(list, answer) ??
        (taken
          ? answer.status === 200
            ? null
            : 'its own cursor is refused'
          : problemOfRefusal(answer, 'cursor'));
      assert.equal(
        problem,
        null,
        `${problem}: ${kind} ${page.address + text + more} → ${answer.status} ${answer.text.slice(0, 300)}`,
      );
      if (answer.status === 200) tally.accepted++;
    } catch (problem) {
      tally.fail(number, problem);
    }
  }
  return tally.row();
}

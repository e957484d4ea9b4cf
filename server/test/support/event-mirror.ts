/**
 * A mirror of all workspaces that has read nothing but the outbox. It must show the same vulnerabilities and unresolved
 * violations as the tables.
 */
import assert from 'node:assert/strict';
import { inflateSync } from 'node:zlib';
import type pg from 'pg';
import { formatId, formatIdOrNull } from '../../src/domain/ids.ts';
import { unpackState } from '../../src/domain/packed-state.ts';
import { unpackViolation } from '../../src/domain/violation-state.ts';

type Stored = [type: string, objectId: string, data: Record<string, unknown>];

interface BatchRow {
  tenant_id: string;
  first_number: string;
  last_number: string;
  content: Buffer;
}

const shown = ['status', 'severity', 'type', 'confirmed', 'triaged', 'resolution', 'assignee'] as const;

/** The state of each object after its last event, by id. Throws if a number is missing or double. */
async function readMirror(
  owner: pg.Pool,
): Promise<Map<string, { type: string; data: Record<string, unknown> }>> {
  const { rows } = await owner.query<BatchRow>(
    'select tenant_id, first_number, last_number, content from event_batch order by tenant_id, first_number',
  );
  const mirror = new Map<string, { type: string; data: Record<string, unknown> }>();
  const lastOf = new Map<string, number>();
  for (const row of rows) {
    const events = JSON.parse(inflateSync(row.content).toString()) as Stored[];
    const first = Number(row.first_number);
    assert.equal(first, (lastOf.get(row.tenant_id) ?? 0) + 1, 'the numbers have no gap');
    assert.equal(Number(row.last_number), first + events.length - 1, 'a batch has the events that it says');
    lastOf.set(row.tenant_id, Number(row.last_number));
    for (const [type, id, data] of events) {
      if (/^(vulnerability|violation)\./.test(type)) mirror.set(id, { type, data });
    }
  }
  const { rows: sequences } = await owner.query<{ tenant_id: string; last_number: string }>(
    'select tenant_id, last_number from event_sequence',
  );
  for (const { tenant_id, last_number } of sequences) {
    assert.equal(Number(last_number), lastOf.get(tenant_id), 'the sequence ends with the last event');
  }
  return mirror;
}

export async function assertMirrorEqualsTables(owner: pg.Pool): Promise<void> {
  const mirror = await readMirror(owner);
  const { rows: vulnerabilities } = await owner.query(
    `select id, packed_state, resolution, assignee_id from vulnerability v
      where exists (select 1 from event_sequence s where s.tenant_id = v.tenant_id)`,
  );
  const expected = new Map(
    vulnerabilities.map(({ id, packed_state, resolution, assignee_id }) => {
      const { status, severity, type, confirmed, triaged } = unpackState(packed_state);
      const assignee = formatIdOrNull('user', assignee_id);
      return [id, { status, severity, type, confirmed, triaged, resolution, assignee }];
    }),
  );
  for (const [id, state] of expected) {
    const data = mirror.get(id)?.data ?? {};
    assert.deepEqual(
      Object.fromEntries(shown.map((field) => [field, data[field]])),
      state,
      `the mirror of ${formatId('vulnerability', id)}`,
    );
  }
  // A fixed vulnerability may have been deleted, and the last event of a merged one names the survivor.
  for (const [id, { type, data }] of mirror) {
    if (!type.startsWith('vulnerability.') || expected.has(id)) continue;
    assert.ok(data.merged_into !== undefined || data.status === 'fixed', `${id} is in the mirror alone`);
  }
  const { rows: violations } = await owner.query(
    `select id, packed_state, severity, due_at, snoozed_until from policy_violation v
      where exists (select 1 from event_sequence s where s.tenant_id = v.tenant_id)`,
  );
  const unresolved = violations.flatMap(({ id, packed_state }) => {
    const { status } = unpackViolation(packed_state);
    return status === 'open' || status === 'pending_review' ? [id] : [];
  });
  const mirrored = [...mirror].flatMap(([id, { type, data }]) =>
    type.startsWith('violation.') && (data.status === 'open' || data.status === 'pending_review') ? [id] : [],
  );
  assert.deepEqual(mirrored.sort(), unresolved.sort(), 'the unresolved violations of the mirror');
}

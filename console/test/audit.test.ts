/** Tests of the audit log in the console: actions in words, filters in the address, pages, CSV. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { auditActions, targetOf } from '../../server/src/access/audit/actions.ts';
import { type AuditEntry, recordAudits } from '../../server/src/access/audit/record.ts';
import { renameWorkspace } from '../../server/src/access/workspaces/service.ts';
import { tenantTx } from '../../server/src/db/database.ts';
import { formatId, newId, type PolicyId } from '../../server/src/domain/ids.ts';
import {
  createTestWorkspace,
  createTestWorkspaceKey,
  principalAs,
} from '../../server/test/support/workspace.ts';
import { assertFitsAndIsAccessible, assertFitsInEachLook, startConsole } from './support/console.ts';

const { server, url, open } = await startConsole();
const { db } = server;
const acme = await createTestWorkspace(server, 'acme');
const { admin, member } = acme.people;

type Workspace = typeof acme;

const record = ({ tenant }: Workspace, entries: AuditEntry[]) =>
  tenantTx(db, tenant.id, (tx) => recordAudits(tx, entries));

/**
 * Records an action at a given time. Ids of the log are in order of time, and nothing in it can be changed afterwards.
 */
async function recordAt({ tenant }: Workspace, at: string, entry: AuditEntry): Promise<void> {
  const ms = Date.parse(at).toString(16).padStart(12, '0');
  const id = `${ms.slice(0, 8)}-${ms.slice(8)}${randomUUID().slice(13)}`;
  await tenantTx(db, tenant.id, (tx) =>
    tx.query(
      `insert into audit_event (tenant_id, id, at, actor_id, action, target_type, target_id, data)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [
        tenant.id,
        id,
        at,
        entry.actorId,
        entry.action,
        targetOf(entry.action),
        entry.targetId,
        entry.data ?? {},
      ],
    ),
  );
}

async function openAudit(slug: string, search = '', userId = admin.user.id): Promise<Page> {
  const page = await open({ userId, path: `/w/${slug}/audit${search}` });
  await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor();
  return page;
}

const rows = (page: Page) => page.getByRole('row').filter({ has: page.getByRole('rowheader') });

/** Waits for this many rows, and returns their text. */
async function rowsOf(page: Page, count: number): Promise<string[]> {
  await rows(page)
    .nth(count - 1)
    .waitFor();
  await rows(page).nth(count).waitFor({ state: 'detached' });
  const texts = await rows(page).allTextContents();
  assert.equal(texts.length, count, texts.join('\n'));
  return texts;
}

test('every action has its own label', async () => {
  const page = await openAudit('acme');
  await page.getByRole('button', { name: 'Action', exact: true }).click();
  const choices = page.getByRole('radio');
  await choices.first().waitFor();
  assert.equal(await choices.count(), auditActions.length);
  const list = page.getByRole('group', { name: 'Action' });
  const words = ((await list.textContent()) ?? '').trim();
  for (const action of auditActions) {
    assert.ok(!words.toLowerCase().includes(action.replace('.', ': ').replaceAll('_', ' ')), action);
  }
});

test('each row says who did what to what, with its data and the key that was used', async () => {
  const told = await createTestWorkspace(server, 'told');
  const { people, tenant } = told;
  const key = await createTestWorkspaceKey(server, tenant, 'admin');
  await tenantTx(db, tenant.id, (tx) => renameWorkspace(tx, principalAs(told, 'admin'), 'Told anew'));
  const until = '2027-01-31T12:00:00.000Z';
  await record(told, [
    {
      actorId: people.admin.user.id,
      apiKeyId: key.id,
      action: 'member.set',
      targetId: people.viewer.user.id,
      data: { role: 'member', from: 'viewer', invitations_withdrawn: 2, was_member_already: true },
    },
    {
      actorId: people.admin.user.id,
      action: 'vulnerability.assign',
      targetId: newId(),
      data: { assignee: people.member.user.id, until, reason: null, fields: ['a', 'b'], zone: { id: 'x' } },
    },
  ]);
  const { rows: known } = await server.owner.query<{ id: PolicyId; name: string }>(
    'select id, name from policy where tenant_id = $1 limit 1',
    [tenant.id],
  );
  const [policy] = known;
  assert.ok(policy);
  const gone = formatId('repository', newId());
  const data = { policy: formatId('policy', policy.id), repository: gone };
  await record(told, [{ actorId: null, action: 'exception.request', targetId: newId(), data }]);
  const page = await openAudit('told', '', people.admin.user.id);
  // The workspace, three people and a key by the operator, a new name, a request, and two more.
  const texts = await rowsOf(page, 9);
  const request = (await rows(page).filter({ hasText: 'Requested an exception' }).textContent()) ?? '';
  assert.ok(request.includes(`Policy${policy.name}`) && request.includes(`Repository${gone}`), request);
  assert.match(
    texts.join('\n'),
    /Changed the workspaceTold anewWorkspaceNameWorkspace told → Told anewadmin of told/,
  );
  const role = rows(page).filter({ hasText: 'Invitations withdrawn' });
  assert.match(
    (await role.textContent()) ?? '',
    /^Set the role of a memberviewer of toldUserFromviewerRolememberWas member alreadyyesInvitations withdrawn2admin of toldby the key ci/,
  );
  const assigned = rows(page).filter({ hasText: 'Assigned the vulnerability' });
  const said = (await assigned.textContent()) ?? '';
  // The end is in the reader's own zone; empty values are left out.
  assert.match(said, /Zone, idxUntil31 Jan 2027, 13:00Fieldsa, bAssigneemember of told/);
  assert.doesNotMatch(said, /Reason/);
  assert.equal(await rows(page).filter({ hasText: 'The operator' }).count(), 6);
  await assertFitsAndIsAccessible(page, 'audit');
});

test('filters are kept in the address, and the CSV has only the filtered rows', async () => {
  const filtered = await createTestWorkspace(server, 'filtered');
  const { people } = filtered;
  const [policy, other] = [newId<'policy'>(), newId()];
  const by = { actorId: people.admin.user.id, targetId: policy } as const;
  // In Berlin, the reader's zone, this is already the fifth of May.
  await recordAt(filtered, '2026-05-04T22:30:00Z', { ...by, action: 'policy.change', data: { key: 'two' } });
  await recordAt(filtered, '2026-05-03T10:00:00Z', { ...by, action: 'policy.create', data: { key: 'one' } });
  await record(filtered, [
    { ...by, actorId: people.member.user.id, action: 'exception.request', targetId: other },
  ]);
  const page = await openAudit('filtered', '', people.admin.user.id);
  await rowsOf(page, 7);

  await page.getByRole('button', { name: 'Actor', exact: true }).click();
  await page.getByRole('radio', { name: 'admin of filtered' }).click();
  await rowsOf(page, 2);
  assert.ok(page.url().endsWith(`?actor=${formatId('user', people.admin.user.id)}`), page.url());
  await page.getByText('Actor: admin of filtered').waitFor();
  await page.getByRole('button', { name: 'Action', exact: true }).click();
  await page.getByRole('radio', { name: 'Changed the policy' }).click();
  assert.match((await rowsOf(page, 1))[0] ?? '', /Keytwo/);
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export as CSV' }).click();
  const file = await download;
  assert.equal(file.suggestedFilename(), 'audit-filtered.csv');
  const csv = (await readFile(await file.path(), 'utf8')).trim().split('\r\n');
  assert.equal(csv.length, 2, csv.join('\n'));
  assert.match(csv[1] ?? '', /policy\.change/);
  assert.match(csv[1] ?? '', /two/);

  await page.getByRole('button', { name: 'Clear all' }).click();
  await rowsOf(page, 7);
  // The days are those of the reader, both included.
  await page.getByRole('button', { name: 'From', exact: true }).click();
  await page.getByRole('dialog', { name: 'From' }).getByLabel('From').fill('2026-05-05');
  await page.getByRole('button', { name: 'Apply' }).click();
  await page.getByText('From: 5 May 2026').waitFor();
  await rowsOf(page, 6);
  await page.goto(`${url}/w/filtered/audit?until=2026-05-05`);
  await rowsOf(page, 2);
  await page.goto(`${url}/w/filtered/audit?since=2026-05-05&until=2026-05-05`);
  assert.match((await rowsOf(page, 1))[0] ?? '', /5 May 2026, 00:30/);
  await page.goto(`${url}/w/filtered/audit?until=2026-05-03`);
  assert.match((await rowsOf(page, 1))[0] ?? '', /Keyone/);

  // A click on the object or on the actor filters the list by it.
  await page.goto(`${url}/w/filtered/audit?action=policy.create`);
  await rows(page)
    .getByRole('link', { name: formatId('policy', policy) })
    .click();
  await page.getByText('Object: ').waitFor();
  await page.getByRole('button', { name: 'Remove the filter Action: Created the policy' }).click();
  await rowsOf(page, 2);
  await page.goBack();
  await rowsOf(page, 1);
  await page.goto(`${url}/w/filtered/audit?action=exception.request`);
  await rows(page).getByRole('link', { name: 'member of filtered' }).click();
  assert.match(page.url(), /actor=usr_/);

  await page.goto(`${url}/w/filtered/audit?actor=operator&action=policy.create`);
  await page.getByText('No entry matches').waitFor();
  await page.goto(`${url}/w/filtered/audit?target=nonsense`);
  await page.getByText('Must be an id, such as vc_… or usr_….').waitFor();
});

test('a long log is shown in pages, and Previous returns to the first page', async () => {
  const long = await createTestWorkspace(server, 'long');
  await record(
    long,
    Array.from({ length: 60 }, (_, index) => ({
      actorId: long.people.admin.user.id,
      action: 'policy.change' as const,
      targetId: newId(),
      data: { number: index },
    })),
  );
  const page = await openAudit('long', '?action=policy.change', long.people.admin.user.id);
  const first = await rowsOf(page, 50);
  await page.getByRole('button', { name: 'Next' }).click();
  const second = await rowsOf(page, 10);
  assert.match(page.url(), /cursor=/);
  assert.equal(new Set([...first, ...second]).size, 60);
  await page.getByRole('button', { name: 'Previous' }).click();
  assert.deepEqual(await rowsOf(page, 50), first);
});

test('hostile text is shown as plain text, and a member may not see the log', async () => {
  const nasty = await createTestWorkspace(server, 'nasty');
  const { people } = nasty;
  const reasons = [
    `<img src=x onerror="document.title='pwned'">`,
    'סיבה טובה מאוד',
    `${'because '.repeat(60)}so`,
  ];
  await record(
    nasty,
    reasons.map((reason) => ({
      actorId: people.admin.user.id,
      action: 'violation.snooze' as const,
      targetId: newId(),
      data: { reason, [`<b>${reason.slice(0, 12)}</b>`]: { from: reason, to: null } },
    })),
  );
  const page = await openAudit('nasty', '', people.admin.user.id);
  for (const reason of reasons.slice(0, 2)) await page.getByText(reason, { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Show all' }).first().click();
  await page.getByText(reasons[2] ?? '', { exact: true }).waitFor();
  assert.notEqual(await page.title(), 'pwned');
  await assertFitsInEachLook(page, 'audit-nasty');

  const theirs = await openAudit('acme', '', member.user.id);
  await theirs.getByText('You have no access').waitFor();
  assert.equal(await theirs.getByRole('link', { name: 'Audit log' }).count(), 0);
  assert.equal(await theirs.getByRole('row').count(), 0);
});

/**
 * Tests of members in the console: invited by a link, given another role, removed; and the views of the other roles.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addMember } from '../../server/src/access/members/service.ts';
import { createUser } from '../../server/src/access/users/service.ts';
import { installTx, tenantReadTx, tenantTx } from '../../server/src/db/database.ts';
import { formatId, type TenantId, type UserId } from '../../server/src/domain/ids.ts';
import { applyGroups } from '../../server/src/inventory/teams/group-members.ts';
import { sendDueMails } from '../../server/src/notifications/mail/mail-loop.ts';
import { openMailer } from '../../server/src/notifications/mail/mailer.ts';
import { clientOf, succeeded } from '../../server/test/support/client.ts';
import { createDemoWorkspace } from '../../server/test/support/demo-workspace.ts';
import { startMailServer } from '../../server/test/support/mail-server.ts';
import { createTestKey, createTestWorkspace } from '../../server/test/support/workspace.ts';
import {
  assertFitsAndIsAccessible,
  assertFitsInEachLook,
  assertTableFits,
  screenshot,
  setLook,
  startConsole,
} from './support/console.ts';

const { server, url, open } = await startConsole();
const { db } = server;
const acme = await createTestWorkspace(server, 'acme');
const { admin, member, viewer } = acme.people;

async function openMembers(userId: UserId, slug = 'acme') {
  const page = await open({ userId, path: `/w/${slug}/members` });
  await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor();
  return page;
}

async function person(tenantId: TenantId, name: string, role: 'viewer' | 'member' | 'admin') {
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z]+/g, '')
    .slice(0, 30);
  const user = await installTx(db, (tx) => createUser(tx, `${slug}@people.example`, name, null));
  await tenantTx(db, tenantId, (tx) => addMember(tx, user.id, role));
  return user;
}

const roleOf = async (userId: string) =>
  (
    await tenantReadTx(db, acme.tenant.id, (tx) =>
      tx.query<{ role: string }>('select role from member where tenant_id = $1 and user_id = $2', [
        acme.tenant.id,
        userId,
      ]),
    )
  )[0]?.role;

test('an invited person opens the link, creates an account and is a member, and the link works only once', async () => {
  const page = await openMembers(admin.user.id);
  await page.getByText('There is no open invitation.').waitFor();
  await page.getByRole('button', { name: 'Invite' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Invite somebody' });
  await dialog.getByLabel('E-mail').waitFor();
  await assertFitsAndIsAccessible(page, 'members-invite');
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await dialog.getByText('Enter an e-mail address.').waitFor();
  await page.keyboard.type('Robin@new.example');
  assert.equal(await dialog.getByRole('radio', { name: 'Member' }).isChecked(), true);
  await page.keyboard.press('Enter');
  const shown = page.getByRole('dialog', { name: 'The invitation was created' });
  const link = ((await shown.getByRole('region', { name: 'Link' }).textContent()) ?? '').trim();
  assert.ok(link.startsWith(`${url}/invite#`), link);
  await assertFitsAndIsAccessible(page, 'members-link');
  await page.keyboard.press('Escape');
  await shown.waitFor({ state: 'detached' });
  const token = link.split('#')[1] ?? '';
  assert.ok(token.length > 20 && !(await page.content()).includes(token), 'the link is still in the page');
  const row = page.getByRole('row', { name: /robin@new\.example/ });
  await row.getByText(/^in [67] days$/).waitFor();

  const robin = await open();
  await robin.goto(link);
  await robin.getByRole('heading', { name: 'Join Workspace acme' }).waitFor();
  await robin.getByRole('button', { name: 'Create account and join' }).click();
  await robin.getByText('Enter your name.').waitFor();
  await robin.getByText('Choose a password.').waitFor();
  await screenshot(robin, 'invite-missing');
  await robin.getByLabel('Your name').fill('Robin');
  await robin.getByLabel('Choose a password').fill('correct horse battery');
  await robin.getByRole('button', { name: 'Create account and join' }).click();
  await robin.waitForURL(`${url}/w/acme`);
  await robin.goto(`${url}/w/acme/members`);
  await robin.getByRole('row', { name: /Robin.*You/ }).waitFor();

  await page.reload();
  await page.getByRole('region', { name: 'Members' }).getByRole('row', { name: /Robin/ }).waitFor();
  await page.getByText('There is no open invitation.').waitFor();

  // The link works once.
  const second = await open();
  await second.goto(link);
  await second.getByText('This invitation is not valid').waitFor();
});

test('an invitation is replaced by a new link or withdrawn, and a member’s address is refused at its field', async () => {
  const page = await openMembers(admin.user.id);
  await page.getByRole('button', { name: 'Invite' }).click();
  const dialog = page.getByRole('dialog', { name: 'Invite somebody' });
  await dialog.getByLabel('E-mail').fill(member.user.email);
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await dialog.getByText('This person is already a member.').waitFor();
  await dialog.getByLabel('E-mail').fill('late@new.example');
  await dialog.getByRole('radio', { name: 'Viewer' }).check();
  await dialog.getByRole('button', { name: 'Create link' }).click();
  const shown = page.getByRole('dialog', { name: 'The invitation was created' });
  const first = ((await shown.getByRole('region', { name: 'Link' }).textContent()) ?? '').trim();
  await page.keyboard.press('Escape');
  await tenantTx(db, acme.tenant.id, (tx) =>
    tx.query(
      `update invitation set expires_at = now() - interval '1 hour' where tenant_id = $1 and email = $2`,
      [acme.tenant.id, 'late@new.example'],
    ),
  );
  await page.reload();
  const row = page.getByRole('row', { name: /late@new\.example.*Viewer.*Expired/ });
  await row.getByRole('button', { name: 'New link for late@new.example' }).click();
  assert.equal(await dialog.getByLabel('E-mail').inputValue(), 'late@new.example');
  assert.equal(await dialog.getByRole('radio', { name: 'Viewer' }).isChecked(), true);
  await dialog.getByRole('button', { name: 'Create link' }).click();
  const again = ((await shown.getByRole('region', { name: 'Link' }).textContent()) ?? '').trim();
  assert.notEqual(again, first);
  await page.keyboard.press('Escape');
  await screenshot(page, 'members-admin');

  await page.getByRole('button', { name: 'Withdraw the invitation of late@new.example' }).click();
  const confirmation = page.getByRole('dialog', { name: 'Withdraw the invitation' });
  await confirmation.getByRole('button', { name: 'Withdraw' }).click();
  await page.getByText('The invitation of late@new.example is withdrawn.').waitFor();
  await page.getByText('There is no open invitation.').waitFor();
  const stranger = await open();
  await stranger.goto(again);
  await stranger.getByText('This invitation is not valid').waitFor();
});

test('an invitation is mailed, the list says so, and Send again sends another one', async () => {
  const smtp = await startMailServer();
  server.config.smtp = { url: smtp.url, from: 'merlon@example.com' };
  const mailer = openMailer(server.config.smtp);
  const sendMails = () =>
    sendDueMails({ db, mailer, publicUrl: url, now: () => new Date() }, { warn: assert.fail });
  try {
    const page = await openMembers(admin.user.id);
    await page.getByRole('button', { name: 'Invite' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite somebody' });
    await dialog.getByLabel('E-mail').fill('ruth@new.example');
    await dialog.getByRole('button', { name: 'Send invitation' }).click();
    const shown = page.getByRole('dialog', { name: 'The invitation was created' });
    await shown.getByText('Merlon mails an invitation to ruth@new.example.').waitFor();
    await screenshot(page, 'members-mailed-link');
    await page.keyboard.press('Escape');
    const row = page.getByRole('row', { name: /ruth@new\.example/ });
    await row.getByText('is being mailed').waitFor();
    smtp.refuses = 550;
    await sendMails();
    await row.getByText(/could not be mailed: .*550/).waitFor();
    await assertFitsAndIsAccessible(page, 'members-not-mailed');
    smtp.refuses = null;
    await row.getByRole('button', { name: 'Send the invitation of ruth@new.example again' }).click();
    await page.getByText('A new invitation goes to ruth@new.example.').waitFor();
    await sendMails();
    await row.getByText('mailed now').waitFor();
    await screenshot(page, 'members-mailed');

    // The day's mails to the address are used up, so Send again shows the link that replaces the earlier ones.
    for (let i = 0; i < 5; i++) {
      const body = { email: 'sid@new.example', role: 'member' };
      succeeded(await clientOf(server.app, admin.key).post('/manage/v1/acme/invitations', body), 201);
    }
    await page.reload();
    await page.getByRole('button', { name: 'Send the invitation of sid@new.example again' }).click();
    await shown.getByText('Too many invitations were mailed today.').waitFor();
    await assertFitsAndIsAccessible(page, 'members-send-again-link');
    const link = ((await shown.getByRole('region', { name: 'Link' }).textContent()) ?? '').trim();
    await page.keyboard.press('Escape');
    await shown.waitFor({ state: 'detached' });
    const sid = await open();
    await sid.goto(link);
    await sid.getByRole('heading', { name: 'Join Workspace acme' }).waitFor();

    const ruth = await open();
    await ruth.goto(/http\S+\/invite#\S+/.exec(smtp.received[0]?.text ?? '')?.[0] ?? assert.fail('no link'));
    await ruth.getByLabel('Your name').fill('Ruth');
    await ruth.getByLabel('Choose a password').fill('correct horse battery');
    await ruth.getByRole('button', { name: 'Create account and join' }).click();
    await ruth.waitForURL(`${url}/w/acme`);
  } finally {
    server.config.smtp = null;
    mailer.close();
    await smtp.close();
  }
});

test('a role change is confirmed first and applies from the next click', async () => {
  const user = await person(acme.tenant.id, 'Sam Rivera', 'member');
  const theirs = await openMembers(user.id);
  assert.equal(await theirs.getByRole('button', { name: 'Invite' }).count(), 0);
  const page = await openMembers(admin.user.id);
  const role = page.getByRole('button', { name: 'Role of Sam Rivera: Member' });
  await role.click();
  await page.getByRole('menuitem', { name: /^Admin/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Change the role' });
  await dialog.getByText('Sam Rivera is a member, and will be an admin from the next click on.').waitFor();
  await assertFitsAndIsAccessible(page, 'members-role');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  assert.equal(await roleOf(user.id), 'member');
  await role.click();
  await page.getByRole('menuitem', { name: /^Admin/ }).click();
  await dialog.getByRole('button', { name: 'Make them an admin' }).click();
  await page.getByRole('button', { name: 'Role of Sam Rivera: Admin' }).waitFor();
  assert.equal(await roleOf(user.id), 'admin');
  await theirs.reload();
  await theirs.getByRole('button', { name: 'Invite' }).waitFor();

  await page.getByRole('button', { name: 'Role of Sam Rivera: Admin' }).click();
  await page.getByRole('menuitem', { name: /^Viewer/ }).click();
  await dialog.getByText('Invitations that they have made become invalid.').waitFor();
  await dialog.getByRole('button', { name: 'Make them a viewer' }).click();
  await page.getByRole('button', { name: 'Role of Sam Rivera: Viewer' }).waitFor();
  await theirs.reload();
  await theirs.getByText('You have no access').waitFor();
});

test('a question disappears with its page, so that Back does not leave it above another one', async () => {
  const page = await open({ userId: admin.user.id, path: '/w/acme' });
  await page.getByRole('navigation', { name: 'Workspace' }).getByRole('link', { name: 'Members' }).click();
  await page.getByRole('button', { name: /^Role of viewer/ }).click();
  await page.getByRole('menuitem', { name: /^Admin/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Change the role' });
  await dialog.waitFor();
  await page.goBack();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  assert.equal(await roleOf(viewer.user.id), 'viewer');
});

test('a removed member is refused at the next click, and loses keys and assignments', async () => {
  const demo = await createDemoWorkspace(
    server,
    'demo',
    ({ repository, ref }) => repository.endsWith('/storefront') && ref === 'main',
  );
  const user = await person(demo.tenant.id, 'Kim Lee', 'member');
  const { key } = await createTestKey(server, { userId: user.id, role: 'member' });
  const theirApi = clientOf(server.app, key);
  const list = await theirApi.get<{ items: { id: string }[] }>(
    '/api/v1/demo/vulnerabilities?per_page=1&state=open',
  );
  const id = list.body.items[0]?.id ?? '';
  succeeded(await theirApi.patch(`/api/v1/demo/vulnerabilities/${id}/assignment`, { assignee: 'me' }));

  const theirs = await open({ userId: user.id, path: '/w/demo/keys' });
  await theirs.getByRole('row', { name: /test/ }).waitFor();

  const page = await openMembers(demo.people.admin.user.id, 'demo');
  await page.getByRole('button', { name: 'Remove Kim Lee' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove the member' });
  await dialog.getByText('1 open vulnerability assigned to them will be unassigned.').waitFor();
  await dialog.getByText(/Their personal keys lose access to this workspace/).waitFor();
  await assertFitsAndIsAccessible(page, 'members-remove');
  const confirm = dialog.getByRole('button', { name: 'Remove' });
  await confirm.click();
  await dialog.getByText('Type it exactly as it is shown above.').waitFor();
  await dialog.getByRole('textbox').fill(user.email);
  await page.keyboard.press('Enter');
  await page.getByText('Kim Lee is removed.').waitFor();
  await page.getByRole('row', { name: /Kim Lee/ }).waitFor({ state: 'detached' });

  await theirs.getByRole('link', { name: 'Members' }).click();
  await theirs.getByText('There is nothing at this address').waitFor();
  await theirs.reload();
  await theirs.getByText('There is nothing at this address').waitFor();
  const until = Date.now() + 1_000;
  let answer = await theirApi.get('/api/v1/demo/whoami');
  while (answer.status === 200 && Date.now() < until) answer = await theirApi.get('/api/v1/demo/whoami');
  assert.equal(answer.status, 403, answer.text);
  const adminApi = clientOf(server.app, demo.people.admin.key);
  const now = await adminApi.get(`/api/v1/demo/vulnerabilities/${id}`);
  assert.equal(now.body.assignee, null);
});

test('the only admin cannot leave before another member is an admin, and the page says why', async () => {
  const solo = await createTestWorkspace(server, 'solo');
  const page = await openMembers(solo.people.admin.user.id, 'solo');
  const leave = page.getByRole('button', { name: 'Leave the workspace' });
  await leave.focus();
  await page.getByRole('tooltip', { name: 'The only admin: make somebody else one first.' }).waitFor();
  await page.keyboard.press('Enter');
  assert.equal(await page.getByRole('dialog').count(), 0);
  await page.getByRole('button', { name: 'Role of admin of solo: Admin' }).click({ force: true });
  assert.equal(await page.getByRole('menu').count(), 0);
  await assertFitsAndIsAccessible(page, 'members-only-admin');

  // A second admin joins and leaves, unknown to the page.
  const other = await person(solo.tenant.id, 'Alex', 'admin');
  await page.reload();
  await page.getByRole('row', { name: /Alex/ }).waitFor();
  await tenantTx(db, solo.tenant.id, (tx) =>
    tx.query("update member set role = 'viewer' where tenant_id = $1 and user_id = $2", [
      solo.tenant.id,
      other.id,
    ]),
  );
  await leave.click();
  const dialog = page.getByRole('dialog', { name: 'Leave the workspace' });
  await dialog.getByRole('textbox').fill(solo.people.admin.user.email);
  await dialog.getByRole('button', { name: 'Leave' }).click();
  await page
    .getByText('The workspace would be left without an admin: make another member admin first.')
    .waitFor();

  // With another admin, they may leave.
  await tenantTx(db, solo.tenant.id, (tx) => addMember(tx, other.id, 'admin'));
  await dialog.getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('heading', { level: 1, name: 'Workspaces' }).waitFor();
  await page.getByText('You are in no workspace').waitFor();
});

test('a member sees only the list, a viewer sees nothing, and hostile names are shown as plain text', async () => {
  const nasty = [
    `<img src=x onerror="document.title='pwned'"> Mallory`,
    'דנה כהן',
    `Long ${'name '.repeat(45)}end`,
  ];
  for (const [index, name] of nasty.entries()) {
    const user = await person(acme.tenant.id, `Nasty ${'abc'[index]}`, 'viewer');
    await installTx(db, (tx) => tx.query('update user_account set name = $2 where id = $1', [user.id, name]));
  }
  const page = await openMembers(member.user.id);
  for (const name of nasty) await page.getByText(name, { exact: true }).waitFor();
  assert.notEqual(await page.title(), 'pwned');
  assert.equal(await page.getByRole('button', { name: /Role of|Remove|Invite|Leave/ }).count(), 0);
  assert.equal(await page.getByRole('heading', { name: 'Open invitations' }).count(), 0);
  await assertFitsAndIsAccessible(page, 'members-member');

  const seen = await openMembers(viewer.user.id);
  await seen.getByText('You have no access').waitFor();
  assert.equal(await seen.getByRole('link', { name: 'Members' }).count(), 0);
  assert.equal(await seen.getByText(admin.user.email).count(), 0);
  await assertFitsAndIsAccessible(seen, 'members-viewer');

  const byAdmin = await openMembers(admin.user.id);
  await byAdmin.getByText(nasty[0] ?? '').waitFor();
  await setLook(byAdmin, { width: 390, colorScheme: 'light' });
  await assertTableFits(byAdmin, 'Members');
  await assertTableFits(byAdmin, 'Open invitations');
  await assertFitsInEachLook(byAdmin, 'members-nasty');
});

test('an admin creates, changes and deletes a team; a member sees it and cannot change it', async () => {
  const page = await openMembers(admin.user.id);
  const section = page.getByRole('region', { name: 'Teams' });
  await section.getByText('There is no team yet.').waitFor();
  await section.getByRole('button', { name: 'New team' }).click();
  const dialog = page.getByRole('dialog', { name: 'New team' });
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Payments');
  await dialog.getByRole('combobox', { name: 'Members' }).click();
  await page.getByRole('option', { name: new RegExp(member.user.email) }).click();
  await page.keyboard.press('Escape');
  await dialog.getByLabel('Names in CODEOWNERS files').fill('@acme/payments');
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Groups of the identity provider').fill('money');
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Groups of the identity provider').fill('Money');
  await page.keyboard.press('Enter');
  await assertFitsAndIsAccessible(page, 'team-form');
  await dialog.getByRole('button', { name: 'Create team' }).click();
  const row = section.getByRole('row', { name: /Payments/ });
  await row.getByText('@acme/payments').waitFor();
  await row.scrollIntoViewIfNeeded();
  await screenshot(page, 'teams');
  await applyGroups(db, viewer.user.id, ['Money'], 'req-groups');
  const asMember = await openMembers(member.user.id);
  const seen = asMember.getByRole('region', { name: 'Teams' }).getByRole('row', { name: /Payments/ });
  await seen.getByText('Yours').waitFor();
  assert.equal(await seen.getByRole('button').count(), 0);
  await row.getByRole('button', { name: 'Change Payments' }).click();
  const change = page.getByRole('dialog', { name: 'Change the team' });
  await change.getByText(new RegExp(member.user.email)).waitFor();
  const byGroup = change.getByRole('region', { name: 'By the identity provider' });
  await byGroup.getByText(`viewer of acme (${viewer.user.email}), Money`).waitFor();
  await assertFitsAndIsAccessible(page, 'team-by-group');
  await change.getByRole('textbox', { name: 'Name', exact: true }).fill('Money');
  await change.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The team is saved.').waitFor();
  // The member whom the group has added stays.
  await section.getByRole('row', { name: /^Money @acme\/payments 2/ }).waitFor();
  await section.getByRole('button', { name: 'Delete Money' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await section.getByText('There is no team yet.').waitFor();
});

test('the form of a team starts from its present members, and a removed member leaves the count at once', async () => {
  const kim = await person(acme.tenant.id, 'Kim Park', 'member');
  const ola = await person(acme.tenant.id, 'Ola Berg', 'member');
  const api = clientOf(server.app, admin.key);
  const memberIds = (...people: { id: UserId }[]) => people.map(({ id }) => formatId('user', id));
  const made = succeeded(
    await api.post('/manage/v1/acme/teams', { name: 'Carriers', members: memberIds(kim) }),
    201,
  );
  const page = await openMembers(admin.user.id);
  const row = page.getByRole('region', { name: 'Teams' }).getByRole('row', { name: /Carriers/ });
  const change = row.getByRole('button', { name: 'Change Carriers' });
  const dialog = page.getByRole('dialog', { name: 'Change the team' });
  await change.click();
  await dialog.getByText(new RegExp(kim.email)).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  const both = { members: memberIds(kim, ola) };
  succeeded(await api.patch(`/manage/v1/acme/teams/${made.id}`, both));
  await change.click();
  await dialog.getByText(new RegExp(ola.email)).waitFor();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The team is saved.').waitFor();
  await row.getByRole('cell', { name: '2', exact: true }).waitFor();

  await page.getByRole('button', { name: 'Remove Kim Park' }).click();
  const removal = page.getByRole('dialog', { name: 'Remove the member' });
  await removal.getByRole('textbox').fill(kim.email);
  await page.keyboard.press('Enter');
  await row.getByRole('cell', { name: '1', exact: true }).waitFor();
});

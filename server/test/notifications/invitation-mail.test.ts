/**
 * Tests of mailed invitations: their content, the proof that their link gives, their limits, and mail servers that
 * fail.
 */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import pg from 'pg';
import { invitationMails } from '../../src/access/members/invitation-mail.ts';
import { addMember } from '../../src/access/members/service.ts';
import { createUser } from '../../src/access/users/service.ts';
import { installTx, tenantTx } from '../../src/db/database.ts';
import { invitationMailText } from '../../src/notifications/mail/invitation-mail-text.ts';
import { sendDueMails } from '../../src/notifications/mail/mail-loop.ts';
import { type Mailer, openMailer } from '../../src/notifications/mail/mailer.ts';
import { type Schemas, send, succeeded } from '../support/client.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { createTestServer } from '../support/server.ts';
import { type SessionClient, signInAs, signInWith } from '../support/session.ts';
import { createTestWorkspace } from '../support/workspace.ts';

const publicUrl = 'http://localhost';
const server = await createTestServer({
  MERLON_SMTP_URL: 'smtp://127.0.0.1:1',
  MERLON_MAIL_FROM: 'merlon@example.com',
  MERLON_PUBLIC_URL: publicUrl,
});
const { app, db, owner } = server;
const acme = await createTestWorkspace(server, 'acme');
const other = await createTestWorkspace(server, 'other');
const admin = await signInAs(server, acme.people.admin.user.id);
const otherAdmin = await signInAs(server, other.people.admin.user.id);
const home = { origin: publicUrl, host: 'localhost' };
const password = 'correct horse battery';

let smtp: MailServer;
let mailer: Mailer;
let clock = 0;
const warnings: unknown[] = [];
const sendMails = (by: Mailer = mailer) =>
  sendDueMails(
    {
      db,
      mailer: by,
      publicUrl,
      now: () => new Date(clock),
      failed: (error) => warnings.push(error),
    },
    { warn: (...parts: unknown[]) => warnings.push(parts) },
  );

beforeEach(async () => {
  smtp = await startMailServer();
  mailer = openMailer({ url: smtp.url, from: 'Merlon <merlon@example.com>' });
  // Later than anything that a test does.
  clock = Date.now() + 60_000;
  warnings.length = 0;
  await owner.query('delete from invitation');
});
afterEach(async () => {
  mailer.close();
  await smtp.close();
});

type Invitation = Schemas['Invitation'];

let guests = 0;
const newEmail = () => `guest-${++guests}@guests.example`;

async function invite(email: string, by: SessionClient = admin, slug = 'acme', role = 'member') {
  const answer = await by.post<{ invitation: Invitation; link_token: string }>(
    `/manage/v1/${slug}/invitations`,
    { email, role },
  );
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
}

async function mailOf(email: string): Promise<Invitation['mail']> {
  const { body } = await admin.get<{ items: Invitation[] }>('/manage/v1/acme/invitations');
  return body.items.find((one) => one.email === email)?.mail ?? null;
}

const open = <Body>(path: string, body: object, headers: Record<string, string> = home) =>
  send<Body>(app, { method: 'POST', path: `/console/invitations/${path}`, headers, body });
const create = (token: string, name = 'Robin') => open('accept', { token, name, password });

function lastToken(): string {
  const link = /http:\/\/localhost\/invite#([\w-]+)/.exec(smtp.received.at(-1)?.text ?? '');
  return link?.[1] ?? assert.fail('no link in the mail');
}

const shownClock = () => `${new Date(clock).toISOString().slice(0, 19)}Z`;

const isProved = async (email: string) =>
  (await owner.query('select email_verified from user_account where email = $1', [email])).rows[0]
    ?.email_verified;

test('an invitation is mailed once, with a link of its own that is stored as a digest and never shown', async () => {
  const email = newEmail();
  const { invitation, link_token: shown } = await invite(email.toUpperCase());
  assert.deepEqual(invitation.mail, { status: 'pending', mailed_at: null, error: null });
  await sendMails();
  await sendMails();
  const [mail, ...more] = smtp.received;
  assert.ok(mail);
  assert.equal(more.length, 0);
  assert.deepEqual(mail.to, [email]);
  assert.equal(mail.headers.subject, 'Invitation to the workspace acme');
  assert.equal(mail.headers['list-unsubscribe'], undefined);
  assert.match(mail.text, /invites you to the workspace Workspace acme of Merlon, as member\./);
  assert.ok(mail.html.includes(`<a href="${publicUrl}/invite#${lastToken()}">Join the workspace</a>`));
  assert.notEqual(lastToken(), shown);
  const state = await mailOf(email);
  assert.equal(state?.status, 'delivered');
  assert.equal(state?.mailed_at, shownClock());
  const { rows } = await owner.query('select * from invitation');
  assert.ok(!JSON.stringify(rows).includes(lastToken()));
  const audit = await admin.get('/manage/v1/acme/audit');
  assert.ok(!audit.text.includes(lastToken()));
});

test('the mailed link proves the address, the shown one does not, and the first use ends both', async () => {
  const [byMail, byLink] = [newEmail(), newEmail()];
  const first = await invite(byMail);
  await sendMails();
  const token = lastToken();
  assert.equal((await create(token)).status, 200);
  assert.equal(await isProved(byMail), true);
  for (const used of [token, first.link_token]) {
    assert.equal((await open('preview', { token: used })).status, 404);
    assert.equal((await create(used)).status, 404);
  }
  const second = await invite(byLink);
  await sendMails();
  assert.equal((await create(second.link_token)).status, 200);
  assert.equal(await isProved(byLink), false);
  assert.equal((await open('preview', { token: lastToken() })).status, 404);
});

test('a mailed link is for its address alone, and ends with the invitation', async () => {
  const email = newEmail();
  await invite(email);
  await sendMails();
  const token = lastToken();
  const thief = await signInAs(server, acme.people.viewer.user.id);
  assert.equal((await thief.post('/console/invitations/accept', { token })).status, 403);
  const again = await invite(email);
  assert.equal((await open('preview', { token })).status, 404, 'replaced by a new invitation');
  await sendMails();
  const newer = lastToken();
  assert.equal((await open('preview', { token: newer })).status, 200);
  await owner.query('update invitation set expires_at = now() where email = $1', [email]);
  assert.equal((await open('preview', { token: newer })).status, 404, 'expired');
  await owner.query(`update invitation set expires_at = now() + interval '1 day' where email = $1`, [email]);
  assert.equal((await admin.delete(`/manage/v1/acme/invitations/${again.invitation.id}`)).status, 204);
  assert.equal((await create(newer)).status, 404, 'withdrawn');
});

test('a mailed link transfers the account that another person has created to the owner of its address', async () => {
  const email = newEmail();
  const { link_token: shown } = await invite(email, otherAdmin, 'other', 'admin');
  assert.equal((await create(shown, 'Call 555-0100')).status, 200);
  const impostor = await signInWith(server, email, password);
  const made = await impostor.post<{ value: string }>('/console/keys', {
    name: 'back door',
    scopes: ['tenants:read'],
    expires: 'never',
    workspaces: null,
  });
  assert.equal(made.status, 201, made.text);
  const { link_token: shownByAcme } = await invite(email);
  await sendMails();
  const token = lastToken();
  // The impostor has a session of this address, and the shown link of another admin.
  assert.equal((await impostor.post('/console/invitations/accept', { token: shownByAcme })).status, 403);
  assert.equal((await create(shownByAcme)).status, 422);
  const own = { token, name: 'Robin', password: 'a password of the owner' };
  const joined = succeeded(await open<{ slug: string }>('accept', own));
  assert.equal(joined.slug, 'acme');
  assert.equal((await impostor.get<{ signed_in: boolean }>('/console/session')).body.signed_in, false);
  const { rows } = await owner.query(
    `select u.name, u.email_verified, (select count(*)::int from api_key k where k.user_id = u.id and k.disabled_at is null) as keys
       from user_account u where email = $1`,
    [email],
  );
  assert.deepEqual(rows, [{ name: 'Robin', email_verified: true, keys: 0 }]);
  await assert.rejects(signInWith(server, email, password));
  await signInWith(server, email, own.password);
  const proved = await invite(email, otherAdmin, 'other').catch((error: Error) => error.message);
  assert.match(String(proved), /already a member/, 'the roles of the account stay');
});

test('an account whose address is proved is not transferred by a mailed link', async () => {
  const email = newEmail();
  await installTx(db, (tx) => createUser(tx, email, 'Kim', password));
  await invite(email);
  await sendMails();
  const answer = await open('accept', { token: lastToken(), name: 'X', password: 'another long password' });
  assert.equal(answer.status, 422, answer.text);
  const kim = await signInWith(server, email, password);
  assert.equal((await kim.post('/console/invitations/accept', { token: lastToken() })).status, 200);
});

test('names of people and workspaces make no markup, no link and no header', async () => {
  const email = newEmail();
  const name = '<a href="https://evil.example">Click</a> https://evil.example';
  await owner.query('update tenant set name = $1 where slug = $2', [
    `${name} www.evil.example evil。example ${'long '.repeat(20)}`,
    'acme',
  ]);
  await owner.query('update user_account set name = $1 where id = $2', [
    `Bcc: victim@evil.example\r\n${name}`,
    acme.people.admin.user.id,
  ]);
  await invite(email);
  await sendMails();
  const mail = smtp.received[0];
  assert.ok(mail);
  assert.deepEqual(mail.to, [email]);
  assert.equal(mail.headers.subject, 'Invitation to the workspace acme');
  assert.equal(mail.headers.bcc, undefined);
  for (const part of [mail.text, mail.html]) {
    assert.doesNotMatch(part, /https:\/\/evil|www\.evil|evil\.example|evil。example|victim@evil/);
    assert.doesNotMatch(part, /long long/);
  }
  assert.equal(mail.html.match(/<a /g)?.length, 1);
  await owner.query(`update tenant set name = 'Workspace acme' where slug = 'acme'`);
});

test('a name with a phone number is not mailed', () => {
  const said = (workspace: string, inviter: string) =>
    invitationMailText(
      { slug: 'acme', workspace, inviter, role: 'member', expires_at: new Date(clock) },
      publicUrl,
    ).text.split('\n')[0];
  assert.equal(
    said('Blocked! Call 1-800-555-0100', 'Call ٠٨٠٠٥٥٥'),
    'An admin invites you to the workspace acme of Merlon, as member.',
  );
  assert.equal(
    said('Team 2026', 'Robin'),
    'Robin invites you to the workspace Team 2026 of Merlon, as member.',
  );
});

test('an invitation succeeds while the mail server is down, and the list shows that it is not mailed yet', async () => {
  const email = newEmail();
  const port = Number(new URL(smtp.url).port);
  await smtp.close();
  await invite(email);
  await sendMails();
  assert.equal((await mailOf(email))?.status, 'pending');
  assert.equal(
    (await mailOf(email))?.error,
    'Merlon could not use the mail server. Merlon tries again.',
    'where the server is stays in the log',
  );
  assert.match(warnings.join(), /ECONNREFUSED/);
  smtp = await startMailServer(port);
  clock += 2 * 60_000;
  await sendMails();
  assert.deepEqual(await mailOf(email), {
    status: 'delivered',
    mailed_at: shownClock(),
    error: null,
  });
  assert.equal((await open('preview', { token: lastToken() })).status, 200);
});

test('an address that the mail server refuses is shown with its answer, and inviting again sends again', async () => {
  const email = newEmail();
  smtp.refuses = 550;
  await invite(email);
  await sendMails();
  assert.match((await mailOf(email))?.error ?? '', /550/);
  assert.equal((await mailOf(email))?.status, 'failed');
  clock += 24 * 60 * 60_000;
  smtp.refuses = null;
  await sendMails();
  assert.equal(smtp.received.length, 0, 'it is not sent again automatically');
  await invite(email);
  await sendMails();
  assert.equal(smtp.received.length, 1);
});

test('the link of a refused or deferred mail is withdrawn, and no error contains it', async () => {
  const email = newEmail();
  const tokens: string[] = [];
  const noting: Mailer = {
    ...mailer,
    send: async (mail) => {
      tokens.push(mail.secret ?? '');
      return mailer.send(mail);
    },
  };
  Object.assign(smtp, { refusesAt: 'data', refuses: 451 });
  await invite(email);
  await sendMails(noting);
  assert.equal((await mailOf(email))?.error, 'The mail server did not take the mail. Merlon tries again.');
  smtp.refuses = 554;
  clock += 2 * 60_000;
  await sendMails(noting);
  const error = (await mailOf(email))?.error ?? '';
  assert.match(error, /554/);
  assert.equal(tokens.length, 2);
  for (const token of tokens) {
    assert.equal((await open('preview', { token })).status, 404);
    // The lines of a mail have 76 characters at most, so pieces of the token are looked for.
    for (let at = 0; at + 8 <= token.length; at++) {
      const piece = token.slice(at, at + 8);
      assert.ok(!`${error} ${warnings.join()}`.includes(piece), piece);
    }
  }
});

test('several processes send one mail, and after the death of one a new mail replaces the first', async () => {
  await invite(newEmail());
  await Promise.all([sendMails(), sendMails(), sendMails()]);
  assert.equal(smtp.received.length, 1);
  await invite(newEmail());
  await sendMails({
    ...mailer,
    send: async (mail) => {
      await mailer.send(mail);
      throw new Error('killed');
    },
  });
  const first = lastToken();
  clock += 11 * 60_000;
  await sendMails();
  assert.equal(smtp.received.length, 3);
  assert.equal((await open('preview', { token: first })).status, 404);
  assert.equal((await open('preview', { token: lastToken() })).status, 200);
  const [one, two] = smtp.received.slice(1).map(({ headers }) => headers['message-id']);
  assert.notEqual(one, two, 'no mail server drops the valid one as a double');
});

test('a workspace with many mails delays an invitation of another workspace by one round only', async () => {
  const busy = await createTestWorkspace(server, 'busy');
  const busyAdmin = await signInAs(server, busy.people.admin.user.id);
  for (let i = 0; i < 50; i++) await invite(newEmail(), busyAdmin, 'busy');
  const email = newEmail();
  const sending: Mailer = {
    ...mailer,
    send: async (mail) => {
      if (smtp.received.length === 0) await invite(email, otherAdmin, 'other');
      return mailer.send(mail);
    },
  };
  await sendMails(sending);
  assert.equal(smtp.received.length, 51);
  assert.ok(smtp.received.findIndex(({ to }) => to[0] === email) <= 20);
});

test('an invitation that nobody can accept any more is not mailed', async () => {
  const rogue = await installTx(db, (tx) => createUser(tx, newEmail(), 'Rogue', null));
  await tenantTx(db, acme.tenant.id, (tx) => addMember(tx, rogue.id, 'admin'));
  const session = await signInAs(server, rogue.id);
  const [byRogue, withdrawn, expired] = [newEmail(), newEmail(), newEmail()];
  await invite(byRogue, session);
  const { invitation } = await invite(withdrawn);
  await invite(expired);
  assert.equal((await admin.delete(`/manage/v1/acme/invitations/${invitation.id}`)).status, 204);
  await owner.query('update invitation set expires_at = $2 where email = $1', [expired, new Date(clock)]);
  await tenantTx(db, acme.tenant.id, (tx) => addMember(tx, rogue.id, 'viewer'));
  await sendMails();
  await sendMails();
  assert.deepEqual(smtp.received, []);
  assert.equal((await mailOf(byRogue))?.error, 'The inviter is no longer an admin.');
});

test('a workspace of the isolation self-test mails no invitation', async () => {
  await invite(newEmail());
  await owner.query(`update tenant set canary = true where slug = 'acme'`);
  await sendMails();
  await owner.query(`update tenant set canary = false where slug = 'acme'`);
  assert.deepEqual(smtp.received, []);
});

test('an address gets five mails a day from all workspaces, and further invitations say that they are not mailed', async () => {
  const email = newEmail();
  for (const by of [1, 2, 3, 4, 5]) {
    await (by % 2 === 0 ? invite(email, otherAdmin, 'other') : invite(email));
    await sendMails();
  }
  assert.equal(smtp.received.length, 5);
  const { invitation, link_token: token } = await invite(email.toUpperCase());
  assert.match(invitation.mail?.error ?? '', /Too many invitations were mailed today/);
  await sendMails();
  assert.equal(smtp.received.length, 5);
  assert.equal((await open('preview', { token })).status, 200, 'the invitation itself is made');
});

test('an invitation that is refused uses up no mails to the address', async () => {
  const email = acme.people.viewer.user.email;
  for (let i = 0; i < 6; i++) {
    const refused = await admin.post('/manage/v1/acme/invitations', { email, role: 'member' });
    assert.equal(refused.status, 422, refused.text);
  }
  assert.equal((await invite(email, otherAdmin, 'other')).invitation.mail?.status, 'pending');
});

test('an invitation is created without a mail while the counts of mails cannot be read', async () => {
  const pool = new pg.Pool();
  await pool.end();
  const error = await invitationMails(pool).count(acme.tenant.id, newEmail(), async (reason) => reason);
  assert.match(error ?? '', /cannot be counted at the moment/);
});

test('a workspace mails at most a hundred invitations a day, and further ones do not count for their addresses', async () => {
  const statuses: (string | undefined)[] = [];
  for (let i = 0; i < 101; i++) statuses.push((await invite(newEmail())).invitation.mail?.status);
  assert.equal(statuses.at(-1), 'failed');
  const email = newEmail();
  for (let i = 0; i < 6; i++) await invite(email);
  assert.equal((await invite(email, otherAdmin, 'other')).invitation.mail?.status, 'pending');
});

test('an address that a mail server could read as another recipient is invited without a mail', async () => {
  for (const email of ['a,b@x.example', 'a<b>@x.example', '"a"@x.example', 'ü@x.example', 'a@x.example,y']) {
    const { invitation } = await invite(email, otherAdmin, 'other');
    assert.match(invitation.mail?.error ?? '', /only to addresses of plain letters/, email);
  }
  await sendMails();
  assert.deepEqual(smtp.received, []);
});

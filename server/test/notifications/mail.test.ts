/** Tests of mails: their recipients and content, and that none is lost, sent twice, or sent to the wrong person. */
import assert from 'node:assert/strict';
import { afterEach, before, beforeEach, describe, test } from 'node:test';
import { tenantReadTx } from '../../src/db/database.ts';
import { distinctIds } from '../../src/domain/ids.ts';
import { sweepEvents } from '../../src/notifications/feed/sweep-events.ts';
import { lastDigestEnd, nextDigestCheck, writeDigest } from '../../src/notifications/mail/digest.ts';
import { sendDueMails, startMailing } from '../../src/notifications/mail/mail-loop.ts';
import { listRecipients } from '../../src/notifications/mail/mail-store.ts';
import { type Mailer, type MailOutcome, openMailer } from '../../src/notifications/mail/mailer.ts';
import { blockCritical, createPolicyWorkspace, vulnerable } from '../policies/policy-workspace.ts';
import { clientOf, send, succeeded } from '../support/client.ts';
import { onlyInCi } from '../support/form.ts';
import { importAll } from '../support/import.ts';
import { type MailServer, startMailServer } from '../support/mail-server.ts';
import { trivy } from '../support/reports.ts';
import { signInAs, signInWith } from '../support/session.ts';
import { reportInput } from '../support/workspace.ts';

const publicUrl = 'https://merlon.example';
const { server, tenant, people, apply, violations } = await createPolicyWorkspace();
const { db, owner } = server;
const [admin, member] = [clientOf(server.app, people.admin.key), clientOf(server.app, people.member.key)];
const minuteMs = 60_000;

let smtp: MailServer;
let mailer: Mailer;
let clock = Date.now();
const warnings: unknown[] = [];

const dependencies = () => ({ db, mailer, publicUrl, now: () => new Date(clock) });
const log = { warn: (...parts: unknown[]) => warnings.push(parts) };
const sendMails = () => sendDueMails(dependencies(), log);

before(async () => {
  await apply(blockCritical);
});
beforeEach(async () => {
  smtp = await startMailServer();
  mailer = openMailer({ url: smtp.url, from: 'Merlon <merlon@example.com>' });
  warnings.length = 0;
  await owner.query('delete from mail_setting');
  clock = Date.now() + 1_000;
  // The reader begins after everything that earlier tests have done.
  await owner.query('delete from mail');
  await owner.query('delete from mail_reader');
  await sendMails();
  smtp.received.length = 0;
});
afterEach(async () => {
  mailer.close();
  await smtp.close();
});

let count = 0;
/** A report of a vulnerability with this title in a repository of its own. */
function reportOf(number: number, title: string) {
  const report = trivy([{ ...vulnerable('alpha'), id: `CVE-2033-${1000 + number}` }]);
  for (const { Vulnerabilities } of report.Results) for (const row of Vulnerabilities) row.Title = title;
  return report;
}

async function scan(
  number: number,
  report: object,
  more: { scannedAt?: Date; ref?: string } = {},
): Promise<void> {
  await importAll(server, 'acme', [reportInput(report, { repository: `acme/mail-${number}`, ...more })]);
}

/** Reports a vulnerability with this title, and gives its id. */
async function vulnerability(
  title = 'A problem',
  more: { scannedAt?: Date; ref?: string } = {},
): Promise<string> {
  await scan(++count, reportOf(count, title), more);
  const { body } = await admin.get<{ items: { id: string }[] }>(
    `/api/v1/acme/vulnerabilities?repo=acme/mail-${count}`,
  );
  return body.items[0]?.id ?? assert.fail('no vulnerability');
}

async function assign(id: string, assignee: string | null, by = admin): Promise<void> {
  succeeded(await by.patch(`/api/v1/acme/vulnerabilities/${id}/assignment`, { assignee }));
}

async function requestException(): Promise<string> {
  await vulnerability();
  const [violation] = await violations({ repo: `acme/mail-${count}` });
  const answer = await member.post<{ items: { id: string }[] }>('/manage/v1/acme/exceptions', {
    violations: [violation?.id],
    reason: 'No fix yet',
  });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.items[0]?.id ?? assert.fail(answer.text);
}

const reached = () => smtp.received.map(({ to, headers }) => [to.join(), headers.subject]);
const memberAddress = people.member.user.email;

describe('an assignment', () => {
  test('is mailed to the assignee at once, as text and HTML, with links to the vulnerability and to the settings', async () => {
    const id = await vulnerability('Injection <b onclick="x">&amp; https://evil.example www.evil.example');
    await assign(id, people.member.user.id);
    await sendMails();
    const [mail, ...others] = smtp.received;
    assert.ok(mail);
    assert.equal(others.length, 0);
    assert.deepEqual([mail.to, mail.from], [[memberAddress], 'merlon@example.com']);
    assert.equal(mail.headers.subject, 'acme: 1 vulnerability assigned');
    assert.match(
      mail.headers['list-unsubscribe'] ?? '',
      /<https:\/\/merlon\.example\/w\/acme\/notifications>/,
    );
    assert.equal(mail.headers['auto-submitted'], 'auto-generated');
    const page = `${publicUrl}/w/acme/vulnerabilities?v=${id}`;
    assert.ok(mail.text.includes(page) && mail.html.includes(`<a href="${page}">`), mail.source);
    // The title is shown as text, without elements and links.
    assert.ok(mail.html.includes('Injection &lt;b onclick=&quot;x&quot;&gt;&amp;amp;'), mail.html);
    for (const part of [mail.text, mail.html]) assert.doesNotMatch(part, /https:\/\/evil|www\.evil/);
    await sendMails();
    assert.equal(smtp.received.length, 1, 'nothing is sent twice');
  });

  test('is not mailed to people who assign themselves, have turned it off, or are no longer the assignee', async () => {
    await assign(await vulnerability(), people.member.user.id, member);
    const [taken, off] = [await vulnerability(), await vulnerability()];
    await assign(taken, people.member.user.id);
    await assign(taken, null);
    const session = await signInAs(server, people.member.user.id);
    assert.equal((await session.patch('/manage/v1/acme/notifications', { assigned: false })).status, 200);
    await assign(off, people.member.user.id);
    await sendMails();
    assert.deepEqual(reached(), []);
  });

  test('of a vulnerability that is fixed or decided meanwhile is not mailed', async () => {
    const fixed = await vulnerability();
    await assign(fixed, people.member.user.id);
    await scan(count, trivy([]));
    const decided = await vulnerability();
    await assign(decided, people.member.user.id);
    const answer = await admin.post('/manage/v1/acme/vulnerabilities/decisions', {
      vulnerabilities: [{ id: decided }],
      action: 'reject',
      reason: 'The code is not called.',
      resolution: 'false_positive',
    });
    assert.equal(answer.status, 200, answer.text);
    await sendMails();
    assert.deepEqual(reached(), []);
  });

  test('several at once are one mail, and all that follow within minutes are one more', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 6; i++) ids.push(await vulnerability());
    for (const id of ids.slice(0, 3)) await assign(id, people.member.user.id);
    await sendMails();
    for (const id of ids.slice(3)) {
      await assign(id, people.member.user.id);
      await sendMails();
    }
    assert.deepEqual(reached(), [[memberAddress, 'acme: 3 vulnerabilities assigned']]);
    clock += 5 * minuteMs;
    await sendMails();
    assert.deepEqual(reached().slice(1), [[memberAddress, 'acme: 3 vulnerabilities assigned']]);
  });

  test('whose violation is due within three days is mailed to the assignee', async () => {
    const id = await vulnerability();
    await assign(id, people.member.user.id, member);
    const [violation] = await violations({ repo: `acme/mail-${count}` });
    await sendMails();
    assert.deepEqual(reached(), []);
    const due = new Date(violation?.due_at ?? '').getTime();
    await sweepEvents(db, tenant.id, new Date(due - 2 * 24 * 60 * minuteMs), 3650);
    await sendMails();
    assert.match(reached().join(), new RegExp(`^${memberAddress},acme: .*violation.* due within three days`));
  });
});

describe('a requested exception', () => {
  test('is mailed to the admins who may approve it, and not to the requester', async () => {
    await requestException();
    await sendMails();
    assert.deepEqual(reached(), [[people.admin.user.email, 'acme: 1 exception requested']]);
  });

  test('for a policy in a repository is mailed with a link to the exceptions of both', async () => {
    await vulnerability();
    const repo = `acme/mail-${count}`;
    const policy = (await violations({ repo }))[0]?.policy.key;
    const reason = 'No fix yet';
    const answer = await member.post('/manage/v1/acme/exceptions', { policy, repo, reason });
    assert.equal(answer.status, 200, answer.text);
    await sendMails();
    const page = `${publicUrl}/w/acme/exceptions?policy=${policy}&repo=${encodeURIComponent(repo)}`;
    assert.ok(smtp.received[0]?.text.includes(page), smtp.received[0]?.text);
  });

  test('is not mailed if it was reviewed meanwhile', async () => {
    const id = await requestException();
    const answer = await admin.post(`/manage/v1/acme/exceptions/${id}/review`, {
      decision: 'refuse',
      reason: 'Fix it',
    });
    assert.equal(answer.status, 200, answer.text);
    await sendMails();
    assert.deepEqual(reached(), []);
  });
});

describe('a person', () => {
  test('who is disabled or has left the workspace gets no mail, not even a waiting one', async () => {
    await assign(await vulnerability(), people.member.user.id);
    await requestException();
    // The mails are written and not sent yet.
    smtp.refuses = 451;
    await sendMails();
    smtp.refuses = null;
    await owner.query('update user_account set disabled_at = now() where id = $1', [people.member.user.id]);
    await owner.query('delete from member where tenant_id = $1 and user_id = $2', [
      tenant.id,
      people.admin.user.id,
    ]);
    clock += 60 * minuteMs;
    await sendMails();
    assert.deepEqual(reached(), []);
    await owner.query('update user_account set disabled_at = null where id = $1', [people.member.user.id]);
    await owner.query(`insert into member (tenant_id, user_id, role) values ($1, $2, 'admin')`, [
      tenant.id,
      people.admin.user.id,
    ]);
  });
});

test('an address that nobody has proved gets no mail, so no admin can write to strangers', async () => {
  const [email, password] = ['stranger@elsewhere.example', 'a password of the attacker'];
  const session = await signInAs(server, people.admin.user.id);
  const invited = await session.post<{ link_token: string }>('/manage/v1/acme/invitations', {
    email,
    role: 'admin',
  });
  const body = { token: succeeded(invited, 201).link_token, name: 'Stranger', password };
  const headers = { origin: 'http://localhost', host: 'localhost' };
  succeeded(await send(server.app, { method: 'POST', path: '/console/invitations/accept', headers, body }));
  const stranger = await signInWith(server, email, password);
  const settings = '/manage/v1/acme/notifications';
  const shown = await stranger.patch<{ address_proved: boolean }>(settings, { digest: 'daily' });
  assert.equal(succeeded(shown).address_proved, false);
  await owner.query(`update mail_setting set updated_at = now() - interval '2 days'`);
  await assign(await vulnerability('Call 555-0100'), email);
  await requestException();
  await sendMails();
  clock = nextDigestCheck(new Date(clock)).getTime();
  await sendMails();
  assert.deepEqual(reached(), [[people.admin.user.email, 'acme: 1 exception requested']]);
  await owner.query('update user_account set email_verified = true where email = $1', [email]);
  await assign(await vulnerability(), email);
  await sendMails();
  assert.deepEqual(reached().at(-1), [email, 'acme: 1 vulnerability assigned']);
  const { rows } = await owner.query<{ id: string }>('select id from user_account where email = $1', [email]);
  await owner.query('delete from member where user_id = $1', [rows[0]?.id]);
});

test('a workspace of the isolation self-test sends no mail', async () => {
  await assign(await vulnerability(), people.member.user.id);
  await owner.query('update tenant set canary = true where id = $1', [tenant.id]);
  await sendMails();
  assert.deepEqual(reached(), []);
  await owner.query('update tenant set canary = false where id = $1', [tenant.id]);
});

describe('the mail server', () => {
  test('that is down loses no mail', async () => {
    const port = Number(new URL(smtp.url).port);
    await smtp.close();
    await assign(await vulnerability(), people.member.user.id);
    await sendMails();
    clock += 2 * minuteMs;
    await sendMails();
    smtp = await startMailServer(port);
    clock += 10 * minuteMs;
    await sendMails();
    assert.deepEqual(reached(), [[memberAddress, 'acme: 1 vulnerability assigned']]);
    const { rows } = await owner.query('select status, attempts from mail');
    assert.deepEqual(rows, [{ status: 'delivered', attempts: 3 }]);
  });

  test('that refuses an address permanently gets no second attempt', async () => {
    smtp.refuses = 550;
    await assign(await vulnerability(), people.member.user.id);
    await sendMails();
    const { rows } = await owner.query('select status, attempts, error from mail');
    assert.deepEqual([rows[0].status, rows[0].attempts], ['failed', 1]);
    assert.match(rows[0].error, /550/);
  });

  test('refuses or defers a mail only by its answer to the recipient or the data', async () => {
    const login = smtp.url.replace('//', '//merlon:secret@');
    const user = openMailer({ url: login, from: 'merlon@example.com' });
    const to = { name: '', address: memberAddress };
    const answers: [MailServer['refusesAt'], number, MailOutcome][] = [
      ['greeting', 554, 'unreachable'],
      ['login', 535, 'unreachable'],
      ['login', 454, 'unreachable'],
      ['sender', 550, 'unreachable'],
      ['sender', 451, 'unreachable'],
      ['recipient', 421, 'unreachable'],
      ['recipient', 451, 'deferred'],
      ['data', 452, 'deferred'],
      ['recipient', 550, 'refused'],
      ['data', 554, 'refused'],
    ];
    for (const [step, code, expected] of answers) {
      Object.assign(smtp, { refusesAt: step, refuses: code });
      const { outcome, error } = await user.send({
        id: 'x',
        to,
        subject: 'x',
        text: 'x',
        html: 'x',
        settingsUrl: null,
      });
      assert.deepEqual([step, code, outcome], [step, code, expected]);
      assert.match(error ?? '', new RegExp(String(code)));
    }
    user.close();
  });

  test('that defers one mail gets the others of the workspace in the same round', async () => {
    await requestException();
    await assign(await vulnerability(), people.member.user.id);
    smtp.refuses = 451;
    const sends: Mailer['send'] = async (mail) => {
      const result = await mailer.send(mail);
      smtp.refuses = null;
      return result;
    };
    await sendDueMails({ ...dependencies(), mailer: { ...mailer, send: sends } }, log);
    assert.equal(smtp.received.length, 1);
    clock += 2 * minuteMs;
    await sendMails();
    assert.equal(smtp.received.length, 2, 'the deferred mail is sent later');
  });

  test('gets the other mails of a workspace while one cannot be composed, and that one once it can', async () => {
    const ofMember = '(select events[1] from mail where user_id = $1)';
    const exchange = (content: Buffer) =>
      owner.query(`update event_batch set content = $2 where first_number = ${ofMember}`, [
        people.member.user.id,
        content,
      ]);
    smtp.refuses = 451;
    await assign(await vulnerability(), people.member.user.id);
    await sendMails();
    const { rows } = await owner.query<{ content: Buffer }>(
      `select content from event_batch where first_number = ${ofMember}`,
      [people.member.user.id],
    );
    await requestException();
    await sendMails();
    smtp.refuses = null;
    await exchange(Buffer.from('damaged'));
    clock += 2 * minuteMs;
    await sendMails();
    assert.deepEqual(reached(), [[people.admin.user.email, 'acme: 1 exception requested']]);
    await exchange(rows[0]?.content ?? assert.fail('no events'));
    clock += 20 * minuteMs;
    await sendMails();
    assert.deepEqual(reached()[1], [memberAddress, 'acme: 1 vulnerability assigned']);
  });

  test('that takes longer to check a mail than the timeout of a connection gets it once', {
    skip: onlyInCi,
  }, async () => {
    smtp.delayMs = 17_000;
    await assign(await vulnerability(), people.member.user.id);
    await sendMails();
    clock += 30 * minuteMs;
    smtp.delayMs = 0;
    await sendMails();
    assert.deepEqual(reached(), [[memberAddress, 'acme: 1 vulnerability assigned']]);
  });

  test('gets each mail once from several processes', async () => {
    await assign(await vulnerability(), people.member.user.id);
    await requestException();
    await Promise.all([sendMails(), sendMails(), sendMails()]);
    await sendMails();
    assert.equal(smtp.received.length, 2);
  });

  test('gets a mail a second time if the first process died before it recorded the delivery', async () => {
    await assign(await vulnerability(), people.member.user.id);
    const dying: Mailer = {
      ...mailer,
      send: async (mail) => {
        await mailer.send(mail);
        throw new Error('killed');
      },
    };
    await sendDueMails({ ...dependencies(), mailer: dying }, log);
    assert.equal(smtp.received.length, 1);
    await sendMails();
    assert.equal(smtp.received.length, 1, 'the lease holds others off');
    clock += 11 * minuteMs;
    await sendMails();
    const [first, second] = smtp.received;
    assert.equal(first?.headers['message-id'], second?.headers['message-id']);
  });

  test('is used by the loop of a process', { skip: onlyInCi }, async () => {
    const mailing = startMailing({
      db,
      config: { smtp: { url: smtp.url, from: 'merlon@example.com' }, publicUrl },
      log: { warn: assert.fail },
      now: () => new Date(),
    });
    await assign(await vulnerability(), people.member.user.id);
    for (let i = 0; i < 300 && smtp.received.length === 0; i++)
      await new Promise((wait) => setTimeout(wait, 100));
    await mailing.stop();
    assert.equal(smtp.received.length, 1);
  });

  test('that is configured later sends no mail about events older than a day', async () => {
    await assign(await vulnerability(), people.member.user.id);
    clock += 25 * 60 * minuteMs;
    await sendMails();
    assert.deepEqual(reached(), []);
  });
});

describe('a digest', () => {
  const dayMs = 24 * 60 * minuteMs;
  const path = '/manage/v1/acme/notifications';
  /** The next time at which digests are made, and a moment after it. */
  const nextMorning = () => new Date(nextDigestCheck(new Date(clock)).getTime() + minuteMs);

  async function choose(digest: string, more: object = {}): Promise<void> {
    const session = await signInAs(server, people.viewer.user.id);
    succeeded(await session.patch(path, { digest, ...more }));
  }
  const digests = () => smtp.received.filter(({ to }) => to.join() === people.viewer.user.email);

  test('lists once a day the opened vulnerabilities of the chosen severity or above, also with several processes', async () => {
    await choose('daily', { least_severity: 'critical' });
    await vulnerability('Opened <i>today</i>');
    await sendMails();
    assert.deepEqual(digests(), [], 'nothing comes before the morning');
    clock = nextMorning().getTime();
    await Promise.all([sendMails(), sendMails(), sendMails()]);
    await sendMails();
    const [mail, ...others] = digests();
    assert.ok(mail);
    assert.equal(others.length, 0);
    assert.match(mail.headers.subject ?? '', /^acme: \d+ opened/);
    assert.match(mail.text, /opened: \d+ critical\r?\n/);
    assert.ok(mail.html.includes('&lt;i&gt;today'), mail.html);
    assert.match(mail.text, /you chose a daily digest/);
    const { rows } = await owner.query(
      'select digest_until, digest_through from mail where digest_until is not null',
    );
    assert.equal(rows.length, 1);
    clock += dayMs;
    await sendMails();
    const [, second] = (await owner.query('select digest_after from mail order by digest_until')).rows;
    assert.equal(second.digest_after, rows[0].digest_through, 'each begins where the last one has ended');
  });

  test('lists vulnerabilities that a report of an old commit has opened, and reopened ones', async () => {
    await choose('daily', { least_severity: 'critical' });
    const again = await vulnerability('Open again');
    const number = count;
    clock = nextMorning().getTime();
    await sendMails();
    const old = await vulnerability('Opened by an old commit', { scannedAt: new Date('2020-01-01') });
    await scan(number, trivy([]));
    await scan(number, reportOf(number, 'Open again'));
    clock += dayMs;
    await sendMails();
    const [, mail] = digests();
    assert.match(mail?.headers.subject ?? '', /^acme: 2 opened/);
    assert.ok(mail?.text.includes(old) && mail.text.includes(again), mail?.text);
  });

  test('counts as the console does, and what is open on pull requests only apart', async () => {
    await choose('daily', { least_severity: 'critical' });
    clock = nextMorning().getTime();
    await sendMails();
    const before = digests().length;
    const onMain = await vulnerability('On main');
    const onPull = await vulnerability('On a pull request', { ref: 'refs/pull/1/head' });
    clock += dayMs;
    await sendMails();
    const mail = digests()[before];
    assert.match(mail?.headers.subject ?? '', /^acme: 1 opened, 1 opened on other branches only/);
    assert.ok(mail?.text.includes(onMain) && mail.text.includes(onPull), mail?.text);
  });

  test('says of both kinds of opened vulnerabilities that there are at least so many if their sum is above the limit', async () => {
    await choose('daily', { least_severity: 'critical' });
    const tracked = distinctIds('vulnerability', [await vulnerability('On main')]);
    const others = distinctIds('vulnerability', [
      await vulnerability('On a pull request', { ref: 'refs/pull/2/head' }),
    ]);
    const message = await tenantReadTx(db, tenant.id, async (tx) => {
      const [recipient] = await listRecipients(tx, people.viewer.user.id);
      assert.ok(recipient);
      const opened = new Map([['0-0-critical', { tracked, others, isCut: true }]]);
      return writeDigest(tx, recipient, { after: 0, through: 0 }, { slug: 'acme', publicUrl }, opened);
    });
    assert.match(message?.title ?? '', /^acme: at least 1 opened, at least 1 opened on other branches only/);
  });

  test('is sent only after a person chose it, once even if a process dies while sending, and not to former members', async () => {
    clock = nextMorning().getTime();
    await sendMails();
    await owner.query(
      `insert into mail_setting (tenant_id, user_id, approvals, assigned, digest, least_severity, updated_at)
       values ($1, $2, true, true, 'daily', 'low', $3)`,
      [tenant.id, people.viewer.user.id, new Date(clock)],
    );
    await vulnerability();
    await sendMails();
    assert.deepEqual(digests(), []);
    clock += dayMs;
    const dying: Mailer = {
      ...mailer,
      send: async (mail) => {
        await mailer.send(mail);
        throw new Error('killed');
      },
    };
    await sendDueMails({ ...dependencies(), mailer: dying }, log);
    clock += 60 * minuteMs;
    await sendMails();
    assert.equal(digests().length, 1);
    await owner.query('update user_account set disabled_at = now() where id = $1', [people.viewer.user.id]);
    clock += dayMs;
    await sendMails();
    assert.equal(digests().length, 1);
    await owner.query('update user_account set disabled_at = null where id = $1', [people.viewer.user.id]);
  });

  test('that the mail server deferred is sent later, once', async () => {
    await choose('daily', { least_severity: 'low' });
    await vulnerability();
    smtp.refuses = 451;
    clock = nextMorning().getTime();
    await sendMails();
    smtp.refuses = null;
    for (let i = 0; i < 3; i++) {
      clock += 2 * minuteMs;
      await sendMails();
    }
    assert.equal(digests().length, 1);
  });

  test('of a week does not come again after a restore, which starts without the mails that were sent', async () => {
    await choose('weekly', { least_severity: 'low' });
    await vulnerability();
    const monday = lastDigestEnd('weekly', new Date(clock + 7 * dayMs)).getTime() + minuteMs;
    clock = monday;
    await sendMails();
    assert.equal(digests().length, 1);
    await owner.query('delete from mail');
    await owner.query('delete from mail_reader');
    for (const at of [monday + minuteMs, monday + dayMs]) {
      clock = at;
      await sendMails();
    }
    assert.equal(digests().length, 1);
    clock = monday + 7 * dayMs;
    await sendMails();
    const { rows } = await owner.query('select digest_until from mail where digest_until is not null');
    assert.deepEqual(rows, [{ digest_until: lastDigestEnd('weekly', new Date(clock)) }]);
  });

  test('of a week is sent on Mondays', () => {
    const at = (time: string) => new Date(time);
    assert.deepEqual(lastDigestEnd('daily', at('2026-03-03T04:59:59Z')), at('2026-03-02T05:00:00Z'));
    assert.deepEqual(lastDigestEnd('daily', at('2026-03-03T05:00:00Z')), at('2026-03-03T05:00:00Z'));
    for (const now of ['2026-03-02T05:00:00Z', '2026-03-04T12:00:00Z', '2026-03-09T04:59:00Z']) {
      assert.deepEqual(lastDigestEnd('weekly', at(now)), at('2026-03-02T05:00:00Z'), now);
    }
    assert.deepEqual(nextDigestCheck(at('2026-03-03T05:00:00Z')), at('2026-03-04T05:00:00Z'));
  });
});

describe('the settings', () => {
  const path = '/manage/v1/acme/notifications';

  test('have no digest by default, and belong to one person in one workspace', async () => {
    const session = await signInAs(server, people.viewer.user.id);
    const { body } = await session.get(path);
    assert.deepEqual(body, {
      approvals: true,
      assigned: true,
      digest: 'none',
      least_severity: 'high',
      mail_available: false,
      address_proved: true,
    });
    const changed = await session.patch<object>(path, { digest: 'weekly' });
    assert.deepEqual([changed.status, changed.body], [200, { ...body, digest: 'weekly' }]);
    const other = await signInAs(server, people.member.user.id);
    assert.deepEqual((await other.get(path)).body, body);
    assert.equal((await session.patch(path, { digest: 'hourly' })).status, 422);
  });

  test('are refused to keys', async () => {
    assert.ok([401, 403].includes((await admin.get(path)).status));
  });
});

/** Tests of webhooks in the console: an admin creates one, sees its deliveries, and sends events again. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { WebhookId } from '../../server/src/domain/ids.ts';
import { networksOf } from '../../server/src/notifications/outbound/public-address.ts';
import { deliverRound } from '../../server/src/notifications/webhooks/deliver.ts';
import { importAll } from '../../server/test/support/import.ts';
import { trivy } from '../../server/test/support/reports.ts';
import { startReceiver } from '../../server/test/support/webhook-receiver.ts';
import { createTestWorkspace, reportInput } from '../../server/test/support/workspace.ts';
import {
  assertFitsAndIsAccessible,
  assertFitsInEachLook,
  screenshot,
  startConsole,
} from './support/console.ts';

const { server, open } = await startConsole({ MERLON_WEBHOOK_NETWORKS: '127.0.0.0/8' });
const { tenant, people } = await createTestWorkspace(server, 'acme');
const receiver = await startReceiver();
after(() => receiver.close());
const report = (name: string) =>
  importAll(server, 'acme', [reportInput(trivy([{ id: 'CVE-2030-1', name, version: '1.0.0' }]))]);
await report('alpha');

async function deliver(): Promise<void> {
  const { rows } = await server.owner.query<{ id: WebhookId }>('select id from webhook');
  const post = { allowed: networksOf(['127.0.0.0/8']), usesSystemNames: true };
  const dependencies = { ...server, post, publicUrl: null, now: () => new Date() };
  for (const { id } of rows) await deliverRound(dependencies, tenant.id, id);
}

test('an admin creates a webhook, copies its secret, sees its deliveries, sends again, changes and deletes it', async () => {
  const page = await open({ userId: people.admin.user.id, path: '/w/acme/settings' });
  const section = page.getByRole('region', { name: 'Webhooks' });
  await section.getByText('There is no webhook yet.').waitFor();
  await section.getByRole('button', { name: 'New webhook' }).click();
  const dialog = page.getByRole('dialog', { name: 'New webhook' });
  await dialog.getByLabel('Name').fill('Chat bot');
  await dialog.getByLabel('Address').fill('https://10.0.0.1/hook');
  await dialog.getByRole('combobox', { name: 'Events' }).click();
  for (const name of ['Vulnerability opened', 'Scan completed']) {
    await page.getByRole('option', { name }).click();
  }
  await page.keyboard.press('Escape');
  await dialog.getByLabel('Least severity').selectOption('Medium or higher');
  await dialog.getByRole('combobox', { name: 'Repositories' }).click();
  await page.getByRole('option', { name: 'acme/shop' }).click();
  await page.keyboard.press('Escape');
  await assertFitsAndIsAccessible(page, 'webhook-form');
  await dialog.getByRole('button', { name: 'Create webhook' }).click();
  await dialog.getByText(/Must be a public address, which 10\.0\.0\.1 is not\./).waitFor();
  await dialog.getByLabel('Address').fill(receiver.url);
  await dialog.getByRole('button', { name: 'Create webhook' }).click();
  const made = page.getByRole('dialog', { name: 'The webhook was created' });
  const secret = await made.getByText(/^whsec_/).textContent();
  assert.match(secret ?? '', /^whsec_[A-Za-z0-9+/]{43}=$/);
  receiver.secret = secret;
  await screenshot(page, 'webhook-secret');
  await made.getByRole('button', { name: 'Close' }).last().click();
  const row = section.getByRole('row', { name: /Chat bot/ });
  await row.getByText('in acme/shop').waitFor();
  await row.getByText('Medium or higher').waitFor();
  assert.ok(!(await page.content()).includes(secret ?? ''), 'the secret is gone with its dialog');

  receiver.answer = 500;
  await report('beta');
  await deliver();
  receiver.answer = 204;
  await page.reload();
  await row.getByText(/Failing|Away/).waitFor();
  await row.getByText(/waiting/).waitFor();
  await assertFitsInEachLook(page, 'webhooks');

  await row.getByRole('button', { name: 'Actions of Chat bot' }).click();
  await page.getByRole('menuitem', { name: 'Deliveries' }).click();
  const log = page.getByRole('dialog', { name: 'Deliveries of Chat bot' });
  await log.getByText('HTTP 500').first().waitFor();
  await assertFitsAndIsAccessible(page, 'webhook-deliveries');
  await page.keyboard.press('Escape');
  await server.owner.query(`update webhook set due_at = now(), retry_at = null`);
  await server.owner.query(`update webhook_delivery set due_at = now()`);
  await deliver();
  assert.equal(receiver.refused, 0);
  await page.reload();
  await row.getByText('Active').waitFor();
  await row.getByRole('button', { name: 'Actions of Chat bot' }).click();
  await page.getByRole('menuitem', { name: 'Deliveries' }).click();
  await log.getByLabel('Status').selectOption('Delivered');
  await log
    .getByRole('button', { name: /^Send evt_/ })
    .first()
    .click();
  await page.getByText('The event is sent again.').waitFor();
  const before = receiver.received.length;
  await deliver();
  assert.equal(receiver.received.length, before + 1);
  await page.keyboard.press('Escape');

  await row.getByRole('button', { name: 'Actions of Chat bot' }).click();
  await page.getByRole('menuitem', { name: 'Change' }).click();
  const change = page.getByRole('dialog', { name: 'Change the webhook' });
  await change.getByLabel('Name').fill('Chat');
  await change.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved. Waiting events are sent now.').waitFor();
  const renamed = section.getByRole('row', { name: /Chat/ });
  await renamed.getByRole('button', { name: 'Actions of Chat' }).click();
  await page.getByRole('menuitem', { name: 'New secret' }).click();
  await page.getByRole('button', { name: 'Create secret' }).click();
  const next = page.getByRole('dialog', { name: 'The new secret was created' });
  assert.notEqual(await next.getByText(/^whsec_/).textContent(), secret);
  await next.getByRole('button', { name: 'Close' }).last().click();
  await renamed.getByRole('button', { name: 'Actions of Chat' }).click();
  await page.getByRole('menuitem', { name: 'Disable' }).click();
  await renamed.getByText('Disabled').waitFor();
  await renamed.getByRole('button', { name: 'Actions of Chat' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await section.getByText('There is no webhook yet.').waitFor();

  await section.getByRole('button', { name: 'New webhook' }).click();
  await dialog.getByLabel('Receiver').selectOption('Slack');
  await dialog.getByLabel('Name').fill('#security');
  await dialog.getByLabel('Address').fill(receiver.url);
  assert.equal(await dialog.getByLabel('Least severity').inputValue(), 'high');
  await screenshot(page, 'webhook-form-slack');
  await dialog.getByRole('button', { name: 'Create webhook' }).click();
  await made.getByText('#security gets a message').waitFor();
  await made.getByRole('button', { name: 'Close' }).last().click();
  const channel = section.getByRole('row', { name: /#security/ });
  await channel.getByText(/^Slack: http/).waitFor();
  await channel.getByText(/Vulnerability opened, .*Key expires soon/).waitFor();
  await screenshot(page, 'webhooks-slack');
  await channel.getByRole('button', { name: 'Actions of #security' }).click();
  await page.getByRole('menuitem', { name: 'Deliveries' }).waitFor();
  assert.equal(await page.getByRole('menuitem', { name: 'New secret' }).count(), 0);
});

test('a person chooses their mails, and the page says that this server sends none yet', async () => {
  const page = await open({ userId: people.admin.user.id, path: '/w/acme' });
  await page.getByRole('link', { name: 'Notifications', exact: true }).click();
  await page.getByText('This server has no mail server').waitFor();
  const assigned = page.getByRole('switch', { name: /assigned to me/ });
  assert.ok(await assigned.isChecked());
  await assigned.focus();
  await page.keyboard.press('Space');
  await page.getByText('Saved.').waitFor();
  assert.equal(await assigned.and(page.locator(':focus')).count(), 1);
  await page.getByLabel('How often').selectOption('Every Monday');
  await page.getByRole('combobox', { name: 'Least severity' }).selectOption('Medium or higher');
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
  await page.getByRole('button', { name: 'Save' }).click();
  assert.equal((await saved).status(), 200);
  await assertFitsAndIsAccessible(page, 'notifications');
  await page.reload();
  await page.getByRole('switch', { name: /waits for approval/ }).waitFor();
  assert.deepEqual(
    [
      await assigned.isChecked(),
      await page.getByLabel('How often').inputValue(),
      await page.getByLabel('Least severity').inputValue(),
    ],
    [false, 'weekly', 'medium'],
  );
});

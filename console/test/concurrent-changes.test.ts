/** Tests of two people who change the same thing: saving keeps what the other one has changed meanwhile. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyInventory } from '../../server/src/actions/inventory-file/apply.ts';
import { tenantTx } from '../../server/src/db/database.ts';
import { succeeded } from '../../server/test/support/client.ts';
import { signInAs } from '../../server/test/support/session.ts';
import { createTestWorkspace } from '../../server/test/support/workspace.ts';
import { startConsole } from './support/console.ts';

const { server, open } = await startConsole();
const { tenant, people } = await createTestWorkspace(server, 'acme');
await tenantTx(server.db, tenant.id, (tx) =>
  applyInventory(tx, {
    repositories: ['acme/api', 'acme/quiet', 'acme/shop', 'acme/web'].map((full_name) => ({ full_name })),
    applications: [{ name: 'Storefront', repositories: ['acme/shop', 'acme/quiet'] }],
  }),
);
const colleague = await signInAs(server, people.admin.user.id);

test('saving an application keeps the repositories and fields that a colleague has changed meanwhile', async () => {
  const { items } = succeeded(
    await colleague.get<{ items: { id: string; full_name: string }[] }>('/console/api/v1/acme/repositories'),
  );
  const idsOf = (...names: string[]) => names.map((name) => items.find((one) => one.full_name === name)?.id);
  const [{ id = '' } = {}] = succeeded(
    await colleague.get<{ items: { id: string }[] }>('/console/api/v1/acme/applications'),
  ).items;
  const path = `/manage/v1/acme/applications/${id}`;
  const page = await open({ userId: people.admin.user.id, path: `/w/acme/applications?app=${id}` });

  await page.getByRole('button', { name: 'Choose repositories' }).click();
  const choosing = page.getByRole('dialog', { name: 'Repositories of Storefront' });
  await choosing.getByRole('checkbox', { name: 'acme/web' }).check();
  await choosing.getByRole('checkbox', { name: 'acme/quiet' }).uncheck();
  const repositories = idsOf('acme/shop', 'acme/quiet', 'acme/api');
  succeeded(await colleague.put(`${path}/repositories`, { repositories }));
  await choosing.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Storefront groups 3 repositories.', { exact: false }).waitFor();

  await page.getByRole('button', { name: 'Edit' }).click();
  const form = page.getByRole('dialog', { name: 'Edit the application' });
  await form.getByLabel('Description').fill('For customers');
  succeeded(await colleague.patch(path, { product: true, owner: people.member.user.email }));
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The application is saved.').waitFor();

  const stored = succeeded(
    await colleague.get<{
      description: string;
      is_product: boolean;
      owner: { email: string };
      repositories: { full_name: string }[];
    }>(`/console/api/v1/acme/applications/${id}`),
  );
  assert.deepEqual(
    stored.repositories.map((one) => one.full_name),
    ['acme/api', 'acme/shop', 'acme/web'],
  );
  assert.deepEqual(
    [stored.description, stored.is_product, stored.owner.email],
    ['For customers', true, people.member.user.email],
  );
});

test('exposed environments that a colleague has added or removed meanwhile stay so', async () => {
  const path = '/manage/v1/acme/settings';
  const store = async (names: string[]) =>
    succeeded(await colleague.patch(path, { exposed_environments: names }));
  await store(['edge', 'lab']);
  const page = await open({ userId: people.admin.user.id, path: '/w/acme/settings' });
  const section = page.getByRole('region', { name: 'Workspace' });
  await section.getByText('edge', { exact: true }).waitFor();
  await store(['edge', 'production']);
  await page.getByLabel('Exposed environments').fill('stage');
  await page.keyboard.press('Enter');
  await section.getByText('production', { exact: true }).waitFor();
  const { workspace } = succeeded(
    await colleague.get<{ workspace: { exposed_environments: string[] } }>(path),
  );
  assert.deepEqual(workspace.exposed_environments.toSorted(), ['edge', 'production', 'stage']);
});

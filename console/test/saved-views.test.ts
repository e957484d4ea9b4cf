/** Tests of saved views of the list of vulnerabilities: saved, opened, shared, and harmless for any stored text. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { formatId } from '../../server/src/domain/ids.ts';
import { succeeded } from '../../server/test/support/client.ts';
import { signInAs } from '../../server/test/support/session.ts';
import { assertFitsAndIsAccessible, looks, setLook, startConsole } from './support/console.ts';
import { createVulnerabilityWorkspace, slug } from './support/vulnerability-workspace.ts';

const started = await startConsole();
const { demo, client, openPage } = await createVulnerabilityWorkspace(started);

const menuOf = (page: Page) => page.getByRole('button', { name: /^View(s$|:)/ });
const choose = async (page: Page, name: string | RegExp): Promise<void> => {
  await menuOf(page).click();
  await page.getByRole('menuitem', { name }).click();
};

async function save(page: Page, name: string, { isShared = false, action = 'Save' } = {}): Promise<void> {
  await choose(page, 'Save as a view…');
  const dialog = page.getByRole('dialog', { name: 'Save as a view' });
  await dialog.getByLabel('Name').fill(name);
  if (isShared) await dialog.getByLabel('Share it').check();
  await assertFitsAndIsAccessible(page, 'saved-view-form');
  await dialog.getByRole('button', { name: action }).click();
  await dialog.waitFor({ state: 'hidden' });
}

test('a view is saved, says that it is open, opens by its address, and is replaced, renamed and deleted', async () => {
  const page = await openPage('viewer', '?severity=high,critical&type=dependency&sort=oldest');
  await page.getByRole('status').filter({ hasText: 'vulnerabilities' }).waitFor();
  await choose(page, 'Save as a view…');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  assert.equal(await dialog.getByRole('checkbox').count(), 0, 'a viewer shares nothing');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await save(page, 'Worst packages');
  await page.getByRole('button', { name: 'View: Worst packages' }).waitFor();

  await page.getByRole('button', { name: 'Clear all' }).click();
  await page.getByRole('button', { name: 'Views', exact: true }).waitFor();
  await choose(page, 'Worst packages');
  await page.waitForURL(/severity=high,critical&type=dependency&sort=oldest$/);
  await page.getByRole('button', { name: 'View: Worst packages' }).waitFor();
  // The panel and the page of the list are no part of a view.
  await page
    .getByRole('region', { name: 'Vulnerabilities' })
    .getByRole('rowheader')
    .getByRole('link')
    .first()
    .click();
  await page.waitForURL(/v=vc_/);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'View: Worst packages' }).waitFor();

  await page.goto(`${page.url().split('?')[0]}?severity=low`);
  await choose(page, 'Save as a view…');
  await dialog.getByLabel('Name').fill('worst PACKAGES');
  await dialog.getByRole('button', { name: 'Replace' }).click();
  await page.getByRole('button', { name: 'View: worst PACKAGES' }).waitFor();
  await choose(page, 'Rename or share this view…');
  await dialog.getByLabel('Name').fill('Low ones');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'View: Low ones' }).waitFor();
  await choose(page, 'Delete this view…');
  await page.getByRole('dialog', { name: 'Delete the view' }).getByRole('button', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Views', exact: true }).waitFor();
});

test('a shared view is in the menu of others, with its owner', async () => {
  const maker = await openPage('member', '?assignee=unassigned&severity=critical');
  await save(maker, 'Nobody is on it', { isShared: true });
  await maker.goto(`${maker.url().split('?')[0]}?q=axios`);
  await save(maker, 'Everything about axios, wherever it is and in whatever status it may be by now');
  const page = await openPage('member', '?assignee=unassigned&severity=critical');
  for (const look of looks) {
    await setLook(page, look);
    await page.getByRole('button', { name: 'View: Nobody is on it' }).click();
    const item = page.getByRole('menuitem', { name: /^Everything about axios/ });
    await item.waitFor();
    await assertFitsAndIsAccessible(page, 'saved-views');
    await page.keyboard.press('Escape');
    await item.waitFor({ state: 'detached' });
  }
  const other = await openPage('viewer');
  await choose(other, /^Nobody is on it/);
  await other.waitForURL(/severity=critical&assignee=unassigned/);
  await menuOf(other).click();
  await other.getByRole('menuitem', { name: 'Save as a view…' }).waitFor();
  assert.equal(await other.getByRole('menuitem', { name: /Rename|Delete|axios/ }).count(), 0);
});

test('only the known parameters of a stored query are applied', async () => {
  const member = await signInAs(started.server, demo.people.member.user.id);
  const hostile =
    'state=open&sort=<img src=x>&cursor=x&v=vc_1&tab=evidence&next=javascript:alert(1)&scope=evil&severity=low';
  const made = await member.post(`/manage/v1/${slug}/saved-views`, {
    name: '<b>bold</b>',
    page: 'vulnerabilities',
    query: hostile,
    shared: true,
  });
  assert.equal(made.status, 201, made.text);
  const page = await openPage('viewer');
  await menuOf(page).click();
  const item = page.getByRole('menuitem', { name: '<b>bold</b>' });
  assert.equal(await item.getAttribute('href'), `/w/${slug}/vulnerabilities?state=open&severity=low`);
});

test('a shared view stays shared when its owner replaces it, and a viewer can end the sharing', async () => {
  const maker = await openPage('member', '?severity=low');
  await save(maker, 'For all', { isShared: true });
  await maker.goto(`${maker.url().split('?')[0]}?severity=medium`);
  await save(maker, 'for all', { action: 'Replace' });
  const other = await openPage('admin');
  await choose(other, /^for all/);
  await other.waitForURL(/severity=medium/);

  const { id } = demo.people.member.user;
  const role = { role: 'viewer' };
  succeeded(await client.patch(`/manage/v1/${slug}/members/${formatId('user', id)}`, role));
  await maker.reload();
  await choose(maker, 'Rename or share this view…');
  const dialog = maker.getByRole('dialog', { name: 'Rename or share the view' });
  await dialog.getByLabel('Name').fill('For me');
  await dialog.getByLabel('Share it').uncheck();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await maker.getByRole('button', { name: 'View: For me' }).waitFor();
  await other.reload();
  await menuOf(other).click();
  await other.getByRole('menuitem', { name: 'Save as a view…' }).waitFor();
  assert.equal(await other.getByRole('menuitem', { name: /^for (?:all|me)/i }).count(), 0);
});

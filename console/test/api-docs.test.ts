import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startConsole } from './support/console.ts';

const { open } = await startConsole();

test('the API docs have all their styles under the Content-Security-Policy of the page', async () => {
  const page = await open({ width: 1440, path: '/docs' });
  await page.getByRole('heading', { level: 1, name: 'Merlon: Tenant Security Data API' }).waitFor();
  const refused = '[...document.querySelectorAll("style")].filter((style) => !style.sheet).length';
  assert.equal(await page.evaluate(refused), 0);
  // An operation and its sample are drawn only when they are visible. The browser's log shows what the policy refuses.
  await page.getByRole('link', { name: 'Say whether the process runs' }).click();
  await page.getByRole('heading', { name: 'Say whether the process runs' }).waitFor();
  await page.locator('code.hljs .line').first().waitFor();
});

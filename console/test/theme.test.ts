/** Tests of the colours and styles that all pages share. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { importAll } from '../../server/test/support/import.ts';
import { trivy } from '../../server/test/support/reports.ts';
import { createTestWorkspace, reportInput } from '../../server/test/support/workspace.ts';
import { type Look, screenshot, setLook, startConsole } from './support/console.ts';

const { server, open } = await startConsole();
const { people } = await createTestWorkspace(server, 'acme');
const found = ['CRITICAL', 'HIGH', 'LOW', 'UNKNOWN'].map((severity, n) => ({
  id: `CVE-2030-${1000 + n}`,
  name: `lib-${n}`,
  version: '1.0.0',
  severity,
}));
await importAll(server, 'acme', [reportInput(trivy(found))]);

const visit = (path: string): Promise<Page> =>
  open({ userId: people.admin.user.id, path: `/w/acme/${path}` });

/** The contrast of the two colours as WCAG 2.2 defines it. */
function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [one, other].map(luminanceOf).toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminanceOf(color: string): number {
  const [, ...parts] = /^rgb\((\d+), (\d+), (\d+)\)$/.exec(color) ?? [];
  assert.equal(parts.length, 3, color);
  const [r = 0, g = 0, b = 0] = parts
    .map((part) => Number(part) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const drawnFields = `[...document.querySelectorAll(
  '.mantine-Input-input:not(:disabled), .mantine-Checkbox-input:not(:checked), .mantine-Radio-radio:not(:checked)',
)].map((field) => {
  const { borderTopColor, backgroundColor } = getComputedStyle(field);
  const placeholder = field.matches('.mantine-Input-input') ? getComputedStyle(field, '::placeholder').color : null;
  return { className: field.className, border: borderTopColor, background: backgroundColor, placeholder };
})`;

/** Changes the colours of the page, and waits until they are no longer those between the old and the new ones. */
async function setColors(page: Page, colorScheme: Look['colorScheme']): Promise<void> {
  await setLook(page, { width: 1280, colorScheme });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
  await page.evaluate('Promise.allSettled(document.getAnimations().map(({ finished }) => finished))');
}

/** Fails if the border or the placeholder of a field of the page has too little contrast. */
async function assertFieldsAreSeen(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await setColors(page, colorScheme);
    await screenshot(page, name);
    type Field = Record<'className' | 'border' | 'background', string> & { placeholder: string | null };
    const fields = await page.evaluate<Field[]>(drawnFields);
    assert.ok(fields.length > 2, name);
    for (const { className, border, background, placeholder } of fields) {
      const at = `${className} of ${name}, ${colorScheme}: ${border} and ${placeholder} on ${background}`;
      assert.ok(contrastOf(border, background) >= 3, at);
      if (placeholder !== null) assert.ok(contrastOf(placeholder, background) >= 4.5, at);
    }
  }
}

test('the borders of fields, boxes and radios have a contrast of 3 to 1, and placeholders one of 4.5 to 1', async () => {
  const upload = await visit('scans/upload');
  await upload.getByRole('checkbox').first().waitFor();
  await assertFieldsAreSeen(upload, 'fields-of-upload');
  const keys = await visit('keys');
  await keys.getByRole('button', { name: 'New key' }).click();
  await keys.getByRole('dialog').getByRole('radio').first().waitFor();
  await assertFieldsAreSeen(keys, 'fields-of-key');
});

test('the focus of a text field has a contrast of 3 to 1, and is more than another colour of its border', async () => {
  const page = await visit('scans/upload');
  const field = page.getByRole('textbox').first();
  for (const colorScheme of ['light', 'dark'] as const) {
    await field.focus();
    await setColors(page, colorScheme);
    const { outline, color, background } = await page.evaluate<Record<string, string>>(`(() => {
      const { outlineStyle: outline, outlineColor: color, backgroundColor: background } =
        getComputedStyle(document.activeElement);
      return { outline, color, background };
    })()`);
    assert.equal(outline, 'solid');
    assert.ok(contrastOf(color ?? '', background ?? '') >= 3, `${color} on ${background}, ${colorScheme}`);
  }
});

test('each severity has a mark of its own, also where its word has no room', async () => {
  const page = await visit('');
  const marks = page.locator('.open-by-severity svg');
  await marks.first().waitFor();
  const drawn = await marks.evaluateAll<string[], { innerHTML: string }>((all) =>
    all.map((one) => one.innerHTML),
  );
  assert.equal(new Set(drawn).size, 6);
  await page.goto(page.url().replace(/\/$/, '').concat('/vulnerabilities'));
  await page.locator('.vuln-summary svg').first().waitFor();
  await screenshot(page, 'severity-marks');
});

test('new and fixed differ in lightness in both colour schemes, and no part of a chart gets the focus', async () => {
  const page = await visit('');
  const legend = page.locator('.trend-legend').filter({ hasText: 'Fixed' });
  await legend.waitFor();
  await page.locator('.trend svg .recharts-bar-rectangle').first().waitFor();
  assert.equal(
    await page.locator('.trend [role="img"] :is([tabindex="0"], [role="application"])').count(),
    0,
  );
  for (const colorScheme of ['light', 'dark'] as const) {
    await setColors(page, colorScheme);
    await screenshot(page, 'new-and-fixed');
    const [added = '', fixed = '', surface = ''] = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.trend-pair > :last-child .trend-legend span'), document.querySelector('.trend')]
        .map((one) => getComputedStyle(one).backgroundColor)`,
    );
    for (const [one, other] of [
      [added, fixed],
      [added, surface],
      [fixed, surface],
    ] as const) {
      assert.ok(contrastOf(one, other) >= 3, `${one} and ${other}, ${colorScheme}`);
    }
  }
});

test('with the colours of the system, lines mark what is chosen and open, and bars keep their own colours', async () => {
  const page = await visit('vulnerabilities');
  const styleOf = (selector: string, property: string) =>
    page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).${property}`);
  await page.emulateMedia({ forcedColors: 'active' });
  await page.getByRole('link', { name: /lib-0/ }).click();
  await page.getByRole('dialog').getByRole('tab').first().waitFor();
  assert.equal(await styleOf('tr[data-open]', 'outlineStyle'), 'solid');
  assert.equal(await styleOf('[role="tab"][aria-selected="true"]', 'outlineStyle'), 'solid');
  assert.equal(await styleOf('[role="tab"][aria-selected="false"]', 'outlineStyle'), 'none');
  await screenshot(page, 'forced-colors-panel');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.equal(await styleOf('.app-nav-link[aria-current="page"]', 'outlineStyle'), 'solid');
  assert.equal(await styleOf('.app-nav-link:not([aria-current])', 'outlineStyle'), 'none');
  await page.keyboard.press('Control+k');
  await page.getByRole('option').first().waitFor();
  assert.equal(await styleOf('[role="option"][aria-selected="true"]', 'outlineStyle'), 'solid');
  assert.equal(await styleOf('[role="option"][aria-selected="false"]', 'outlineStyle'), 'none');
  await screenshot(page, 'forced-colors-palette');
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.locator('.trend-legend span').first().waitFor();
  for (const drawn of ['.trend-legend span', '.severity-bar span']) {
    assert.equal(await styleOf(drawn, 'forcedColorAdjust'), 'none');
  }
  await screenshot(page, 'forced-colors-overview');
});

test('a row that gets the focus is not under the header of the page or the heading of the table', async () => {
  const page = await visit('vulnerabilities');
  await page.setViewportSize({ width: 1440, height: 330 });
  await page.getByRole('link', { name: /lib-3/ }).focus();
  await page.evaluate('scrollTo(0, document.body.scrollHeight)');
  for (const row of [2, 1, 0]) {
    await page.keyboard.press('k');
    const isInSight = await page.evaluate<boolean>(`(() => {
      const { left, top } = document.activeElement.getBoundingClientRect();
      return document.activeElement.contains(document.elementFromPoint(left + 3, top + 3));
    })()`);
    assert.equal(isInSight, true, `row ${row}`);
  }
});

test('the head of a panel stays in sight, but scrolls away in a low window', async () => {
  const page = await visit('vulnerabilities');
  await page.getByRole('link', { name: /lib-0/ }).click();
  const title = page.getByRole('dialog').getByRole('heading').first();
  await title.waitFor();
  for (const [width, height, stays] of [
    [320, 640, true],
    [320, 256, false],
  ] as const) {
    await page.setViewportSize({ width, height });
    const top = await page.evaluate<number>(`(() => {
      document.querySelector('.mantine-Drawer-content').scrollTop = 200;
      return document.querySelector('.side-panel-top').getBoundingClientRect().top;
    })()`);
    await screenshot(page, `panel-${height}-high`);
    assert.equal(top >= 0, stays, `${height} px high`);
  }
});

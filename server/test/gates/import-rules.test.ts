/**
 * Rules of imports in addition to the order of the modules: every import exists, no imports form a cycle, console pages
 * do not import each other, and the console and the command line use the generated client of the API.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { importsOf } from './imports.ts';

const imports = importsOf(new URL('../../src/', import.meta.url));
const consoleImports = importsOf(new URL('../../../console/src/', import.meta.url));

test('every relative import exists', () => {
  const missing = [...imports].flatMap(([file, targets]) =>
    targets.filter((target) => !imports.has(target)).map((target) => `${file} → ${target}`),
  );
  assert.deepEqual(missing, []);
  assert.ok(imports.size > 80, 'the sources were found');
});

test('a page of the console imports no other page, and shared files import no page', () => {
  const pageOf = (file: string): string | undefined => /^pages\/([^/]+)\//.exec(file)?.[1];
  const shared = /^(?:pages|components|api)\//;
  const broken = [...consoleImports].flatMap(([file, targets]) =>
    shared.test(file)
      ? targets
          .filter((target) => pageOf(target) !== undefined && pageOf(target) !== pageOf(file))
          .map((target) => `${file} → ${target}`)
      : [],
  );
  assert.deepEqual(broken, []);
  assert.ok(consoleImports.size > 200, 'the sources were found');
});

test('the console and the command line write no path of the API, except where a session rewrites it', () => {
  const root = fileURLToPath(new URL('../../../', import.meta.url));
  const files = globSync('{console,cli}/src/**/*.{ts,tsx}', { cwd: root });
  const withPath = files.filter((file) =>
    /\/(?:api|manage|ingest|export)\/v1\b|['"`]\/console\//.test(readFileSync(root + file, 'utf8')),
  );
  assert.deepEqual(withPath, ['console/src/api/http.ts']);
  assert.ok(files.length > 250, 'the sources were found');
});

const { workspaces } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
) as { workspaces: string[] };
for (const folder of workspaces) {
  test(`there are no import cycles in ${folder}`, () => {
    const imports = importsOf(new URL(`../../../${folder}/src/`, import.meta.url));
    assert.ok(imports.size > 1, 'the sources were found');
    assert.deepEqual(cyclesOf(imports), []);
  });
}

/** Returns each cycle as one text: the files in the order in which they import each other. */
function cyclesOf(imports: Map<string, string[]>): string[] {
  const state = new Map<string, 'open' | 'done'>();
  const cycles: string[] = [];
  const visit = (file: string, path: string[]): void => {
    if (state.get(file) === 'done') return;
    if (state.get(file) === 'open') {
      cycles.push([...path.slice(path.indexOf(file)), file].join(' → '));
      return;
    }
    state.set(file, 'open');
    for (const target of imports.get(file) ?? []) visit(target, [...path, file]);
    state.set(file, 'done');
  };
  for (const file of imports.keys()) visit(file, []);
  return cycles;
}

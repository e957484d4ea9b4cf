/** The rules of who may import whom, read from the sources: what ARCHITECTURE.md says must be so. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const imports = importsOf(new URL('../../src/', import.meta.url));
const consoleImports = importsOf(new URL('../../../console/src/', import.meta.url));

/** File → the files of the folder that it imports, type imports too. */
function importsOf(folder: URL): Map<string, string[]> {
  const source = fileURLToPath(folder);
  const files = globSync('**/*.{ts,tsx}', { cwd: source }).filter((file) => !file.endsWith('.test.ts'));
  return new Map(
    files.map((file) => {
      const text = readFileSync(join(source, file), 'utf8');
      const named = [...text.matchAll(/^(?:import|export)\b[^;]*?from '(\.[^']+)';/gms)];
      const lazy = [...text.matchAll(/\bimport\('(\.[^']+)'\)/g)];
      return [file, [...named, ...lazy].map((match) => normalize(join(dirname(file), match[1] ?? '')))];
    }),
  );
}

function featureOf(file: string): string | undefined {
  return /^features\/([^/]+)\//.exec(file)?.[1];
}

test('every relative import exists', () => {
  const missing = [...imports].flatMap(([file, targets]) =>
    targets.filter((target) => !imports.has(target)).map((target) => `${file} → ${target}`),
  );
  assert.deepEqual(missing, []);
  assert.ok(imports.size > 80, 'the sources were found');
});

test('a feature imports no store of another', () => {
  const broken = [...imports].flatMap(([file, targets]) =>
    featureOf(file) === undefined
      ? []
      : targets
          .filter((target) => target.endsWith('store.ts') && featureOf(target) !== featureOf(file))
          .map((target) => `${file} → ${target}`),
  );
  assert.deepEqual(broken, []);
});

test('http and db import no feature', () => {
  const broken = [...imports].flatMap(([file, targets]) =>
    /^(?:http|db)\//.test(file)
      ? targets.filter((target) => target.startsWith('features/')).map((target) => `${file} → ${target}`)
      : [],
  );
  assert.deepEqual(broken, []);
});

test('formats import no database, no network, no feature but the words for severities and types', () => {
  const broken = [...imports].flatMap(([file, targets]) =>
    file.startsWith('formats/')
      ? targets
          .filter((target) => !/^(?:formats\/|features\/vulnerabilities\/bucket\.ts$)/.test(target))
          .map((target) => `${file} → ${target}`)
      : [],
  );
  assert.deepEqual(broken, []);
});

test('of the console, a page imports no other page, and what pages share imports none', () => {
  const pageOf = (file: string): string | undefined => /^pages\/([^/]+)\//.exec(file)?.[1];
  const shared = /^(?:pages|parts|api)\//;
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

test('no import cycles', () => {
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
  assert.deepEqual(cycles, []);
});

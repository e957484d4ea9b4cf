/** The workspaces of the repository: which may import which. Tests, tools and benchmarks may import all of them. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Folder → the folders that its sources may import, as its package.json declares them. */
const allowed: Record<string, string[]> = {
  'packages/embedded-postgres': [],
  'packages/terminal': [],
  'packages/yaml': [],
  server: ['packages/embedded-postgres', 'packages/terminal', 'packages/yaml'],
  demo: ['server'],
  client: [],
  cli: ['client', 'packages/terminal', 'packages/yaml'],
  console: ['client', 'packages/yaml'],
};

function readPackage(folder: string): {
  name: string;
  workspaces?: string[];
  dependencies?: Record<string, string>;
} {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
}

const folderOf = new Map(Object.keys(allowed).map((folder) => [readPackage(folder).name, folder]));

test('every workspace has a rule', () => {
  assert.deepEqual(readPackage('.').workspaces?.toSorted(), Object.keys(allowed).toSorted());
});

for (const [folder, folders] of Object.entries(allowed)) {
  test(`${folder} depends on ${folders.join(', ') || 'no other workspace'}`, () => {
    const declared = Object.keys(readPackage(folder).dependencies ?? {}).flatMap(
      (name) => folderOf.get(name) ?? [],
    );
    assert.deepEqual(declared, folders);
    const files = globSync(`${folder}/**/*.{ts,tsx,js}`, {
      cwd: root,
      exclude: ['**/node_modules/**', '**/dist/**', `${folder}/test/**`, '**/*.test.ts'],
    });
    assert.ok(files.length > 2, 'the sources were found');
    const wrong = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => {
          // Only the package.json of the root contains the version.
          if (target.startsWith('.') && normalize(join(file, '..', target)) === 'package.json') return false;
          if (target.startsWith('.')) return !normalize(join(file, '..', target)).startsWith(`${folder}/`);
          const found = folderOf.get(target.split('/', 2).join('/'));
          return found !== undefined && found !== folder && !folders.includes(found);
        })
        .map((target) => `${file} → ${target}`),
    );
    assert.deepEqual(wrong, []);
  });
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const forms = [
    /^(?:import|export)\b[^;]*?from '([^']+)';/gms,
    /^import '([^']+)';/gm,
    /\bimport\('([^']+)'\)/g,
  ];
  return forms.flatMap((form) => Array.from(text.matchAll(form), ([, target = '']) => target));
}

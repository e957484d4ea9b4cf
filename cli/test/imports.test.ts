/** Tests that the command imports nothing of the server, and uses the API like any client. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../', import.meta.url));

test('source files import only each other, Node and the dependencies of package.json', () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
    devDependencies: Record<string, string>;
  };
  const files = globSync('{src,bin}/**/*.{ts,js}', { cwd: root });
  assert.ok(files.length > 20, 'the sources were found');
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8');
    for (const [, type, target = ''] of text.matchAll(
      /(import type [^;']*)?(?:\bfrom\s+|\bimport\s*\(?\s*)'([^']+)'/g,
    )) {
      const allowed = target.startsWith('.')
        ? // The root package.json holds the version.
          !relative(root, join(root, dirname(file), target))
            .replace(/^\.\.\/package\.json$/, '')
            .startsWith('..')
        : target.startsWith('node:') ||
          target in dependencies ||
          // Type imports are removed before the program runs, so they do not count.
          (type !== undefined && `@types/${target}` in devDependencies);
      assert.ok(allowed, `${file} imports ${target}`);
    }
  }
  assert.deepEqual(
    Object.keys(dependencies).filter((name) => name.startsWith('@merlon/')),
    ['@merlon/client', '@merlon/terminal', '@merlon/yaml'],
  );
});

test('the client imports no file of the server', () => {
  const client = join(root, '../client/src');
  for (const file of globSync('**/*.ts', { cwd: client })) {
    const text = readFileSync(join(client, file), 'utf8');
    for (const [, target = ''] of text.matchAll(/\bfrom\s+'([^']+)'/g)) {
      assert.ok(!target.includes('server') && !target.startsWith('../'), `${file} imports ${target}`);
    }
  }
});

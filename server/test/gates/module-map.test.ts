/**
 * Tests the picture and the table of the modules in ARCHITECTURE.md, and the files that it names. `npm run module-map`
 * writes picture and table again.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { modules } from '../../src/modules.ts';
import { markdownTable, testGenerated } from './generated-docs.ts';
import { importsOf, moduleOf } from './imports.ts';

const root = new URL('../../../', import.meta.url);
const readArchitecture = (): string => readFileSync(new URL('ARCHITECTURE.md', root), 'utf8');

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

const fromTop = modules.toReversed();

/** Module → the modules that it imports. */
function importsOfModules(): Graph {
  const graph = new Map<string, Set<string>>(fromTop.map(({ name }) => [name, new Set()]));
  for (const [file, targets] of importsOf(new URL('../../src/', import.meta.url))) {
    const module = moduleOf(file);
    for (const target of targets.map(moduleOf)) if (target !== module) graph.get(module)?.add(target);
  }
  return graph;
}

/** The modules to which arrows lead from this one, over any number of modules. */
function reachable(graph: Graph, from: string): Set<string> {
  const found = new Set<string>();
  const visit = (module: string): void => {
    for (const next of graph.get(module) ?? []) {
      if (found.has(next)) continue;
      found.add(next);
      visit(next);
    }
  };
  visit(from);
  return found;
}

/** Leaves out each import to which other arrows lead as well. */
function picture(): string {
  const graph = importsOfModules();
  const lines = fromTop.flatMap(({ name }) => {
    const targets = [...(graph.get(name) ?? [])].filter(
      (target, _, all) => !all.some((other) => reachable(graph, other).has(target)),
    );
    return targets.length === 0 ? [] : `  ${name} --> ${targets.sort().join(' & ')}`;
  });
  return ['```mermaid', 'flowchart TD', ...lines, '```'].join('\n');
}

testGenerated('ARCHITECTURE.md', 'modules', 'module-map', () =>
  [
    picture(),
    markdownTable(
      ['module', 'content'],
      fromTop.map(({ name, about }) => [`\`${name}\``, about]),
    ),
  ].join('\n\n'),
);

test('the picture leads from each module to all that it imports, and no arrow points up', () => {
  const drawn = new Map(
    Array.from(readArchitecture().matchAll(/^ {2}([\w-]+) --> (.+)$/gm), ([, from = '', to = '']) => [
      from,
      new Set(to.split(' & ')),
    ]),
  );
  const names: string[] = fromTop.map(({ name }) => name);
  const upwards = [...drawn].flatMap(([from, targets]) =>
    [...targets].filter((to) => names.indexOf(to) <= names.indexOf(from)).map((to) => `${from} → ${to}`),
  );
  assert.deepEqual(upwards, []);
  const imported = importsOfModules();
  for (const name of names) {
    assert.deepEqual([...reachable(drawn, name)].sort(), [...reachable(imported, name)].sort(), name);
  }
});

test('each file that ARCHITECTURE.md names exists, and below a folder that is named if the item is about one', () => {
  const files = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n');
  const named = readArchitecture()
    .split(/\n\n|\n(?=\d\. |- )/)
    .flatMap((paragraph) => {
      const isAboutFolder = /^(?:\d\.|-) \*\*`[\w-]+\/`/.test(paragraph);
      const folders = Array.from(paragraph.matchAll(/`([\w/-]+\/)`/g), ([, folder]) => folder);
      return Array.from(paragraph.matchAll(/`([\w./-]+\.tsx?)`/g), ([, name = '']) => ({
        name,
        folders: isAboutFolder && !name.includes('/') ? folders : [''],
      }));
    });
  assert.ok(named.length > 100, 'the names were found');
  const missing = named.filter(
    ({ name, folders }) =>
      !files.some(
        (file) =>
          `/${file}`.endsWith(`/${name}`) && folders.some((folder) => `/${file}`.includes(`/${folder}`)),
      ),
  );
  assert.deepEqual(missing, []);
});

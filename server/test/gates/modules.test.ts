/**
 * Tests the order of the modules in `src/modules.ts`, for imports and for the tables that each module writes, that an
 * exported name is declared once, and that stores send the statements.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { commitSteps } from '../../src/commit-steps.ts';
import { modules } from '../../src/modules.ts';
import { importsOf, moduleOf } from './imports.ts';

const source = new URL('../../src/', import.meta.url);
const imports = importsOf(source);
const names: string[] = modules.map(({ name }) => name);

test('every file belongs to a module, and every module has a file', () => {
  const found = new Set([...imports.keys()].map(moduleOf));
  found.delete('modules');
  assert.deepEqual([...found].sort(), [...names].sort());
});

test('a module imports only modules that stand before it', () => {
  const wrong = [...imports].flatMap(([file, targets]) =>
    targets
      .filter((target) => names.indexOf(moduleOf(target)) > names.indexOf(moduleOf(file)))
      .map((target) => `${file} → ${target}`),
  );
  assert.deepEqual(wrong, []);
});

test('parsers import the domain alone', () => {
  const wrong = [...imports].flatMap(([file, targets]) =>
    moduleOf(file) === 'parsers'
      ? targets
          .filter((target) => !/^(?:parsers|domain)\//.test(target))
          .map((target) => `${file} → ${target}`)
      : [],
  );
  assert.deepEqual(wrong, []);
});

test('the domain reads no file, no network, no database', () => {
  const packages = /^(?:import|export)\b[^;]*?from '(node:[^']+|pg[^']*|fastify[^']*)';/gms;
  const wrong = [...imports.keys()]
    .filter((file) => file.startsWith('domain/'))
    .flatMap((file) =>
      Array.from(
        readFileSync(new URL(file, source), 'utf8').matchAll(packages),
        ([, name]) => `${file}: ${name}`,
      ),
    );
  assert.deepEqual(wrong, []);
});

// Overloads of a function, and a schema with its type, share a name in one file.
test('an exported name is declared in one file', () => {
  const declared = /^export (?:async )?(?:type|interface|class|function\*?|const) (\w+)/gm;
  const filesByName = new Map<string, Set<string>>();
  for (const file of imports.keys()) {
    for (const [, name = ''] of readFileSync(new URL(file, source), 'utf8').matchAll(declared)) {
      filesByName.set(name, (filesByName.get(name) ?? new Set()).add(file));
    }
  }
  assert.ok(filesByName.size > 2000, 'the names were found');
  const several = [...filesByName].filter(([, files]) => files.size > 1);
  assert.deepEqual(
    several.map(([name, files]) => `${name}: ${[...files].join(', ')}`),
    [],
    'give each of these things a name of its own',
  );
});

/** Tables that several modules write, with the reason. The list may only shrink. */
const shared: Record<string, { by: string[]; reason: string }> = {
  ...Object.fromEntries(
    [
      'location_observation',
      'vulnerability',
      'vulnerability_evidence',
      'vulnerability_location',
      'vulnerability_reference',
      'vulnerability_reporter',
    ].map((table) => [
      table,
      {
        by: ['actions', 'ingest', 'vulnerabilities'],
        reason: 'an import creates the rows of new findings in sets, and a merge or split moves them whole',
      },
    ]),
  ),
  vulnerability_comment: { by: ['actions', 'vulnerabilities'], reason: 'a merge moves the rows whole' },
  vulnerability_identity: { by: ['actions', 'vulnerabilities'], reason: 'a merge moves the rows whole' },
  vulnerability_joined_name: {
    by: ['actions', 'ingest', 'vulnerabilities'],
    reason: 'a merge moves the rows whole, and a name that is forgotten counts as joined anew',
  },
  reference: {
    by: ['ingest', 'inventory', 'vulnerabilities'],
    reason: 'a scan sets when it was scanned, and the sweep when it has gone quiet',
  },
  reference_to_match: {
    by: ['ingest', 'inventory'],
    reason: 'a quiet branch that becomes the default or tracked is active again',
  },
  repository: { by: ['ingest', 'inventory'], reason: 'a scan sets when it was scanned' },
  tenant_anchor: { by: ['access', 'backup'], reason: 'a workspace comes from a person or from a file' },
  scan: { by: ['ingest', 'policies'], reason: 'a scan shows the verdict of its reference' },
};

/** Files that write any table: the helper, whose callers name the table, and the import of a whole workspace. */
const writersOfAny = new Set(['db/bulk.ts', 'backup/import-workspace.ts']);

// A statement, or a call of `insertRows` or `updateRow`. The table is a name, or a variable.
const writes =
  /\b(?:insert into|delete from|update) (?:(?<named>\w+)|\$\{(?<variable>[^}]+)\})|\b(?<!function )(?:insertRows(?:<.+>)?|updateRow)\(\s*tx,\s*(?:'(?<set>\w+)'|(?<given>\w+))/g;

/** Gives the tables of each write in a file. The names of a variable are those of its loop; throws without one. */
function tablesWritten(file: string, text: string): string[] {
  return Array.from(text.matchAll(writes)).flatMap(({ index, groups = {} }) => {
    const name = groups.named ?? groups.set;
    if (name !== undefined) return [name];
    if (writersOfAny.has(file)) return [];
    const variable = groups.variable ?? groups.given;
    const start = `for (const ${variable} of [`;
    const loop = text.lastIndexOf(start, index);
    assert.ok(
      loop >= 0,
      `${file} writes a table by ${variable}: name it, or loop over a list of names (for (const ${variable} of ['…']))`,
    );
    const list = text.slice(loop + start.length, text.indexOf(']', loop));
    return Array.from(list.matchAll(/'(\w+)'/g), ([, table = '']) => table);
  });
}

test('a table is written by one module, except for those that are listed', () => {
  const tables = new Set(
    Array.from(
      readFileSync(new URL('db/schema.sql', source), 'utf8').matchAll(/create (?:unlogged )?table (\w+)/g),
      ([, table]) => table ?? '',
    ),
  );
  const writers = new Map<string, Set<string>>();
  for (const file of imports.keys()) {
    // The self-test creates and removes whole workspaces, and retention deletes rows of all tables.
    if (['doctor', 'retention'].includes(moduleOf(file))) continue;
    const text = readFileSync(new URL(file, source), 'utf8');
    for (const table of tablesWritten(file, text)) {
      if (tables.has(table)) writers.set(table, (writers.get(table) ?? new Set()).add(moduleOf(file)));
    }
  }
  assert.ok(writers.size > 40, 'the statements were found');
  const several = [...writers].filter(([table, by]) => by.size > (table in shared ? 0 : 1));
  const expected = Object.entries(shared);
  for (const [table, by] of several) {
    const allowed = shared[table]?.by ?? [];
    assert.deepEqual(
      [...by].filter((name) => !allowed.includes(name)),
      [],
      `${table} is written by too many modules`,
    );
  }
  const needless = expected.filter(([table]) => (writers.get(table)?.size ?? 0) < 2);
  assert.deepEqual(needless, [], 'tables that one module writes are listed as shared');
});

/** Modules whose work is the database itself, so that decisions and statements are one thing. */
const modulesOfStatements = ['backup', 'db', 'doctor', 'events', 'jobs', 'metrics', 'retention'];

/** Files outside the stores that send statements, by their reason. The list may only shrink. */
const withStatements: Record<string, string[]> = {
  'the file is one thing, such as a lock or a table, and mostly its statements': [
    'access/audit/record.ts',
    'ingest/upload/waiting-report.ts',
    'inventory/name-terms.ts',
    'inventory/repositories/lock.ts',
    'inventory/repositories/references-to-match.ts',
    'policies/analyses.ts',
    'policies/violations/policy-counts.ts',
    'policies/violations/workspace-violations-search.ts',
    'reports/overview/group-counts.ts',
    'reports/overview/team-open.ts',
    'vulnerabilities/counters.ts',
    'vulnerabilities/cves.ts',
    'vulnerabilities/descriptions.ts',
    'vulnerabilities/events.ts',
    'vulnerabilities/identities.ts',
    'vulnerabilities/joined-names.ts',
    'vulnerabilities/open-groups.ts',
    'vulnerabilities/packed-state-counts.ts',
    'vulnerabilities/search-index.ts',
    'vulnerabilities/suppressed-locations.ts',
    'vulnerabilities/vulnerability-ids.ts',
  ],
  'the rows of an import are made in sets, beside the statements that write them': [
    'ingest/import/write-evidence.ts',
    'ingest/import/write-findings.ts',
  ],
  'the parts of the list of vulnerabilities compose its statement': [
    'vulnerabilities/groups.ts',
    'vulnerabilities/includes.ts',
    'vulnerabilities/list.ts',
    'vulnerabilities/scope.ts',
  ],
  'the statement is compiled from the conditions of policies': [
    'policies/evaluation/dry-run.ts',
    'policies/evaluation/evaluate.ts',
    'policies/verdict/unmet-on-base.ts',
  ],
  'the form of the answer stands beside the statement that gives its rows': [
    'ingest/scans/changed-vulnerabilities.ts',
    'notifications/feed/event-item.ts',
    'policies/evaluation/dry-run-matches.ts',
    'policies/violations/targets.ts',
    'vulnerabilities/evidence.ts',
    'vulnerabilities/suggestions.ts',
  ],
  'the file reads the setting of the workspace that it declares': [
    'ingest/import/ownership.ts',
    'ingest/matching/setting.ts',
  ],
  'the access check of each request stands in one file': ['access/entry.ts'],
  'the connection is that of an operator, outside the transactions of a workspace': [
    'actions/workspaces/isolate-workspace.ts',
    'commands/doctor.ts',
    'notifications/disable-restored.ts',
  ],
};

test('statements are sent by stores, except for the modules and files that are listed', () => {
  const isStore = /[/-](?:store|read|lookup)\.ts$/;
  const sending = filesWith(/\.query(?:<|\()|\b(?:insertRows|updateRow)(?:<|\()/);
  assert.ok(sending.filter((file) => isStore.test(file)).length > 60, 'the statements were found');
  assert.deepEqual(
    sending.filter((file) => !isStore.test(file) && !modulesOfStatements.includes(moduleOf(file))).sort(),
    Object.values(withStatements).flat().sort(),
    'a file that decides and sends statements is two: the statements belong to a store',
  );
});

function filesWith(pattern: RegExp): string[] {
  return [...imports.keys()].filter((file) => pattern.test(readFileSync(new URL(file, source), 'utf8')));
}

test('only one file has hints and settings for the planner', () => {
  // The names of the settings of the planner: https://www.postgresql.org/docs/current/runtime-config-query.html, and
  // those of parallel workers.
  const hint =
    /\boffset 0\b|\bset (?:local |session )?(?:enable_|plan_cache_mode|jit|geqo|cpu_|parallel_|max_parallel_|min_parallel_|\w+_page_cost|\w+_collapse_limit|effective_cache_size|default_statistics_target|constraint_exclusion|cursor_tuple_fraction|recursive_worktable_factor)/i;
  assert.deepEqual(filesWith(hint), ['db/planner-hints.ts']);
});

test('only the files that pack a state shift its bits', () => {
  // In code after the name of the number, and in SQL beside a part that the code inserts.
  const shift = /packed_?state\)? (?:>>|<<|&) |(?:>>|<<) \$\{|\$\{\w+\}\)? (?:>>|<<|&) /i;
  assert.deepEqual(filesWith(shift).sort(), ['domain/packed-state.ts', 'domain/violation-state.ts']);
});

test('a commit step is called by the transaction alone, except by the two functions of ARCHITECTURE.md', () => {
  const calls = (names: string[]): string[] =>
    filesWith(new RegExp(`(?<!function )\\b(?:${names.join('|')})\\(`));
  const steps = commitSteps.map(({ name }) => name);
  assert.deepEqual(calls(steps), ['policies/evaluation/evaluate-changes.ts']);
  assert.deepEqual(calls(['evaluateNow']), ['policies/exceptions/exceptions.ts']);
  assert.deepEqual(calls(['writeEventsNow']), ['access/api-keys/key-events.ts']);
});

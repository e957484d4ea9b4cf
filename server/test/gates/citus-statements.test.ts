/**
 * Rules by which every statement of a workspace runs on Citus too, held on the text of the program, because the usual
 * tests run on one PostgreSQL. docs/adr/0050-citus.md has the reasons.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const files = globSync('server/src/**/*.ts', { exclude: ['**/*.test.ts'] }).map((path) => ({
  path,
  text: readFileSync(path, 'utf8'),
}));

/** Tables that only the coordinator has, with their reason in db/citus.ts. */
const ofTheCoordinator = /insert into (?:install_secret|sweep_lead|schema_migration)\b/;

/** Returns each statement that one of the patterns finds, with its file. */
function found(begins: RegExp, is: (statement: string) => boolean): string[] {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(begins)]
      .map(([statement]) => statement)
      .filter(is)
      .map((statement) => `${path}: ${statement}`),
  );
}

const inserts = /insert into [^`]*/g;

/** Returns what a statement says outside its parentheses. An insert in a common table expression ends with that. */
function outsideParentheses(statement: string): string {
  let depth = 0;
  let outside = '';
  for (const [part] of statement.matchAll(/[()]|[^()]+/g)) {
    if (part === '(') depth++;
    else if (part === ')') depth--;
    else if (depth === 0) outside += part;
    if (depth < 0) break;
  }
  return outside;
}

test('an upsert takes a time from the row to insert, and from no function', () => {
  const bad = found(inserts, (statement) => {
    const set = /do update\s+set([\s\S]*)/i.exec(statement)?.[1] ?? '';
    return (
      !ofTheCoordinator.test(statement) && /\b(?:now|clock_timestamp|random|gen_random_uuid)\(/.test(set)
    );
  });
  assert.deepEqual(bad, []);
});

test('an insert that selects takes the tenant from a table of the workspace, or from the anchor', () => {
  const bad = found(inserts, (statement) =>
    /\(tenant_id\b[^)]*\)\s*select (?:distinct (?:on \([^)]*\) )?)?\$1\b/.test(statement),
  );
  assert.deepEqual(bad, []);
});

// Tables whose rows a statement of its own takes from a parameter.
const ofTheInstall = 'The table has no tenant, so the anchor cannot stand in its statement.';
const stored = 'The parameter has ids, and the rows come from the stored vulnerabilities.';
const handWritten: Record<string, string> = {
  api_key_tenant: ofTheInstall,
  changed_package: ofTheInstall,
  epss: ofTheInstall,
  kev: ofTheInstall,
  osv_advisory: ofTheInstall,
  osv_package: ofTheInstall,
  schema_migration: ofTheInstall,
  ssvc: ofTheInstall,
  user_account: ofTheInstall,
  vulnerability_cve: stored,
  vulnerability_identity: stored,
};

test('rows of the program are inserted by insertRows', () => {
  const set = /\b(?:unnest|jsonb?_(?:to|populate)_recordset)\([^()$]*\$\d/;
  const bad = found(/(?<=`)insert into [^`]*|(?<=')insert into [^']*/g, (statement) => set.test(statement));
  const tables = bad.map((statement) => /insert into (\w+)/.exec(statement)?.[1] ?? '');
  assert.deepEqual([...new Set(tables)].sort(), Object.keys(handWritten));
  // The database computes the keys of open groups, and adds the rows of one key.
  const anchored = found(/\banchor\(tx\)/g, () => true).sort();
  assert.deepEqual(anchored, [
    'server/src/db/bulk.ts: anchor(tx)',
    'server/src/vulnerabilities/counters.ts: anchor(tx)',
  ]);
});

test('an insert that selects calls no volatile function', () => {
  const bad = found(inserts, (statement) =>
    /\)\s*select\b[\s\S]*\b(?:clock_timestamp|gen_random_uuid|random)\(/.test(statement),
  );
  assert.deepEqual(bad, []);
});

test('an insert takes no rows straight from a union', () => {
  const bad = found(inserts, (statement) => /\bunion\b/.test(outsideParentheses(statement)));
  assert.deepEqual(bad, []);
});

test('no value of an insert is a subquery', () => {
  const values = /^insert into [^(]*\([^)]*\)\s*values\b([\s\S]*?)(?:\bon conflict\b|\breturning\b|$)/;
  const bad = found(inserts, (statement) => /\(\s*select\b/.test(values.exec(statement)?.[1] ?? ''));
  assert.deepEqual(bad, []);
});

test('a time in CASE or COALESCE is a parameter', () => {
  const bad = found(/update \w+[^`]*/g, (statement) =>
    /coalesce\([^()]*, now\(\)\)|case when [^`]*now\(\)[^`]* end/.test(statement.split('where')[0] ?? ''),
  );
  assert.deepEqual(bad, []);
});

test('joined tables name the tenant by the parameter, and not by each other', () => {
  const bad = found(/(?:left )?join \w+ \w+ on \w+\.tenant_id = \w+\.tenant_id/g, () => true).filter(
    (statement) => !statement.includes('/doctor/isolation/'),
  );
  assert.deepEqual(bad, []);
});

test('a row that every node has is locked as for an update', () => {
  // Citus first takes a shared lock of the whole table for a shared one of a row, and then another that it excludes.
  const bad = found(/from (?:tenant|user_account|api_key\w*) [^`']*\bfor (?:key )?share\b/g, () => true);
  assert.deepEqual(bad, []);
});

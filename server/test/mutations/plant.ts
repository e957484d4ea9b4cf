/**
 * Plants leaks in the sources as they are loaded. Each condition on the tenant in the SQL gets a mark, with which one
 * of them can be removed from the statements that are sent to the database. Each access check gets a switch. Import
 * this file before any other file of the server.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

const sources = new URL('../../src/', import.meta.url).href;
// Requests and the worker send the statements of these modules. Functions of the two files of `db/` write such
// statements for them.
const modules =
  /^(?:(?:access|inventory|vulnerabilities|policies|actions|ingest|reports)\/|db\/(?:bulk|planner-hints)\.ts$)/;

declare global {
  /** The check that is skipped now. */
  var plantedCheck: string | undefined;
}

/** An access check: its position, and its text with a switch `#` that is true if it is to be skipped. */
interface Check {
  id: string;
  file: string;
  text: string;
  without: string;
}

export const checks: Check[] = [
  ...checksOf('http/access.ts', [
    [
      'membership is not asked for',
      'const role = await roleIn(dependencies, caller, tenant.id);',
      "const role = (await roleIn(dependencies, caller, tenant.id)) ?? (# ? ('admin' as Role) : undefined);",
    ],
    [
      'the restriction of a key is ignored',
      'return credential.restricted && !listed ?',
      'return credential.restricted && !listed && !# ?',
    ],
    ['a workspace key opens any workspace', 'return listed ?', 'return listed || # ?'],
    ['scopes are not checked', 'if (!access.scopes.every(', 'if (!# && !access.scopes.every('],
    [
      'the role is not checked',
      'if (access.role !== undefined && (',
      'if (!# && access.role !== undefined && (',
    ],
    ['an old sign-in is good for all', 'if (recent &&', 'if (!# && recent &&'],
    [
      'a key passes where a person is asked for',
      "} else if (credential.type !== 'session') {",
      "} else if (!# && credential.type !== 'session') {",
    ],
  ]),
  ...checksOf('access/sign-in/sessions.ts', [
    [
      'a disabled user keeps sessions',
      `if (user.disabledAt || user.kind !== 'user')`,
      `if (!# && (user.disabledAt || user.kind !== 'user'))`,
    ],
    ['a session from another origin may write', 'if (!parsed || !own ||', 'if ((!# && (!parsed || !own)) ||'],
    [
      'a session without its token may write',
      'if (left.length !== right.length || !timingSafeEqual(left, right))',
      'if (!# && (left.length !== right.length || !timingSafeEqual(left, right)))',
    ],
  ]),
  ...checksOf('access/entry.ts', [
    ['a key that is revoked goes on', 'k.disabled_at is null', `\${# ? 'true' : 'k.disabled_at is null'}`],
    ['a key of a disabled user goes on', 'u.disabled_at is null', `\${# ? 'true' : 'u.disabled_at is null'}`],
  ]),
  ...checksOf('http/page.ts', [
    [
      'a cursor is not bound to its workspace',
      'JSON.stringify([owner, route, filters])',
      'JSON.stringify([# ? null : owner, route, filters])',
    ],
    [
      'a cursor is not bound to its route',
      'JSON.stringify([owner, route, filters])',
      'JSON.stringify([owner, # ? null : route, # ? null : filters])',
    ],
    ['a cursor is not authenticated', 'if (!intact)', 'if (!intact && !#)'],
  ]),
];

function checksOf(file: string, checksOfFile: [id: string, text: string, without: string][]): Check[] {
  return checksOfFile.map(([id, text, without]) => ({ id, file, text, without }));
}

const condition = /(?<![\w.])((?:(?:\w+|\$\{alias\})\.)?tenant_id = (?:\$\d+|\$\{\w+\}))/g;

/** The source position of each mark: `file:line`. */
export const places = new Map<number, string>();

/**
 * Conditions without which a statement returns foreign rows that are not used, each with the reason, by file and a part
 * of the line. The list may only shrink.
 */
const harmless: [file: string, line: string, reason: string][] = [
  [
    'policies/exceptions/exception-store.ts',
    "'select repository_id from policy_exception where tenant_id = $1 and id = $2'",
    'the request goes on to read the exception by its tenant, and answers 404',
  ],
  [
    'policies/exceptions/exception-store.ts',
    'from policy_exception where tenant_id = $1 and id = $2 for update',
    'the request goes on to read the exception by its tenant, and answers 404',
  ],
  [
    'inventory/applications/store.ts',
    "'select id from application where tenant_id = $1 and name_key = $2'",
    'the request goes on to read the application by its tenant, and answers 404',
  ],
  [
    'inventory/packages/license-store.ts',
    "'select id, name from license where tenant_id = $1 and name = $2'",
    'the packages of a license are read by the tenant, which has none with a foreign one',
  ],
  [
    'reports/export/store.ts',
    'select id from vulnerability where tenant_id = $1 order by id desc limit 1',
    'only the upper end of the export: a greater id shows the same rows',
  ],
  [
    'reports/overview/store.ts',
    'where tenant_id = $1 and scope = $2 and key = k.id',
    'the ids that are not of the workspace are dropped from the answer',
  ],
  [
    'reports/overview/status-report-store.ts',
    'select organization_id as part, id as key from repository where tenant_id = $1',
    'counters and days of each repository are read by the tenant, which has none for a foreign one',
  ],
  [
    'policies/definition/progress-store.ts',
    'where r.tenant_id = $1 and ($2::uuid is null or r.id > $2)',
    'each repository is then looked up by its tenant, which has none',
  ],
  [
    'policies/definition/progress-store.ts',
    'select count(*)::int as n from repository where tenant_id = $1',
    'the total of a progress that ends with the evaluation: a number that the walk cannot see in time',
  ],
];

/** The reason why the condition of the mark hides no visible data; undefined for all others. */
export const reasons = new Map<number, string>();

/** The entries of the list above whose line is not there any more. They must be corrected or removed. */
export const staleReasons = new Set(harmless.map(([file, line]) => `${file}: ${line}`));

let marks = 0;

function marked(file: string, source: string): string {
  return source.replaceAll(condition, (text: string, _one: string, at: number) => {
    const line = source.slice(0, at).split('\n').length;
    marks++;
    places.set(marks, `${file}:${line}`);
    const whole = source.split('\n')[line - 1] ?? '';
    for (const [, part, reason] of harmless.filter(([of, part]) => of === file && whole.includes(part))) {
      reasons.set(marks, reason);
      staleReasons.delete(`${file}: ${part}`);
    }
    return `/*mark ${marks}*/${text}`;
  });
}

function switched(file: string, source: string): string {
  const changes = checks.filter((check) => check.file === file);
  let text = source;
  for (const [i, check] of changes.entries()) {
    if (!source.includes(check.text))
      throw new Error(`${file}: the check "${check.id}" is not there any more`);
    // Two checks may be in one line. The second switch is put around the result of the first.
    const before = changes.slice(0, i).some((other) => other.text === check.text)
      ? changes[i - 1]
      : undefined;
    text = before ? combined(text, before, check) : text.replace(check.text, () => withSwitch(check));
  }
  return text;
}

const withSwitch = ({ id, without }: Check): string =>
  without.replaceAll('#', () => `(globalThis.plantedCheck === ${JSON.stringify(id)})`);

function combined(text: string, first: Check, second: Check): string {
  const choice = `(globalThis.plantedCheck === ${JSON.stringify(second.id)} ? ${withSwitch(second)} : ${withSwitch(first)})`;
  return text.replace(withSwitch(first), () => choice);
}

registerHooks({
  load: (url, context, next) => {
    if (!url.startsWith(sources) || !url.endsWith('.ts')) return next(url, context);
    const file = url.slice(sources.length);
    const source = readFileSync(fileURLToPath(url), 'utf8');
    const changed = switched(file, modules.test(file) ? marked(file, source) : source);
    return { format: 'module-typescript', source: changed, shortCircuit: true };
  },
});

/**
 * The statement without the conditions of those marks. It still mentions the parameter, because otherwise its type
 * would be unknown.
 */
export function withoutMarks(sql: string, taken: (mark: number) => boolean): string {
  return sql.replaceAll(
    /\/\*mark (\d+)\*\/(?:\w+\.)?tenant_id = (\$\d+)/g,
    (text: string, mark: string, parameter: string) =>
      taken(Number(mark)) ? `${parameter}::bigint is not null` : text,
  );
}

export function marksOf(sql: string): number[] {
  return [...sql.matchAll(/\/\*mark (\d+)\*\//g)].map((match) => Number(match[1]));
}

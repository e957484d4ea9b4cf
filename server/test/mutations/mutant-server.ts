/** The server on a clone of the database, with one leak planted, and the rows that its statements would return. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance } from 'fastify';
import pg from 'pg';
import { buildApp } from '../../src/app.ts';
import { commitSteps } from '../../src/commit-steps.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import type { Install } from '../../src/doctor/isolation/install.ts';
import type { Access } from '../../src/http/access.ts';
import { lazyQueue } from '../../src/jobs/queue.ts';
import type { Clone } from '../support/database.ts';
import { marksOf, reasons, withoutMarks } from './plant.ts';

/** A planted leak. */
export type Mutant =
  /** A condition on the tenant is removed, and row-level security is off. */
  | { kind: 'condition'; mark: number; place: string }
  /** A table without row-level security, and no condition on the tenant anywhere. */
  | { kind: 'table'; table: string }
  | { kind: 'check'; id: string }
  /** A route that forgets a scope or role. */
  | { kind: 'route'; route: string; access: Access };

type Query = (config: unknown, ...rest: unknown[]) => Promise<pg.QueryResult>;

/** Called for each statement with marks before it is sent; it may send other statements first. */
export type Watch = (send: (sql: string) => Promise<unknown>, sql: string, values: unknown[]) => void;

let building: Promise<unknown> = Promise.resolve();

export async function openMutant(
  template: Install,
  clone: Clone,
  mutant: Mutant | null,
  watch?: Watch,
): Promise<Install & { close(): Promise<void> }> {
  const owner = new pg.Client({ connectionString: clone.ownerUrl });
  await owner.connect();
  await owner.query(rowLevelSecurityOf(mutant));
  await owner.end();
  const db = openDatabase(clone.appUrl, { commitSteps, maxConnections: 6 });
  rewrite(db, mutant, watch);
  if (mutant?.kind === 'check') globalThis.plantedCheck = mutant.id;
  const { config, secret } = template;
  // Servers are made one after the other, because the hook receives all routes that are registered meanwhile.
  const built = building.then(() => withAccess(mutant, () => buildApp({ config, db, secret, log: false })));
  building = built.catch(() => {});
  const app = await built;
  await app.ready();
  const queue = lazyQueue(db);
  return {
    app,
    db,
    config,
    secret,
    queue,
    close: async () => {
      await queue.close();
      await app.close();
      await db.close();
      if (mutant?.kind === 'check') globalThis.plantedCheck = undefined;
      await clone.drop();
    },
  };
}

function rowLevelSecurityOf(mutant: Mutant | null): string {
  if (mutant?.kind === 'check' || mutant?.kind === 'route') return 'select 1';
  if (mutant?.kind === 'table') {
    return `alter policy tenant on ${mutant.table} using (true)`;
  }
  return `do $$
    declare name text;
    begin
      for name in select polrelid::regclass::text from pg_policy where polname = 'tenant' loop
        execute format('alter table %s disable row level security', name);
      end loop;
    end $$`;
}

function rewrite(db: Database, mutant: Mutant | null, watch?: Watch): void {
  const taken = (mark: number): boolean =>
    mutant?.kind === 'table' || (mutant?.kind === 'condition' && mutant.mark === mark);
  for (const pool of [db.pool, db.importPool]) {
    pool.on('connect', (client) => {
      const query = client.query.bind(client) as Query;
      const replaced = (config: string | pg.QueryConfig, ...rest: unknown[]): unknown => {
        const text = typeof config === 'string' ? config : config.text;
        if (typeof text !== 'string' || !text.includes('/*mark ')) return query(config, ...rest);
        const values = (typeof config === 'string' ? [] : config.values) ?? [];
        watch?.((sql) => query({ text: sql, values: sql.includes('$1') ? values : [] }), text, values);
        // The statement has no name, because a connection keeps a named statement unchanged.
        return query({ text: withoutMarks(text, taken), values });
      };
      Object.assign(client, { query: replaced });
    });
  }
}

/** Registers the routes, with other access where the mutant says so. */
async function withAccess<T>(mutant: Mutant | null, make: () => Promise<T>): Promise<T> {
  if (mutant?.kind !== 'route') return make();
  const change = (message: unknown): void => {
    const { fastify } = message as { fastify: FastifyInstance };
    fastify.addHook('onRoute', (route) => {
      const names = [route.method].flat().map((method) => `${method} ${route.url}`);
      if (names.includes(mutant.route)) route.config = { ...route.config, access: mutant.access };
    });
  };
  subscribe('fastify.initialization', change);
  try {
    return await make();
  } finally {
    unsubscribe('fastify.initialization', change);
  }
}

/**
 * For each condition: the steps that send it, and the steps in which it hides a row of another workspace. Without it
 * the statement would return or change other rows.
 */
export class Reach {
  /** The steps that send a statement, by its text. */
  readonly statements = new Map<string, Set<number>>();
  readonly sent = new Map<number, Set<number>>();
  readonly hides = new Map<number, Set<number>>();
  readonly #tried = new Map<number, Set<string>>();
  readonly #waiting: Promise<void>[] = [];
  step = 0;

  /** True if all conditions are removed at once, and reported as mark 0. */
  readonly #together: boolean;

  constructor({ together = false } = {}) {
    this.#together = together;
  }

  readonly watch: Watch = (send, sql, values) => {
    // The statement only takes locks and returns nothing. Without its condition others would wait, but nobody would see
    // data.
    if (/^\s*select 1 from .* for (?:no key )?(?:key share|share|update)\s*$/s.test(sql)) return;
    add(this.statements, sql, this.step);
    const marks = marksOf(sql);
    if (this.#together && marks.length > 0 && marks.every((mark) => reasons.has(mark))) return;
    for (const mark of new Set(this.#together ? [0] : marks)) {
      add(this.sent, mark, this.step);
      const seen = this.#tried.get(mark) ?? new Set();
      this.#tried.set(mark, seen);
      const attempt = `${sql}${JSON.stringify(values)}`;
      // Three steps in which it matters are enough to search for the leak.
      if (seen.has(attempt) || (this.hides.get(mark)?.size ?? 0) >= 3) continue;
      seen.add(attempt);
      const { step } = this;
      // The statements are sent together in this order, and the attempts leave no changes.
      const begun = send('savepoint attempt');
      const right = outcomeOf(send(sql));
      const undone = send('rollback to savepoint attempt');
      const careless = outcomeOf(send(withoutMarks(sql, (one) => this.#together || one === mark)));
      const undoneToo = send('rollback to savepoint attempt');
      this.#waiting.push(
        Promise.allSettled([begun, right, undone, careless, undoneToo]).then(async () => {
          if ((await right) !== (await careless)) add(this.hides, mark, step);
        }),
      );
    }
  };

  async settled(): Promise<void> {
    await Promise.all(this.#waiting.splice(0));
  }
}

function add<Key>(map: Map<Key, Set<number>>, key: Key, step: number): void {
  map.set(key, (map.get(key) ?? new Set()).add(step));
}

async function outcomeOf(result: Promise<unknown>): Promise<string> {
  try {
    const { rows, rowCount } = (await result) as pg.QueryResult;
    return JSON.stringify([rowCount, rows.map((row) => JSON.stringify(row)).sort()]);
  } catch (error) {
    return String((error as { code?: string }).code);
  }
}

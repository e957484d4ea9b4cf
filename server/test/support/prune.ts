/** A server whose old data is deleted by the operator's command. */
import assert from 'node:assert/strict';
import { merlondHere } from './merlond-here.ts';
import { createTestServer, type TestServer } from './server.ts';
import { nodeSettings } from './serving.ts';

export interface Pruning {
  server: TestServer;
  /** Runs `merlond prune --json` with these settings. */
  run(settings: Record<string, string>): ReturnType<typeof merlondHere>;
  /** Deletes what is older than 30 days, and returns how much of each kind. */
  prune(
    ...kinds: ('FIXED' | 'SCANS' | 'AUDIT')[]
  ): Promise<Record<'vulnerabilities' | 'events' | 'texts' | 'scans' | 'audit', number>>;
  /** The number of rows of a table, which may have an alias and a condition. */
  numberOf(table: string): Promise<number>;
}

export async function createPruning(): Promise<Pruning> {
  const server = await createTestServer();
  const own = { ...nodeSettings(server), MERLON_DATABASE_OWNER_URL: server.ownerUrl };
  const run: Pruning['run'] = (settings) => merlondHere(['prune', '--json'], { ...own, ...settings });
  return {
    server,
    run,
    prune: async (...kinds) => {
      const keep = Object.fromEntries(kinds.map((kind) => [`MERLON_KEEP_${kind}_DAYS`, '30']));
      const { code, stdout, stderr } = await run(keep);
      assert.equal(code, 0, stderr);
      return JSON.parse(stdout);
    },
    numberOf: async (table) => {
      const { rows } = await server.owner.query(`select count(*)::int as n from ${table}`);
      return rows[0].n;
    },
  };
}

/** Packages for the report of a scanner: `lib-0` and so on, each with an advisory of its own. */
export function numberedPackages(from: number, to: number): { id: string; name: string; version: string }[] {
  return Array.from({ length: to - from }, (_, i) => ({
    id: `CVE-2030-${1000 + from + i}`,
    name: `lib-${from + i}`,
    version: '1.0.0',
  }));
}

/** A server whose old data is deleted by the operator's command. */
import assert from 'node:assert/strict';
import { merlondHere } from './merlond-here.ts';
import { createTestServer, type TestServer } from './server.ts';
import { nodeSettings } from './serving.ts';

export interface PruneServer {
  server: TestServer;
  /** Runs `merlond prune --json` with these settings. */
  run(settings: Record<string, string>): ReturnType<typeof merlondHere>;
  /** Deletes what is older than 30 days, and returns how much of each kind. */
  prune(
    ...kinds: ('FIXED' | 'REFERENCES' | 'SCANS' | 'AUDIT')[]
  ): Promise<
    Record<'vulnerabilities' | 'events' | 'texts' | 'violations' | 'references' | 'scans' | 'audit', number>
  >;
  /** The number of rows of a table, which may have an alias and a condition. */
  numberOf(table: string): Promise<number>;
}

export async function createPruneServer(): Promise<PruneServer> {
  const server = await createTestServer();
  const own = { ...nodeSettings(server), MERLON_DATABASE_OWNER_URL: server.ownerUrl };
  const run: PruneServer['run'] = (settings) => merlondHere(['prune', '--json'], { ...own, ...settings });
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
      const { rows } = await server.owner.query(`select count(*)::int as count from ${table}`);
      return rows[0].count;
    },
  };
}

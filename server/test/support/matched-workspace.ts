/** A workspace for tests of advisories: loads records, takes lists of packages, and shows the vulnerabilities. */
import assert from 'node:assert/strict';
import { matchWorkspace } from '../../src/ingest/matching/match-workspace.ts';
import { bom } from './boms.ts';
import { importAll } from './import.ts';
import { loadOsv, type OsvOptions, osvRecord } from './osv.ts';
import { createTestServer } from './server.ts';
import { createTestWorkspace, reportInput } from './workspace.ts';

interface Item {
  id: string;
  title: string;
  status: string;
  fix_version: string | null;
  severity: string;
  tools: string[];
}

/** A list of packages. */
export const sbom = (...purls: string[]) => bom(purls.map((purl) => ({ purl })));

/** A server with a workspace whose packages are matched with the advisories that `load` loads. */
export async function createMatchedWorkspace() {
  const server = await createTestServer();
  const { tenant, people } = await createTestWorkspace(server, 'acme');
  const load = (...records: [string, OsvOptions?][]) =>
    loadOsv(
      server,
      tenant.id,
      records.map(([id, options]) => osvRecord(id, options)),
    );
  const upload = async (report: unknown, overrides: Parameters<typeof reportInput>[1] = {}) => {
    const [scan] = await importAll(server, 'acme', [reportInput(report, overrides)]);
    assert.equal(scan?.error, null, JSON.stringify(scan?.error));
    return scan;
  };
  /** Reads the vulnerabilities directly from the database. */
  const list = async (): Promise<Item[]> => {
    const { rows } = await server.owner.query<Item>(
      `select v.id, v.title, v.fix_version, v.advisory,
              case v.packed_state >> 4 & 15 when 0 then 'open' when 1 then 'fixed' else (v.packed_state >> 4 & 15)::text end as status,
              array(select distinct w.tool from vulnerability_reporter w
                     where w.tenant_id = v.tenant_id and w.vulnerability_id = v.id and w.live order by 1) as tools
         from vulnerability v where v.tenant_id = $1 order by v.advisory collate "C", v.package`,
      [tenant.id],
    );
    return rows;
  };
  const short = async () => (await list()).map((item) => `${item.status} ${item.tools.join('+')}`);
  const match = () => matchWorkspace(server.db, tenant.id, () => new Date());
  return { server, tenant, people, load, upload, list, short, match };
}

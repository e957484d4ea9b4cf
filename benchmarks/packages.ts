/**
 * `node benchmarks/packages.ts [--data-dir DIR] [--workspace SLUG] [--vulnerabilities N] [--repositories N]
 * [--requests N]`: measures the requests for packages, one after another, with more than 200,000 usages of 20,000
 * packages. A missing workspace and missing packages are created. Writes `results/packages.json`.
 */
import { say } from '../server/src/commands/output.ts';
import { openConfigured } from '../server/src/open.ts';
import { measurePaths } from './measure-paths.ts';
import { benchConfig, readOptions } from './options.ts';
import { writeResult } from './results.ts';
import { seedPackages } from './seed-packages.ts';
import { asOwner, createKey, ensureWorkspace } from './workspace.ts';

const options = readOptions();
const { dataDir, workspace, vulnerabilities, repositories } = options;
const open = await openConfigured(benchConfig(dataDir), say);
try {
  const tenant = await ensureWorkspace(open, workspace, { vulnerabilities, repositories, log: say });
  const seeded = await asOwner(open, async (client) => {
    const counts = await seedPackages(client, tenant.id, { libraries: 20_000, usages: 200_000 });
    await client.query('vacuum (analyze)');
    return counts;
  });
  say(JSON.stringify(seeded));
  const key = await createKey(open, workspace, ['vulnerabilities:read', 'repositories:read']);
  const rows = await measurePaths(options, key, async (get) => {
    interface Page {
      items: { id: string }[];
      next_cursor: string;
    }
    const openssl = (await get<Page>('/packages?q=openssl')).items[0]?.id;
    let deep = '';
    for (let i = 0; i < 20; i++) {
      const from = deep === '' ? '' : `?cursor=${deep}`;
      deep = (await get<Page>(`/packages${from}`)).next_cursor;
    }
    return {
      packages: '/packages',
      'packages, 20th page': `/packages?cursor=${deep}`,
      'in ecosystem npm': '/packages?ecosystem=npm',
      'in five ecosystems': '/packages?ecosystem=npm,maven,deb,pypi,golang',
      'vulnerable yes': '/packages?vulnerable=yes',
      'vulnerable no': '/packages?vulnerable=no',
      'license MIT': '/packages?license=MIT',
      'license MIT, vulnerable yes': '/packages?license=MIT&vulnerable=yes',
      'rare license': '/packages?license=License-7',
      'rare license, vulnerable yes': '/packages?license=License-7&vulnerable=yes',
      'in a repository': '/packages?repo=team-1%2Fservice-0',
      'in a repository, vulnerable yes': '/packages?repo=team-1%2Fservice-0&vulnerable=yes',
      'q openssl': '/packages?q=openssl',
      'q lib': '/packages?q=lib',
      'q, nothing found': '/packages?q=nothing-of-it',
      'one package': `/packages/${openssl}`,
      'its usages': `/packages/${openssl}/usages`,
      licenses: '/licenses',
      ecosystems: '/ecosystems',
    };
  });
  writeResult('packages', { vulnerabilities, repositories, ...seeded, rows });
} finally {
  await open.close();
}

/**
 * `node benchmarks/overview.ts [--data-dir DIR] [--workspace SLUG] [--vulnerabilities N] [--repositories N]
 * [--requests N]`: measures the requests of the console's pages, one after another, in a workspace with the fifty
 * policies. A missing workspace is created and its policies evaluated. Writes `results/overview.json`.
 */
import { say } from '../server/src/commands/output.ts';
import { openConfigured } from '../server/src/open.ts';
import { medianRepository } from './cases.ts';
import { evaluateAllPolicies } from './evaluate-policies.ts';
import { measurePaths } from './measure-paths.ts';
import { benchConfig, readOptions } from './options.ts';
import { writeResult } from './results.ts';
import { createFilledWorkspace, createKey, findWorkspace } from './workspace.ts';

const options = readOptions();
const { dataDir, workspace, vulnerabilities, repositories } = options;
const open = await openConfigured(benchConfig(dataDir), say);
try {
  if (!(await findWorkspace(open, workspace))) {
    const tenant = await createFilledWorkspace(open, workspace, { vulnerabilities, repositories, log: say });
    say(JSON.stringify(await evaluateAllPolicies(open, tenant)));
  }
  const key = await createKey(open, workspace, [
    'vulnerabilities:read',
    'policy-violations:read',
    'scans:read',
    'repositories:read',
    'organizations:read',
    'applications:read',
  ]);
  const rows = await measurePaths(options, key, async (get) => {
    const list = await get<{ items: { id: string }[] }>('/vulnerabilities?state=open&per_page=200');
    const ids = list.items.map(({ id }) => id);
    const repo = encodeURIComponent(medianRepository);
    return {
      overview: '/overview',
      trend: '/trend',
      'trend, 365 days': '/trend?days=365',
      'trend of a repository': `/trend?repo=${repo}`,
      facets: '/vulnerabilities/facets?state=open',
      'facets, assigned to me': '/vulnerabilities/facets?state=open&assignee=me',
      'facets of a search': '/vulnerabilities/facets?q=openssl',
      'facets on HEAD': '/vulnerabilities/facets?ref=HEAD&state=open',
      exploitable: '/vulnerabilities?state=open&exploitable=yes',
      'exploitable on HEAD': '/vulnerabilities?state=open&ref=HEAD&exploitable=yes',
      'EPSS at least 0.1': '/vulnerabilities?state=open&epss_min=0.1',
      'EPSS at least 0.9': '/vulnerabilities?state=open&epss_min=0.9',
      'violations, search': '/policy-violations/all?q=openssl',
      'status report': '/status-report',
      overdue: '/vulnerabilities?state=open&due=overdue',
      'due soon on HEAD': '/vulnerabilities?state=open&ref=HEAD&due=soon',
      'groups by package': '/vulnerabilities/groups?by=package&scope=tracked&state=open',
      'groups by rule': '/vulnerabilities/groups?by=rule&scope=tracked&state=open',
      'groups by repository': '/vulnerabilities/groups?by=repository&scope=tracked&state=open',
      'groups by package in a repository': `/vulnerabilities/groups?by=package&state=open&repo=${repo}`,
      'groups by package on HEAD': '/vulnerabilities/groups?by=package&ref=HEAD&state=open',
      'signals of 50': `/vulnerabilities/signals?ids=${ids.slice(0, 50).join()}`,
      'signals of 200': `/vulnerabilities/signals?ids=${ids.join()}`,
      references: `/references?repo=${repo}`,
    };
  });
  writeResult('overview', { vulnerabilities, repositories, rows });
} finally {
  await open.close();
}

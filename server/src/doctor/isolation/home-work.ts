/**
 * Work in home itself: reports, inventory, policies. It must neither find nor change anything in the other workspace.
 */

import { reEvaluateIntel } from '../../actions/intel/re-evaluate.ts';
import { sweepScans } from '../../ingest/scans/sweep.ts';
import { importFiles } from '../../ingest/upload/import-files.ts';
import { evaluatePolicies } from '../../policies/evaluation/evaluate-policies.ts';
import { sweepViolations } from '../../policies/evaluation/sweep.ts';
import { sweepTenant } from '../../vulnerabilities/sweep.ts';
import type { World } from './canaries.ts';
import { markedPackage, packagesReport, report, sharedPackages, sharedSha } from './canary-reports.ts';
import type { Prober } from './prober.ts';

export interface HomeWork {
  name: string;
  run(prober: Prober): Promise<void>;
}

export function homeWork({ server, home, foreign }: World): HomeWork[] {
  const take = async (
    prober: Prober,
    content: string,
    file: ReturnType<typeof report>,
    expected: Record<string, number>,
  ): Promise<void> => {
    const boss = await server.queue.open();
    const [scan] = await importFiles({ ...server, boss, log: console.error }, home.slug, [file]);
    const counts: Record<string, unknown> = scan?.counts ? { ...scan.counts } : {};
    if (Object.entries(expected).some(([name, n]) => counts[name] !== n)) {
      const difference = `${JSON.stringify(counts)} instead of ${JSON.stringify(expected)}`;
      prober.report({ path: content }, 'a report of home', `${difference} ${JSON.stringify(scan?.error)}`);
    }
  };
  const packages = [...sharedPackages, markedPackage(foreign.mark, 0)];
  const reportOfNewRepository = (rows: typeof packages, partial = false) =>
    report(packagesReport(rows), { repository: 'acme/fresh', partial });
  return [
    {
      name: 'import of what home had before',
      run: (prober) =>
        take(prober, 'the same', report(packagesReport(sharedPackages), { sha: sharedSha }), {
          new: 0,
          unchanged: 2,
        }),
    },
    {
      name: 'imports of what the other workspace has too, into a new repository',
      run: async (prober) => {
        await take(prober, 'all', reportOfNewRepository(packages), { new: 3, unchanged: 0 });
        await take(prober, 'one less', reportOfNewRepository(packages.slice(1)), { new: 0, fixed: 1 });
        await take(prober, 'a part', reportOfNewRepository(packages.slice(2), true), { new: 0, fixed: 0 });
      },
    },
    {
      name: 'what the clock makes due',
      run: async () => {
        const now = new Date();
        const { db, config } = server;
        const fail = (error: unknown): never => {
          throw error;
        };
        await sweepTenant(db, home.tenant.id, now, config.activeDays);
        await sweepScans(db, home.tenant.id, now, config.keepReportsDays, fail);
        await sweepViolations(db, home.tenant.id, now);
        await reEvaluateIntel(db, home.tenant.id, now);
      },
    },
    {
      name: 'asking all policies',
      run: async () => evaluatePolicies(server.db, home.tenant.id).then(() => {}),
    },
  ];
}

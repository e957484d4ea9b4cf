/** What home does by itself: reports, inventory, policies. It must find nothing of the other workspace, nor change it. */
import { importFiles } from '../../commands/scan.ts';
import { evaluatePolicies } from '../../features/violations/evaluate/evaluate-policies.ts';
import type { Asker } from './asker.ts';
import type { World } from './canaries.ts';
import { markedPackage, packagesReport, report, sharedPackages, sharedSha } from './canary-reports.ts';

export interface HomeWork {
  name: string;
  run(asker: Asker): Promise<void>;
}

export function homeWork({ server, home, foreign }: World): HomeWork[] {
  const imports = (
    name: string,
    make: () => ReturnType<typeof report>,
    expected: Record<string, number>,
  ): HomeWork => ({
    name: `import of ${name}`,
    run: async (asker) => {
      const boss = await server.queue.open();
      const [scan] = await importFiles({ ...server, boss }, home.slug, [make()]);
      const counts: Record<string, number> = scan?.counts ? { ...scan.counts } : {};
      const wrong = Object.entries(expected).filter(([what, n]) => counts[what] !== n);
      if (wrong.length > 0) {
        asker.tell(
          { path: name },
          'a report of home',
          `${JSON.stringify(counts)} instead of ${JSON.stringify(expected)} ${JSON.stringify(scan?.error)}`,
        );
      }
    },
  });
  const packages = [...sharedPackages, markedPackage(foreign.mark, 0)];
  return [
    imports('what home had before', () => report(packagesReport(sharedPackages), { sha: sharedSha }), {
      new: 0,
      unchanged: 2,
    }),
    imports(
      'what the other workspace has too, in a new repository',
      () => report(packagesReport(packages), { repository: 'acme/fresh' }),
      { new: 3, unchanged: 0 },
    ),
    imports('a package less', () => report(packagesReport(packages.slice(1)), { repository: 'acme/fresh' }), {
      new: 0,
      fixed: 1,
    }),
    {
      name: 'asking all policies',
      run: async () => evaluatePolicies(server.db, home.tenant.id).then(() => {}),
    },
  ];
}

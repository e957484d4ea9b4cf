/**
 * Compares an import for a pull request in a repository with many open ones, which show the same vulnerabilities, with
 * that in a repository without others.
 */
import type { Bench } from '../bench.ts';
import { copyPullRequest } from '../copy-references.ts';
import { evaluateAllPolicies } from '../evaluate-policies.ts';
import { importInProcess, type ReportImport } from '../import-in-process.ts';
import type { ReportKind } from '../reports.ts';
import { comparedRow, type Row, thousands } from '../row.ts';
import { createEmptyWorkspace } from '../workspace.ts';

const findings = 300;
const shape = { from: 0, to: findings, changed: 0 };

export async function pullRequestRows(bench: Bench): Promise<Row[]> {
  const rows: Row[] = [];
  const others = bench.size.pullRequests;
  for (const [kind, withPolicies] of [
    ['packages', false],
    ['code', false],
    ['packages', true],
  ] as const) {
    const alone = await milliseconds(bench, kind, withPolicies, 0);
    const among = await milliseconds(bench, kind, withPolicies, others);
    const described = withPolicies ? `${kind}, 50 policies` : kind;
    rows.push(
      comparedRow({
        work: `import of ${findings} known findings (${described}) for a pull request, ${thousands(others)} others open`,
        yardstick: ['no others', alone],
        measured: { value: among, unit: 'ms' },
        aim: { atMost: 3 },
        details: {},
      }),
    );
  }
  return rows;
}

async function milliseconds(
  { open, dataDir }: Bench,
  kind: ReportKind,
  withPolicies: boolean,
  others: number,
): Promise<number> {
  const tenant = await createEmptyWorkspace(open, 'pulls');
  const { id: tenantId, slug } = tenant;
  if (withPolicies) await evaluateAllPolicies(open, tenant);
  const into = (...refs: string[]): ReportImport[] => refs.map((ref) => ({ slug, shape, ref }));
  await importInProcess(dataDir, kind, into('main', 'refs/pull/1/head'));
  if (others > 0) await copyPullRequest(open, { tenantId, from: 'refs/pull/1/head', count: others });
  // The third import of a process is as fast as all later ones.
  const figures = await importInProcess(
    dataDir,
    kind,
    into('refs/pull/2/head', 'refs/pull/3/head', 'refs/pull/4/head'),
  );
  return figures.receiveMs + figures.processMs;
}

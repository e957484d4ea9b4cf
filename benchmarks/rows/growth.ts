/** Compares lists of a small and a large workspace, and of one and of many workspaces, in alternating requests. */
import { type Bench, mainWorkspace, manyWorkspaces, withServer } from '../bench.ts';
import { queryText, readCases } from '../cases.ts';
import { httpClient, latencyOf, timed } from '../http-client.ts';
import { comparedRow, type Row, round2, thousands } from '../row.ts';
import { createKey } from '../workspace.ts';

const aim = { atMost: 1.5 };

export async function growthRows(bench: Bench): Promise<Row[]> {
  const { from, to } = bench.size.growth;
  const [small, large, one] = [
    await mainWorkspace(bench, from),
    await mainWorkspace(bench, to),
    await mainWorkspace(bench),
  ];
  const many = await manyWorkspaces(bench);
  return withServer(bench, one, { workers: null }, async ({ url }) => {
    const withKey = async ({ slug }: { slug: string }) => ({ slug, key: await createKey(bench.open, slug) });
    const [smallOne, largeOne, single] = [await withKey(small), await withKey(large), await withKey(one)];
    return [
      await compare(
        bench,
        url,
        `lists at ${thousands(to)} vulnerabilities`,
        `at ${thousands(from)}`,
        () => smallOne,
        () => largeOne,
      ),
      await compare(
        bench,
        url,
        `lists in ${many.length} workspaces in turns`,
        'in one as large as all of them',
        () => single,
        (n) => many[n % many.length] ?? single,
      ),
    ];
  });
}

interface WorkspaceKey {
  slug: string;
  key: string;
}

/**
 * Compares the lists whose time must not grow with the workspace. Filters of one repository or of `develop` are left
 * out, because a repository has another size in each workspace.
 */
async function compare(
  { size }: Bench,
  url: string,
  work: string,
  yardstick: string,
  base: (n: number) => WorkspaceKey,
  other: (n: number) => WorkspaceKey,
): Promise<Row> {
  const queries = readCases()
    .filter(({ flat, query }) => flat && query.repo === undefined && query.ref !== 'develop')
    .flatMap(({ name, query, sorts }) =>
      sorts.map((sort) => ({ name: `${name}, ${sort}`, query: { ...query, sort } })),
    );
  const clients = new Map<string, ReturnType<typeof httpClient>>();
  const time = ({ slug, key }: WorkspaceKey, query: string): Promise<number> => {
    const client = clients.get(key) ?? httpClient(url, key, 1);
    clients.set(key, client);
    return timed(() => client.get(`/api/v1/${slug}/vulnerabilities?${query}`));
  };
  let n = 0;
  const [all, allOther]: [number[], number[]] = [[], []];
  const details = [];
  for (const { name, query } of queries) {
    const [times, otherTimes]: [number[], number[]] = [[], []];
    for (let turn = -size.warmUps; turn < size.requests; turn++, n++) {
      const pair = [await time(base(n), queryText(query)), await time(other(n), queryText(query))] as const;
      if (turn < 0) continue;
      times.push(pair[0]);
      otherTimes.push(pair[1]);
    }
    const [p50Ms, otherP50Ms] = [latencyOf(times).p50Ms, latencyOf(otherTimes).p50Ms];
    details.push({ name, p50Ms, otherP50Ms, ratio: round2(otherP50Ms / p50Ms) });
    all.push(...times);
    allOther.push(...otherTimes);
  }
  for (const client of clients.values()) client.close();
  return comparedRow({
    work,
    yardstick: [yardstick, latencyOf(all).p50Ms],
    measured: { value: latencyOf(allOther).p50Ms, unit: 'ms p50' },
    aim,
    details: details.toSorted((a, b) => b.ratio - a.ratio),
  });
}

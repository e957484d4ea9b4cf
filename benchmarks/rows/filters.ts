/** Compares each filter, sort, facet and group of the list with the list "all, newest", in alternating requests. */
import { say } from '../../server/src/commands/output.ts';
import type { Tenant } from '../../server/src/http/principal.ts';
import { type Bench, mainWorkspace, withServer } from '../bench.ts';
import { medianRepository, queryText, readCases } from '../cases.ts';
import { latencyOf, timed } from '../http-client.ts';
import { comparedRow, plainRow, type Row, round2 } from '../row.ts';
import { asOwner } from '../workspace.ts';

const aim = 3;

export interface FilterFigures {
  name: string;
  p50Ms: number;
  p95Ms: number;
  /** The median of "all, newest", whose requests alternate with those of this read. */
  allMs: number;
  ratio: number;
}

export async function filterRows(bench: Bench): Promise<Row[]> {
  const tenant = await mainWorkspace(bench);
  const paths = await pathsOf(bench, tenant);
  const figures: FilterFigures[] = [];
  await withServer(bench, tenant, { workers: null }, async ({ client, at }) => {
    const { requests, warmUps } = bench.size;
    const all = at('/vulnerabilities?sort=newest');
    for (let n = 0; n < 10 * warmUps; n++) await client.get(all);
    for (const [name, path] of paths) {
      const [times, allTimes]: [number[], number[]] = [[], []];
      // A slow read gets fewer requests, and its warm-up requests count as well.
      const end = performance.now() + 4_000;
      for (let n = -warmUps; n < requests && (performance.now() < end || n < 3); n++) {
        const pair = [await timed(() => client.get(at(path))), await timed(() => client.get(all))] as const;
        if (n >= 0 || pair[0] > 200) {
          times.push(pair[0]);
          allTimes.push(pair[1]);
        }
      }
      const [own, other] = [latencyOf(times), latencyOf(allTimes)];
      const ratio = round2(own.p50Ms / other.p50Ms);
      figures.push({ name, p50Ms: own.p50Ms, p95Ms: own.p95Ms, allMs: other.p50Ms, ratio });
    }
  });
  const sorted = figures.toSorted((a, b) => b.ratio - a.ratio);
  for (const { name, ratio } of sorted.filter((each) => each.ratio > aim)) say(`${name}: ${ratio}`);
  const [worst] = sorted;
  if (!worst) throw new Error('there are no filters');
  return [
    comparedRow({
      work: `the slowest of ${figures.length} filters, sorts, facets and groups: ${worst.name}`,
      yardstick: ['all, newest', worst.allMs],
      measured: { value: worst.p50Ms, unit: 'ms p50' },
      aim: { atMost: aim },
      details: sorted,
    }),
    plainRow({
      work: `how many of them are above ${aim}`,
      measured: { value: sorted.filter(({ ratio }) => ratio > aim).length, unit: 'reads' },
      aim: { atMost: 0 },
    }),
  ];
}

/** Returns the name and path of each read. */
async function pathsOf(bench: Bench, tenant: Tenant): Promise<[string, string][]> {
  const lists = readCases(await namesOf(bench, tenant)).flatMap(({ name, query, sorts }) =>
    sorts.map((sort): [string, string] => [
      `${name}, ${sort}`,
      `/vulnerabilities?${queryText({ ...query, sort })}`,
    ]),
  );
  const repo = encodeURIComponent(medianRepository);
  const facets: [string, string][] = [
    '',
    'state=open',
    'ref=HEAD&state=open',
    'state=open&assignee=me',
    'q=openssl',
  ].map((query) => [`facets, ${query || 'all'}`, `/vulnerabilities/facets?${query}`]);
  const groups = ['package', 'rule', 'repository'].flatMap((by): [string, string][] =>
    ['scope=tracked&state=open', 'ref=HEAD&state=open', `state=open&repo=${repo}`].map((query) => [
      `groups by ${by}, ${decodeURIComponent(query)}`,
      `/vulnerabilities/groups?by=${by}&${query}`,
    ]),
  );
  return [...lists, ...facets, ...groups];
}

/** Returns a commit from the middle of the history, some of whose findings are fixed, and a rule for code. */
async function namesOf({ open }: Bench, tenant: Tenant): Promise<{ sha: string; rule: string }> {
  return asOwner(open, async (client) => {
    const { rows } = await client.query<{ sha: string; rule: string }>(
      `select s.sha, (select rule from vulnerability where tenant_id = $1 and package is null order by id limit 1) as rule
         from repository r join scan s on s.tenant_id = r.tenant_id and s.reference_id = r.default_reference_id
        where r.tenant_id = $1 and r.name_key = $2 order by s.scanned_at offset 18 limit 1`,
      [tenant.id, medianRepository],
    );
    return rows[0] ?? { sha: '0000000', rule: 'none' };
  });
}

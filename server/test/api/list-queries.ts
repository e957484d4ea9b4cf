/** Random filters of the vulnerability list, with values from a random workspace. */
import fc from 'fast-check';
import { formatId } from '../../src/domain/ids.ts';
import type { ListQuery } from '../../src/vulnerabilities/filters.ts';
import { listScopes } from '../../src/vulnerabilities/scope.ts';
import { type RandomWorkspace, words } from './random-workspace.ts';
import { severityOrder, statuses, vulnerabilityTypes } from './spec-tables.ts';

export type Query = Record<string, string | undefined>;

const pick = (...values: string[]): fc.Arbitrary<string | undefined> =>
  fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });
const some = (values: string[]): fc.Arbitrary<string | undefined> =>
  fc.option(
    fc.subarray(values, { minLength: 1, maxLength: 4 }).map((chosen) => chosen.join(',')),
    { nil: undefined, freq: 2 },
  );
const anyCase = (text: string, upper: boolean): string => (upper ? text.toUpperCase() : text);

/** Any filters, at most three of them at once. */
export function listQueries({ people, shas, times, applications }: RandomWorkspace, repositoryIds: string[]) {
  const values: Record<keyof ListQuery, fc.Arbitrary<string | undefined>> = {
    repo: pick('acme/shop', 'Acme/API', 'umbrella/team/tools', ...repositoryIds),
    ref: pick(
      'main',
      'HEAD',
      'refs/heads/main',
      'feature/a',
      'v1',
      'refs/tags/v1',
      'refs/pull/7/head',
      'pull/7/head',
    ),
    sha: fc.option(
      fc
        .tuple(fc.constantFrom(...shas), fc.constantFrom(7, 12, 40), fc.boolean())
        .map(([sha, length, upper]) => anyCase(sha.slice(0, length), upper)),
      { nil: undefined, freq: 1 },
    ),
    scope: pick(...listScopes),
    state: pick(...statuses),
    source: pick('current', 'git_history'),
    confirmed: pick('yes', 'no'),
    triaged: pick('yes', 'no'),
    severity: some(severityOrder),
    type: some(vulnerabilityTypes),
    assignee: pick(
      'me',
      'unassigned',
      'assigned',
      formatId('user', people.admin.user.id),
      people.admin.user.email,
      people.member.user.email.toUpperCase(),
    ),
    // The workspace has no CODEOWNERS file. The tests of code owners have some.
    team: fc.constant(undefined),
    fix: pick('yes', 'no'),
    exploitable: pick('yes'),
    epss_min: pick('0', '0.1', '0.5', '1'),
    due: pick('overdue', 'soon'),
    introduced_since: pick(...times, '2020-01-01', '2100-01-01'),
    application: pick(...applications.flatMap(({ id, name }) => [id, name, name.toUpperCase()])),
    package: pick('lib1', 'LIB2', 'pkg:npm/lib4', 'pkg:npm/nothing', '@acme/lib1'),
    rule: pick('rule-1', 'rule-2', 'token-0', 'nothing'),
    q: fc.option(
      fc
        .subarray([...words.map((word) => word.slice(0, 5)), 'lib1', 'beans', 'parser', 'nothing'], {
          minLength: 1,
          maxLength: 2,
        })
        .map((chosen) => chosen.join(' ')),
      { nil: undefined, freq: 1 },
    ),
    sort: pick('severity', 'newest', 'oldest'),
  };
  // A reference is a scope of its own.
  const queries: fc.Arbitrary<Query> = fc
    .record(values)
    .map((query): Query => (query.ref === undefined ? query : { ...query, scope: undefined }));
  const names = Object.keys(values).filter((name) => name !== 'sort');

  // A dozen filters at once would usually find nothing, so one to three are chosen.
  const sparse = fc
    .tuple(queries, fc.uniqueArray(fc.constantFrom(...names), { minLength: 0, maxLength: 3 }))
    .map(
      ([query, kept]): Query =>
        Object.fromEntries(Object.entries(query).filter(([name]) => name === 'sort' || kept.includes(name))),
    );
  return { queries, sparse };
}

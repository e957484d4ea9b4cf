/**
 * The filters of the vulnerability list. `filters` declares each of them once: its name, its schema, its meaning, and
 * for a filter on traits the test. The query parameters, the type of a query, and the echo of the answer are derived
 * from it. The other filters select by the scope of the list or by an index of their own.
 */
import { type Static, Type } from 'typebox';
import { resolvePerson } from '../access/members/lookup.ts';
import type { Parameters, Tx } from '../db/database.ts';
import { type DueRange, type DueValue, dueRange } from '../domain/due.ts';
import { invalidInput } from '../domain/errors.ts';
import type { TeamId, UserId, VulnerabilityId } from '../domain/ids.ts';
import {
  isInScope,
  type Source,
  type Status,
  severities,
  sources,
  sqlPackedStateIn,
  statuses,
  statusIn,
  type Traits,
  types,
} from '../domain/packed-state.ts';
import { parseTime } from '../domain/time.ts';
import { requireScopes } from '../http/access.ts';
import { listParameter } from '../http/input.ts';
import {
  declareFilters,
  filterOn,
  type QueryOf,
  repositoryText,
  testsOf,
  textFilter as text,
} from '../http/page.ts';
import type { KeyScope as ApiScope, Principal } from '../http/principal.ts';
import { NullableString, namedObject, oneOf } from '../http/schema.ts';
import { resolveTeams } from '../inventory/teams/named-teams.ts';
import { bandFrom, mayHaveOldBands } from './epss-band-store.ts';
import { type PackageFilter, packageFilterOf } from './package-filter.ts';
import { type CountedScope, type ListScope, listScopes, resolveScope } from './scope.ts';
import { searchTermsOf } from './search-terms.ts';

const listedDues = ['overdue', 'soon'] as const satisfies readonly DueValue[];
type ListedDue = (typeof listedDues)[number];

type TraitTest = (traits: Traits) => boolean;

const filter = filterOn<Traits, { scope?: ListScope }>();

/** The status that the filter `state` compares in this scope. */
export function shownStatus(traits: Traits, scope: ListScope | undefined): Status {
  return statusIn(traits, scope === 'all' ? 'all' : 'tracked');
}

function yesNo(trait: 'confirmed' | 'triaged' | 'fixKnown', description: string) {
  return filter(oneOf(['yes', 'no'], description), {
    test: (value) => (traits) => traits[trait] === (value === 'yes'),
  });
}

function anyOf(trait: 'severity' | 'type', values: readonly string[], description: string) {
  return filter(listParameter(description, { values }), {
    test: (chosen) => {
      const wanted = new Set(chosen);
      return (traits) => wanted.has(traits[trait]);
    },
  });
}

/** The values of `assignee` that name no person, with the trait that they select. */
const assignments: ReadonlyMap<string, boolean> = new Map([
  ['assigned', true],
  ['unassigned', false],
]);

const filters = {
  repo: filter(repositoryText),
  ref: filter(
    text(
      255,
      'Reference: short or full name; HEAD is the default branch of each repository. Status and summary are those on it.',
    ),
  ),
  sha: filter(
    Type.String({
      // The specification sets this limit. A longer hash is found by its beginning.
      pattern: '^[0-9a-fA-F]{7,40}$',
      description: 'Only vulnerabilities that a completed scan of this commit saw.',
    }),
  ),
  scope: filter(
    oneOf<ListScope>(
      listScopes,
      'tracked: only vulnerabilities that have been on a tracked reference. default_branches: status and summary are those on the default branches, like ref=HEAD. all: vulnerabilities that are fixed on tracked references and present elsewhere count as open. Without it: all vulnerabilities, each with its status. Cannot be combined with ref.',
    ),
    {
      echoed: false,
      test: (value) => (value === 'tracked' ? (traits) => isInScope(traits, value) : undefined),
    },
  ),
  state: filter(oneOf<Status>(statuses, 'Status.'), {
    test:
      (value, { scope }) =>
      (traits) =>
        shownStatus(traits, scope) === value,
  }),
  source: filter(
    oneOf<Source>(sources, 'Found in the current files, or only in the history of the commits.'),
    {
      test: (value) => (traits) => traits.source === value,
    },
  ),
  confirmed: yesNo('confirmed', 'Confirmed as a true positive.'),
  triaged: yesNo('triaged', 'A person has decided about it.'),
  severity: anyOf('severity', severities, 'Severity.'),
  type: anyOf('type', types, 'Type.'),
  assignee: filter(text(255, 'me, unassigned, assigned (to anybody), a user id or an e-mail address.'), {
    test: (value) => {
      const assigned = assignments.get(value);
      return assigned === undefined ? undefined : (traits) => traits.assigned === assigned;
    },
  }),
  team: filter(
    text(255, 'Team that owns the file, by the CODEOWNERS file: id or name; mine: any team of the caller.'),
    { echoed: false },
  ),
  fix: { ...yesNo('fixKnown', 'A version that fixes it is known.'), echoed: false as const },
  exploitable: filter(
    {
      ...oneOf(
        ['yes'],
        'Only vulnerabilities with any status that are known to be exploited (KEV), verified, or exploitable as a tool says. `true` means the same.',
      ),
      'x-synonyms': { true: 'yes' },
    },
    { echoed: false },
  ),
  epss_min: filter(text(8, 'Lowest EPSS score (the highest of its CVEs counts): 0 to 1, such as 0.1.'), {
    echoed: false,
  }),
  due: filter(
    oneOf<ListedDue>(
      listedDues,
      'Due date of its policy violation that is due first among those open or in review: overdue, or soon (within 7 days).',
    ),
    { echoed: false, needs: 'policy-violations:read' },
  ),
  introduced_since: filter(
    text(64, 'Introduced at this time or later: a date (UTC) or a time in RFC 3339.'),
    { echoed: false },
  ),
  application: filter(text(255, 'Only repositories that this application groups now: id or name.'), {
    echoed: false,
    needs: 'applications:read',
  }),
  package: filter(text(2_048, 'Package URL without version, or the name of the package.'), { echoed: false }),
  rule: filter(
    text(
      2_048,
      'Exact rule of the tool that found it, for vulnerabilities in no package. `q` finds a rule that is an advisory.',
    ),
    {
      echoed: false,
    },
  ),
  q: filter(
    text(500, 'Words of the title and the package, of at least three characters each, or ids of advisories.'),
    {
      echoed: false,
    },
  ),
};

type Filters = typeof filters;
export type FilterName = keyof Filters;
export type FilterQuery = QueryOf<Filters>;

const declared = declareFilters(filters);
const { names } = declared;

/** The filters as query parameters. */
export const filterParameters = declared.parameters;

export const sorts = ['severity', 'newest', 'oldest'] as const;
export type Sort = (typeof sorts)[number];

export interface ListQuery extends FilterQuery {
  sort?: Sort;
}

/** The schema of the filters as the list shows them again. */
export const FilterEcho = namedObject('VulnerabilityFilters', { ...declared.echo, sort: NullableString });

/** Returns exactly the keys of the API's specification, with the text sent, or null or an empty list. */
export function echoOf(query: ListQuery): Static<typeof FilterEcho> {
  return { ...declared.echoOf(query), sort: query.sort ?? null };
}

export interface ListFilter {
  /** Only these vulnerabilities. No query names them. */
  ids: readonly VulnerabilityId[] | null;
  /** Null means that the filters name a reference that does not exist, so the list is empty. */
  scope: CountedScope | null;
  /** The tests of the requested filters. Without any, all packed states are allowed. */
  tests: ReadonlyMap<FilterName, TraitTest>;
  assigneeId: UserId | null;
  /** Only vulnerabilities that one of these teams owns. */
  teamIds: TeamId[] | null;
  /** Only vulnerabilities that are known to be exploitable. */
  exploitable: boolean;
  /** A prefix of a commit in lower case. */
  sha: string | null;
  terms: string[];
  introducedSince: Date | null;
  epss: EpssFilter | null;
  due: DueRange | null;
  package: PackageFilter | null;
  rule: string | null;
}

export interface EpssFilter {
  min: number;
  /** The band that begins with `min`, if the bands of the workspace are those of the loaded scores. */
  band: number | null;
}

/** The person behind a query, and what that person may see. */
export type QueryPrincipal = Pick<Principal, 'user' | 'scopes'>;

/** Throws 403 for a filter whose scope the caller lacks, 422 for invalid values, 404 for an unknown repository. */
export async function resolveFilter(
  tx: Tx,
  principal: QueryPrincipal,
  query: FilterQuery,
): Promise<ListFilter> {
  requireScopes(
    principal,
    names.flatMap((name) =>
      query[name] === undefined ? [] : ((filters[name] as { needs?: ApiScope }).needs ?? []),
    ),
  );
  const tests = testsOf<Traits, FilterQuery, FilterName>(filters, query);
  const { assignee, introduced_since: since } = query;
  const isPerson = assignee !== undefined && !assignments.has(assignee);
  const who = { withDisabled: true };
  const assigneeId = isPerson ? (await resolvePerson(tx, principal, assignee, 'assignee', who)).id : null;
  return {
    ids: null,
    tests,
    terms: query.q === undefined ? [] : checkedTerms(query.q),
    assigneeId,
    teamIds: query.team === undefined ? null : await resolveTeams(tx, principal, query.team),
    exploitable: query.exploitable === 'yes',
    sha: query.sha?.toLowerCase() ?? null,
    introducedSince: since === undefined ? null : dateOrTime('introduced_since', since),
    epss: query.epss_min === undefined ? null : await resolveEpss(tx, scoreOf(query.epss_min)),
    due: query.due === undefined ? null : dueRange(query.due, new Date()),
    package: query.package === undefined ? null : packageFilterOf(query.package),
    rule: query.rule ?? null,
    scope: await resolveScope(tx, query),
  };
}

async function resolveEpss(tx: Tx, min: number): Promise<EpssFilter> {
  const band = bandFrom(min);
  return { min, band: band === null || (await mayHaveOldBands(tx)) ? null : band };
}

function scoreOf(written: string): number {
  if (/^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/.test(written)) return Number(written);
  throw invalidInput('Must be a number from 0 to 1, such as 0.1.', 'epss_min');
}

function dateOrTime(field: FilterName, text: string): Date {
  return parseTime(/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text}T00:00:00Z` : text, field);
}

/** Returns true if all filters on traits except `except` allow the traits. */
export function allows({ tests }: ListFilter, traits: Traits, except?: FilterName): boolean {
  for (const [name, test] of tests) if (name !== except && !test(traits)) return false;
  return true;
}

/** SQL of the packed states that all filters on traits allow. */
export function allowedStates({ tests }: ListFilter, column: string, parameters: Parameters): string {
  return sqlPackedStateIn(column, tests.values(), (values) => parameters.add(values));
}

// Each term is its own search. A pasted title has fewer terms.
const maxTerms = 20;

/** Cuts `q` into search terms. Throws 422 for words that are too short, or too many. */
export function checkedTerms(text: string): string[] {
  const terms = searchTermsOf(text);
  const short = text.split(/\s+/).filter((word) => word !== '' && [...word].length < 3);
  if (terms.length === 0 || short.length > 0) {
    throw invalidInput('Must be words of three characters or more.', 'q');
  }
  if (terms.length > maxTerms) throw invalidInput(`Must not have more than ${maxTerms} words.`, 'q');
  return terms;
}

/** Says whether the filter starts from an index of its own (`candidates.ts`). */
export function hasCandidates(filter: ListFilter): boolean {
  const { ids, assigneeId, teamIds, exploitable, sha, terms } = filter;
  return (
    ids !== null ||
    assigneeId !== null ||
    teamIds !== null ||
    exploitable ||
    sha !== null ||
    terms.length > 0 ||
    filter.package !== null ||
    filter.rule !== null ||
    filter.due !== null ||
    filter.epss !== null
  );
}

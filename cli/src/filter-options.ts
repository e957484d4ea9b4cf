/** The filters and the order of the list of vulnerabilities as options, for each command that takes them. */
import { type Query, queryValues } from '@merlon/client';
import { type Command, Option } from 'commander';

type Filters = Omit<Query<'exportVulnerabilities'>, 'since' | 'format'>;
type Filter = keyof Filters;

// The type requires every filter of the API, so that a missing one does not compile. The allowed values follow the
// text.
const filterOptions: Record<Filter, [value: string, about: string]> = {
  repo: ['<name>', 'repository: id or full name'],
  ref: ['<name>', 'status on this reference; HEAD is the default branch'],
  scope: ['<scope>', 'instead of --ref; tracked is default branches and releases'],
  sha: ['<hex>', 'vulnerabilities that a scan of this commit saw'],
  state: ['<state>', 'status'],
  severity: ['<list>', 'severities'],
  type: ['<list>', 'types'],
  source: ['<source>', 'found in the current files, or only in the history'],
  confirmed: ['<answer>', 'verified as true'],
  triaged: ['<answer>', 'has a decision'],
  fix: ['<answer>', 'a version that fixes it is known'],
  exploitable: ['<answer>', 'known to be exploited, verified, or called exploitable by a tool'],
  epss_min: ['<score>', 'minimum EPSS score, 0 to 1'],
  due: ['<when>', 'due date of the first violation; soon is within 7 days'],
  introduced_since: ['<time>', 'introduced at this time or later: a date or an RFC 3339 time'],
  application: ['<name>', 'application: id or name'],
  package: ['<package>', 'package URL without version, or name'],
  rule: ['<rule>', 'exact id of the rule'],
  assignee: ['<person>', 'me, unassigned, assigned, an e-mail address or a user id'],
  team: ['<team>', 'team that owns the file: mine, a name or an id'],
  q: ['<words>', 'words of the title and the package, ids of advisories'],
  sort: ['<order>', 'order'],
};

const names = Object.keys(filterOptions) as Filter[];

const values: Partial<Record<Filter, readonly string[]>> = queryValues.exportVulnerabilities;

function optionOf(name: Filter): Option {
  const [value, about] = filterOptions[name];
  const allowed = values[name];
  const text = allowed === undefined ? about : `${about}: ${allowed.join()}`;
  return new Option(`--${name.replaceAll('_', '-')} ${value}`, text);
}

export function addFilterOptions(command: Command): void {
  for (const name of names) command.addOption(optionOf(name));
}

/**
 * The filters that were given, by their names in the API. A value may be one that the type does not allow: the server
 * knows the allowed ones, and its error names them.
 */
export function filtersOf(given: object): Filters {
  const values = new Map(Object.entries(given));
  return Object.fromEntries(
    names.map((name) => [name, values.get(optionOf(name).attributeName())]),
  ) as Filters;
}

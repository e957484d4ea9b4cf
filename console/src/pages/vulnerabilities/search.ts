/** The parameters in the address of the vulnerabilities, and the API request that they become. */
import { queryValues } from '@merlon/client';
import type { VulnerabilityFilters, VulnerabilityListRequest } from '../../api/vulnerabilities.ts';
import { startOf } from '../../days.ts';
import { listSearchOf, matching, notOffered, oneOf, someOf, text, yesNo } from '../../search.ts';
import { searchableTerms } from '../../search-terms.ts';

const values = queryValues.listVulnerabilities;

/** Asks for every state. */
export const anyState = 'any';

export const sorts = values.sort;
export const groupings = queryValues.listVulnerabilityGroups.by;
export type Grouping = (typeof groupings)[number];
export const pageSizes = ['50', '100', '200'] as const;
export const panelTabs = ['overview', 'locations', 'evidence', 'activity'] as const;
export type PanelTab = (typeof panelTabs)[number];

export const vulnerabilitySearch = listSearchOf<VulnerabilityListRequest>()({
  repo: text,
  ref: text,
  scope: oneOf(...values.scope),
  sha: matching(/^[0-9a-f]{7,40}$/i),
  state: oneOf(...values.state, anyState),
  source: oneOf(...values.source),
  confirmed: yesNo,
  triaged: yesNo,
  severity: someOf(...values.severity),
  type: someOf(...values.type),
  assignee: text,
  team: text,
  exploitable: oneOf(...values.exploitable),
  epss_min: matching(/^(?:0(?:\.\d{1,6})?|1(?:\.0{1,6})?)$/),
  fix: yesNo,
  due: oneOf(...values.due),
  introduced_since: text,
  application: text,
  package: text,
  rule: text,
  q: text,
  sort: oneOf(...sorts),
  include: notOffered('The page knows which fields it shows.'),
  group: oneOf(...groupings),
  rows: oneOf(...pageSizes),
  cursor: text,
  /** The vulnerability in the panel. */
  v: matching(/^vc_[0-9a-z]{1,40}$/i),
  tab: oneOf(...panelTabs),
});

export type VulnerabilitySearch = ReturnType<typeof vulnerabilitySearch>;

/**
 * Returns status and scope, also if the address names none. By default the page shows vulnerabilities that are open on
 * tracked references, and a search finds every status in every scope. A reference is a scope of its own.
 */
export function viewOf({ state, scope, ref, q }: VulnerabilitySearch) {
  return {
    state: state ?? (q === undefined ? 'open' : anyState),
    scope: ref === undefined ? (scope ?? (q === undefined ? 'tracked' : 'all')) : undefined,
  };
}

/** Returns the filters of the request, without order and page. */
export function filtersOf(search: VulnerabilitySearch): VulnerabilityFilters {
  const {
    q,
    sort: _sort,
    group: _group,
    rows: _rows,
    cursor: _cursor,
    v: _v,
    tab: _tab,
    ...filters
  } = search;
  const { state, scope } = viewOf(search);
  return {
    ...filters,
    scope,
    state: state === anyState ? undefined : state,
    introduced_since: startOf(search.introduced_since),
    q: q === undefined ? undefined : searchableTerms(q),
  };
}

/** The fields of a row in addition to those that every list has. */
const shownFields = [
  'rule',
  'package',
  'advisory',
  'fix',
  'assignee',
  'open_on',
] satisfies VulnerabilityListRequest['include'];

export function requestOf(search: VulnerabilitySearch): VulnerabilityListRequest {
  const { sort, cursor, rows = pageSizes[0] } = search;
  return { ...filtersOf(search), sort, cursor, per_page: Number(rows), include: shownFields };
}

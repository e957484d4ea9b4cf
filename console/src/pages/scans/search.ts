/** The parameters in the addresses of the pages about scans. */
import { type Query, queryValues } from '@merlon/client';
import { listSearchOf, matching, notOffered, oneOf, searchOf, someOf, text } from '../../search.ts';

export const scansSearch = listSearchOf<Query<'listScans'>>()({
  repo: text,
  ref: text,
  sha: matching(/^[0-9a-f]{7,64}$/i),
  status: someOf(...queryValues.listScans.status),
  tool: text,
  cursor: text,
});

/** The values that the form starts with. */
export const uploadSearch = searchOf({ repo: text, ref: text });

export const seriesSearch = listSearchOf<Query<'listScanSeries'>>()({
  repo: text,
  state: notOffered('Each state has a page of its own.'),
  scan: notOffered('The page of a scan lists its series, in every state.'),
  cursor: text,
  /** The series in the panel. */
  series: matching(/^ser_[0-9a-z]{1,40}$/i),
  /** The cursor of the list in the panel. */
  more: text,
});

/** The list that is shown, and its cursor. */
export const scanSearch = listSearchOf<Query<'listScanVulnerabilities'>>()({
  change: oneOf(...queryValues.listScanVulnerabilities.change),
  cursor: text,
});

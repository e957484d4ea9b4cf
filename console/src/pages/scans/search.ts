/** The parameters in the addresses of the pages about scans. */

import { scanChanges } from '../../api/scans.ts';
import { list, matching, oneOf, searchOf, text } from '../../search.ts';

export const scansSearch = searchOf({
  repo: text,
  ref: text,
  sha: matching(/^[0-9a-f]{7,40}$/i),
  status: list,
  tool: text,
  cursor: text,
});

/** The values that the form starts with. */
export const uploadSearch = searchOf({ repo: text, ref: text });

export const seriesSearch = searchOf({
  repo: text,
  cursor: text,
  /** The series in the panel. */
  series: matching(/^ser_[0-9a-z]{1,40}$/i),
  /** The cursor of the list in the panel. */
  more: text,
});

/** The list that is shown, and its cursor. */
export const scanSearch = searchOf({ change: oneOf(...scanChanges), cursor: text });

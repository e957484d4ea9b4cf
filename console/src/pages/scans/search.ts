/** What stands in the addresses of the pages about scans. */

import { scanChanges } from '../../api/scans.ts';
import { list, oneOf, searchOf, text } from '../../search.ts';

function matching(pattern: RegExp) {
  return (raw: string) => (pattern.test(raw) ? raw : undefined);
}

export const scansSearch = searchOf({
  repo: text,
  ref: text,
  sha: matching(/^[0-9a-f]{7,40}$/i),
  status: list,
  tool: text,
  cursor: text,
});

/** What to fill in at first. */
export const uploadSearch = searchOf({ repo: text, ref: text });

export const seriesSearch = searchOf({
  repo: text,
  cursor: text,
  /** The one in the panel. */
  series: matching(/^str_[0-9a-z]{1,40}$/i),
  /** Of the list in the panel. */
  more: text,
});

/** Which of its lists is shown, and the page of that. */
export const scanSearch = searchOf({ change: oneOf(...scanChanges), cursor: text });

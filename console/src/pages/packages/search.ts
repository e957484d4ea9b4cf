import { list, searchOf, text, yesNo } from '../../search.ts';

export const packagesSearch = searchOf({
  q: text,
  ecosystem: list,
  license: text,
  vulnerable: yesNo,
  repo: text,
  cursor: text,
});

export const licensesSearch = searchOf({ cursor: text });

/** `version` is the id of the version whose usages are shown. */
export const packageSearch = searchOf({ version: text, cursor: text });

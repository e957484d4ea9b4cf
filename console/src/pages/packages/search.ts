import { type Query, queryValues } from '@merlon/client';
import { list, listSearchOf, oneOf, text } from '../../search.ts';

export const packagesSearch = listSearchOf<Query<'listPackages'>>()({
  q: text,
  ecosystem: list,
  license: text,
  vulnerable: oneOf(...queryValues.listPackages.vulnerable),
  repo: text,
  cursor: text,
});

export const licensesSearch = listSearchOf<Query<'listLicenses'>>()({ cursor: text });

/** `version` is the id of the version whose usages are shown. */
export const packageSearch = listSearchOf<Query<'listPackageUsages'>>()({ version: text, cursor: text });

/**
 * Names of advisories, as plain functions. A row with exactly one CVE teaches that its other ids mean the same. Rows
 * with several CVEs teach nothing. Advisories of distributions are references and not names, and a license is no
 * advisory. This file runs no query.
 */

import { isLicenseId } from '../../domain/license-id.ts';
import { rememberLists } from '../../parsers/reading/remember.ts';

export interface NamedAdvisories {
  advisories: string[];
}

/**
 * An id that a report calls another name of a CVE. `advisory` is null if the report names two CVEs for it, so that it
 * joins nothing.
 */
export interface TaughtName {
  alias: string;
  advisory: string | null;
}

const cvePattern = /^CVE-\d{4}-\d{4,}$/i;
// Such an advisory may fix several problems at once, so it is not another name of one of them.
const distroPattern =
  /^(?:RHSA|RHBA|RHEA|DSA|DLA|USN|ALAS\w*|ELSA|SUSE-|openSUSE-|MGASA|ASA|GLSA|CESA|ALSA|RLSA)[-:]?/i;

/** Returns the CVE of the ids in upper case, or undefined if there is not exactly one. */
export const onlyCve = rememberLists((ids): string | undefined => {
  const cves = new Set(ids.filter((id) => cvePattern.test(id)).map((id) => id.toUpperCase()));
  return cves.size === 1 ? [...cves][0] : undefined;
});

/** Returns the names that all rows of a report teach together, in order of the names. */
export function taughtNames(rows: Iterable<NamedAdvisories>): TaughtName[] {
  const taught = new Map<string, string | null>();
  const seen = new Set<readonly string[]>();
  for (const { advisories } of rows) {
    // A list that rows share teaches no more the second time.
    if (advisories.length < 2 || seen.has(advisories)) continue;
    seen.add(advisories);
    const cve = onlyCve(advisories);
    if (cve === undefined) continue;
    for (const alias of advisories) {
      if (cvePattern.test(alias) || distroPattern.test(alias) || isLicenseId(alias)) continue;
      const before = taught.get(alias);
      taught.set(alias, before === undefined || before === cve ? cve : null);
    }
  }
  return [...taught]
    .map(([alias, advisory]) => ({ alias, advisory }))
    .sort((a, b) => (a.alias < b.alias ? -1 : 1));
}

/**
 * Compares versions of packages with the advisories of their packages, and stores what affects each. A version is
 * compared here once for the whole workspace; what a reference has follows from its packages.
 */
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Tx } from '../../db/database.ts';
import { PackageAdvisories } from '../../domain/affected-versions.ts';
import { purlTypeOf } from '../../domain/versions.ts';
import { type AdvisoryOfPackage, listAdvisoriesOf } from '../advisories/osv-store.ts';
import {
  type ComparedVersion,
  deleteMatches,
  listStoredMatches,
  type StoredMatch,
  upsertMatches,
} from './match-store.ts';

/** The changes that a comparison has made. */
export interface MatchedVersions {
  /** The versions of which any advisory came, went or changed. */
  changedVersions: ComparedVersion[];
  /** The advisories that affect one of the versions. */
  advisoryIds: string[];
}

// A comparison takes some microseconds, and others must be answered between them.
const comparedAtOnce = 500;

/** The caller must have called `holdAdvisories`. */
export async function matchVersions(tx: Tx, versions: ComparedVersion[]): Promise<MatchedVersions> {
  if (versions.length === 0) return { changedVersions: [], advisoryIds: [] };
  const advisories = await listAdvisoriesOf(tx, [...new Set(versions.map(({ purl }) => purl))]);
  const before = new Map<string, Map<string, StoredMatch>>();
  const ids = versions.map(({ id }) => id);
  for (const match of await listStoredMatches(tx, ids)) {
    const ofVersion = before.get(match.compared_id) ?? new Map<string, StoredMatch>();
    before.set(match.compared_id, ofVersion.set(match.advisory_id, match));
  }
  const missing: StoredMatch[] = [];
  const written: StoredMatch[] = [];
  const advisoryIds = new Set<string>();
  for await (const { version, matches } of compared(versions, advisories)) {
    const known = before.get(version.id) ?? new Map<string, StoredMatch>();
    for (const match of matches) {
      advisoryIds.add(match.advisory_id);
      const same = known.get(match.advisory_id);
      known.delete(match.advisory_id);
      if (same?.digest !== match.digest || same.fix_version !== match.fix_version) written.push(match);
    }
    missing.push(...known.values());
  }
  await deleteMatches(tx, missing);
  await upsertMatches(tx, written);
  const changed = new Set([...missing, ...written].map((match) => match.compared_id));
  return { changedVersions: versions.filter(({ id }) => changed.has(id)), advisoryIds: [...advisoryIds] };
}

async function* compared(
  versions: ComparedVersion[],
  advisories: Map<string, AdvisoryOfPackage[]>,
): AsyncGenerator<{ version: ComparedVersion; matches: StoredMatch[] }> {
  const assessors = new Map(
    [...advisories].map(([purl, list]) => [purl, new PackageAdvisories(purlTypeOf(purl), list)]),
  );
  let count = 0;
  for (const version of versions) {
    count += advisories.get(version.purl)?.length ?? 0;
    if (count >= comparedAtOnce) {
      count = 0;
      await yieldToOthers();
    }
    yield { version, matches: matchesOf(version, assessors.get(version.purl)) };
  }
}

function matchesOf(
  { id, version }: ComparedVersion,
  assessor: PackageAdvisories<AdvisoryOfPackage> | undefined,
): StoredMatch[] {
  // A package of an unknown version is not known to be affected.
  if (version === '' || assessor === undefined) return [];
  const { affecting, fixVersion } = assessor.assess(version);
  return affecting.map((advisory) => ({
    compared_id: id,
    advisory_id: advisory.id,
    digest: advisory.digest,
    fix_version: fixVersion,
  }));
}

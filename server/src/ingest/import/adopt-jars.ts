/**
 * A tool that looks into a jar often knows its name and version, but not its Maven group. Such a finding is matched
 * with one that has the group, or the other way round, by advisory, name and version, if exactly one fits.
 */
import type { Tx } from '../../db/database.ts';
import type { RepositoryId, VulnerabilityId } from '../../domain/ids.ts';
import { addIdentities } from '../../vulnerabilities/identities.ts';
import type { PreparedFinding } from '../prepare/prepared-report.ts';
import { OneToOne } from './one-to-one.ts';
import { listJars } from './resolve-store.ts';

interface NamedFinding {
  finding: PreparedFinding;
  advisory: string | null;
  identity: string;
}

/** Returns identity → vulnerability for those unknown jars that are a known one, and stores them. */
export async function adoptJars(
  tx: Tx,
  repositoryId: RepositoryId,
  named: NamedFinding[],
  identified: ReadonlyMap<string, VulnerabilityId>,
): Promise<Map<string, VulnerabilityId>> {
  const jars = named.flatMap(({ finding, advisory, identity }) => {
    const jar = jarOf(finding.artifact?.purl ?? null);
    return advisory === null || jar === null || identified.has(identity)
      ? []
      : [{ ...jar, advisory, identity }];
  });
  if (jars.length === 0) return new Map();
  const choices = new OneToOne<VulnerabilityId>();
  const known = (await listJars(tx, repositoryId, jars)).flatMap(
    ({ id, advisory, package: ofVulnerability, purl }) => {
      const jar = jarOf(purl);
      // The package of the vulnerability keeps its group after its own jar is gone.
      const hasGroup = jar?.hasGroup || jarOf(`${ofVulnerability}@any`)?.hasGroup === true;
      return jar === null ? [] : { name: jar.name, hasGroup, advisory, id };
    },
  );
  const withGroup = new Set(known.flatMap(({ id, hasGroup }) => (hasGroup ? id : [])));
  const byName = Map.groupBy(known, ({ advisory, name }) => `${advisory} ${name}`);
  for (const { advisory, name, hasGroup, identity } of jars) {
    for (const { id } of byName.get(`${advisory} ${name}`) ?? []) {
      // A jar without a group does not connect the jars of two groups.
      if (!(hasGroup && withGroup.has(id))) choices.add(identity, id);
    }
  }
  const adopted = choices.only();
  await addIdentities(tx, repositoryId, adopted);
  return adopted;
}

/**
 * Returns name and version as one text; null if it is no jar, or has no version. Some tools write the name in place of
 * a group that they do not know.
 */
function jarOf(purl: string | null): { name: string; hasGroup: boolean } | null {
  const [, group, name, version] = /^pkg:maven\/(?:([^/]+)\/)?([^/@]+)@([^/?#]+)$/.exec(purl ?? '') ?? [];
  if (name === undefined || version === undefined) return null;
  return { name: `${name}@${version}`, hasGroup: group !== undefined && group !== name };
}

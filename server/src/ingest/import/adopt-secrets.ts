/**
 * A secret that one report masks is matched with one that another report shows, or masks in another way, by file and
 * line. From then on the identity of either leads to the vulnerability.
 */
import type { Tx } from '../../db/database.ts';
import type { RepositoryId, SeriesId, VulnerabilityId } from '../../domain/ids.ts';
import { addIdentities } from '../../vulnerabilities/identities.ts';
import { firstSecretKeyOf, isBare, isMasked } from '../prepare/identity.ts';
import type { PreparedFinding } from '../prepare/prepared-report.ts';
import type { ImportContext } from './import-context.ts';
import { OneToOne } from './one-to-one.ts';
import {
  findUndecided,
  listAdoptedSecrets,
  listSecretLocations,
  type SecretLocation,
} from './resolve-store.ts';

interface NamedSecret {
  finding: PreparedFinding;
  identity: string;
}

/**
 * Matches secrets with an unknown identity to a known secret at the same location in another form. A match must be one
 * to one, and nobody may have decided about the known secret. Returns identity → vulnerability id.
 */
export async function adoptSecrets(
  tx: Tx,
  context: ImportContext,
  seriesId: SeriesId,
  named: NamedSecret[],
  known: ReadonlyMap<string, VulnerabilityId>,
): Promise<Map<string, VulnerabilityId>> {
  const unmatched = named.filter(
    ({ finding, identity }) => finding.kind === 'secret' && !known.has(identity) && finding.line !== null,
  );
  if (unmatched.length === 0) return new Map();
  const fileKeys = new Set(unmatched.flatMap(({ finding }) => finding.fileKey ?? []));
  const locations = Map.groupBy(
    await listSecretLocations(tx, context, seriesId, [...fileKeys]),
    (location) => `${location.file_key} ${location.line}`,
  );
  const choices = new OneToOne<VulnerabilityId>();
  for (const { finding, identity } of unmatched) {
    for (const location of locations.get(`${finding.fileKey} ${finding.line}`) ?? []) {
      if (isOtherForm(identity, location)) choices.add(identity, location.vulnerability_id);
    }
  }
  const pairs = [...choices.only()];
  if (pairs.length === 0) return new Map();
  const undecided = await findUndecided(tx, [
    ...new Set(pairs.map(([, vulnerabilityId]) => vulnerabilityId)),
  ]);
  const adopted = new Map(pairs.filter(([, vulnerabilityId]) => undecided.has(vulnerabilityId)));
  await addIdentities(tx, context.repositoryId, adopted);
  return adopted;
}

/**
 * True if both may be one secret. A series that sees a secret which some report masks does not mask it in another way.
 */
function isOtherForm(identity: string, { mine, identities }: SecretLocation): boolean {
  if (isMasked(identity)) return !mine || !identities.some(isMasked);
  return identities.some(isMasked) && !identities.some(isBare);
}

/**
 * Says of each finding whose identity leads to a vulnerability with another identity of its own: `shown` if the default
 * branch has shown this secret there in the same file, else `decided` if the vulnerability is. Nobody who decided has
 * seen the latter, so in each file it becomes a vulnerability with an identity of its own.
 */
export async function findAdoptedInFiles(
  tx: Tx,
  repositoryId: RepositoryId,
  named: NamedSecret[],
): Promise<Map<PreparedFinding, 'shown' | 'decided'>> {
  const secrets = named.filter(({ finding }) => finding.kind === 'secret');
  if (secrets.length === 0) return new Map();
  const adopted = await listAdoptedSecrets(tx, repositoryId, [
    ...new Set(secrets.map((row) => row.identity)),
  ]);
  if (adopted.length === 0) return new Map();
  const undecided = await findUndecided(tx, [...new Set(adopted.map((row) => row.vulnerability_id))]);
  const byIdentity = new Map(
    [...Map.groupBy(adopted, (row) => row.identity)].map(([identity, known]) => {
      const onDefault = known.filter((row) => row.is_default);
      return [
        identity,
        {
          shown: new Set((onDefault.length > 0 ? onDefault : known).map((row) => row.key)),
          isDecided: known.some((row) => !undecided.has(row.vulnerability_id)),
        },
      ];
    }),
  );
  return new Map(
    secrets.flatMap(({ finding, identity }): [PreparedFinding, 'shown' | 'decided'][] => {
      const known = byIdentity.get(identity);
      if (known === undefined) return [];
      if (known.shown.has(firstSecretKeyOf(identity, finding.path))) return [[finding, 'shown']];
      return known.isDecided ? [[finding, 'decided']] : [];
    }),
  );
}

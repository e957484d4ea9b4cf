/**
 * A secret that one report masks is matched with one that another report shows, or masks in another way, by file and
 * line. From then on the identity of either leads to the vulnerability.
 */
import type { Tx } from '../../db/database.ts';
import type { RepositoryId, SeriesId, VulnerabilityId } from '../../domain/ids.ts';
import { addIdentities } from '../../vulnerabilities/identities.ts';
import { isBare, isMasked } from '../prepare/identity.ts';
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
 * Matches secrets with an unknown identity to a known secret at the same location in another form. A match must be one to
 * one, and nobody may have decided about the known secret. Returns identity → vulnerability id.
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
  const locations = await listSecretLocations(tx, context, seriesId, [...fileKeys]);
  const choices = new OneToOne<VulnerabilityId>();
  for (const { finding, identity } of unmatched) {
    for (const location of locations) {
      const same = location.file_key === finding.fileKey && location.line === finding.line;
      if (same && isOtherForm(identity, location)) choices.add(identity, location.vulnerability_id);
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

/** True if both may be one secret. A series that sees a secret which some report masks does not mask it in another way. */
function isOtherForm(identity: string, { mine, identities }: SecretLocation): boolean {
  if (isMasked(identity)) return !mine || !identities.some(isMasked);
  return identities.some(isMasked) && !identities.some(isBare);
}

/**
 * Returns the findings that must not join the decided vulnerability to which their identity leads: the identity is not its
 * own, and the default branch has not shown the secret there. So nobody who decided has seen it. In each file it becomes a
 * vulnerability with an identity of its own.
 */
export async function findUncoveredSecrets(
  tx: Tx,
  repositoryId: RepositoryId,
  named: NamedSecret[],
): Promise<Set<PreparedFinding>> {
  const secrets = named.filter(({ finding }) => finding.kind === 'secret');
  if (secrets.length === 0) return new Set();
  const adopted = await listAdoptedSecrets(tx, repositoryId, [
    ...new Set(secrets.map((row) => row.identity)),
  ]);
  if (adopted.length === 0) return new Set();
  const undecided = await findUndecided(tx, [...new Set(adopted.map((row) => row.vulnerability_id))]);
  const decided = Map.groupBy(
    adopted.filter((row) => !undecided.has(row.vulnerability_id)),
    (row) => row.identity,
  );
  return new Set(
    secrets.flatMap(({ finding, identity }) => {
      const known = decided.get(identity);
      if (known === undefined) return [];
      const onDefault = known.filter((row) => row.is_default);
      const shown = onDefault.length > 0 ? onDefault : known;
      return shown.some((row) => row.key === finding.key) ? [] : finding;
    }),
  );
}

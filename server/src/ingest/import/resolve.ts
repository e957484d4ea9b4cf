/**
 * Resolving gives a vulnerability and a location to each finding that its series has not shown in the same form before.
 * It uses known ones if there are any, and new ones otherwise. Packages and secrets are resolved by identity, code by
 * the match rules.
 */
import type { Tx } from '../../db/database.ts';
import { type LocationId, newId, type SeriesId, type VulnerabilityId } from '../../domain/ids.ts';
import { pinnedIdentity } from '../../vulnerabilities/identities.ts';
import type { MatchMethod } from '../../vulnerabilities/match-methods.ts';
import type { FindingReader } from '../prepare/finding-reader.ts';
import { identityInFile, isMasked, packageIdentity } from '../prepare/identity.ts';
import type { CodeKeys, PreparedFinding } from '../prepare/prepared-report.ts';
import { adoptJars } from './adopt-jars.ts';
import { adoptSecrets, findAdoptedInFiles } from './adopt-secrets.ts';
import type { LearnedName } from './alias-store.ts';
import { matchCoveredCode } from './covered-code.ts';
import { findInGaps, type SeriesWithGaps } from './gaps.ts';
import type { ImportContext, LocatedFinding } from './import-context.ts';
import type { ResolvedAdvisories } from './learned-names.ts';
import { locateFindings } from './locate-findings.ts';
import {
  type CodeFinding,
  type CodeMatch,
  codeInFile,
  hasNoEvidence,
  type KnownLocation,
} from './match-code.ts';
import {
  findByKeys,
  findSeenByCounterparts,
  findSeenLocations,
  listShown,
  type ObservationRow,
} from './observation-store.ts';
import { findByIdentity, findLocations, findUndecided, hasLocationsInCode } from './resolve-store.ts';
import type { SeriesRow } from './series-row-store.ts';

export interface Resolved extends LocatedFinding {
  matchMethod: MatchMethod;
  /** The repository did not know the vulnerability. */
  isNew: boolean;
  /** The identity for a new vulnerability; null for a finding in code. */
  identity: string | null;
  advisory: string | null;
  /** The learned name by which the finding got its advisory; null if there is none. */
  learned: LearnedName | null;
}

/**
 * Resolves packages and secrets. `pinned` maps identities to the vulnerabilities that people have split off. `before`
 * has the findings whose rows PostgreSQL may not have yet.
 */
export async function resolveByIdentity(
  tx: Tx,
  context: ImportContext,
  series: SeriesRow,
  findings: PreparedFinding[],
  advisories: ResolvedAdvisories,
  pinned: Map<string, VulnerabilityId>,
  before: Resolved[],
): Promise<Resolved[]> {
  if (findings.length === 0) return [];
  const named = findings.map((finding) => {
    const advisory = finding.kind === 'package' ? advisories.canonical(finding) : null;
    const identity = finding.identity ?? packageIdentity(advisory ?? '', finding.purl ?? '');
    const inFile = finding.kind === 'secret' ? identityInFile(identity, finding.path) : null;
    const pinOf = (each: string | null) =>
      pinned.size === 0 || each === null ? undefined : pinned.get(pinnedIdentity(each, finding.path));
    return { finding, advisory, identity, inFile, pin: pinOf(inFile) ?? pinOf(identity) };
  });
  const { repositoryId, reference } = context;
  const identities = new Set(named.map((row) => row.identity));
  for (const { inFile } of named) if (inFile !== null) identities.add(inFile);
  const known = await findByIdentity(tx, repositoryId, [...identities]);
  for (const { identity, isNew, vulnerabilityId } of before) {
    if (isNew && identity !== null && identities.has(identity)) known.set(identity, vulnerabilityId);
  }
  const adopted = new Map([
    ...(await adoptSecrets(tx, context, series.id, named, known)),
    ...(await adoptJars(tx, repositoryId, named, known)),
  ]);
  const secretsInFiles = await findAdoptedInFiles(tx, repositoryId, named);
  const ids = new Set([...known.values(), ...adopted.values(), ...pinned.values()]);
  const locations = await findLocations(tx, reference.id, [...ids]);
  for (const row of before) locations.set(locationKeyOf(row.vulnerabilityId, row.finding), row.locationId);
  const created = new Map<string, VulnerabilityId>();
  return named.map(({ finding, advisory, identity: common, inFile, pin }) => {
    const state = secretsInFiles.get(finding);
    const isApart = inFile !== null && state !== 'shown' && (state === 'decided' || known.has(inFile));
    const identity = isApart ? inFile : common;
    const knownId = pin ?? known.get(identity) ?? adopted.get(identity);
    const vulnerabilityId = knownId ?? getOrCreate(created, identity);
    const locationKey = locationKeyOf(vulnerabilityId, finding);
    const location = locations.get(locationKey);
    const locationId = location ?? newId<'location'>();
    const newLocation = location === undefined;
    // Two names of one advisory, or claims of two tools in one report, share the location.
    locations.set(locationKey, locationId);
    const matchMethod =
      knownId === undefined
        ? 'new'
        : pin !== undefined
          ? 'pinned'
          : adopted.has(identity) && finding.kind === 'secret'
            ? 'secret-location'
            : matchMethodOf(finding.kind, identity);
    return {
      finding,
      vulnerabilityId,
      locationId,
      matchMethod,
      isNew: knownId === undefined,
      newLocation,
      identity,
      advisory,
      learned: advisory === null ? null : advisories.learned(finding),
    };
  });
}

const locationKeyOf = (vulnerabilityId: VulnerabilityId, { location }: PreparedFinding): string =>
  `${vulnerabilityId} ${location}`;

function matchMethodOf(kind: PreparedFinding['kind'], identity: string): MatchMethod {
  if (kind === 'package') return 'advisory-and-package';
  return isMasked(identity) ? 'secret-masked' : 'secret';
}

function getOrCreate(ids: Map<string, VulnerabilityId>, key: string): VulnerabilityId {
  const before = ids.get(key);
  if (before !== undefined) return before;
  const id = newId<'vulnerability'>();
  ids.set(key, id);
  return id;
}

/** A finding in code by its ordinal. The whole finding is in memory only while it is written. */
export type ResolvedCode = Pick<
  Resolved,
  'vulnerabilityId' | 'locationId' | 'matchMethod' | 'isNew' | 'newLocation'
> & { ordinal: number };

/** Adds the finding to its vulnerability and location. */
export function resolvedWith(
  finding: PreparedFinding,
  { vulnerabilityId, locationId, matchMethod, isNew, newLocation }: ResolvedCode,
): Resolved {
  return {
    ...{ finding, vulnerabilityId, locationId, matchMethod, isNew, newLocation },
    // The evidence changes with the code and is stored at the location, so the vulnerability has no identity.
    identity: null,
    advisory: null,
    learned: null,
  };
}

type CodeSeries = SeriesRow & SeriesWithGaps & { detached: boolean; left: SeriesId | null };

interface MatchedCode {
  findings: Pick<CodeKeys, 'ordinal' | 'group'>[];
  /** By ordinal. */
  matches: ReadonlyMap<number, CodeMatch>;
  /** Group → the vulnerability that takes its further locations. */
  joined: ReadonlyMap<number, string>;
}

/**
 * Resolves findings in code, all those that are new to the series. Findings of one group are locations of one
 * vulnerability. Observations in `absent` may match another finding.
 */
export async function resolveCode(
  tx: Tx,
  context: ImportContext,
  series: CodeSeries,
  reader: FindingReader,
  ordinals: number[],
  groups: string[][],
  absent: ObservationRow[],
): Promise<ResolvedCode[]> {
  if (ordinals.length === 0) return [];
  const { findings, matches, joined } = (await hasLocationsInCode(tx, context.repositoryId))
    ? await matchKnown(tx, context, series, reader.codeKeysOf(ordinals), groups, absent)
    : { findings: reader.groupsOf(ordinals), matches: new Map(), joined: new Map() };
  const created = new Map<string, VulnerabilityId>();
  return findings.map(({ group, ordinal }) => {
    const match = matches.get(ordinal);
    const ofGroup = group === null ? undefined : joined.get(group);
    const vulnerabilityId =
      match?.candidate.vulnerabilityId ??
      ofGroup ??
      (group === null ? newId() : getOrCreate(created, `group ${group}`));
    const here = match?.candidate.here ?? false;
    return {
      ordinal,
      vulnerabilityId,
      locationId: match && here ? match.candidate.locationId : newId(),
      matchMethod: match?.matchMethod ?? (ofGroup === undefined ? 'new' : 'same-result'),
      isNew: match === undefined && ofGroup === undefined,
      newLocation: !here,
    };
  });
}

async function matchKnown(
  tx: Tx,
  context: ImportContext,
  series: CodeSeries,
  findings: CodeKeys[],
  groups: string[][],
  absent: ObservationRow[],
): Promise<MatchedCode> {
  const { inFiles, known } = await locateFindings(tx, context, series, findings, absent);
  // A finding that the report shows unchanged keeps its location. Only locations of absent findings may match another
  // finding.
  const absentKeys = absent.map((row) => row.key);
  const seen = await findSeenLocations(
    tx,
    known.filter((location) => location.here).map((location) => location.locationId),
    series.id,
    absentKeys,
  );
  const mine = new Set(seen.filter((row) => row.mine).map((row) => row.location_id));
  const byAnyone = new Set(seen.map((row) => row.location_id));
  const owners = await ownersOfGroups(tx, series, findings, groups);
  // A vulnerability that the report shows unchanged takes no other finding by a location on another reference, where a
  // report may have joined it with any code.
  const elsewhere = known.flatMap(({ here, vulnerabilityId }) =>
    here || owners.groupOf.has(vulnerabilityId) ? [] : vulnerabilityId,
  );
  const shown = await listShown(
    tx,
    { referenceId: context.reference.id, seriesId: series.id },
    series.last_seq === 0 ? [] : [...new Set(elsewhere)],
    absentKeys,
  );
  // A report does not show what has left a file at which it has not looked.
  const moved = series.detached ? [] : mayHaveLeft(inFiles, known, byAnyone);
  const alone = findings.some(hasNoEvidence) ? known.filter(hasNoEvidence) : [];
  const asked = new Set([...idsOf(moved, false), ...alone.map(({ locationId }) => locationId)]);
  const counterparts = await findSeenByCounterparts(tx, [...asked], series, context.fileName);
  const leaving = [...idsOf(moved, true), ...idsOf(moved, false).filter((id) => counterparts.has(id))];
  const unread = await findInGaps(tx, series, leaving);
  const left = new Set(leaving.filter((id) => !unread.has(id)));
  const candidates = known
    .filter(({ here, vulnerabilityId }) => here || !shown.has(vulnerabilityId))
    .map((location) => ({
      ...location,
      seen: location.here && byAnyone.has(location.locationId),
      left: left.has(location.locationId),
      counterpart: counterparts.has(location.locationId),
    }));
  const taken = {
    locations: mine,
    vulnerabilities: new Map(
      known
        .filter((location) => mine.has(location.locationId))
        .map(({ vulnerabilityId }) => [vulnerabilityId, owners.groupOf.get(vulnerabilityId) ?? null]),
    ),
  };
  const covered = await matchCoveredCode(tx, inFiles, candidates, taken);
  const matches = new Map(covered.map((match) => [match.ordinal, match]));
  return { findings, matches, joined: await vulnerabilitiesToJoin(tx, owners, findings, matches) };
}

function idsOf(locations: KnownLocation[], here: boolean): LocationId[] {
  return locations.flatMap((location) => (location.here === here ? location.locationId : []));
}

/**
 * Locations whose code the report shows, or whose folder has moved. On the reference of the report, those that no
 * series sees; on others, those whose code the report shows in a place that the repository does not know.
 */
function mayHaveLeft(
  findings: CodeFinding[],
  known: KnownLocation[],
  seenHere: ReadonlySet<LocationId>,
): KnownLocation[] {
  const knownInFile = new Set(known.map(codeInFile));
  const shown = new Set(findings.flatMap((finding) => finding.codeKey ?? []));
  const moved = new Set(
    findings.flatMap((finding) => (knownInFile.has(codeInFile(finding)) ? [] : (finding.codeKey ?? []))),
  );
  const before = new Set(findings.flatMap((finding) => finding.fileKeyBefore ?? []));
  return known.filter(({ here, codeKey, fileKey, locationId }) => {
    if (here && seenHere.has(locationId)) return false;
    return before.has(fileKey) || (codeKey !== null && (here ? shown : moved).has(codeKey));
  });
}

/** The vulnerability of each group, and each vulnerability once. */
class GroupOwners {
  readonly vulnerabilityOf = new Map<number, VulnerabilityId>();
  readonly groupOf = new Map<VulnerabilityId, number>();

  add(group: number, vulnerabilityId: VulnerabilityId): void {
    if (this.vulnerabilityOf.has(group) || this.groupOf.has(vulnerabilityId)) return;
    this.vulnerabilityOf.set(group, vulnerabilityId);
    this.groupOf.set(vulnerabilityId, group);
  }
}

/** Returns the vulnerabilities of those groups of which the series has shown another location already. */
async function ownersOfGroups(
  tx: Tx,
  series: SeriesRow,
  findings: CodeKeys[],
  groups: string[][],
): Promise<GroupOwners> {
  const owners = new GroupOwners();
  const numbers = [...new Set(findings.flatMap(({ group }) => group ?? []))];
  if (numbers.length === 0) return owners;
  const keysOf = (group: number): string[] => groups[group] ?? [];
  const shown = await findByKeys(tx, series.id, numbers.flatMap(keysOf));
  for (const group of numbers) {
    const first = keysOf(group).find((key) => shown.has(key));
    const vulnerabilityId = first === undefined ? undefined : shown.get(first);
    if (vulnerabilityId !== undefined) owners.add(group, vulnerabilityId);
  }
  return owners;
}

/**
 * Returns group → the vulnerability that takes its further locations: the one of which the series shows another
 * location or a finding of the group has matched. A vulnerability with a decision takes none, because nobody has
 * decided about that location.
 */
async function vulnerabilitiesToJoin(
  tx: Tx,
  owners: GroupOwners,
  findings: CodeKeys[],
  matches: ReadonlyMap<number, CodeMatch>,
): Promise<Map<number, VulnerabilityId>> {
  for (const { group, ordinal } of findings) {
    const match = matches.get(ordinal);
    if (group !== null && match) owners.add(group, match.candidate.vulnerabilityId);
  }
  if (owners.groupOf.size === 0) return new Map();
  const undecided = await findUndecided(tx, [...owners.groupOf.keys()]);
  return new Map([...owners.vulnerabilityOf].filter(([, vulnerabilityId]) => undecided.has(vulnerabilityId)));
}

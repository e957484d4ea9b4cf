/**
 * Resolving: findings that a stream has not reported just so before get a vulnerability and a place, known ones
 * where there are any, new ones else. Packages and secrets go by identity, code by the ladder of evidence.
 */
import type { Tx } from '../../db/database.ts';
import { newId } from '../../ids.ts';
import type { Rung } from '../vulnerabilities/rungs.ts';
import type { PreparedFinding } from './identity.ts';
import { packageIdentity } from './identity.ts';
import type { ImportContext } from './import-context.ts';
import { type AbsentRow, findSeenLocations, type StreamRow } from './import-store.ts';
import { type CodeFinding, matchCode } from './match-code.ts';
import { findByIdentity, findPlaces, listCandidates } from './resolve-store.ts';

export interface Resolved {
  finding: PreparedFinding;
  vulnerabilityId: string;
  locationId: string;
  rung: Rung;
  /** Nobody knew the vulnerability. */
  isNew: boolean;
  /** The vulnerability had no such place on this reference. */
  newLocation: boolean;
  /** Hex of 32 bytes; of a new vulnerability. */
  identity: string;
  advisory: string | null;
}

export async function resolveFindings(
  tx: Tx,
  context: ImportContext,
  stream: StreamRow,
  findings: PreparedFinding[],
  canonical: (finding: PreparedFinding) => string,
  absent: AbsentRow[],
): Promise<Resolved[]> {
  const code = findings.filter((finding) => finding.kind === 'code');
  const others = findings.filter((finding) => finding.kind !== 'code');
  return [
    ...(await resolveByIdentity(tx, context, others, canonical)),
    ...(await resolveCode(tx, context, stream, code, absent)),
  ];
}

async function resolveByIdentity(
  tx: Tx,
  context: ImportContext,
  findings: PreparedFinding[],
  canonical: (finding: PreparedFinding) => string,
): Promise<Resolved[]> {
  if (findings.length === 0) return [];
  const named = findings.map((finding) => {
    const advisory = finding.kind === 'package' ? canonical(finding) : null;
    const identity = finding.identity ?? packageIdentity(advisory ?? '', finding.purl ?? '');
    return { finding, advisory, identity };
  });
  const { tenantId, repositoryId, reference } = context;
  const known = await findByIdentity(tx, tenantId, repositoryId, [
    ...new Set(named.map((row) => row.identity)),
  ]);
  const places = await findPlaces(tx, tenantId, reference.id, [...new Set(known.values())]);
  const created = new Map<string, string>();
  return named.map(({ finding, advisory, identity }) => {
    const before = known.get(identity);
    const vulnerabilityId = before ?? getOrCreate(created, identity);
    const placeKey = `${vulnerabilityId} ${finding.place}`;
    const place = places.get(placeKey);
    const locationId = place ?? newId();
    const newLocation = place === undefined;
    // Two names of one advisory, or two tools' words in one report, share the place.
    places.set(placeKey, locationId);
    return {
      finding,
      vulnerabilityId,
      locationId,
      rung: before === undefined ? 'new' : rungOf(finding),
      isNew: before === undefined,
      newLocation,
      identity,
      advisory,
    };
  });
}

function rungOf(finding: PreparedFinding): Rung {
  if (finding.kind === 'package') return 'advisory-and-package';
  return finding.masked ? 'secret-masked' : 'secret';
}

function getOrCreate(ids: Map<string, string>, key: string): string {
  const before = ids.get(key);
  if (before !== undefined) return before;
  const id = newId();
  ids.set(key, id);
  return id;
}

async function resolveCode(
  tx: Tx,
  context: ImportContext,
  stream: StreamRow,
  findings: PreparedFinding[],
  absent: AbsentRow[],
): Promise<Resolved[]> {
  if (findings.length === 0) return [];
  const places: CodeFinding[] = findings.flatMap((finding) =>
    finding.fileKey === null ? [] : [{ ...finding, fileKey: finding.fileKey }],
  );
  const known = await listCandidates(tx, context, places);
  // What the report shows just as before keeps its place; what it does not show is free to be shown otherwise.
  const seen = await findSeenLocations(
    tx,
    context.tenantId,
    known.filter((place) => place.here).map((place) => place.locationId),
    stream.id,
    absent.map((row) => row.key),
  );
  const mine = new Set(seen.filter((row) => row.mine).map((row) => row.location_id));
  const byAnyone = new Set(seen.map((row) => row.location_id));
  const candidates = known.map((place) => ({ ...place, seen: byAnyone.has(place.locationId) }));
  const taken = new Set(
    known.filter((place) => mine.has(place.locationId)).map((place) => place.vulnerabilityId),
  );
  const matches = new Map(matchCode(places, candidates, taken).map((match) => [match.ordinal, match]));
  return findings.map((finding) => {
    const match = matches.get(finding.ordinal);
    const vulnerabilityId = match?.candidate.vulnerabilityId ?? newId();
    const here = match?.candidate.here ?? false;
    return {
      finding,
      vulnerabilityId,
      locationId: match && here ? match.candidate.locationId : newId(),
      rung: match?.rung ?? 'new',
      isNew: match === undefined,
      newLocation: !here,
      // Evidence changes with the code, and stands on the place: the vulnerability's identity is its own id.
      identity: `${vulnerabilityId.replaceAll('-', '')}${'0'.repeat(32)}`,
      advisory: null,
    };
  });
}

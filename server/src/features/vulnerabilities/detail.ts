/** One vulnerability with all that is known of it: the additive detail of the API, its schema and its making. */
import { Type } from 'typebox';
import type { Tx } from '../../db/database.ts';
import { resourceNotFound } from '../../errors.ts';
import {
  NullableNumber,
  NullableString,
  NullableTimestamp,
  Timestamp,
  timestamp,
  timestampOrNull,
} from '../../http/schema.ts';
import { formatId, formatIdOrNull } from '../../ids.ts';
import { NullableEpss, NullableKev } from '../intel/join.ts';
import { shortRef } from '../repositories/reference-name.ts';
import { severities, unpackBucket } from './bucket.ts';
import { eventKinds } from './events.ts';
import { rungs } from './rungs.ts';
import { referenceOf, VulnerabilityItem, vulnerabilityItem } from './schema.ts';
import { origins } from './status.ts';
import { findDetail, listEvents, listMatches, listReferenceStatuses, listReporters } from './store.ts';
import { listSuggestions, Suggestion } from './suggestions.ts';

const PersonSchema = Type.Object({
  id: Type.String(),
  display_name: Type.String(),
  email: Type.String(),
});
export const NullablePerson = Type.Union([PersonSchema, Type.Null()]);

export const VulnerabilityDetail = Type.Object({
  ...VulnerabilityItem.properties,
  description: NullableString,
  rule: Type.String(),
  identifiers: Type.Array(Type.String({ description: 'CVE, GHSA and other ids' })),
  cwes: Type.Array(Type.String()),
  links: Type.Array(Type.String()),
  package: NullableString,
  fix_version: NullableString,
  cvss: Type.Object({ score: NullableNumber, vector: NullableString }),
  kev: NullableKev,
  epss: NullableEpss,
  assignee: NullablePerson,
  accepted_until: NullableTimestamp,
  decided_by: Type.Union([Type.String(), Type.Null()], {
    description: `Whose word the status is: ${origins.join(', ')}. Null: nobody has decided.`,
  }),
  suggestions: Type.Array(Suggestion),
  status_version: Type.String(),
  updated_at: Timestamp,
  reporters: Type.Array(
    Type.Object({
      tool: Type.String(),
      category: Type.String(),
      ref: Type.String(),
      live: Type.Boolean(),
      severity: Type.String(),
      title: Type.String(),
      fixed_versions: Type.Array(Type.String()),
      cvss_score: NullableNumber,
      verified: Type.Boolean(),
      exploitable: Type.Boolean(),
      updated_at: Timestamp,
    }),
  ),
  references: Type.Array(
    Type.Object({
      ...VulnerabilityItem.properties.location.properties.reference.properties,
      active: Type.Boolean(),
      status: Type.String(),
      first_seen_at: Timestamp,
      fixed_at: NullableTimestamp,
    }),
  ),
  matches: Type.Array(
    Type.Object({
      location_id: Type.String(),
      tool: Type.String(),
      why: Type.String({ description: rungs.join(', ') }),
    }),
  ),
  history: Type.Array(
    Type.Object({
      id: Type.String(),
      event: Type.String({ description: eventKinds.join(', ') }),
      at: Timestamp,
      actor: Type.Union([Type.Object({ id: Type.String(), display_name: Type.String() }), Type.Null()]),
      scan_id: NullableString,
      reason: NullableString,
      data: Type.Object({}, { additionalProperties: true }),
    }),
  ),
});

export function personOf(person: { id: string; name: string; email: string } | null) {
  return person && { id: formatId('user', person.id), display_name: person.name, email: person.email };
}

/** Throws 404. */
export async function getVulnerabilityDetail(tx: Tx, tenantId: string, id: string) {
  const row = await findDetail(tx, tenantId, id);
  if (!row) throw resourceNotFound();
  const [reporters, references, matches, events, suggestions] = await Promise.all([
    listReporters(tx, tenantId, id),
    listReferenceStatuses(tx, tenantId, id),
    listMatches(tx, tenantId, id),
    listEvents(tx, tenantId, id),
    listSuggestions(tx, tenantId, id),
  ]);
  return {
    ...vulnerabilityItem(row),
    description: row.description,
    rule: row.rule,
    identifiers: row.identifiers,
    cwes: row.cwes,
    links: row.links,
    package: row.package,
    fix_version: row.fix_version,
    cvss: { score: row.cvss_score, vector: row.cvss_vector },
    kev: row.kev,
    epss: row.epss,
    assignee: personOf(row.assignee),
    accepted_until: timestampOrNull(row.accepted_until),
    decided_by: row.decided_by === null ? null : (origins[row.decided_by] ?? null),
    suggestions,
    status_version: String(row.status_version),
    updated_at: timestamp(row.updated_at),
    reporters: reporters.map((reporter) => ({
      ...reporter,
      ref: shortRef(reporter.ref),
      severity: severities[reporter.severity] ?? 'unknown',
      updated_at: timestamp(reporter.updated_at),
    })),
    references: references.map((reference) => ({
      ...referenceOf(reference),
      active: reference.reference_active,
      status: unpackBucket(reference.bucket).status,
      first_seen_at: timestamp(reference.first_seen_at),
      fixed_at: timestampOrNull(reference.fixed_at),
    })),
    matches: matches.map((match) => ({
      location_id: formatId('location', match.location_id),
      tool: match.tool,
      why: rungs[match.rung] ?? 'new',
    })),
    history: events.map((event) => ({
      id: formatId('event', event.id),
      event: eventKinds[event.kind] ?? 'moved',
      at: timestamp(event.at),
      actor:
        event.actor_id === null
          ? null
          : { id: formatId('user', event.actor_id), display_name: event.actor_name ?? '' },
      scan_id: formatIdOrNull('scan', event.scan_id),
      reason: event.reason,
      data: shownData(event.data ?? {}),
    })),
  };
}

// Inside, ids are UUIDs; outside, typed ids.
function shownData(data: Record<string, unknown>): Record<string, unknown> {
  const { assignee, ...rest } = data;
  return typeof assignee === 'string' ? { ...rest, assignee: formatId('user', assignee) } : rest;
}

/** One vulnerability with all its data: the schema of the detail, and the function that builds it. */
import { Type } from 'typebox';
import type { Tx } from '../db/database.ts';
import { orNotFound } from '../domain/errors.ts';
import { formatId, formatIdOrNull, type UserId, type VulnerabilityId } from '../domain/ids.ts';
import { unpackState } from '../domain/packed-state.ts';
import { shortRef } from '../domain/reference-name.ts';
import type { Principal } from '../http/principal.ts';
import {
  extendedObject,
  NullableNumber,
  NullableString,
  NullableTimestamp,
  Timestamp,
  timestamp,
  timestampOrNull,
} from '../http/schema.ts';
import { CodeOwner, codeOwnerItems } from '../inventory/code-owners/code-owners-routes.ts';
import { readOwners } from '../inventory/code-owners/repository-owners.ts';
import { eventKinds } from './events.ts';
import { findEvidence, NullableEvidence } from './evidence.ts';
import { listJoinedNames } from './joined-names.ts';
import { matchMethods } from './match-methods.ts';
import { referenceOf, VulnerabilityItem } from './schema.ts';
import {
  findFullRow,
  listMatches,
  listReferenceStatuses,
  listReporters,
  listVulnerabilityEvents,
  maxEvents,
  maxShownReferences,
} from './store.ts';
import { listSuggestions, Suggestion } from './suggestions.ts';
import { withoutSnapshot } from './undo-snapshot.ts';
import { VulnerabilityFullItem, vulnerabilityFullItem } from './vulnerability-fields.ts';

export const VulnerabilityDetail = extendedObject('VulnerabilityDetail', VulnerabilityFullItem, {
  decision_overrides_policy: Type.Boolean({
    description: 'True: the decision counts even for policies that block. Also true without a decision.',
  }),
  joined_names: Type.Array(Type.Object({ name: Type.String(), joined_at: Timestamp }), {
    description: 'Learned names of the advisory by which findings were joined to it.',
  }),
  owners: Type.Array(CodeOwner, {
    description:
      'Who owns its file, by the CODEOWNERS file of the repository. E-mail addresses need the role member and vulnerabilities:write.',
  }),
  evidence: NullableEvidence,
  suggestions: Type.Array(Suggestion),
  reporters: Type.Array(
    Type.Object({
      tool: Type.String(),
      category: Type.String(),
      ref: Type.String(),
      live: Type.Boolean({ description: 'True: the tool reports it now, and the reference is active.' }),
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
      is_default: Type.Boolean(),
      status: Type.String(),
      first_seen_at: Timestamp,
      fixed_at: NullableTimestamp,
    }),
    {
      description: `At most ${maxShownReferences}, the most important first. Reporters and matches are theirs.`,
    },
  ),
  references_total: Type.Integer(),
  matches: Type.Array(
    Type.Object({
      location_id: Type.String(),
      tool: Type.String(),
      match_method: Type.String({ description: matchMethods.join(', ') }),
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
    {
      description: `Newest first: the newest ${maxEvents.seenOnReference} events seen_on_reference, and the newest ${maxEvents.other} others.`,
    },
  ),
});

/** Throws 404. */
export async function getVulnerabilityDetail(tx: Tx, principal: Principal, id: VulnerabilityId) {
  const row = orNotFound(await findFullRow(tx, id));
  const [reporters, references, matches, events, suggestions, names, evidence, owners] = await Promise.all([
    listReporters(tx, id),
    listReferenceStatuses(tx, id),
    listMatches(tx, id),
    listVulnerabilityEvents(tx, id),
    listSuggestions(tx, id),
    listJoinedNames(tx, id),
    findEvidence(tx, id),
    readOwners(tx, row.repository_id),
  ]);
  return {
    ...vulnerabilityFullItem(row),
    decision_overrides_policy: row.decision_overrides_policy,
    joined_names: names.map(({ name, joined_at: at }) => ({ name, joined_at: timestamp(at) })),
    owners: codeOwnerItems(owners?.ownersOf(row.path) ?? [], principal),
    evidence,
    suggestions,
    reporters: reporters.map((reporter) => ({
      ...reporter,
      ref: shortRef(reporter.ref),
      severity: reporter.severity,
      updated_at: timestamp(reporter.updated_at),
    })),
    references: references.map((reference) => ({
      ...referenceOf(reference),
      active: reference.reference_active,
      is_default: reference.is_default,
      status: unpackState(reference.packed_state).status,
      first_seen_at: timestamp(reference.first_seen_at),
      fixed_at: timestampOrNull(reference.fixed_at),
    })),
    references_total: references[0]?.total ?? 0,
    matches: matches.map((match) => ({
      location_id: formatId('location', match.location_id),
      tool: match.tool,
      match_method: match.match_method,
    })),
    history: events.map((event) => ({
      id: formatId('event', event.id),
      event: event.kind,
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

// The database stores UUIDs, and the API shows typed ids.
function shownData(data: Record<string, unknown>): Record<string, unknown> {
  const { assignee, ...rest } = withoutSnapshot(data);
  return typeof assignee === 'string' ? { ...rest, assignee: formatId('user', assignee as UserId) } : rest;
}

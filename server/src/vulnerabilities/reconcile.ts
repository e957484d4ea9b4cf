/**
 * Reconciling updates the data of the lists after any change: a location that appears or disappears, a decision, an
 * assignment, a reference that becomes quiet, an acceptance that ends. It updates the status on each reference, the
 * vulnerability's own status, the severity and title, the primary location, the counters and the history. Only this
 * file changes a packed state. An import or a split writes the first one of a new row, and a merge deletes it with its
 * row.
 *
 * It reads and writes sets with a fixed number of statements; the rules are functions of `status.ts`. It locks the rows
 * first, in id order, so that transactions which change the same vulnerability wait for each other.
 */
import type { ChangeTx } from '../db/database.ts';
import type { ReferenceId, UserId, VulnerabilityId } from '../domain/ids.ts';
import { packState, type Traits, unpackState } from '../domain/packed-state.ts';
import { markTeamsChangedIn } from '../inventory/code-owners/code-owners-store.ts';
import type { CountingClaim } from './claim-store.ts';
import { listDecidingClaims } from './deciding-claims.ts';
import { type Cause, insertEvents, type VulnerabilityEvent } from './events.ts';
import {
  type ChangedState,
  keepClaimTitles,
  type LockedVulnerability,
  listLiveElsewhere,
  listReferenceLocations,
  listRepositoriesWithMoved,
  listVexClaims,
  lockVulnerabilities,
  type MovedVulnerability,
  markUpdated,
  type ReconciledReference,
  type ReconciledVulnerability,
  type ReferenceLocation,
  updateStates,
  updateVulnerabilities,
  upsertVulnerabilityReferences,
} from './reconcile-store.ts';
import type { Resolution } from './schema.ts';
import { insertSearchTerms } from './search-index.ts';
import {
  type AutomaticDecision,
  agree,
  automaticDecision,
  type Decision,
  decisionOf,
  exploitableSince,
  type Origin,
  overallStatus,
  type Suppression,
  statusOnReference,
} from './status.ts';
import { type Act, undoSnapshot } from './undo-snapshot.ts';
import { changeEvents } from './workspace-events.ts';

/** The fields that an action of a person, of a document or of the clock sets. An absent field stays unchanged. */
export interface Change {
  decision?: Decision;
  /** The origin of the decision from now on. Null means that there is no decision. */
  decidedBy?: Origin | null;
  /** True if the decision counts even where a policy blocks, if it covers all names that were joined. */
  overridesPolicy?: boolean;
  /** Time when a person made the decision. */
  decidedAt?: Date | null;
  /** Time when the deciding document or ignore file arrived. It is absent if a person decides. */
  saidAt?: Date;
  resolution?: Resolution | null;
  acceptedUntil?: Date | null;
  confirmed?: boolean;
  triaged?: boolean;
  assigneeId?: UserId | null;
  /** True if its names have changed, so that a decision about its state before is refused. */
  joins?: boolean;
  /** The kind of a person's action that can be undone. The first event stores the state before it. */
  keeps?: Act;
  events?: Omit<VulnerabilityEvent, 'vulnerabilityId'>[];
}

export interface ReconcileRequest {
  cause: Cause;
  /**
   * The references on which locations and claims of these vulnerabilities have changed. Without them none has.
   * Policies are evaluated on these alone if there are any, and no facts of the vulnerability itself change.
   */
  changedOn?: readonly ReferenceId[];
  /** Called for each vulnerability after the lock, with the state at that moment. */
  change?: (current: LockedVulnerability) => Change;
}

export interface ReconcileResult {
  /**
   * Pairs of vulnerability and reference. `closed` were live on the reference before and are no longer; `reopened` are
   * the opposite.
   */
  closed: { vulnerabilityId: VulnerabilityId; referenceId: ReferenceId }[];
  reopened: { vulnerabilityId: VulnerabilityId; referenceId: ReferenceId }[];
}

// A few thousand rows make the statement's JSON one or two megabytes, which is large enough that the round trip does
// not matter.
const batchSize = 2_000;

/** Locks the vulnerabilities and reconciles them, in batches. */
export async function reconcile(
  tx: ChangeTx,
  { ids: given, ...request }: ReconcileRequest & { ids: VulnerabilityId[] },
): Promise<ReconcileResult> {
  const results: ReconcileResult[] = [];
  const ids = [...new Set(given)].sort();
  for (let start = 0; start < ids.length; start += batchSize) {
    const locked = await lockVulnerabilities(tx, ids.slice(start, start + batchSize));
    results.push(await reconcileLocked(tx, locked, request));
  }
  return {
    closed: results.flatMap(({ closed }) => closed),
    reopened: results.flatMap(({ reopened }) => reopened),
  };
}

/** Reconciles vulnerabilities that the transaction has locked and not changed since, one batch of them. */
export async function reconcileLocked(
  tx: ChangeTx,
  locked: LockedVulnerability[],
  { cause, changedOn = [], change }: ReconcileRequest,
): Promise<ReconcileResult> {
  const { changes } = tx;
  const result: ReconcileResult = { closed: [], reopened: [] };
  const ids = locked.map(({ id }) => id);
  const locations = Map.groupBy(
    await listReferenceLocations(tx, { vulnerabilities: locked, changedOn }),
    (location) => location.vulnerability_id,
  );
  const goneIds = ids.filter((id) => !locations.get(id)?.some(isLiveAndActive));
  const elsewhere = new Map(
    (await listLiveElsewhere(tx, goneIds, changedOn)).map((row) => [row.vulnerability_id, row]),
  );
  const reporters = await listDecidingClaims(tx, locked, changedOn);
  const statements = await listVexClaims(tx, ids);
  const changed: ReconciledVulnerability[] = [];
  const withRelatedChanges: VulnerabilityId[] = [];
  const moved: MovedVulnerability[] = [];
  const retitled: ReconciledVulnerability[] = [];
  const references: ReconciledReference[] = [];
  const states: ChangedState[] = [];
  const events: VulnerabilityEvent[] = [];
  for (const current of locked) {
    const fixedOn = changes.showsFixes ? (locations.get(current.id) ?? []).filter(isFixedNow) : [];
    if (fixedOn.length > 0) {
      changes.markFixed(
        current.id,
        fixedOn.map((row) => row.reference_id),
      );
    }
    const claims = reporters.get(current.id) ?? [];
    const requested: Change = { joins: changes.joined.has(current.id), ...change?.(current) };
    const automatic = automaticDecision(statements.get(current.id) ?? null, suppressionsOf(claims), cause.at);
    const outcome = reconcileOne(
      current,
      { read: locations.get(current.id) ?? [], elsewhere: elsewhere.get(current.id) },
      claims,
      withAutomaticDecision(current, requested, automatic),
      cause,
    );
    const { vulnerability, state } = outcome;
    // The proof of a tool counts for a rejected vulnerability on all references.
    const isRejected = unpackState(current.packed_state).status === 'rejected';
    if (changedOn.length === 0 || isRejected || changesFacts(current, vulnerability)) {
      changes.markChanged(current.id, current.repository_id);
    } else {
      changes.markChangedOn(current.id, current.repository_id, changedOn);
    }
    if (state) states.push(state);
    if (vulnerability) {
      changed.push(vulnerability);
      if (vulnerability.title !== current.title) retitled.push(vulnerability);
      const [from, to] = [current.primary_location_id, vulnerability.primary_location_id];
      if (from !== to) moved.push({ from, to });
      if (vulnerability.packed_state !== current.packed_state) {
        changes.moveOwn({
          of: current,
          from: current.packed_state,
          to: vulnerability.packed_state,
          at: cause.at,
          vulnerableAt: current.vulnerable_at,
          isFixed: changes.fixed.has(current.id),
        });
      }
      changes.moveOnDefaultBranch(current, current.default_branch_state, vulnerability.default_branch_state);
    } else if (cause.scanId !== null || outcome.references.length + outcome.events.length > 0) {
      // A scan may have changed the line, the reporters or the claims of the vulnerability, which its own row does not
      // show.
      withRelatedChanges.push(current.id);
    }
    for (const { before, after } of outcome.references) {
      references.push(after);
      const at = { referenceId: after.reference_id, fullRef: after.full_ref };
      if (before.known) changes.addOnReference({ ...at, packed_state: before.packed_state }, -1);
      changes.addOnReference({ ...at, packed_state: after.packed_state }, 1);
      if (before.known && before.live !== after.live) {
        const pair = { vulnerabilityId: current.id, referenceId: after.reference_id };
        (after.live ? result.reopened : result.closed).push(pair);
      }
    }
    events.push(...outcome.events.map((event) => ({ ...event, vulnerabilityId: current.id })));
    for (const event of changeEvents(current, vulnerability ?? current, outcome.events, cause)) {
      changes.addEvent(event);
    }
  }
  await keepClaimTitles(tx, retitled);
  await updateVulnerabilities(tx, changed);
  await markUpdated(tx, withRelatedChanges);
  await insertSearchTerms(tx, retitled);
  // The location that the list shows may be in the file of another team, which the sweep finds.
  await markTeamsChangedIn(tx, await listRepositoriesWithMoved(tx, moved));
  await upsertVulnerabilityReferences(tx, references);
  // After the rows that were read, which have their states already.
  for (const { reference_id: referenceId, full_ref: fullRef, from, to, count } of await updateStates(
    tx,
    states,
  )) {
    changes.addOnReference({ referenceId, fullRef, packed_state: from }, -count);
    changes.addOnReference({ referenceId, fullRef, packed_state: to }, count);
  }
  await insertEvents(tx, cause, events);
  return result;
}

/** The value of a change; without one the value before. */
function given<T>(value: T | undefined, before: T): T {
  return value === undefined ? before : value;
}

function suppressionsOf(reporters: CountingClaim[]): Suppression[] {
  return reporters.flatMap(({ suppression }) => (suppression ? [suppression] : []));
}

// Without a person's decision, a vulnerability follows the current documents and ignore files.
function withAutomaticDecision(
  current: LockedVulnerability,
  requested: Change,
  automatic: AutomaticDecision | null,
): Change {
  const decidedBy = given(requested.decidedBy, current.decided_by);
  if (decidedBy === 'person' || (decidedBy === null && automatic === null)) return requested;
  const events = [...(requested.events ?? [])];
  const before = decisionOf(unpackState(current.packed_state).status);
  if (automatic === null) {
    if (before !== null) events.push({ kind: 'decision_removed', data: { by: decidedBy } });
    return {
      ...requested,
      decision: null,
      decidedBy: null,
      resolution: null,
      acceptedUntil: null,
      events,
    };
  }
  const { decision, resolution, until, reason, overridesPolicy, saidAt } = automatic;
  if (decision !== before || automatic.decidedBy !== decidedBy) {
    const data = { by: automatic.decidedBy, resolution, until: iso(until) };
    if (decision !== null) events.push({ kind: decision, reason, data });
    else if (before !== null) events.push({ kind: 'decision_removed', reason, data });
  }
  return {
    ...requested,
    decision,
    decidedBy: automatic.decidedBy,
    saidAt,
    overridesPolicy,
    resolution,
    acceptedUntil: until,
    ...(decision === null ? {} : { triaged: true }),
    ...(decision === 'rejected' ? { confirmed: false } : {}),
    events,
  };
}

interface Outcome {
  vulnerability: ReconciledVulnerability | null;
  /** The packed states on references, if they change. */
  state: ChangedState | null;
  references: { before: ReferenceLocation; after: ReconciledReference }[];
  events: Omit<VulnerabilityEvent, 'vulnerabilityId'>[];
}

/** The locations that were read, and one on another reference if none of them is live on an active one. */
interface Locations {
  read: ReferenceLocation[];
  elsewhere: ReferenceLocation | undefined;
}

function reconcileOne(
  current: LockedVulnerability,
  { read, elsewhere }: Locations,
  reporters: CountingClaim[],
  change: Change,
  cause: Cause,
): Outcome {
  const before = unpackState(current.packed_state);
  const events = [...(change.events ?? [])];
  const decision = given(change.decision, decisionOf(before.status));
  const agreed = reporters.length > 0 ? agree(reporters, current.package) : null;
  const assigneeId = given(change.assigneeId, current.assignee_id);
  const fixVersion = agreed ? agreed.fixVersion : current.fix_version;
  const locations = elsewhere ? [...read, elsewhere] : read;
  const { status, reach } = overallStatus(
    decision,
    locations.map((location) => ({
      live: location.now_live,
      tracked: location.tracked,
      active: location.active,
    })),
  );
  const after: Traits = {
    ...before,
    status,
    reach,
    severity: agreed?.severity ?? before.severity,
    type: agreed?.malware ? 'malware' : before.type,
    source: agreed ? (agreed.historyOnly ? 'git_history' : 'current') : before.source,
    // A tool's proof confirms the vulnerability, unless a person has rejected it.
    confirmed:
      change.confirmed ?? (before.confirmed || (decision !== 'rejected' && (agreed?.verified ?? false))),
    triaged: change.triaged ?? before.triaged,
    assigned: assigneeId !== null,
    fixKnown: fixVersion !== null,
  };
  const reopened = status === 'open' && before.status === 'fixed';
  if (status === 'fixed' && before.status === 'open') events.push({ kind: 'fixed' });
  if (reopened) events.push({ kind: 'reopened' });
  if (after.severity !== before.severity) {
    events.push({ kind: 'severity_changed', data: { from: before.severity, to: after.severity } });
  }
  const references: Outcome['references'] = [];
  for (const onReference of read) {
    const reconciled = reconcileReferenceState(onReference, after, decision, current, cause);
    if (!onReference.known) events.push({ kind: 'seen_on_reference', data: { ref: onReference.full_ref } });
    if (reconciled) references.push({ before: onReference, after: reconciled });
  }
  const primary = primaryLocation(locations);
  const onDefault = locations.find((location) => location.is_default);
  const decidedBy = given(change.decidedBy, current.decided_by);
  const decidedAt = decidedBy === 'person' ? given(change.decidedAt, current.decided_at) : null;
  const coversNames = decision === null || covers(change.saidAt ?? decidedAt, current.joined_at);
  const resolution = decision === null ? null : given(change.resolution, current.resolution);
  const acceptedUntil = iso(
    decision === 'accepted' ? given(change.acceptedUntil, current.accepted_until) : null,
  );
  const overridesPolicy =
    decision === null || (coversNames && (change.overridesPolicy ?? current.decision_overrides_policy));
  const bumps =
    change.joins === true ||
    status !== before.status ||
    after.triaged !== before.triaged ||
    after.confirmed !== before.confirmed ||
    assigneeId !== current.assignee_id ||
    resolution !== current.resolution ||
    acceptedUntil !== iso(current.accepted_until) ||
    decidedBy !== current.decided_by ||
    overridesPolicy !== current.decision_overrides_policy;
  const reconciled: ReconciledVulnerability = {
    id: current.id,
    packed_state: packState(after),
    default_branch_state: onDefault?.active ? stateOnReference(onDefault.now_live, after, decision) : null,
    resolution,
    status_version: current.status_version + (bumps ? 1 : 0),
    assignee_id: assigneeId,
    accepted_until: acceptedUntil,
    decided_by: decidedBy,
    decision_overrides_policy: overridesPolicy,
    decision_covers_names: coversNames,
    decided_at: iso(decidedAt),
    exploitable_at: iso(
      exploitableSince(
        current.exploitable_at,
        // Without live reports the known time stays, and an entry of the catalogue sets one: a product is in use after
        // the fix too.
        agreed ? agreed.exploitable || agreed.verified : current.exploitable_at !== null,
        current.kev_added_at,
        current.introduced_at,
        cause.at,
      ),
    ),
    vulnerable_at: (reopened ? cause.at : current.vulnerable_at).toISOString(),
    title: agreed?.title ?? current.title,
    package: current.package,
    fix_version: fixVersion,
    cvss_score: agreed ? agreed.cvssScore : current.cvss_score,
    primary_reference_id: primary?.reference_id ?? current.primary_reference_id,
    primary_location_id: primary?.now_location_id ?? current.primary_location_id,
  };
  const [act] = events;
  if (change.keeps !== undefined && act) {
    events[0] = { ...act, data: { ...act.data, ...undoSnapshot(change.keeps, current, reconciled) } };
  }
  return {
    vulnerability: isChanged(current, reconciled) ? reconciled : null,
    state: changedStateOf(current.id, [before, decisionOf(before.status)], [after, decision]),
    references,
    events,
  };
}

/** Null if the traits and the decision have not changed: they and `live` alone make the packed state on a reference. */
function changedStateOf(
  id: VulnerabilityId,
  before: [Traits, Decision],
  after: [Traits, Decision],
): ChangedState | null {
  const [wasLive, wasFixed] = [true, false].map((live) => stateOnReference(live, ...before));
  const [live_state = 0, fixed_state = 0] = [true, false].map((live) => stateOnReference(live, ...after));
  if (wasLive === live_state && wasFixed === fixed_state) return null;
  return { id, live_state, fixed_state };
}

function reconcileReferenceState(
  location: ReferenceLocation,
  traits: Traits,
  decision: Decision,
  current: LockedVulnerability,
  cause: Cause,
): ReconciledReference | null {
  const packedState = stateOnReference(location.now_live, traits, decision);
  const same =
    location.known &&
    packedState === location.packed_state &&
    location.now_live === location.live &&
    location.now_location_id === location.location_id;
  if (same) return null;
  const justClosed = !location.now_live && (location.live || !location.known);
  return {
    vulnerability_id: current.id,
    reference_id: location.reference_id,
    location_id: location.now_location_id,
    packed_state: packedState,
    live: location.now_live,
    introduced_at: current.introduced_at.toISOString(),
    first_seen_at: (location.first_seen_at ?? cause.at).toISOString(),
    fixed_at: location.now_live ? null : justClosed ? cause.at.toISOString() : iso(location.fixed_at),
    full_ref: location.full_ref,
  };
}

function stateOnReference(live: boolean, traits: Traits, decision: Decision): number {
  return packState({ ...traits, status: statusOnReference(decision, live), reach: 'tracked' });
}

const isLiveAndActive = (location: ReferenceLocation): boolean => location.now_live && location.active;

const isFixedNow = ({ live, now_fixed }: ReferenceLocation): boolean => live && now_fixed;

/** Returns a live location first, then the one on the default branch, on a tracked one, then the newest. */
function primaryLocation(locations: ReferenceLocation[]): ReferenceLocation | undefined {
  return [...locations].sort(
    (a, b) =>
      Number(isLiveAndActive(b)) - Number(isLiveAndActive(a)) ||
      Number(b.is_default) - Number(a.is_default) ||
      Number(b.tracked) - Number(a.tracked) ||
      b.now_vulnerable_at.getTime() - a.now_vulnerable_at.getTime() ||
      (a.reference_id < b.reference_id ? 1 : -1),
  )[0];
}

/** Policies read neither the title nor the location that is shown. */
function changesFacts(current: LockedVulnerability, reconciled: ReconciledVulnerability | null): boolean {
  return (
    reconciled !== null &&
    isChanged(current, {
      ...reconciled,
      title: current.title,
      primary_location_id: current.primary_location_id,
    })
  );
}

function isChanged(current: LockedVulnerability, reconciled: ReconciledVulnerability): boolean {
  return (
    reconciled.packed_state !== current.packed_state ||
    reconciled.default_branch_state !== current.default_branch_state ||
    reconciled.resolution !== current.resolution ||
    reconciled.status_version !== current.status_version ||
    reconciled.assignee_id !== current.assignee_id ||
    reconciled.accepted_until !== iso(current.accepted_until) ||
    reconciled.decided_by !== current.decided_by ||
    reconciled.decision_overrides_policy !== current.decision_overrides_policy ||
    reconciled.decision_covers_names !== current.decision_covers_names ||
    reconciled.decided_at !== iso(current.decided_at) ||
    reconciled.exploitable_at !== iso(current.exploitable_at) ||
    reconciled.vulnerable_at !== current.vulnerable_at.toISOString() ||
    reconciled.title !== current.title ||
    reconciled.fix_version !== current.fix_version ||
    reconciled.cvss_score !== current.cvss_score ||
    reconciled.primary_location_id !== current.primary_location_id
  );
}

// A decision covers the names that were joined when it was made. A name that joins later adds findings that the
// decision did not know.
function covers(decidedAt: Date | null, joinedAt: Date | null): boolean {
  return joinedAt === null || (decidedAt !== null && joinedAt <= decidedAt);
}

function iso(date: Date | null): string | null {
  return date === null ? null : date.toISOString();
}

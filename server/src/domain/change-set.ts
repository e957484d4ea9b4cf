/**
 * The change set of a transaction collects differences of the counters behind every list (vulnerabilities by packed
 * state and scope), changes of vulnerabilities by day, the targets for which policies must be evaluated again, and the
 * events of the workspace. The commit steps take it before the commit (`commit-steps.ts`).
 */

import {
  nilId,
  type ReferenceId,
  type RepositoryId,
  type ScanId,
  type UserId,
  type VulnerabilityId,
} from './ids.ts';
import { type GroupDifference, GroupDifferences, type GroupMember } from './open-groups.ts';
import { isInScope, isOpenIn, type Severity, severities, severityRank, unpackState } from './packed-state.ts';
import { type TargetType, targetTypes } from './policy-enums.ts';
import { RowsByKeys } from './rows-by-keys.ts';
import { dayMs } from './time.ts';
import type { WorkspaceEvent } from './workspace-event.ts';
import type { WrittenScan } from './written-scan.ts';

/** The scopes of counters, in the tables `vulnerability_count` and `vulnerability_day`. */
export const counterScopes = [
  'workspace',
  'repository',
  'reference',
  'reference_name',
  'default_branches',
] as const;
export type CounterScope = (typeof counterScopes)[number];

export interface ReferenceState {
  referenceId: ReferenceId;
  fullRef: string;
  packed_state: number;
}

/** The packed state of a vulnerability before and after a change. */
interface OwnMove {
  of: GroupMember;
  /** Null for a new vulnerability. */
  from: number | null;
  /** Null for a vulnerability that is merged into another. */
  to: number | null;
  /** The time of the change: that of the scan, or of the act of a person or the clock. */
  at: Date;
  /** The time at which it became vulnerable. */
  vulnerableAt: Date;
  /** True if a report no longer shows it. Any other end, such as that of a branch, is no fix. */
  isFixed?: boolean;
}

/** The columns of `vulnerability_day` beside its key. */
const nothing = {
  introduced: 0,
  opened: 0,
  closed: 0,
  fixed: 0,
  fix_seconds: 0,
  resolved: 0,
  resolved_in_time: 0,
};
export type DayDifference = typeof nothing & {
  scope: CounterScope;
  key: string;
  day: string;
  severity: Severity;
};

/** Vulnerabilities of one repository that have become part of others. */
export interface MergedVulnerabilities {
  repositoryId: RepositoryId;
  pairs: readonly { from: VulnerabilityId; into: VulnerabilityId }[];
  /** The person or the scan that has merged them, and when. */
  cause: { scanId: ScanId | null; actorId: UserId | null; at: Date };
}

export interface CounterDifference {
  scope: CounterScope;
  /** The id of the repository or reference, the full reference name, or the nil id. */
  idOrName: string;
  packed_state: number;
  count: number;
}

export class ChangeSet {
  /** Time of the changes. Policies use it as the time of their violations. Null means the time of the commit. */
  at: Date | null = null;
  /** The scan of the report that the transaction has imported. */
  scan: WrittenScan | null = null;
  /** The same scan once it is completed, for the event about it. */
  completedScan: WrittenScan | null = null;
  /** True while a report, or the release of its held closure, closes what the report no longer shows. */
  showsFixes = false;

  readonly #changes = new RowsByKeys<CounterScope, string, number, CounterDifference>();
  readonly #days = new RowsByKeys<CounterScope, string, number, DayDifference>();
  readonly #groups = new GroupDifferences();
  readonly #vulnerabilities = new Map<VulnerabilityId, RepositoryId>();
  readonly #changedOn = new Map<VulnerabilityId, Set<ReferenceId>>();
  readonly #created = new Set<VulnerabilityId>();
  readonly #joined = new Set<VulnerabilityId>();
  readonly #fixed = new Map<VulnerabilityId, ReadonlySet<ReferenceId>>();
  readonly #targets = new Map<RepositoryId, Map<TargetType, Set<ReferenceId> | null>>();
  readonly #references = new Map<ReferenceId, RepositoryId>();
  readonly #later = new Set<RepositoryId>();
  readonly #verdicts = new Set<ReferenceId>();
  #merged: MergedVulnerabilities[] = [];
  #events: WorkspaceEvent[] = [];

  get isEmpty(): boolean {
    return (
      this.scan === null &&
      this.completedScan === null &&
      this.#events.length === 0 &&
      this.#changes.isEmpty &&
      this.#days.isEmpty &&
      [this.#vulnerabilities, this.#targets, this.#references, this.#later, this.#verdicts].every(
        ({ size }) => size === 0,
      )
    );
  }

  /**
   * Marks a vulnerability whose facts may have changed, so that policies are evaluated for it on all its references.
   */
  markChanged(vulnerabilityId: VulnerabilityId, repositoryId: RepositoryId): void {
    this.#vulnerabilities.set(vulnerabilityId, repositoryId);
    this.#changedOn.delete(vulnerabilityId);
  }

  /** Marks a vulnerability whose facts may have changed on these references alone (ADR 116). */
  markChangedOn(
    vulnerabilityId: VulnerabilityId,
    repositoryId: RepositoryId,
    referenceIds: Iterable<ReferenceId>,
  ): void {
    const known = this.#changedOn.get(vulnerabilityId);
    if (known === undefined && this.#vulnerabilities.has(vulnerabilityId)) return;
    this.#vulnerabilities.set(vulnerabilityId, repositoryId);
    this.#changedOn.set(vulnerabilityId, new Set([...(known ?? []), ...referenceIds]));
  }

  /** Marks a vulnerability as created in this transaction, so that none of its violations is stored yet. */
  markCreated(vulnerabilityId: VulnerabilityId, repositoryId: RepositoryId): void {
    this.markChanged(vulnerabilityId, repositoryId);
    this.#created.add(vulnerabilityId);
  }

  /** Marks changed vulnerabilities that findings under another name have joined. */
  markJoined(vulnerabilityIds: readonly VulnerabilityId[]): void {
    for (const id of vulnerabilityIds) this.#joined.add(id);
  }

  /** Marks a vulnerability that a report no longer shows on these references. */
  markFixed(vulnerabilityId: VulnerabilityId, referenceIds: readonly ReferenceId[]): void {
    this.#fixed.set(vulnerabilityId, new Set(referenceIds));
  }

  /** Marks merges. The policies are evaluated for the survivors only, which get the violations of the others. */
  markMerged(merged: MergedVulnerabilities): void {
    for (const { from, into } of merged.pairs) {
      this.#vulnerabilities.delete(from);
      this.#created.delete(into);
    }
    this.#merged.push(merged);
  }

  /** Marks all targets of these types in the repository; by default of every type but vulnerabilities. */
  markTargetsChanged(repositoryId: RepositoryId, types: readonly TargetType[] = targetTypes): void {
    const marked = this.#targets.get(repositoryId) ?? new Map<TargetType, null>();
    for (const type of types) marked.set(type, null);
    this.#targets.set(repositoryId, marked);
  }

  /** Marks all targets of these types on the reference, whose facts may have changed there alone. */
  markTargetsChangedOn(
    referenceId: ReferenceId,
    repositoryId: RepositoryId,
    types: readonly TargetType[],
  ): void {
    const marked = this.#targets.get(repositoryId) ?? new Map<TargetType, Set<ReferenceId> | null>();
    for (const type of types) {
      const known = marked.get(type);
      if (known !== null) marked.set(type, new Set([...(known ?? []), referenceId]));
    }
    this.#targets.set(repositoryId, marked);
  }

  /** Marks all targets on the reference, for example after its deployment to another environment. */
  markReferenceChanged(referenceId: ReferenceId, repositoryId: RepositoryId): void {
    this.markTargetsChanged(repositoryId);
    this.#references.set(referenceId, repositoryId);
  }

  /** Marks repositories that the next sweeps evaluate as a whole, such as after a rename. */
  markForLater(repositoryIds: readonly RepositoryId[]): void {
    for (const id of repositoryIds) this.#later.add(id);
  }

  /** Marks references whose verdict must be computed again, because violations on them have changed. */
  markVerdicts(referenceIds: Iterable<ReferenceId>): void {
    for (const id of referenceIds) this.#verdicts.add(id);
  }

  /** Notes what has happened, in its order. The last commit step writes it to the outbox. */
  addEvent(event: WorkspaceEvent): void {
    this.#events.push(event);
  }

  /** Takes the events in the order in which they were noted. */
  takeEvents(): WorkspaceEvent[] {
    const taken = this.#events;
    this.#events = [];
    return taken;
  }

  /** Takes the scan and the references whose verdicts are due. */
  takeVerdicts(): { scan: WrittenScan | null; referenceIds: Set<ReferenceId> } {
    const taken = { scan: this.scan, referenceIds: new Set(this.#verdicts) };
    this.scan = null;
    this.#verdicts.clear();
    return taken;
  }

  /** Takes the marked references (reference id → repository id); their vulnerabilities are not marked yet. */
  takeReferences(): Map<ReferenceId, RepositoryId> {
    const taken = new Map(this.#references);
    this.#references.clear();
    return taken;
  }

  /** Takes the repositories that are evaluated later. */
  takeForLater(): RepositoryId[] {
    const taken = [...this.#later];
    this.#later.clear();
    return taken;
  }

  /** Clears all marks after policies were evaluated for them. */
  clearMarks(): void {
    this.#vulnerabilities.clear();
    this.#changedOn.clear();
    this.#created.clear();
    this.#joined.clear();
    this.#fixed.clear();
    this.#merged = [];
    this.#targets.clear();
  }

  /** Marked vulnerabilities: vulnerability id → repository id. */
  get vulnerabilities(): ReadonlyMap<VulnerabilityId, RepositoryId> {
    return this.#vulnerabilities;
  }

  /** The marked vulnerabilities that have changed on some references alone: vulnerability id → reference ids. */
  get changedOn(): ReadonlyMap<VulnerabilityId, ReadonlySet<ReferenceId>> {
    return this.#changedOn;
  }

  /** The marked vulnerabilities that were created in this transaction. */
  get created(): ReadonlySet<VulnerabilityId> {
    return this.#created;
  }

  /** The marked vulnerabilities that findings under another name have joined. */
  get joined(): ReadonlySet<VulnerabilityId> {
    return this.#joined;
  }

  /** The marked vulnerabilities that a report no longer shows, and the references on which it does not. */
  get fixed(): ReadonlyMap<VulnerabilityId, ReadonlySet<ReferenceId>> {
    return this.#fixed;
  }

  /** The merges, in their order. */
  get merged(): readonly MergedVulnerabilities[] {
    return this.#merged;
  }

  /**
   * Repository id → target types of which all targets are marked → the only references on which they are; null means
   * all.
   */
  get targets(): ReadonlyMap<RepositoryId, ReadonlyMap<TargetType, ReadonlySet<ReferenceId> | null>> {
    return this.#targets;
  }

  /** Counts a new vulnerability that was first seen at this time. */
  addNew(of: GroupMember, packedState: number, at: Date): void {
    if (isCounted(packedState))
      this.#addDay(of.repository_id, severityOf(packedState), at, { introduced: 1 });
    this.moveOwn({ of, from: null, to: packedState, at, vulnerableAt: at });
  }

  moveOwn({ of, from, to, at, vulnerableAt, isFixed = false }: OwnMove): void {
    const { repository_id: repositoryId } = of;
    if (from !== null) this.#addOwn(repositoryId, from, -1);
    if (to !== null) this.#addOwn(repositoryId, to, 1);
    if (from !== null && to !== null && !isCounted(from) && isCounted(to)) {
      this.#addDay(repositoryId, severityOf(to), at, { introduced: 1 });
    }
    const wasOpen = from !== null && isOpen(from);
    const isOpenNow = to !== null && isOpen(to);
    if (wasOpen && isOpenNow && severityRank(from) === severityRank(to)) return;
    if (isOpenNow) this.#groups.add('workspace', of, to, 1);
    if (wasOpen) {
      this.#groups.add('workspace', of, from, -1);
      const isFix = isFixed && to !== null && unpackState(to).status === 'fixed';
      const seconds = Math.max(0, Math.round((at.getTime() - vulnerableAt.getTime()) / 1000));
      this.#addDay(repositoryId, severityOf(from), at, {
        closed: 1,
        ...(isFix ? { fixed: 1, fix_seconds: seconds } : {}),
      });
    }
    if (isOpenNow) this.#addDay(repositoryId, severityOf(to), at, { opened: 1 });
  }

  /** Counts a violation that was resolved at this time, and whether that was before its due date. */
  addResolved(
    repositoryId: RepositoryId,
    { severity, at, dueAt }: { severity: Severity; at: Date; dueAt: Date },
  ): void {
    this.#addDay(repositoryId, severity, at, { resolved: 1, resolved_in_time: at <= dueAt ? 1 : 0 });
  }

  addOnReference({ referenceId, fullRef, packed_state: packedState }: ReferenceState, n: number): void {
    this.#add('reference', referenceId, packedState, n);
    this.#add('reference_name', fullRef, packedState, n);
  }

  /** The packed states on the default branch before and after; null if the vulnerability has not been there. */
  moveOnDefaultBranch(of: GroupMember, from: number | null, to: number | null): void {
    if (from === to) return;
    for (const [packedState, n] of [
      [from, -1],
      [to, 1],
    ] as const) {
      if (packedState === null) continue;
      this.#add('default_branches', nilId, packedState, n);
      if (isOpen(packedState)) this.#groups.add('default_branches', of, packedState, n);
    }
  }

  /** Takes the differences of counters, days and groups. */
  takeCounters(): { counters: CounterDifference[]; days: DayDifference[]; groups: GroupDifference[] } {
    const counters = this.#changes.take().filter((change) => change.count !== 0);
    return { counters, days: this.#days.take(), groups: this.#groups.take() };
  }

  #addOwn(repositoryId: RepositoryId, packedState: number, n: 1 | -1): void {
    this.#add('workspace', nilId, packedState, n);
    this.#add('repository', repositoryId, packedState, n);
  }

  #add(scope: CounterScope, idOrName: string, packedState: number, count: number): void {
    const create = () => ({ scope, idOrName, packed_state: packedState, count: 0 });
    this.#changes.getOrCreate(scope, idOrName, packedState, create).count += count;
  }

  #addDay(repositoryId: RepositoryId, severity: Severity, at: Date, counts: Partial<typeof nothing>): void {
    const dayAndSeverity =
      Math.floor(at.getTime() / dayMs) * severities.length + severities.indexOf(severity);
    for (const [scope, key] of [
      ['workspace', nilId],
      ['repository', repositoryId],
    ] as const) {
      const row = this.#days.getOrCreate(scope, key, dayAndSeverity, () => ({
        ...nothing,
        ...{ scope, key, day: at.toISOString().slice(0, 10), severity },
      }));
      for (const [column, n] of Object.entries(counts)) row[column as keyof typeof nothing] += n;
    }
  }
}

function severityOf(packedState: number): Severity {
  return unpackState(packedState).severity;
}

// The days count what happens on tracked references, as the headlines do.
function isCounted(packedState: number): boolean {
  return isInScope(unpackState(packedState), 'tracked');
}

function isOpen(packedState: number): boolean {
  return isOpenIn(unpackState(packedState), 'tracked');
}

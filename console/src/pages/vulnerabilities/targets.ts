/** The subject of a decision or an assignment, as the person saw it at the start. */
import type { NamedVersion } from '../../api/triage.ts';
import type { Row } from './rows.ts';

export interface Target {
  id: string;
  title: string;
  status: string;
  /** Undefined if the version is not loaded. */
  version: string | undefined;
}

export function targetOf({ item, signal }: Row): Target {
  return { id: item.id, title: item.title, status: item.status, version: signal?.status_version };
}

export function namedVersions(targets: Target[]): NamedVersion[] {
  return targets.map(({ id, version }) => (version === undefined ? { id } : { id, status_version: version }));
}

/** Without its version the server could not refuse a decision about a vulnerability that has just changed. */
export function hasVersions(targets: Target[]): boolean {
  return targets.every(({ version }) => version !== undefined);
}

/** Returns the targets with those that have changed in their place. */
export function withVersions(targets: Target[], changed: Target[]): Target[] {
  const byId = new Map(changed.map((target) => [target.id, target]));
  return targets.map((target) => byId.get(target.id) ?? target);
}

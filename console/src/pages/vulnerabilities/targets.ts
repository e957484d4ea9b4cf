/** What a decision or an assignment is about, as the person saw it when they began. */
import type { NamedVersion } from '../../api/triage.ts';
import type { Row } from './rows.ts';

export interface Target {
  id: string;
  title: string;
  status: string;
  /** Undefined where it was not here yet. */
  version: string | undefined;
}

export function targetOf({ item, signal }: Row): Target {
  return { id: item.id, title: item.title, status: item.status, version: signal?.status_version };
}

export function namedVersions(targets: Target[]): NamedVersion[] {
  return targets.map(({ id, version }) => (version === undefined ? { id } : { id, status_version: version }));
}

/** Shows events: what they have stored, and the names of what they are about as these are now. */
import type { Tx } from '../../db/database.ts';
import { formatId, formatIdOrNull, formatTenantId, parseId } from '../../domain/ids.ts';
import { eventSubjects, subjectOf } from '../../domain/workspace-event.ts';
import type { OutboxEvent } from '../../events/read-events.ts';
import type { Tenant } from '../../http/principal.ts';
import type { EventItem } from './event-schema.ts';

interface Names {
  repositories: Map<string, string>;
  titles: Map<string, string>;
  policies: Map<string, { key: string; name: string }>;
}

/** The events in their order, with three statements for any number of them. */
export async function showEvents(
  tx: Tx,
  tenant: Pick<Tenant, 'id' | 'slug'>,
  events: readonly OutboxEvent[],
): Promise<EventItem[]> {
  const names = await readNames(tx, events);
  return events.map((event) => itemOf(event, tenant, names));
}

function itemOf(event: OutboxEvent, { id, slug }: Pick<Tenant, 'id' | 'slug'>, names: Names): EventItem {
  const { repositoryId } = event;
  const fullName = names.repositories.get(repositoryId ?? '');
  return {
    id: formatId('event', event.id),
    type: event.type,
    timestamp: event.recordedAt.toISOString(),
    workspace: { id: formatTenantId(id), slug },
    data: {
      occurred_at: event.at.toISOString(),
      repository:
        repositoryId === null || fullName === undefined
          ? null
          : { id: formatId('repository', repositoryId), full_name: fullName },
      cause: { scan: formatIdOrNull('scan', event.scanId), user: formatIdOrNull('user', event.actorId) },
      ...objectOf(event, names),
    },
  };
}

function objectOf({ type, objectId, data }: OutboxEvent, names: Names): Record<string, unknown> {
  const subject = subjectOf(type);
  const id = formatId(eventSubjects[subject], objectId);
  switch (subject) {
    case 'vulnerability':
      return { vulnerability: { id, title: names.titles.get(objectId) ?? null, ...data } };
    case 'advisory': {
      const { advisory, ...state } = data;
      return { vulnerability: { id, title: names.titles.get(objectId) ?? null, ...state }, advisory };
    }
    case 'violation': {
      const target = data.target as StoredTarget;
      const title = names.titles.get(vulnerabilityOf(target) ?? '') ?? null;
      return { violation: { id, ...data, policy: policyOf(data, names), target: { ...target, title } } };
    }
    case 'exception':
      return { exception: { id, ...data, policy: policyOf(data, names) } };
    default:
      return { [subject]: { id, ...data } };
  }
}

interface StoredTarget {
  type: string;
  id: string;
}

function vulnerabilityOf(target: StoredTarget): string | undefined {
  return target.type === 'vulnerability' ? parseId('vulnerability', target.id) : undefined;
}

function policyOf({ policy }: Record<string, unknown>, { policies }: Names): object | null {
  const named = policies.get(parseId('policy', String(policy)) ?? '');
  return named === undefined ? null : { id: policy, ...named };
}

async function readNames(tx: Tx, events: readonly OutboxEvent[]): Promise<Names> {
  const repositoryIds = new Set<string>();
  const vulnerabilityIds = new Set<string>();
  const policyIds = new Set<string>();
  for (const { type, objectId, repositoryId, data } of events) {
    if (repositoryId !== null) repositoryIds.add(repositoryId);
    if (eventSubjects[subjectOf(type)] === 'vulnerability') vulnerabilityIds.add(objectId);
    const target = data.target === undefined ? undefined : vulnerabilityOf(data.target as StoredTarget);
    if (target !== undefined) vulnerabilityIds.add(target);
    const policyId = parseId('policy', String(data.policy));
    if (policyId !== undefined) policyIds.add(policyId);
  }
  const [repositories, vulnerabilities, policies] = await Promise.all([
    rowsById<{ id: string; full_name: string }>(tx, 'select id, full_name from repository', repositoryIds),
    rowsById<{ id: string; title: string }>(tx, 'select id, title from vulnerability', vulnerabilityIds),
    rowsById<{ id: string; key: string; name: string }>(tx, 'select id, key, name from policy', policyIds),
  ]);
  return {
    repositories: new Map(repositories.map((row) => [row.id, row.full_name])),
    titles: new Map(vulnerabilities.map((row) => [row.id, row.title])),
    policies: new Map(policies.map(({ id, key, name }) => [id, { key, name }])),
  };
}

async function rowsById<Row>(tx: Tx, select: string, ids: ReadonlySet<string>): Promise<Row[]> {
  if (ids.size === 0) return [];
  return tx.query<Row>(`${select} where tenant_id = $1 and id = any($2::uuid[])`, [tx.tenantId, [...ids]]);
}

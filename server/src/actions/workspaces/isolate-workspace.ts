/** Gives a huge workspace shards of its own on Citus, so that it can have a node of its own. */
import { noWorkspace } from '../../access/workspaces/service.ts';
import {
  isCitus,
  isIsolated,
  isolateTenant,
  listNodes,
  moveShard,
  placementOfTenant,
  type ShardPlacement,
} from '../../db/citus.ts';
import { connectOwner } from '../../db/owner-client.ts';
import { conflictingInput, invalidInput } from '../../domain/errors.ts';
import type { TenantId } from '../../domain/ids.ts';

/**
 * Isolates the workspace, unless it is isolated, and moves it to the node `to`. Returns where it is then. Throws
 * DomainError without Citus, without such a workspace, and without such a node.
 */
export async function isolateWorkspace(
  ownerUrl: string,
  slug: string,
  to: string | null,
): Promise<ShardPlacement> {
  const client = await connectOwner(ownerUrl, 'workspace isolate');
  try {
    if (!(await isCitus(client))) {
      throw conflictingInput(
        'The database does not use Citus, so a workspace cannot get a shard of its own.',
      );
    }
    const { rows } = await client.query<{ id: TenantId }>(
      'select id from tenant where slug = $1 and deleted_at is null',
      [slug],
    );
    const [tenant] = rows;
    if (tenant === undefined) throw noWorkspace(slug);
    const nodes = await listNodes(client);
    if (to !== null && !nodes.includes(to)) {
      throw invalidInput(`Must be one of ${nodes.join(', ')}, not "${to}".`, 'to');
    }
    const place = (await isIsolated(client, tenant.id))
      ? await placementOfTenant(client, tenant.id)
      : await isolateTenant(client, tenant.id);
    if (to === null || to === place.node) return place;
    await moveShard(client, place, to);
    return await placementOfTenant(client, tenant.id);
  } finally {
    await client.end().catch(() => {});
  }
}

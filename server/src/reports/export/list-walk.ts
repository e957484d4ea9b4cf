/**
 * The walk of an export with filters. It reads the keys of the list in order, page by page. Each page reads the current
 * list, so a vulnerability that a change moves in the order may come twice or not at all.
 */
import { type Database, tenantReadTx } from '../../db/database.ts';
import type { Principal } from '../../http/principal.ts';
import type { ListQuery } from '../../vulnerabilities/filters.ts';
import { type ListKey, listVulnerabilityKeys } from '../../vulnerabilities/list.ts';
import { type ExportKey, findFirstTools } from './store.ts';
import { type ExportWalk, pages } from './walk.ts';

// A filter with an index of its own finds and sorts all its candidates for each page, so the pages are large.
const keysAtOnce = 10_000;

/** Reads the first page, so that a wrong filter is refused before anything is sent. Throws as the list does. */
export async function startListWalk(
  db: Database,
  principal: Principal,
  query: ListQuery,
): Promise<ExportWalk> {
  const tenantId = principal.tenant.id;
  const next = (after: ListKey | null) => listVulnerabilityKeys(db, principal, query, after, keysAtOnce);
  const first = await next(null);
  const toolsOf = (keys: ListKey[]) =>
    tenantReadTx(db, tenantId, (tx) =>
      findFirstTools(
        tx,
        keys.map(({ id }) => id),
      ),
    );
  return {
    db,
    tenantId,
    async *keys(withTool): AsyncGenerator<ExportKey[]> {
      for await (const keys of pages(keysAtOnce, async (after: ListKey | null) =>
        after ? next(after) : first,
      )) {
        const tools = withTool ? await toolsOf(keys) : null;
        yield keys.map(({ id }) => ({ id, tool: tools?.get(id) ?? null }));
      }
    },
  };
}

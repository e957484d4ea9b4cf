/**
 * The feed of events. A cursor is the number and the id of the last event that its reader has seen. The id shows when
 * the database was restored from an older backup: the same numbers are then those of other events.
 */
import { type Database, tenantReadTx } from '../../db/database.ts';
import { eventCursorExpired } from '../../domain/errors.ts';
import type { WorkspaceEventType } from '../../domain/workspace-event.ts';
import { findEventId, readEvents, readOutboxState } from '../../events/read-events.ts';
import { type Cursors, cursorScope } from '../../http/page.ts';
import type { Tenant } from '../../http/principal.ts';
import { showEvents } from './event-item.ts';
import type { EventCursor, EventItem } from './event-schema.ts';

/** The word for the end of the feed: its answer is the cursor alone. */
const latest = 'latest';

/** Events of these types after `since`, or from the oldest that is kept. Throws 409 if events after it are gone. */
export async function readFeed(
  db: Database,
  cursors: Cursors,
  tenant: Tenant,
  { since, types, limit }: { since: string | undefined; types: readonly WorkspaceEventType[]; limit: number },
): Promise<{ items: EventItem[]; end: EventCursor }> {
  const scope = cursorScope(tenant.id, 'readEvents', []);
  const seen = since === undefined || since === latest ? null : cursors.decode(scope, since);
  return tenantReadTx(db, tenant.id, async (tx) => {
    const { last, deleted } = await readOutboxState(tx);
    const cursorAt = async (number: number): Promise<string> =>
      cursors.encode(scope, [number, (await findEventId(tx, number)) ?? '']);
    if (since === latest) return { items: [], end: { cursor: await cursorAt(last), more: false } };
    const after = seen === null ? deleted : Number(seen[0]);
    if (seen !== null) {
      const isSame = after <= last && (after <= deleted || (await findEventId(tx, after)) === seen[1]);
      // After a restore from a backup, and for a reader that stayed away for longer than events are kept.
      if (!isSame || after < deleted) throw eventCursorExpired();
    }
    const { events, through } = await readEvents(tx, after, last, { types, limit });
    return {
      items: await showEvents(tx, tenant, events),
      end: { cursor: await cursorAt(through), more: through < last },
    };
  });
}

/** Sends reports over HTTP, as a CI pipeline does. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createPersonalKey } from '../server/src/access/api-keys/service.ts';
import { addMember } from '../server/src/access/members/service.ts';
import { createUser } from '../server/src/access/users/service.ts';
import { installTx, tenantTx } from '../server/src/db/database.ts';
import { scopesOfRole, type Tenant } from '../server/src/http/principal.ts';
import type { OpenDatabase } from '../server/src/open.ts';

/** Creates an admin of the workspace with an API key. Without a password this admin cannot sign in. */
export async function createAdmin(
  { db }: OpenDatabase,
  tenant: Tenant,
  password: string | null = null,
): Promise<{ email: string; key: string }> {
  const email = `admin-${Date.now()}@${tenant.slug}.example`;
  const user = await installTx(db, (tx) => createUser(tx, email, 'Admin', password));
  await tenantTx(db, tenant.id, (tx) => addMember(tx, user.id, 'admin'));
  const { key } = await installTx(db, (tx) =>
    createPersonalKey(tx, {
      name: 'benchmark',
      scopes: scopesOfRole('admin'),
      expires: '7d',
      createdBy: null,
      userId: user.id,
      roles: ['admin'],
      restrictedTo: null,
    }),
  );
  return { email, key };
}

/** Uploads a report. Throws if the server does not answer with 202. */
export async function uploadReport(
  url: string,
  slug: string,
  key: string,
  repo: string,
  body: string,
): Promise<void> {
  const answer = await fetch(
    `${url}/ingest/v1/${slug}/scans?repo=${encodeURIComponent(repo)}&ref=main&force=true`,
    {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/octet-stream' },
      body,
    },
  );
  if (answer.status !== 202)
    throw new Error(`the upload was refused with ${answer.status}: ${await answer.text()}`);
}

/** Waits until the workspace has no queued or running scan. Throws after ten minutes. */
export async function waitForScans(url: string, slug: string, key: string, pollMs = 250): Promise<void> {
  const headers = { authorization: `Bearer ${key}` };
  for (const until = Date.now() + 600_000; Date.now() < until; await sleep(pollMs)) {
    const answer = await fetch(`${url}/api/v1/${slug}/scans?status=queued,running&per_page=1`, { headers });
    const { items } = (await answer.json()) as { items: unknown[] };
    if (items.length === 0) return;
  }
  throw new Error(`scans of the workspace ${slug} are still queued or running after ten minutes`);
}

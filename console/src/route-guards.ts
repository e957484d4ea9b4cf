/** Checks before a page is shown: somebody is signed in, and the workspace is theirs. */
import type { QueryClient } from '@tanstack/react-query';
import { notFound, redirect } from '@tanstack/react-router';
import { sessionQuery } from './api/session.ts';
import { workspacesQuery } from './api/workspaces.ts';
import { takeNext } from './next-page.ts';

interface Entering {
  context: { queryClient: QueryClient };
  location: { href: string };
}

// True once a page has been shown since the console was loaded or since the last sign-in.
let hasArrived = false;

/** The sign-in calls this, so that the next page counts as the first one. */
export function arriveAnew(): void {
  hasArrived = false;
}

/**
 * Guards `/`. A person who arrives here and has only one workspace is sent to it. Later the link to all workspaces
 * shows the list, even a list of one.
 */
export async function needWorkspaces(entering: Entering): Promise<void> {
  const isArriving = !hasArrived;
  await needSession(entering);
  const { items, may_create: mayCreate } =
    await entering.context.queryClient.ensureQueryData(workspacesQuery);
  const [only, ...others] = items;
  // A person who may create a workspace stays on the list, since they may have come to create one.
  if (isArriving && !mayCreate && only && others.length === 0)
    throw redirect({ to: '/w/$slug', params: { slug: only.slug }, replace: true });
}

/** Sends a person without a session to the sign-in, and afterwards to the requested page. */
export async function needSession({ context, location }: Entering): Promise<void> {
  const session = await context.queryClient.ensureQueryData(sessionQuery);
  hasArrived = session.signed_in;
  if (!session.signed_in) {
    throw redirect({ to: '/sign-in', search: location.href === '/' ? {} : { next: location.href } });
  }
  const next = location.href === '/' ? takeNext() : null;
  if (next !== null) throw redirect({ href: next });
  await context.queryClient.ensureQueryData(workspacesQuery);
}

export async function needWorkspace(entering: Entering & { params: { slug: string } }): Promise<void> {
  await needSession(entering);
  const { queryClient } = entering.context;
  const isMine = (list: { items: { slug: string }[] }) =>
    list.items.some((item) => item.slug === entering.params.slug);
  if (isMine(await queryClient.ensureQueryData(workspacesQuery))) return;
  // The person may have been invited since the list was read.
  if (!isMine(await queryClient.fetchQuery({ ...workspacesQuery, staleTime: 0 }))) throw notFound();
}

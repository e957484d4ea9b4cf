/** What must be known before a page is shown: who is signed in, and that the workspace is theirs. */
import type { QueryClient } from '@tanstack/react-query';
import { notFound, redirect } from '@tanstack/react-router';
import { sessionQuery } from './api/session.ts';
import { workspacesQuery } from './api/workspaces.ts';
import { takeNext } from './next-page.ts';

interface Entering {
  context: { queryClient: QueryClient };
  location: { href: string };
}

// Whether a page has been shown since the page was loaded, or since the last sign-in.
let hasArrived = false;

/** For the sign-in: whoever comes through it arrives anew. */
export function arriveAnew(): void {
  hasArrived = false;
}

/**
 * For `/`: who comes in by it and has one workspace alone goes on to that. Later on the link to all workspaces shows them,
 * be they one.
 */
export async function needWorkspaces(entering: Entering): Promise<void> {
  const isArriving = !hasArrived;
  await needSession(entering);
  const { items, may_create: mayCreate } =
    await entering.context.queryClient.ensureQueryData(workspacesQuery);
  const [only, ...others] = items;
  // Whoever may make another comes here for that too.
  if (isArriving && !mayCreate && only && others.length === 0)
    throw redirect({ to: '/w/$slug', params: { slug: only.slug }, replace: true });
}

/** Sends to the sign-in whoever has to, and afterwards to where they wanted to go. */
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
  // Somebody may have been invited since.
  if (!isMine(await queryClient.fetchQuery({ ...workspacesQuery, staleTime: 0 }))) throw notFound();
}

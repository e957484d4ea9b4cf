/** The signed-in person, and the ways to sign in and out. */
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { type Answer, api } from './client.ts';
import { isApiError } from './errors.ts';
import { isOutsidePage } from './http.ts';

type Answered = Answer<'getSession'>;
export type SignedOut = Answered & { signed_in: false };
export type SignedIn = { [Field in keyof Answered]: NonNullable<Answered[Field]> } & {
  signed_in: true;
  /** The session has ended without a sign-out, so the page stays as it is and asks for a sign-in. */
  has_ended?: true;
};
export type Session = SignedOut | SignedIn;

export const sessionKey = ['session'];

// This page changes the session itself. If the session ends, any other request shows it.
const sessionFreshMs = 60_000;

const readSession = async () => (await api.getSession()) as Session;

export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  // No signal is passed: a part of a page that is removed would cancel the request that the route guard waits for.
  queryFn: async ({ client }): Promise<Session> => {
    const session = await readSession();
    const before = client.getQueryData<Session>(sessionKey);
    // A page outside the frame shows what is true for anybody.
    if (!before?.signed_in || isOutsidePage()) return session;
    if (!session.signed_in) return { ...before, has_ended: true };
    // Another tab has signed in somebody else, who did not write what is on this page. A repeated request would be
    // theirs.
    if (before.user.id !== session.user.id) {
      location.reload();
      return before;
    }
    return session;
  },
  staleTime: sessionFreshMs,
});

/** Reads the session after it has changed, and forgets all data of the previous person. */
export async function readNewSession(queryClient: QueryClient): Promise<Session> {
  forgetAnswers(queryClient);
  const session = await readSession();
  queryClient.setQueryData(sessionKey, session);
  return session;
}

/**
 * Forgets all answers except those that the page still shows. A query that is removed while it is observed never
 * answers.
 */
export function forgetAnswers(queryClient: QueryClient): void {
  queryClient.removeQueries({
    type: 'inactive',
    predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0],
  });
}

export function signIn(email: string, password: string) {
  return api.signIn({ body: { email, password } });
}

/** Returns the address at the provider for the sign-in. The browser comes back to `next`, a path of the console. */
export function startOidc(next: string) {
  return api.beginOidc({ body: { next } });
}

/** Succeeds also if the session has already ended. */
export async function signOut(): Promise<void> {
  await api.signOut().catch((error: unknown) => {
    if (!isApiError(error, 'AUTHENTICATION_REQUIRED')) throw error;
  });
}

export function signOutEverywhere() {
  return api.signOutEverywhere();
}

/** Who is signed in, and the ways to sign in and out. */
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Answer } from './client.ts';
import { call } from './http.ts';

type Answered = Answer<'getSession'>;
export type SignedOut = Answered & { signed_in: false };
export type SignedIn = { [Field in keyof Answered]: NonNullable<Answered[Field]> } & { signed_in: true };
export type Session = SignedOut | SignedIn;

export const sessionKey = ['session'];

// It changes by what this page does, or ends, which any other request tells.
const sessionFreshMs = 60_000;

export const sessionQuery = queryOptions({
  queryKey: sessionKey,
  queryFn: ({ signal }) => call<Session>('GET', '/console/session', { signal }),
  staleTime: sessionFreshMs,
});

/** Who is signed in now, after that has changed; what the one before has read is forgotten. */
export async function readNewSession(queryClient: QueryClient): Promise<Session> {
  forgetAnswers(queryClient);
  return queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
}

/** All but those that the page still shows: a query that is taken from under its observer never answers. */
export function forgetAnswers(queryClient: QueryClient): void {
  queryClient.removeQueries({
    type: 'inactive',
    predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0],
  });
}

export function signIn(email: string, password: string): Promise<undefined> {
  return call('POST', '/console/session', { body: { email, password } });
}

/** Where the browser must go to sign in at the provider; it comes back to `next`, a path of the console. */
export function startOidc(next: string): Promise<{ url: string }> {
  return call('POST', '/console/session/oidc', { body: { next } });
}

export function signOut(): Promise<undefined> {
  return call('DELETE', '/console/session');
}

export function signOutEverywhere(): Promise<undefined> {
  return call('DELETE', '/console/sessions');
}

export function changePassword(current: string, next: string): Promise<undefined> {
  return call('PUT', '/console/password', { body: { current, new: next } });
}

export interface FirstUser {
  token: string;
  email: string;
  name: string;
  password: string;
}

export function setUp(user: FirstUser): Promise<undefined> {
  return call('POST', '/console/setup', { body: user });
}

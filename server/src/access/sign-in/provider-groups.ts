/**
 * The groups of a person at the OpenID Connect provider, from the claims of a sign-in. The library reads the claims
 * deep in its handling of the callback, so they are kept beside the call until the route knows who has signed in.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { UserId } from '../../domain/ids.ts';
import { isPlainName, maxNameLength } from '../../domain/plain-name.ts';

// Providers leave the claim out above their own limit; that of Entra ID is 200.
const maxGroups = 1_000;

/** Undefined if the provider did not send the claim. */
export type ProviderGroups = readonly string[] | undefined;

/** Called after a sign-in at the provider. */
export type ApplyGroups = (userId: UserId, groups: readonly string[], requestId: string) => Promise<void>;

/**
 * Reads the groups of the claim `name`: a list of texts, or one text. Names that no team can have are left out. A claim
 * of another form, or with too many groups, is malformed and means no groups.
 */
export function providerGroupsOf(
  claims: Record<string, unknown>,
  name: string,
): { groups: ProviderGroups; isMalformed: boolean } {
  const claim = Object.hasOwn(claims, name) ? claims[name] : undefined;
  if (claim === undefined) return { groups: undefined, isMalformed: false };
  const groups: unknown[] = [claim].flat();
  if (groups.length > maxGroups || !groups.every((group) => typeof group === 'string')) {
    return { groups: [], isMalformed: true };
  }
  const usable = groups.filter((group) => group.length <= maxNameLength && isPlainName(group));
  return { groups: [...new Set(usable)], isMalformed: false };
}

const kept = new AsyncLocalStorage<{ groups: ProviderGroups }>();

/** Runs the library. Returns its result with the groups that `keepGroups` got meanwhile. */
export async function withGroups<T>(work: () => Promise<T>): Promise<{ result: T; groups: ProviderGroups }> {
  const store: { groups: ProviderGroups } = { groups: undefined };
  return { result: await kept.run(store, work), groups: store.groups };
}

export function keepGroups(groups: ProviderGroups): void {
  const store = kept.getStore();
  if (store) store.groups = groups;
}

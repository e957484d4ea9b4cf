/**
 * Forges that a workspace names, so that files of its repositories have links there. The server sends no request to
 * them.
 */
import type { DomainError } from './domain-error.ts';
import { invalidInput } from './errors.ts';
import { isPlainName, plainNameRule } from './plain-name.ts';
import type { Sentence } from './sentence.ts';

export const forgeKinds = [
  'github',
  'gitlab',
  'bitbucket',
  'bitbucket_data_center',
  'azure_devops',
  'gitea',
] as const;
export type ForgeKind = (typeof forgeKinds)[number];

export interface Forge {
  /** The URL has no final slash. */
  url: string;
  kind: ForgeKind;
  /** The full path of its organization; null means all other organizations. */
  organization: string | null;
}

export const maxForges = 50;
export const maxForgeUrl = 255;

// A host name of ASCII with a port and a path, so that the text shows where the link leads. It has no user and no
// query.
const plainAddress = /^https:\/\/[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::[1-9]\d{0,4})?(?:\/[\w.~-]+)*\/?$/i;

/** Throws DomainError on `forges`. */
export function checkedForges(
  forges: (Omit<Forge, 'organization'> & { organization?: string | null })[],
): Forge[] {
  const checked = forges.map(({ url, kind, organization }) => ({
    url: checkedUrl(url.trim()),
    kind,
    organization: checkedOrganization(organization ?? null),
  }));
  const keys = checked.map(({ kind, organization }) => `${kind} ${organization?.toLowerCase() ?? ''}`);
  if (new Set(keys).size < keys.length) {
    throw invalid('Must have at most one forge of each kind for an organization, and one for all others.');
  }
  return checked;
}

function checkedUrl(text: string): string {
  const url = plainAddress.test(text) ? URL.parse(text) : null;
  if (!url || text.length > maxForgeUrl) {
    throw invalid('Must be addresses such as https://git.example.com, without user, query and fragment.');
  }
  return url.href.replace(/\/$/, '');
}

function checkedOrganization(text: string | null): string | null {
  const path = text?.trim() ?? '';
  if (!isPlainName(path)) throw invalid(plainNameRule);
  return path === '' ? null : path;
}

function invalid(message: Sentence): DomainError {
  return invalidInput(message, 'forges');
}

/** Reads the name of a repository from the URL of its remote. */
import { parseUrl } from '../parse-url.ts';

/**
 * Returns `org/name`, with all groups between. Returns null if the URL has no such name, for example for a directory.
 */
export function repositoryOfUrl(url: string): string | null {
  const path = pathOf(url.trim());
  if (path === null) return null;
  const parts = path
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .split('/')
    .filter((part) => part !== '');
  // Bitbucket Server puts `scm` before the name. Azure DevOps puts `_git` into it, and `v3` before it over ssh.
  const [first] = parts;
  const named = (first === 'scm' || first === 'v3' ? parts.slice(1) : parts).filter(
    (part) => part !== '_git',
  );
  return named.length >= 2 ? named.map(decoded).join('/') : null;
}

/**
 * True if this name from a remote is that of the repository, or ends with it: below a path of the server, or of a
 * mirror.
 */
export function isNameOf(name: string, repo: string): boolean {
  return `/${name}`.toLowerCase().endsWith(`/${repo}`.toLowerCase());
}

/** True if this name from a remote is that of the repository at the top of a server, or below one of these paths. */
export function isNameBelow(name: string, repo: string, paths: readonly string[]): boolean {
  const full = `/${name}`.toLowerCase();
  return ['', ...paths].some((path) => full === `${path.replace(/\/+$/, '')}/${repo}`.toLowerCase());
}

function pathOf(url: string): string | null {
  const parsed = /^[a-z][a-z0-9+.-]*:\/\//i.test(url) ? parseUrl(url) : null;
  if (parsed) return parsed.protocol === 'file:' ? null : parsed.pathname;
  // Matches git@host:org/name.git. A drive letter is not a host.
  return /^(?:[^/@\s]+@)?[^/:\s]{2,}:(?!\/\/)(.+)$/.exec(url)?.[1] ?? null;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

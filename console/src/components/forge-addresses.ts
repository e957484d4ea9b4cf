/**
 * Addresses of files, commits, branches, tags and pull requests at forges. The host is one of this file or of the
 * settings of the workspace, and every part from a report is encoded.
 */
import { encodeSegments } from './encode-segments.ts';

/** The names of the API. A kind that this file does not know has no links. */
export interface ForgeSite {
  kind: string;
  url: string;
}

export interface Forge extends ForgeSite {
  organization: string | null;
}

export interface ForgeReference {
  ref: string;
  type: string;
}

export type ForgeTarget =
  | {
      type: 'file';
      path: string;
      line: number | null;
      /** Without it, the link leads to the file on the branch or tag. */
      sha: string | null;
      reference: ForgeReference;
    }
  | { type: 'commit'; sha: string }
  | { type: 'reference'; reference: ForgeReference };

interface PublicForge extends ForgeSite {
  name: string;
}

/** Source of a repository, as the API calls it → the public forge. */
const publicForges: Record<string, PublicForge> = {
  ghc: { kind: 'github', url: 'https://github.com', name: 'GitHub' },
  gitlab: { kind: 'gitlab', url: 'https://gitlab.com', name: 'GitLab' },
  bitbucket: { kind: 'bitbucket', url: 'https://bitbucket.org', name: 'Bitbucket' },
  azure_devops: { kind: 'azure_devops', url: 'https://dev.azure.com', name: 'Azure DevOps' },
};

/** Source of a repository → the kinds of forges that may hold it. A report without an id makes it local. */
const kindsOf: Record<string, string[]> = {
  ghe: ['github'],
  gitlab: ['gitlab'],
  bitbucket: ['bitbucket', 'bitbucket_data_center'],
  azure_devops: ['azure_devops'],
  local: ['github', 'gitlab', 'bitbucket', 'bitbucket_data_center', 'azure_devops', 'gitea'],
};

/** The forge of the workspace for the nearest organization, else the public one; null if there is none. */
export function forgeOf(source: string, organization: string, forges: Forge[]): ForgeSite | null {
  const path = `${organization.toLowerCase()}/`;
  const [nearest] = forges
    .map((forge) => ({
      forge,
      prefix: forge.organization === null ? '' : `${forge.organization.toLowerCase()}/`,
    }))
    .filter(({ forge, prefix }) => kindsOf[source]?.includes(forge.kind) && path.startsWith(prefix))
    .toSorted((a, b) => b.prefix.length - a.prefix.length);
  return nearest?.forge ?? publicForges[source] ?? null;
}

/** The name of a public forge, the host of another. */
export function forgeName({ url }: ForgeSite): string {
  const known = Object.values(publicForges).find((forge) => forge.url === url);
  return known?.name ?? URL.parse(url)?.host ?? url;
}

/** A branch, tag or commit, with its name encoded. */
interface Version {
  type: 'branch' | 'tag' | 'commit';
  name: string;
}

/** The paths of a repository's pages, relative to the address of the repository. */
interface Pages {
  /** Number of parts of a full name. Null means any number of groups. */
  nameParts: number | null;
  repository?: (name: string[]) => string;
  file: (version: Version, path: string, line: number | null) => string;
  commit: (sha: string) => string;
  branch: (name: string) => string;
  tag: (name: string) => string;
  pullRequest: (number: string) => string;
}

const pagesOf: Record<string, Pages> = {
  github: {
    nameParts: 2,
    file: ({ name }, path, line) => `/blob/${name}/${path}${anchor('L', line)}`,
    commit: (sha) => `/commit/${sha}`,
    branch: (name) => `/tree/${name}`,
    tag: (name) => `/releases/tag/${name}`,
    pullRequest: (number) => `/pull/${number}`,
  },
  gitlab: {
    nameParts: null,
    file: ({ name }, path, line) => `/-/blob/${name}/${path}${anchor('L', line)}`,
    commit: (sha) => `/-/commit/${sha}`,
    branch: (name) => `/-/tree/${name}`,
    tag: (name) => `/-/tags/${name}`,
    pullRequest: (number) => `/-/merge_requests/${number}`,
  },
  bitbucket: {
    nameParts: 2,
    file: ({ name }, path, line) => `/src/${name}/${path}${anchor('lines-', line)}`,
    commit: (sha) => `/commits/${sha}`,
    branch: (name) => `/branch/${name}`,
    tag: (name) => `/commits/tag/${name}`,
    pullRequest: (number) => `/pull-requests/${number}`,
  },
  bitbucket_data_center: {
    nameParts: 2,
    repository: ([project, name]) => `projects/${project}/repos/${name}`,
    file: (version, path, line) => `/browse/${path}?at=${fullRef(version)}${anchor('', line)}`,
    commit: (sha) => `/commits/${sha}`,
    branch: (name) => `/browse?at=${fullRef({ type: 'branch', name })}`,
    tag: (name) => `/browse?at=${fullRef({ type: 'tag', name })}`,
    pullRequest: (number) => `/pull-requests/${number}`,
  },
  azure_devops: {
    nameParts: 3,
    repository: ([organization, project, name]) => `${organization}/${project}/_git/${name}`,
    file: ({ type, name }, path, line) => {
      const version = `${{ commit: 'GC', branch: 'GB', tag: 'GT' }[type]}${inQuery(name)}`;
      const lines =
        line === null ? '' : `&line=${line}&lineEnd=${line + 1}&lineStartColumn=1&lineEndColumn=1`;
      return `?path=${inQuery(`/${path}`)}&version=${version}${lines}`;
    },
    commit: (sha) => `/commit/${sha}`,
    branch: (name) => `?version=GB${inQuery(name)}`,
    tag: (name) => `?version=GT${inQuery(name)}`,
    pullRequest: (number) => `/pullrequest/${number}`,
  },
  gitea: {
    nameParts: 2,
    file: ({ type, name }, path, line) => `/src/${type}/${name}/${path}${anchor('L', line)}`,
    commit: (sha) => `/commit/${sha}`,
    branch: (name) => `/src/branch/${name}`,
    tag: (name) => `/src/tag/${name}`,
    pullRequest: (number) => `/pulls/${number}`,
  },
};

function anchor(prefix: string, line: number | null): string {
  return line === null ? '' : `#${prefix}${line}`;
}

function inQuery(encoded: string): string {
  return encoded.replaceAll('/', '%2F');
}

/** A name of Bitbucket Data Center that is clearly a branch or clearly a tag. */
function fullRef({ type, name }: Version): string {
  return type === 'commit' ? name : inQuery(`refs/${type === 'tag' ? 'tags' : 'heads'}/${name}`);
}

/** The target's page at the forge; null if a name does not fit, or if a needed value is unknown. */
export function forgeAddress(forge: ForgeSite, fullName: string, target: ForgeTarget): string | null {
  const pages = pagesOf[forge.kind];
  const name = encodeSegments(fullName);
  if (pages === undefined || name === null || !forge.url.startsWith('https://')) return null;
  if (pages.nameParts === null ? name.length < 2 : name.length !== pages.nameParts) return null;
  const page = pageOf(pages, target);
  return page === null ? null : `${forge.url}/${pages.repository?.(name) ?? name.join('/')}${page}`;
}

function pageOf(pages: Pages, target: ForgeTarget): string | null {
  switch (target.type) {
    case 'file': {
      const version = commitOf(target.sha) ?? versionOf(target.reference);
      const path = encodeSegments(target.path)?.join('/');
      return version && path !== undefined ? pages.file(version, path, target.line) : null;
    }
    case 'commit': {
      const commit = commitOf(target.sha);
      return commit && pages.commit(commit.name);
    }
    case 'reference': {
      const pull = pullRequestNumber(target.reference);
      if (pull !== null) return pages.pullRequest(pull);
      const version = versionOf(target.reference);
      return version && pages[version.type](version.name);
    }
  }
}

function commitOf(sha: string | null): Version | null {
  return sha !== null && /^[0-9a-f]{7,64}$/i.test(sha) ? { type: 'commit', name: sha } : null;
}

function versionOf({ ref, type }: ForgeReference): Version | null {
  if (type !== 'branch' && type !== 'tag') return null;
  const name = encodeSegments(ref)?.join('/');
  return name === undefined ? null : { type, name };
}

/**
 * The number of a pull request. The forge decides the form of its address. A report may name a merge request of GitLab
 * by its number, and Merlon calls it refs/pull/7/head then.
 */
export function pullRequestNumber({ ref, type }: ForgeReference): string | null {
  if (type !== 'pull_request') return null;
  return (
    /^refs\/(?:pull|merge-requests|pull-requests)\/(\d{1,18})\/(?:head|merge|from)$/.exec(ref)?.[1] ?? null
  );
}

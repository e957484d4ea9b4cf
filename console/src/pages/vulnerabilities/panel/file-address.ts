/**
 * Addresses of files at forges. The host is one of this file or of the settings of the workspace, and every part from a
 * report is encoded.
 */
import { encodedParts } from './outer-addresses.ts';

/** As the API calls them; a kind that this file does not know has no links. */
export interface ForgeSite {
  kind: string;
  url: string;
}

export interface Forge extends ForgeSite {
  organization: string | null;
}

export interface ForgeFile {
  forge: ForgeSite;
  fullName: string;
  sha: string | null;
  /** The branch or tag, if the commit is not known. */
  ref: string;
  refType: string;
  path: string;
  line: number | null;
}

/** Source of a repository, as the API calls it → the public forge. */
const publicForges: Record<string, ForgeSite> = {
  ghc: { kind: 'github', url: 'https://github.com' },
  gitlab: { kind: 'gitlab', url: 'https://gitlab.com' },
  bitbucket: { kind: 'bitbucket', url: 'https://bitbucket.org' },
  azure_devops: { kind: 'azure_devops', url: 'https://dev.azure.com' },
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

/** The page of a file at its forge; null if its name does not fit, or if neither commit nor branch is known. */
export function fileAddress({ forge, fullName, sha, ref, refType, path, line }: ForgeFile): string | null {
  const name = encodedParts(fullName);
  const place = encodedParts(path)?.join('/');
  const commit = sha !== null && /^[0-9a-f]{7,64}$/i.test(sha) ? sha : null;
  const branch = refType === 'branch' ? ref : null;
  const at = encodedParts(commit ?? branch ?? '')?.join('/');
  if (name === null || place === undefined || at === undefined) return null;
  const parts = partsOf[forge.kind];
  if (parts === undefined ? name.length < 2 : name.length !== parts) return null;
  const anchor = (prefix: string): string => (line === null ? '' : `#${prefix}${line}`);
  const repository = `${forge.url}/${name.join('/')}`;
  switch (forge.kind) {
    case 'github':
      return `${repository}/blob/${at}/${place}${anchor('L')}`;
    case 'gitlab':
      return `${repository}/-/blob/${at}/${place}${anchor('L')}`;
    case 'bitbucket':
      return `${repository}/src/${at}/${place}${anchor('lines-')}`;
    case 'bitbucket_data_center': {
      const version = encodeURIComponent(commit ?? `refs/heads/${ref}`);
      return `${forge.url}/projects/${name[0]}/repos/${name[1]}/browse/${place}?at=${version}${anchor('')}`;
    }
    case 'gitea':
      return `${repository}/src/${commit === null ? 'branch' : 'commit'}/${at}/${place}${anchor('L')}`;
    case 'azure_devops': {
      const version = commit === null ? `GB${encodeURIComponent(ref)}` : `GC${commit}`;
      const lines =
        line === null ? '' : `&line=${line}&lineEnd=${line + 1}&lineStartColumn=1&lineEndColumn=1`;
      const query = `path=${encodeURIComponent(`/${path}`)}&version=${version}${lines}`;
      return `${forge.url}/${name[0]}/${name[1]}/_git/${name[2]}?${query}`;
    }
    default:
      return null;
  }
}

/** How many parts a full name has; that of GitLab has any number of groups. */
const partsOf: Record<string, number> = {
  github: 2,
  bitbucket: 2,
  bitbucket_data_center: 2,
  gitea: 2,
  azure_devops: 3,
};

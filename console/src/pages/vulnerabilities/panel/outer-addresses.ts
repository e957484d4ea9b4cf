/**
 * Addresses at other sites for ids, packages and files. The host is always one of this file, and every part from a
 * report is encoded.
 */

/** The page of a CVE or GHSA id; null for other ids. */
export function advisoryAddress(id: string): string | null {
  if (/^CVE-\d{4}-\d{4,19}$/i.test(id)) return `https://www.cve.org/CVERecord?id=${id.toUpperCase()}`;
  if (/^GHSA(?:-[2-9cfghjmpqrvwx]{4}){3}$/i.test(id)) {
    return `https://github.com/advisories/${id.replace(/^ghsa/i, 'GHSA')}`;
  }
  return null;
}

export function weaknessAddress(cwe: string): string | null {
  const [, number] = /^CWE-(\d{1,6})$/.exec(cwe) ?? [];
  return number === undefined ? null : `https://cwe.mitre.org/data/definitions/${number}.html`;
}

/** Type of a package URL → the page of the package, from its encoded namespace and name. */
const registries: Record<string, (name: string[]) => string | null> = {
  npm: (name) => `https://www.npmjs.com/package/${name.join('/')}`,
  pypi: (name) => `https://pypi.org/project/${name.join('/')}/`,
  maven: ([group, artifact]) =>
    artifact === undefined ? null : `https://central.sonatype.com/artifact/${group}/${artifact}`,
  golang: (name) => `https://pkg.go.dev/${name.join('/')}`,
  cargo: (name) => `https://crates.io/crates/${name.join('/')}`,
  gem: (name) => `https://rubygems.org/gems/${name.join('/')}`,
  nuget: (name) => `https://www.nuget.org/packages/${name.join('/')}`,
  composer: (name) => `https://packagist.org/packages/${name.join('/')}`,
  hex: (name) => `https://hex.pm/packages/${name.join('/')}`,
  pub: (name) => `https://pub.dev/packages/${name.join('/')}`,
};

/** The page of a package at the registry of its type; null if its type has none here. */
export function packageAddress(purl: string): string | null {
  const [, type = '', name = ''] = /^pkg:([a-z]+)\/([^@?#]+)/.exec(purl) ?? [];
  const parts = encodedParts(name, decode);
  return parts && (registries[type]?.(parts) ?? null);
}

export interface ForgeFile {
  /** The API's name of the system that the repository comes from. */
  source: string;
  fullName: string;
  sha: string | null;
  /** The branch or tag, if the commit is not known. */
  ref: string;
  refType: string;
  path: string;
  line: number | null;
}

/** The page of a file at the repository's forge; null for other forges, and if neither commit nor branch is known. */
export function fileAddress(file: ForgeFile): string | null {
  const name = encodedParts(file.fullName);
  const path = encodedParts(file.path);
  const commit = file.sha !== null && /^[0-9a-f]{7,64}$/i.test(file.sha) ? file.sha : null;
  const branch = file.refType === 'branch' ? file.ref : null;
  const at = encodedParts(commit ?? branch ?? '')?.join('/');
  if (name === null || path === null || at === undefined) return null;
  const { line } = file;
  const place = path.join('/');
  const anchor = (prefix: string): string => (line === null ? '' : `#${prefix}${line}`);
  switch (file.source) {
    case 'ghc':
      return name.length === 2
        ? `https://github.com/${name.join('/')}/blob/${at}/${place}${anchor('L')}`
        : null;
    case 'gitlab':
      return `https://gitlab.com/${name.join('/')}/-/blob/${at}/${place}${anchor('L')}`;
    case 'bitbucket':
      return name.length === 2
        ? `https://bitbucket.org/${name.join('/')}/src/${at}/${place}${anchor('lines-')}`
        : null;
    case 'azure_devops': {
      // Without the organization there is no address.
      const [organization, project, repository] = name;
      if (name.length !== 3) return null;
      const version = commit === null ? `GB${encodeURIComponent(file.ref)}` : `GC${commit}`;
      const lines =
        line === null ? '' : `&line=${line}&lineEnd=${line + 1}&lineStartColumn=1&lineEndColumn=1`;
      const query = `path=${encodeURIComponent(`/${file.path}`)}&version=${version}${lines}`;
      return `https://dev.azure.com/${organization}/${project}/_git/${repository}?${query}`;
    }
    default:
      return null;
  }
}

/** Null if a part is empty or would lead elsewhere. */
function encodedParts(text: string, read: (part: string) => string = (part) => part): string[] | null {
  const parts = text.split('/').map(read);
  const isOdd = parts.some((part) => part === '' || part === '.' || part === '..' || !part.isWellFormed());
  return isOdd ? null : parts.map((part) => encodeURIComponent(part).replaceAll('%40', '@'));
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

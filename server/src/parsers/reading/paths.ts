/**
 * The way from a tool's text to a path relative to the repository's root: forward slashes, no `.`, no `..` that
 * escapes, no checkout directory. It must never touch a file system.
 */
import { maxPathLength } from './limits.ts';
import { remember } from './remember.ts';

// Build services put the checkout here. The patterns are for absolute paths only, one per service, each bound to the
// start and to whole segments.
const checkouts: readonly RegExp[] = [
  /^github\/workspace\//,
  /^__w\/[^/]+\/[^/]+\//, // GitHub, job in a container
  /^home\/runner\/_?work\/[^/]+\/[^/]+\//,
  /^(?:[^/]+\/){0,4}actions-runner\/_work\/[^/]+\/[^/]+\//,
  /^Users\/runner\/work\/[^/]+\/[^/]+\//,
  /^builds\/[^/]+\/[^/]+\//, // GitLab
  /^home\/gitlab-runner\/builds\/[^/]+\/[0-9]+\/[^/]+\/[^/]+\//,
  /^home\/jenkins\/(?:agent\/)?workspace\/[^/]+\//,
  /^var\/(?:lib\/jenkins|jenkins_home)\/workspace\/[^/]+\//,
  /^(?:[^/]+\/){0,6}(?:_work|work|a|agent|VSTSBuilds)\/[0-9]+\/s\//, // Azure
  /^a\/([^/]+)\/\1\//, // GitHub on Windows: D:/a/project/project/
  /^home\/circleci\/(?:project|repo)\//,
  /^opt\/atlassian\/pipelines\/agent\/build\//,
  /^home\/travis\/build\/[^/]+\/[^/]+\//,
  /^(?:drone|woodpecker)\/src\//,
  /^workspace\/source\//,
  // AWS CodeBuild has another number in each build. The source is there, or below its address.
  /^codebuild\/output\/src[0-9]+\/src\/(?:github\.com|gitlab\.com|bitbucket\.org)\/[^/]+\/[^/]+\//,
  /^codebuild\/output\/src[0-9]+\/src\/git-codecommit\.[^/]+\/v1\/repos\/[^/]+\//,
  /^codebuild\/output\/src[0-9]+\/src\/(?:s3\/[0-9]+\/)?/,
  /^(?:[^/]+\/){0,4}buildkite(?:-agent)?\/builds\/[^/]+\/[^/]+\/[^/]+\//,
];

/** The path at a code host's web address: `/org/project/blob/<revision>/<path>`. */
const codeHostPath = /^\/[^/]+\/.{1,200}?\/(?:-\/)?(?:blob|raw|tree)\/[^/]+\/(.+)$/;

interface Base {
  /** The absolute URI at the end of the chain of bases; null if only names are known. */
  root: string | null;
  /** The relative part between that root and the base. It is empty or ends with a slash. */
  below: string;
}

/** The names of the report's roots. */
export type BaseUris = ReadonlyMap<string, Base>;

// dependency-check names a package of a lock file after its path: `package-lock.json?/@scope/name:1.2.3`.
const packageOfLockFile =
  /((?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.ya?ml))\?.*$/s;

/**
 * Gives a path with forward slashes, without empty, `.` or `..` segments, at most 4,096 characters, in NFC: tools on
 * macOS write an accented letter as two characters, and others as one. Gives null if nothing is left.
 */
export function normalisePath(path: string): string | null {
  return plainPath.test(path) ? path : normaliseOther(path);
}

/** Most paths are relative and have nothing to normalise. */
const plainPath =
  /^(?:[A-Za-z0-9_@+-][A-Za-z0-9_.@+-]{0,200}\/){0,15}[A-Za-z0-9_@+-][A-Za-z0-9_.@+-]{0,200}$/;

const normaliseOther = remember((path: string): string | null => {
  const kept: string[] = [];
  const file = path.slice(0, maxPathLength).replaceAll('\\', '/').replace(packageOfLockFile, '$1');
  for (const segment of file.split('/')) {
    if (segment === '..') kept.pop();
    else if (segment !== '' && segment !== '.') kept.push(segment);
  }
  const joined = kept
    .join('/')
    .replace(/\p{Cc}/gu, '')
    .normalize('NFC')
    .slice(0, maxPathLength)
    .toWellFormed();
  return joined.trim() === '' ? null : joined;
});

/**
 * Reads a path that is no URI, as command-line tools write it. An absolute one loses the checkout directory. Gives null
 * if the report has no path.
 */
export function repositoryPath(path: string | null): string | null {
  if (path === null) return null;
  const slashed = path.replaceAll('\\', '/');
  if (!isAbsolute(slashed)) return normalisePath(slashed);
  return stripCheckout(slashed).path;
}

/**
 * Reads a SARIF artifact location.
 * `baseId` names the root that `uri` is relative to. Such a root counts as the repository's root, whatever directory it
 * was on the build machine. An exception is a root inside a known checkout or at the root of the file system.
 */
export function pathOfUri(uri: string, baseId: string | null, bases: BaseUris): string | null {
  if (bases.size === 0 && plainPath.test(uri)) return uri;
  const decoded = splitUri(uri.trim());
  if (decoded.kind === 'web') return decoded.path;
  if (decoded.kind === 'file' || isAbsolute(decoded.path)) {
    return pathOfAbsolute(decoded.path, decoded.kind === 'file', bases);
  }
  const base = baseId === null ? undefined : bases.get(baseId);
  if (base === undefined) return normalisePath(decoded.path);
  const relative = normalisePath(`${base.below}${normalisePath(decoded.path) ?? ''}`);
  const root = base.root === null ? null : splitUri(base.root);
  if (relative === null || root === null || root.kind === 'web') return relative;
  const stripped = stripCheckout(`${root.path}/${relative}`);
  const rootIsFileSystem = normalisePath(dropDrive(root.path)) === null;
  return stripped.known || rootIsFileSystem ? stripped.path : relative;
}

function pathOfAbsolute(path: string, isFileUri: boolean, bases: BaseUris): string | null {
  const stripped = stripCheckout(path);
  if (stripped.known) return stripped.path;
  const plain = normalisePath(dropDrive(path)) ?? '';
  for (const base of bases.values()) {
    if (base.root === null) continue;
    const root = splitUri(base.root);
    const prefix = root.kind === 'web' ? null : normalisePath(dropDrive(root.path));
    if (prefix !== null && plain.startsWith(`${prefix}/`)) return plain.slice(prefix.length + 1);
  }
  // Containers mount the source at /src, but a plain "/src/main.tf" may be a folder of the repository.
  if (isFileUri && plain.startsWith('src/')) return plain.slice('src/'.length);
  return plain === '' ? null : plain;
}

/**
 * Follows bases that are relative to other bases. A base without a URI, or in a circle, is the repository itself.
 * `table` is SARIF's `originalUriBaseIds`, reduced to the two fields that are needed.
 */
export function resolveBases(
  table: ReadonlyMap<string, { uri: string | null; uriBaseId: string | null }>,
): BaseUris {
  const bases = new Map<string, Base>();
  for (const name of table.keys()) {
    let root: string | null = null;
    let below = '';
    // Real reports have two levels, so eight are enough. The bound also ends circles.
    let next: string | null = name;
    for (let step = 0; step < 8 && next !== null && root === null; step++) {
      const entry = table.get(next);
      if (entry === undefined) break;
      if (entry.uri !== null) {
        const parts = splitUri(entry.uri);
        if (parts.kind === 'path' && !isAbsolute(parts.path)) {
          const part = normalisePath(parts.path);
          below = part === null ? below : `${part}/${below}`;
        } else {
          root = entry.uri;
        }
      }
      next = entry.uriBaseId;
    }
    bases.set(name, { root, below });
  }
  return bases;
}

type SplitUri = { kind: 'file' | 'path'; path: string } | { kind: 'web'; path: string | null };

function splitUri(uri: string): SplitUri {
  const slashed = uri.slice(0, maxPathLength).replaceAll('\\', '/');
  if (/^https?:\/\//i.test(slashed)) return { kind: 'web', path: webPath(slashed) };
  const file = /^file:(.*)$/is.exec(slashed)?.[1];
  if (file === undefined) return { kind: 'path', path: decodePercent(slashed).replaceAll('\\', '/') };
  // The forms are file://host/path, file:///path, file:/path, and the four slashes that some tools write.
  const withoutHost = /^\/\/[^/]/.test(file) ? file.replace(/^\/\/[^/]+/, '') : file;
  // file://C:/path has its drive in place of the host.
  const path = /^\/\/[A-Za-z]:/.test(file) ? file.slice(2) : withoutHost;
  return { kind: 'file', path: decodePercent(path).replaceAll('\\', '/') };
}

/** Returns a code host's path inside the repository, else the address without user, query and fragment. */
function webPath(address: string): string | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  const path = decodePercent(url.pathname);
  const inRepository = codeHostPath.exec(path)?.[1];
  if (inRepository !== undefined) return normalisePath(inRepository);
  return `${url.protocol}//${url.host}${path}`.replace(/\p{Cc}/gu, '').toWellFormed();
}

/** Sequences that are no UTF-8 stay as they are, because tools that do not encode write a bare `%`. */
function decodePercent(text: string): string {
  if (!text.includes('%')) return text;
  return text.replace(/(?:%[0-9A-Fa-f]{2})+/g, (run) => {
    try {
      return decodeURIComponent(run);
    } catch {
      return run;
    }
  });
}

function isAbsolute(path: string): boolean {
  return path.startsWith('/') || /^[A-Za-z]:\//.test(path);
}

function dropDrive(path: string): string {
  return path.replace(/^\/*[A-Za-z]:(?=\/|$)/, '');
}

/**
 * Gives an absolute path without drive, leading slash and checkout directory. `known` says that a checkout directory
 * was recognised.
 */
function stripCheckout(path: string): { path: string | null; known: boolean } {
  const plain = normalisePath(dropDrive(path));
  if (plain === null) return { path: null, known: false };
  for (const checkout of checkouts) {
    const prefix = checkout.exec(plain)?.[0];
    if (prefix !== undefined) return { path: plain.slice(prefix.length), known: true };
  }
  return { path: plain, known: false };
}

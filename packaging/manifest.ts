/**
 * The package.json of a published package: that of its workspace, with the version of the root, and with the fields of
 * `publishConfig` in place of its own. pnpm does the same, but npm reads only registry settings there.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Manifest {
  name: string;
  version?: string;
  private?: boolean;
  homepage?: string;
  repository?: { type: string; url: string; directory?: string };
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  publishConfig?: { access: string; provenance: boolean };
}

/** The folders of the workspaces that a published package holds, by their names. */
const bundled: Record<string, string> = {
  '@merlon/client': 'client',
  '@merlon/embedded-postgres': 'packages/embedded-postgres',
  '@merlon/terminal': 'packages/terminal',
  '@merlon/yaml': 'packages/yaml',
};

export function publishedManifest(root: string, folder: string): Manifest {
  const read = (path: string): Manifest => JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'));
  const { version, homepage, repository } = read('.');
  const { private: _, devDependencies, dependencies, publishConfig, ...manifest } = read(folder);
  if (!version || !homepage || !repository || !publishConfig)
    throw new Error(`${folder} lacks what is published`);
  const { access, provenance, ...published } = publishConfig;
  return {
    ...manifest,
    version,
    homepage,
    repository: { ...repository, directory: folder },
    ...{ files: ['bin', 'dist', 'deploy'] },
    ...published,
    // The file of the command line holds its libraries.
    ...(folder === 'cli' || !dependencies ? {} : { dependencies: librariesOf(dependencies, read) }),
    publishConfig: { access, provenance },
  };
}

/** The dependencies from the registry. A workspace is replaced by its own. */
function librariesOf(
  dependencies: Record<string, string>,
  read: (folder: string) => Manifest,
): Record<string, string> {
  const found = Object.entries(dependencies).flatMap(([name, version]) => {
    const folder = bundled[name];
    if (folder === undefined) return [[name, version] as const];
    return Object.entries(librariesOf(read(folder).dependencies ?? {}, read));
  });
  return Object.fromEntries(found.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

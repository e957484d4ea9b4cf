/**
 * Builds the published files: a folder for each npm package, with its own package.json, and `merlon` as one file. A
 * checkout runs from its sources and needs none of it. The reasons are in docs/adr/0035-packages-from-a-build.md.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type InputOptions, type OutputOptions, rolldown } from 'rolldown';
import { licensesOf } from './licenses.ts';
import { type Manifest, publishedManifest } from './manifest.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

/** The published packages, by their folders. */
export const packageFolders = ['client', 'cli', 'server'] as const;
export type PackageFolder = (typeof packageFolders)[number];

/** The file of the command line, inside the folder of its package. */
export const commandFile = 'dist/merlon.cjs';

/** Fills `directory` again. The console must have been built. */
export async function buildPackages(directory: string): Promise<void> {
  rmSync(directory, { recursive: true, force: true });
  for (const name of packageFolders) {
    const folder = join(directory, name);
    const manifest = publishedManifest(root, name);
    mkdirSync(folder, { recursive: true });
    await builders[name](folder, manifest);
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
    cpSync(join(root, 'packaging', `${name}.md`), join(folder, 'README.md'));
  }
}

const builders: Record<PackageFolder, (folder: string, manifest: Manifest) => Promise<void>> = {
  async client(folder) {
    const args = ['-p', 'client/tsconfig.build.json', '--outDir', join(folder, 'dist')];
    execFileSync(join(root, 'node_modules/.bin/tsc'), args, { cwd: root, stdio: 'inherit' });
  },

  // One file with all libraries in it, because a job of CI has a Node but no install.
  async cli(folder, manifest) {
    const input: InputOptions = { input: 'packaging/merlon.ts', transform: { target: 'node20' } };
    await bundle(manifest, input, {
      file: join(folder, commandFile),
      format: 'cjs',
      codeSplitting: false,
      sourcemap: true,
      banner: '#!/usr/bin/env node',
      footer: (chunk) => licensesOf(chunk.moduleIds),
    });
  },

  // The server keeps its files and folders, so that files that it finds by a path exist: threads, processes, the
  // schema, the console. Workspaces that are not published are included; libraries stay dependencies.
  async server(folder, manifest) {
    const dist = join(folder, 'dist');
    const entries = ['main.ts', 'commands/processes/process.ts', 'ingest/prepare/parser-thread.ts'];
    const input: InputOptions = {
      input: entries.map((entry) => `server/src/${entry}`),
      external: /^(?!@merlon\/)[^./]/,
      transform: { target: 'node22' },
    };
    await bundle(manifest, input, {
      dir: dist,
      format: 'esm',
      preserveModules: true,
      preserveModulesRoot: root,
      sourcemap: true,
    });
    if (!existsSync(join(root, 'console/dist/index.html')))
      throw new Error('the console is not built: npm run build');
    // licenses.md in the folder of the console has the notices of its libraries.
    const files = [
      ...['console/dist', 'server/src/db/schema.sql', 'server/src/db/migrations'],
      'server/bin/keep-compiled-code.js',
    ];
    for (const path of files) cpSync(join(root, path), join(dist, path), { recursive: true });
    cpSync(join(root, 'packaging/merlond.js'), join(folder, 'bin/merlond.js'));
    // An install from npm has no checkout, so the package brings the samples for a server along.
    for (const samples of ['systemd', 'proxy', 'prometheus', 'grafana']) {
      cpSync(join(root, 'deploy', samples), join(folder, 'deploy', samples), { recursive: true });
    }
  },
};

/** Throws for a warning, and for a library that is neither in the bundle nor a dependency of the package. */
async function bundle(manifest: Manifest, input: InputOptions, output: OutputOptions): Promise<void> {
  const build = await rolldown({
    ...input,
    cwd: root,
    platform: 'node',
    onLog(level, log) {
      if (level === 'warn') throw new Error(log.message);
    },
  });
  const written = await build.write(output);
  await build.close();
  const files = new Set<string>(written.output.map(({ fileName }) => fileName));
  const imported = written.output.flatMap((file) =>
    file.type === 'chunk' ? [...file.imports, ...file.dynamicImports] : [],
  );
  for (const name of imported) {
    const library = name
      .split('/')
      .slice(0, name.startsWith('@') ? 2 : 1)
      .join('/');
    if (
      files.has(name) ||
      isBuiltin(name) ||
      { ...manifest.dependencies, ...manifest.peerDependencies }[library] !== undefined
    )
      continue;
    throw new Error(`${manifest.name} imports ${name}, which it does not depend on`);
  }
}

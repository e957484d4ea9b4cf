/**
 * The name of a file that lists packages tells its format, its language and the manifest that a lock file belongs to.
 * Only naming conventions count; this module must never look for another file.
 */

export interface ManifestKind {
  /** The name of the package manager (`npm`, `yarn`, `maven`), `image` or `sbom`; else the type of the packages. */
  manifest_type: string;
  language: string | null;
  /** Null if there is no file, or if the manifest can have several names. */
  manifest_file: string | null;
  lock_file: string | null;
  /** Always null, because Merlon does not group manifests. */
  group_key: null;
  uses_grouped_identity: false;
  display_name: string;
}

interface KnownFile {
  type: string;
  language: string | null;
  /** For a lock file the name of its manifest, null if several names are possible; a manifest leaves it out. */
  manifest?: string | null;
}

/** Each entry holds the format, the language, the manifests, and the lock files with the name of their manifest. */
const wellKnown: readonly [
  string,
  string | null,
  readonly string[],
  Readonly<Record<string, string | null>>,
][] = [
  [
    'npm',
    'javascript',
    ['package.json'],
    { 'package-lock.json': 'package.json', 'npm-shrinkwrap.json': 'package.json' },
  ],
  ['yarn', 'javascript', [], { 'yarn.lock': 'package.json' }],
  ['pnpm', 'javascript', ['pnpm-workspace.yaml'], { 'pnpm-lock.yaml': 'package.json' }],
  ['bun', 'javascript', [], { 'bun.lock': 'package.json', 'bun.lockb': 'package.json' }],
  ['deno', 'javascript', ['deno.json', 'deno.jsonc'], { 'deno.lock': 'deno.json' }],
  ['bower', 'javascript', ['bower.json'], {}],
  ['maven', 'java', ['pom.xml'], {}],
  [
    'gradle',
    'java',
    ['build.gradle', 'build.gradle.kts'],
    { 'gradle.lockfile': 'build.gradle', 'buildscript-gradle.lockfile': 'build.gradle' },
  ],
  ['ivy', 'java', ['ivy.xml'], {}],
  ['sbt', 'scala', ['build.sbt'], { 'build.sbt.lock': 'build.sbt' }],
  [
    'pip',
    'python',
    ['requirements.txt', 'requirements.in', 'constraints.txt', 'setup.py', 'setup.cfg', 'pyproject.toml'],
    { 'pylock.toml': 'pyproject.toml' },
  ],
  ['pipenv', 'python', ['Pipfile'], { 'Pipfile.lock': 'Pipfile' }],
  ['poetry', 'python', [], { 'poetry.lock': 'pyproject.toml' }],
  ['pdm', 'python', [], { 'pdm.lock': 'pyproject.toml' }],
  ['uv', 'python', [], { 'uv.lock': 'pyproject.toml' }],
  ['conda', 'python', ['environment.yml', 'environment.yaml'], { 'conda-lock.yml': 'environment.yml' }],
  ['gomod', 'go', ['go.mod'], { 'go.sum': 'go.mod' }],
  ['dep', 'go', ['Gopkg.toml'], { 'Gopkg.lock': 'Gopkg.toml' }],
  ['cargo', 'rust', ['Cargo.toml'], { 'Cargo.lock': 'Cargo.toml' }],
  ['bundler', 'ruby', ['Gemfile', 'gems.rb'], { 'Gemfile.lock': 'Gemfile', 'gems.locked': 'gems.rb' }],
  ['composer', 'php', ['composer.json'], { 'composer.lock': 'composer.json' }],
  [
    'nuget',
    'dotnet',
    ['packages.config', 'Directory.Packages.props', 'project.json'],
    { 'packages.lock.json': null, 'project.assets.json': null },
  ],
  ['paket', 'dotnet', ['paket.dependencies'], { 'paket.lock': 'paket.dependencies' }],
  ['mix', 'elixir', ['mix.exs'], { 'mix.lock': 'mix.exs' }],
  ['rebar', 'erlang', ['rebar.config'], { 'rebar.lock': 'rebar.config' }],
  ['pub', 'dart', ['pubspec.yaml'], { 'pubspec.lock': 'pubspec.yaml' }],
  ['cocoapods', 'swift', ['Podfile'], { 'Podfile.lock': 'Podfile' }],
  ['carthage', 'swift', ['Cartfile'], { 'Cartfile.resolved': 'Cartfile' }],
  ['swift', 'swift', ['Package.swift'], { 'Package.resolved': 'Package.swift' }],
  ['conan', 'cpp', ['conanfile.txt', 'conanfile.py'], { 'conan.lock': null }],
  ['vcpkg', 'cpp', ['vcpkg.json'], {}],
  ['stack', 'haskell', ['stack.yaml'], { 'stack.yaml.lock': 'stack.yaml' }],
  ['cabal', 'haskell', ['cabal.project'], { 'cabal.project.freeze': 'cabal.project' }],
  ['renv', 'r', [], { 'renv.lock': null }],
  ['julia', 'julia', ['Project.toml'], { 'Manifest.toml': 'Project.toml' }],
  ['helm', null, ['Chart.yaml'], { 'Chart.lock': 'Chart.yaml' }],
];

const byName: ReadonlyMap<string, KnownFile> = new Map(
  wellKnown.flatMap(([type, language, manifests, locks]): [string, KnownFile][] => [
    ...manifests.map((name): [string, KnownFile] => [name, { type, language }]),
    ...Object.entries(locks).map(([name, manifest]): [string, KnownFile] => [
      name,
      { type, language, manifest },
    ]),
  ]),
);

/** File names of which the author chooses a part. */
const byPattern: readonly (readonly [RegExp, KnownFile])[] = [
  [/^(?:.+[-_.])?requirements(?:[-_.].+)?\.(?:txt|in)$/i, { type: 'pip', language: 'python' }],
  [/\.(?:cs|fs|vb)proj$/i, { type: 'nuget', language: 'dotnet' }],
  [/\.nuspec$/i, { type: 'nuget', language: 'dotnet' }],
  [/\.deps\.json$/i, { type: 'nuget', language: 'dotnet', manifest: null }],
  [/\.gemspec$/i, { type: 'bundler', language: 'ruby' }],
  [/\.podspec$/i, { type: 'cocoapods', language: 'swift' }],
  [/\.cabal$/i, { type: 'cabal', language: 'haskell' }],
  [/\.(?:jar|war|ear)$/i, { type: 'maven', language: 'java' }],
];

/** Package URL type → language of the package, and of a file whose name tells no language. */
export const languagesByType: Readonly<Record<string, string>> = {
  npm: 'javascript',
  bower: 'javascript',
  maven: 'java',
  pypi: 'python',
  conda: 'python',
  golang: 'go',
  cargo: 'rust',
  gem: 'ruby',
  composer: 'php',
  nuget: 'dotnet',
  hex: 'elixir',
  pub: 'dart',
  cocoapods: 'swift',
  swift: 'swift',
  conan: 'cpp',
  hackage: 'haskell',
  cran: 'r',
};

/** `type` is the stored type of the manifest: the type of most of its packages, `image` or `sbom`. */
export function manifestKind(path: string, type: string): ManifestKind {
  const own = { group_key: null, uses_grouped_identity: false } as const;
  const isFile = type !== 'image' && type !== 'sbom' && path !== '.';
  const slash = path.lastIndexOf('/');
  const known = isFile ? findKnown(path.slice(slash + 1)) : undefined;
  const isLock = known?.manifest !== undefined;
  const beside = known?.manifest ? `${path.slice(0, slash + 1)}${known.manifest}` : null;
  return {
    manifest_type: known?.type ?? type,
    language: known === undefined ? languageOf(type) : known.language,
    manifest_file: isLock ? beside : isFile ? path : null,
    lock_file: isLock ? path : null,
    ...own,
    // A tool that names no file means the root of the repository.
    display_name: path === '.' ? `${type} packages` : path,
  };
}

function findKnown(name: string): KnownFile | undefined {
  return byName.get(name) ?? byPattern.find(([pattern]) => pattern.test(name))?.[1];
}

function languageOf(type: string): string | null {
  return Object.hasOwn(languagesByType, type) ? (languagesByType[type] ?? null) : null;
}

/**
 * The ways in which tools name a package's ecosystem: Trivy's type, the words of Grype and Snyk, a lock file's name, an
 * operating system's family. It must never guess from a package's name if two ecosystems could have it.
 */

/** The type and namespace of a package URL. */
export interface PurlEcosystem {
  type: string;
  namespace: string | null;
}

const system: Readonly<Record<string, string>> = {
  apk: 'alpine wolfi chainguard minimos',
  deb: 'debian ubuntu echo',
  rpm: 'centos redhat rocky alma amazon fedora oracle photon cbl-mariner azurelinux mariner opensuse suse openeuler',
  alpm: 'arch',
};

const systemTypes = new Map(
  Object.entries(system).flatMap(([type, families]) => families.split(' ').map((family) => [family, type])),
);

/** Reads an operating system's family as Trivy, Grype and Snyk name it; null for anything else. */
export function ecosystemOfSystem(family: string): PurlEcosystem | null {
  const plain = family.trim().toLowerCase();
  // Examples: "opensuse.leap", "opensuse-tumbleweed", "suse linux enterprise server", "sles", "rhel", "debian10".
  const known = /^opensuse/.test(plain)
    ? 'opensuse'
    : /^(?:suse|sles?|slem)\b/.test(plain)
      ? 'suse'
      : /^(?:rhel|redhat|red hat)/.test(plain)
        ? 'redhat'
        : /^amazon|^amzn/.test(plain)
          ? 'amazon'
          : /^oracle|^ol\b/.test(plain)
            ? 'oracle'
            : /^alma/.test(plain)
              ? 'alma'
              : /^rocky/.test(plain)
                ? 'rocky'
                : (/^[a-z][a-z-]*/.exec(plain)?.[0] ?? '').replace(/-$/, '');
  const type = systemTypes.get(known);
  return type === undefined ? null : { type, namespace: known };
}

/** The marks that distributions put into the version of a package. Not every package has one. */
export function ecosystemOfSystemVersion(version: string): PurlEcosystem | null {
  if (/ubuntu/.test(version)) return ecosystemOfSystem('ubuntu');
  if (/[+~]deb[0-9]/.test(version)) return ecosystemOfSystem('debian');
  if (/-r[0-9]+$/.test(version)) return ecosystemOfSystem('alpine');
  if (/\.amzn[0-9]/.test(version)) return ecosystemOfSystem('amazon');
  if (/\.fc[0-9]/.test(version)) return ecosystemOfSystem('fedora');
  return null;
}

/** Accepts only shapes of a package's name that a single ecosystem has. */
export function ecosystemOfPackageName(name: string): PurlEcosystem | null {
  if (/^@[^/]+\/[^/]+$/.test(name)) return ecosystemOfPackageManager('npm');
  if (/^[\w.-]+:[\w.-]+$/.test(name)) return ecosystemOfPackageManager('maven');
  if (/^[a-z0-9-]+\.[a-z]{2,}\/./i.test(name)) return ecosystemOfPackageManager('golang');
  return null;
}

const packageManagers: Readonly<Record<string, string>> = {
  npm: 'npm yarn pnpm node-pkg node bun javascript nodejs node.js js',
  pypi: 'pypi pip pipenv poetry uv setuptools python-pkg python pylock',
  golang: 'golang gomod gobinary gomodules golangdep go go-module govendor',
  maven: 'maven jar pom gradle sbt java java-archive gradle-lockfile jenkins-plugin',
  gem: 'gem bundler gemspec rubygems ruby',
  cargo: 'cargo rust rustbinary rust-binary rust-crate crates.io',
  composer: 'composer composer-vendor packagist php php-composer',
  nuget: 'nuget dotnet dotnet-core packages-props dotnet-deps paket',
  hex: 'hex elixir erlang',
  pub: 'pub dart dart-pub',
  swift: 'swift',
  cocoapods: 'cocoapods pod',
  conan: 'conan',
  conda: 'conda conda-pkg conda-environment',
  julia: 'julia',
  bitnami: 'bitnami',
  k8s: 'k8s kubernetes',
  deb: 'deb dpkg',
  rpm: 'rpm',
  apk: 'apk',
};

const typesByPackageManager = new Map(
  Object.entries(packageManagers).flatMap(([type, list]) => list.split(' ').map((name) => [name, type])),
);

/** Reads a tool's name of a package manager or a kind of package. */
export function ecosystemOfPackageManager(name: string): PurlEcosystem | null {
  const type = typesByPackageManager.get(name.trim().toLowerCase());
  return type === undefined ? null : { type, namespace: null };
}

const files: readonly (readonly [RegExp, string])[] = [
  [/^(?:package(?:-lock)?\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.ya?ml|bun\.lockb?)$/, 'npm'],
  [
    /^(?:(?:.*[-_.])?requirements.*\.txt|pipfile(?:\.lock)?|poetry\.lock|uv\.lock|pylock.*\.toml|pyproject\.toml|setup\.py|metadata|pkg-info|.*\.(?:whl|egg))$/,
    'pypi',
  ],
  [/^(?:go\.mod|go\.sum)$/, 'golang'],
  [/^(?:pom\.xml|gradle\.lockfile|.*\.gradle(?:\.kts)?|build\.sbt\.lock|.*\.(?:jar|war|ear|par))$/, 'maven'],
  [/^(?:gemfile(?:\.lock)?|gems\.locked|.*\.gemspec)$/, 'gem'],
  [/^cargo\.(?:lock|toml)$/, 'cargo'],
  [/^(?:composer\.(?:lock|json)|installed\.json)$/, 'composer'],
  [
    /^(?:packages\.lock\.json|packages\.config|project\.assets\.json|.*\.deps\.json|.*\.(?:cs|fs|vb)proj|.*packages\.props)$/,
    'nuget',
  ],
  [/^mix\.lock$/, 'hex'],
  [/^pubspec\.(?:lock|yaml)$/, 'pub'],
  [/^package\.(?:resolved|swift)$/, 'swift'],
  [/^podfile(?:\.lock)?$/, 'cocoapods'],
  [/^conan(?:\.lock|file\.(?:txt|py))$/, 'conan'],
];

/** Returns the ecosystem of a manifest, lock file or archive by its path. */
export function ecosystemOfFile(path: string): PurlEcosystem | null {
  const name = path
    .slice(path.lastIndexOf('/') + 1)
    .slice(0, 255)
    .toLowerCase();
  const type = files.find(([pattern]) => pattern.test(name))?.[1];
  return type === undefined ? null : { type, namespace: null };
}

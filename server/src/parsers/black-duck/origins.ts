/**
 * Black Duck's origins, which name ecosystem, package and version: `maven` and `group:artifact:1.0`, `npmjs` and
 * `@scope/name/1.0`, `debian` and `name/1.0/amd64`. A component without an origin has only a name of Black Duck's own.
 */
import { ecosystemOfPackageManager, ecosystemOfSystem, type PurlEcosystem } from '../reading/ecosystems.ts';
import type { ParseContext } from '../reading/limits.ts';
import { packageOfName } from '../reading/packages.ts';
import type { ReportPackage } from '../report.ts';

interface Origin {
  origin: string | null;
  originId: string | null;
  originVersion: string | null;
  component: string | null;
  version: string | null;
}

/** Names of origins that no other tool uses. */
const ownNames: Readonly<Record<string, string>> = {
  npmjs: 'npm',
  crates: 'cargo',
  anaconda: 'conda',
  goget: 'golang',
};

export function packageOfOrigin(written: Origin, context: ParseContext): ReportPackage | null {
  const origin = (written.origin ?? '').trim().toLowerCase().slice(0, 100);
  const id = written.originId?.slice(0, 1000) ?? null;
  const system = ecosystemOfSystem(origin.replace('_', ' '));
  if (id !== null && system !== null) {
    const [name = '', version = null] = id.split('/');
    return packageOfName(system, name, version ?? written.originVersion, context);
  }
  const ecosystem = ecosystemOf(origin);
  if (id !== null && ecosystem !== null) {
    const { name, version } = splitId(id, written.originVersion ?? written.version);
    return packageOfName(ecosystem, name, version, context);
  }
  return packageOfName({ type: 'generic', namespace: null }, written.component, written.version, context);
}

function ecosystemOf(origin: string): PurlEcosystem | null {
  if (origin === 'github') return { type: 'github', namespace: null };
  return ecosystemOfPackageManager(Object.hasOwn(ownNames, origin) ? (ownNames[origin] ?? '') : origin);
}

/** The version follows a colon or a slash, and either may be in the name too. */
function splitId(id: string, version: string | null): { name: string; version: string | null } {
  for (const sign of [':', '/']) {
    if (version !== null && id.endsWith(sign + version)) {
      return { name: id.slice(0, -(sign + version).length), version };
    }
  }
  const end = id.includes(':') ? id.lastIndexOf(':') : id.lastIndexOf('/');
  return end <= 0 ? { name: id, version } : { name: id.slice(0, end), version: id.slice(end + 1) };
}

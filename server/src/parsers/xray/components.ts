/**
 * Xray's component ids, which name ecosystem, package and version in one text: `npm://@green/hoe:1.2`,
 * `gav://group:artifact:1.0`, `deb://debian:bookworm:spade:1:2.28`, `alpine://3.20:spade:1.0-r0`.
 */
import { ecosystemOfPackageManager, ecosystemOfSystem, type PurlEcosystem } from '../reading/ecosystems.ts';
import type { ParseContext } from '../reading/limits.ts';
import { packageOfName } from '../reading/packages.ts';
import type { ReportPackage } from '../report.ts';

interface Component {
  ecosystem: PurlEcosystem;
  name: string;
  version: string | null;
}

export function packageOfComponent(id: string | null, context: ParseContext): ReportPackage | null {
  const component = componentOf((id ?? '').trim().slice(0, 1000));
  if (component === null) return null;
  return packageOfName(component.ecosystem, component.name, component.version, context);
}

function componentOf(id: string): Component | null {
  const split = id.indexOf('://');
  if (split <= 0) return null;
  const scheme = id.slice(0, split).toLowerCase();
  const parts = id.slice(split + '://'.length).split(':');
  // A release comes before the name: `debian:bookworm`, `3.20`, `7`. RPM ids rarely name the distribution.
  if (scheme === 'deb')
    return systemPackage(ecosystemOfSystem(parts[0] ?? '') ?? plain('deb'), parts.slice(2));
  if (scheme === 'alpine') {
    return systemPackage({ type: 'apk', namespace: 'alpine' }, parts.slice(parts.length > 2 ? 1 : 0));
  }
  if (scheme === 'rpm') {
    const system = parts.length > 4 ? ecosystemOfSystem(parts[0] ?? '') : null;
    const start = system === null ? Math.min(1, Math.max(0, parts.length - 3)) : 2;
    return systemPackage(system ?? plain('rpm'), parts.slice(start));
  }
  const ecosystem = scheme === 'gav' ? plain('maven') : ecosystemOfPackageManager(scheme);
  // `docker://` and `generic://` name the scanned artifact and no package.
  return ecosystem === null ? null : languagePackage(ecosystem, parts);
}

function plain(type: string): PurlEcosystem {
  return { type, namespace: null };
}

function systemPackage(ecosystem: PurlEcosystem, [name = '', ...version]: string[]): Component | null {
  return name === '' ? null : { ecosystem, name, version: version.join(':') || null };
}

/** Maven's group and artifact are two parts of the name. */
function languagePackage(ecosystem: PurlEcosystem, parts: string[]): Component | null {
  const nameParts = ecosystem.type === 'maven' ? 2 : 1;
  const name = parts.slice(0, nameParts).join(':');
  return name === '' ? null : { ecosystem, name, version: parts.slice(nameParts).join(':') || null };
}

const archive = /^(.{1,200}?)-([0-9][\w.+-]{0,100})\.(?:jar|war|ear)$/;

/**
 * Gives the package at the end of a path in an artifact: `…/3.12:openssl:1.1.1k-r0`, or an archive of Java, whose group
 * is unknown. `known` maps ids without their scheme to whole ids.
 */
export function packageOfPath(
  path: string,
  known: ReadonlyMap<string, string>,
  context: ParseContext,
): ReportPackage | null {
  const last = path.slice(0, 4096).replace(/\/+$/, '').split('/').at(-1) ?? '';
  const id = known.get(last);
  if (id !== undefined) return packageOfComponent(id, context);
  if (/^[0-9.]{1,10}:[^:]{1,200}:[^:]{1,100}-r[0-9]{1,4}$/.test(last)) {
    return packageOfComponent(`alpine://${last}`, context);
  }
  const [, name = null, version = null] = archive.exec(last) ?? [];
  return packageOfName(plain('maven'), name, version, context);
}

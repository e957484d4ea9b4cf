/**
 * The ways in which Checkmarx names packages: `Npm-lodash-4.17.20` and `Maven-group:artifact-1.0`, and for images the
 * name and version alone.
 */
import {
  ecosystemOfPackageManager,
  ecosystemOfPackageName,
  ecosystemOfSystemVersion,
} from '../reading/ecosystems.ts';
import { stringAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { packageOfName } from '../reading/packages.ts';
import type { ReportPackage } from '../report.ts';

const generic = { type: 'generic', namespace: null } as const;

/** `known` are steps of dependency paths, which have the name and version of an identifier in fields of their own. */
export function packageOfIdentifier(
  identifier: string | null,
  known: readonly unknown[],
  context: ParseContext,
): ReportPackage | null {
  // The version begins at the last number with a dot after it, or at a number at the end.
  const [, manager = null, name = null, version = null] =
    /^([A-Za-z]+)-(.+)-(v?[0-9]+(?:\.[^\s]{0,200})?)$/.exec((identifier ?? '').trim().slice(0, 1000)) ?? [];
  const step = known.find((one) => stringAt(one, 'id') === identifier);
  return packageOfManager(
    manager ?? /^([A-Za-z]+)-/.exec(identifier ?? '')?.[1] ?? null,
    stringAt(step, 'name') ?? name,
    stringAt(step, 'version') ?? version,
    context,
  );
}

export function packageOfManager(
  manager: string | null,
  name: string | null,
  version: string | null,
  context: ParseContext,
): ReportPackage | null {
  const ecosystem =
    (manager === null ? null : ecosystemOfPackageManager(manager)) ??
    ecosystemOfPackageName(name ?? '') ??
    generic;
  return packageOfName(ecosystem, name, version, context);
}

export function packageOfImage(
  name: string | null,
  version: string | null,
  context: ParseContext,
): ReportPackage | null {
  const ecosystem =
    ecosystemOfSystemVersion((version ?? '').slice(0, 500)) ??
    ecosystemOfPackageName((name ?? '').slice(0, 500)) ??
    generic;
  return packageOfName(ecosystem, name, version, context);
}

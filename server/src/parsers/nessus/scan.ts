/** The data of an export about the whole scan, in every encoding. */
import { pathGaps } from '../reading/gaps.ts';
import { hostLocation } from '../reading/host-locations.ts';
import type { Gap, ReportFinding } from '../report.ts';

export interface Scan {
  /** The name that a person gave the scan. */
  name: string | null;
  version: string | null;
  showsHosts: boolean;
  hasUnfinishedHosts: boolean;
  /** The findings of local checks on hosts that refused the credentials. */
  gaps: Gap[];
  findings: ReportFinding[];
}

export function newScan(): Scan {
  return {
    name: null,
    version: null,
    showsHosts: false,
    hasUnfinishedHosts: false,
    gaps: [],
    findings: [],
  };
}

/** The plug-in "Nessus Scan Information" (19506) writes the scanner's version. */
export function versionIn(plugin: string | null, output: string | null): string | null {
  if (plugin !== '19506' || output === null) return null;
  return /Nessus version : ([0-9][0-9.]{0,20})/.exec(output.slice(0, 4096))?.[1] ?? null;
}

/**
 * The plug-in "OS Security Patch Assessment Failed" (21745) says that local checks did not run on the host, mostly
 * because the credentials failed. Local checks report at no port, and those of Windows at the port of SMB.
 */
export function localCheckGaps(plugin: string | null, host: string | null): Gap[] {
  if (plugin !== '21745' || host === null) return [];
  return pathGaps([null, 445].map((port) => hostLocation(host, port)));
}

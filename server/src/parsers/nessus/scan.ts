/** The data of an export about the whole scan, in every encoding. */
import type { ReportFinding } from '../report.ts';

export interface Scan {
  /** The name that a person gave the scan. */
  name: string | null;
  version: string | null;
  showsHosts: boolean;
  hasUnfinishedHosts: boolean;
  findings: ReportFinding[];
}

export function newScan(): Scan {
  return {
    name: null,
    version: null,
    showsHosts: false,
    hasUnfinishedHosts: false,
    findings: [],
  };
}

/** The plug-in "Nessus Scan Information" (19506) writes the scanner's version. */
export function versionIn(plugin: string | null, output: string | null): string | null {
  if (plugin !== '19506' || output === null) return null;
  return /Nessus version : ([0-9][0-9.]{0,20})/.exec(output.slice(0, 4096))?.[1] ?? null;
}

/** The finding of one result: one plug-in on one host and port. It does not know the encoding of the export. */
import type { Severity } from '../../domain/packed-state.ts';
import { cvssOf } from '../reading/cvss.ts';
import { newEvidence } from '../reading/evidence.ts';
import { advisoriesIn, newFinding } from '../reading/finding.ts';
import { hostLocation } from '../reading/host-locations.ts';
import { asInteger, asNumber } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { cleanName, safeCode, safeLinks, safeText, safeTitle } from '../reading/text.ts';
import { addressesIn, webLocation } from '../reading/web-locations.ts';
import type { ReportFinding } from '../report.ts';

/** All texts are as the export writes them. */
export interface PluginResult {
  plugin: string | null;
  name: string | null;
  /** The check of an audit file; null for any other plug-in. */
  check: string | null;
  family: string | null;
  severity: Severity;
  cvss: ReportFinding['cvss'];
  /** Texts with the ids of CVEs. */
  cves: readonly string[];
  cwes: string[];
  /** The parts of the description. */
  texts: readonly (string | null)[];
  output: string | null;
  solution: string | null;
  /** Texts with web addresses. */
  links: readonly string[];
  /** A name, an address, or the web address that a web application scan names. */
  host: string | null;
  port: string | null;
  protocol: string | null;
  /** The parameter of a web application. */
  parameter: string | null;
  suppression: ReportFinding['suppression'];
  /** True if Nessus used an exploit. An exploit that only exists proves nothing about this host. */
  isExploited: boolean;
}

type Row = ReportFinding | { unreadable: string };

export function findingOf(result: PluginResult, pointer: string, context: ParseContext): Row {
  const { plugin, name, check, output } = result;
  const title = check ?? name;
  if (plugin === null && title === null) return { unreadable: 'The row has neither a plug-in nor a name.' };
  // One plug-in makes all checks of an audit file, so the check's name tells them apart.
  const rule = cleanName(
    [plugin, check].filter((part) => part !== null).join(': ') || (title ?? ''),
    context,
  );
  const isWebAddress = /^https?:\/\//i.test(result.host ?? '');
  return newFinding({
    pointer,
    type: isWebAddress || isAboutWeb(result.family) ? 'dast' : 'other',
    severity: result.severity,
    title: safeTitle(title ?? '', context) || rule || 'Plug-in without a name',
    description: safeText(result.texts.filter((part) => part !== null).join('\n\n'), context),
    rule,
    relatedAdvisories: [...new Set(result.cves.flatMap(advisoriesIn))],
    fixedVersions: fixedVersionsIn(output ?? '', context),
    cvss: result.cvss,
    cwes: result.cwes,
    path: isWebAddress ? webLocation(result.host ?? '') : locationOf(result),
    code: safeCode(isWebAddress ? result.parameter : protocolOf(result), context),
    links: safeLinks(result.links.flatMap(addressesIn)),
    suppression: result.suppression,
    exploitable: result.isExploited,
    evidence: newEvidence(
      {
        snippet:
          output === null
            ? null
            : { text: withoutPasswords(output), firstLine: null, markedFrom: null, markedTo: null },
        remediation: result.solution,
      },
      context,
    ),
  });
}

function locationOf({ host, port }: PluginResult): string | null {
  return host === null ? null : hostLocation(host, asInteger(port, 1));
}

/** Web application scans have families of their own, such as "Cross Site Scripting" and "Injection". */
function isAboutWeb(family: string | null): boolean {
  return /^(?:CGI abuses|Web (?:Servers|Applications?)|Cross Site |(?:Code |SQL )?Injection$|HTTP Security Header)/i.test(
    family ?? '',
  );
}

/** Returns the score of the first version that has one. Old vectors begin with `CVSS2#`. */
export function cvssOfVersions(
  versions: readonly { score: string | null; vector: string | null }[],
): ReportFinding['cvss'] {
  for (const { score, vector } of versions) {
    const number = asNumber(score);
    const cvss = number === 0 ? null : cvssOf(number, vector?.replace(/^CVSS2#/i, '') ?? null);
    if (cvss !== null) return cvss;
  }
  return null;
}

/** A plug-in may answer for the same number of a port with TCP and UDP. TCP is the usual one and is not written. */
function protocolOf(result: PluginResult): string | null {
  const protocol = result.protocol?.toLowerCase() ?? null;
  return protocol === 'tcp' ? null : protocol;
}

/** Plug-ins write `Fixed version : 1.2.3`, one line for each installed version. */
function fixedVersionsIn(output: string, context: ParseContext): string[] {
  const found = output
    .slice(0, 65_536)
    .matchAll(/^[ \t]{0,20}Fixed version[ \t]{0,20}:[ \t]{0,20}([^\s/,;]{1,100})/gim);
  return [...new Set(Array.from(found, ([, version]) => cleanName(version ?? '', context)))].slice(0, 20);
}

/** Plug-ins that try default accounts write the credentials that worked. */
function withoutPasswords(output: string): string {
  return output.replace(
    /((?:pass(?:word|wd|phrase)?|pwd|secret|token|community(?: (?:name|string))?)[ \t]{0,20}[:=][ \t]{0,20})\S[^\n]*/gi,
    '$1[redacted]',
  );
}

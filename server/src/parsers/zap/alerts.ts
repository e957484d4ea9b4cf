/**
 * Owns the way from an alert of ZAP to findings: one per address, method and parameter, which are locations of one
 * vulnerability. Requests, responses and other information are not stored, because they hold sessions and personal data.
 * What ZAP quotes of a response is stored only as the proof of an attack: without one it is what the site tells its users.
 */
import type { Severity } from '../../domain/packed-state.ts';
import { withoutCookies } from '../reading/cookies.ts';
import { newEvidence } from '../reading/evidence.ts';
import { cweOf, newFinding, severityOfLabel } from '../reading/finding.ts';
import { arrayAt, asRecord, type JsonRecord, numberAt, stringAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { plainText } from '../reading/plain-text.ts';
import { cleanName, safeCode, safeLinks, safeText, safeTitle } from '../reading/text.ts';
import { addressesIn, webLocation } from '../reading/web-locations.ts';
import type { ReportFinding } from '../report.ts';

// Evidence shows less of it; the rest is not looked through for cookies.
const maxProofLength = 2_000;

export function readAlert(
  row: unknown,
  site: string | null,
  pointer: string,
  context: ParseContext,
): ReportFinding[] | { unreadable: string } {
  const alert = asRecord(row);
  if (alert === null) return { unreadable: 'The alert is not an object.' };
  const name = stringAt(alert, 'name') ?? stringAt(alert, 'alert');
  const plugin =
    stringAt(alert, 'pluginid') ?? /^[0-9]+/.exec(stringAt(alert, 'alertRef') ?? '')?.[0] ?? null;
  if (name === null && plugin === null) return { unreadable: 'The alert has neither a plug-in nor a name.' };
  const rule = cleanName(plugin ?? '', context);
  const remediation = plainText(stringAt(alert, 'solution') ?? '');
  const cwe = cweOf(stringAt(alert, 'cweid') ?? '');
  const shared = {
    pointer,
    type: 'dast' as const,
    severity: severityOf(alert),
    title: safeTitle(plainText(name ?? ''), context) || rule || 'Alert',
    description: safeText(plainText(stringAt(alert, 'desc') ?? ''), context),
    rule,
    cwes: cwe === null ? [] : [cwe],
    links: safeLinks(addressesIn(stringAt(alert, 'reference') ?? '')),
    // A person marks a false positive in ZAP by confidence 0.
    suppression:
      (stringAt(alert, 'confidence') ?? stringAt(alert, 'reliability'))?.trim() === '0'
        ? { by: 'file' as const, reason: 'Marked as a false positive in ZAP.', expiresAt: null }
        : null,
  };
  const findings = new Map<string, ReportFinding>();
  for (const instance of instancesOf(alert)) {
    const address = stringAt(instance, 'uri') ?? stringAt(instance, 'url') ?? site;
    const path = address === null ? null : webLocation(address);
    const code = codeOf(instance, stringAt(alert, 'alertRef'), context);
    const key = JSON.stringify([path, code]);
    if (findings.has(key)) continue;
    const evidence = newEvidence({ dataFlow: flowOf(instance), remediation }, context);
    findings.set(key, newFinding({ ...shared, path, code, evidence }));
  }
  const list = [...findings.values()];
  if (list.length > 1) for (const finding of list) finding.sharedRow = pointer;
  return list;
}

/**
 * The instances are sorted, so that each report keeps the same one of several at one location. Version 2.3 and earlier
 * wrote an alert for each instance.
 */
function instancesOf(alert: JsonRecord): JsonRecord[] {
  const instances = arrayAt(alert, 'instances')
    .map(asRecord)
    .filter((instance) => instance !== null);
  if (instances.length === 0) return [alert];
  return instances.sort((a, b) => {
    for (const key of ['uri', 'attack']) {
      const [left, right] = [stringAt(a, key) ?? '', stringAt(b, key) ?? ''];
      if (left !== right) return left < right ? -1 : 1;
    }
    return 0;
  });
}

/** What an attack sent, and what of the response proves it. */
function flowOf(instance: JsonRecord): { path: null; line: null; text: string }[] {
  const attack = stringAt(instance, 'attack') ?? '';
  if (attack.trim() === '') return [];
  const parameter = stringAt(instance, 'param') ?? '';
  const proof = stringAt(instance, 'evidence') ?? '';
  return [
    `${parameter === '' ? 'Sent' : `Sent as ${parameter}`}: ${attack}`,
    ...(proof.trim() === '' ? [] : [`In the response: ${withoutCookies(proof.slice(0, maxProofLength))}`]),
  ].map((text) => ({ path: null, line: null, text }));
}

/** Gives method and parameter, and the number of the alert if the plug-in has several (`10055-4`). */
function codeOf(instance: JsonRecord, alertRef: string | null, context: ParseContext): string | null {
  const part = /^[0-9]+-([0-9]+)$/.exec(alertRef ?? '')?.[1] ?? null;
  const parts = [stringAt(instance, 'method'), stringAt(instance, 'param'), part];
  return safeCode(parts.filter((text) => text !== null).join('\n'), context);
}

const risks: readonly Severity[] = ['info', 'low', 'medium', 'high'];

/** The risk comes from its number. Without it, the word before the confidence counts: `High (Medium)`. */
function severityOf(alert: JsonRecord): Severity {
  const severity = risks[numberAt(alert, 'riskcode') ?? -1];
  return severity ?? severityOfLabel((stringAt(alert, 'riskdesc') ?? '').split('(', 1)[0] ?? null);
}

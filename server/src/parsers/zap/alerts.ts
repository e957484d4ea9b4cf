/**
 * The way from an alert of ZAP to findings: one per address, method and parameter, which are locations of one
 * vulnerability. Requests, responses and other information are not stored, because they hold sessions and personal
 * data. What ZAP quotes of a response is stored only as the proof of an attack, and by plug-ins that quote headers or
 * script tags. Any other quote is what the site tells its users.
 */
import type { Severity } from '../../domain/packed-state.ts';
import { withoutCredentials } from '../reading/credentials.ts';
import { evidenceLimits, newEvidence } from '../reading/evidence.ts';
import { cwesOf, newFinding, severityOfLabel } from '../reading/finding.ts';
import { arrayAt, asRecord, type JsonRecord, numberAt, stringAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { plainText } from '../reading/plain-text.ts';
import { redact } from '../reading/redact.ts';
import { cleanName, safeCode, safeLinks, safeText, safeTitle } from '../reading/text.ts';
import { addressesIn, webLocation } from '../reading/web-locations.ts';
import type { ReportFinding, ReportFlowStep } from '../report.ts';

// A step of the evidence has room for both. The rest of a quote is not looked through.
const maxAttackLength = 400;
const maxProofLength = 400;
const maxQuoteLength = 2_000;

/**
 * Plug-ins that inspect responses without an attack and quote the value of a header without cookies, or the tag or name
 * of a script. Such a quote names the problem and contains no user data.
 */
const quotesNoUser = new Set([
  '10003', // vulnerable JavaScript library
  '10015', // Cache-Control
  '10017', // script of another domain
  '10020', // X-Frame-Options
  '10021', // X-Content-Type-Options
  '10035', // Strict-Transport-Security
  '10036', // Server
  '10037', // X-Powered-By
  '10038', // Content-Security-Policy is missing
  '10055', // Content-Security-Policy
  '10061', // X-AspNet-Version
  '10098', // Access-Control-Allow-Origin
  '90003', // script without integrity
]);

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
  const shared = {
    pointer,
    type: 'dast' as const,
    severity: severityOf(alert),
    title: safeTitle(plainText(name ?? ''), context) || rule || 'Alert',
    description: safeText(plainText(stringAt(alert, 'desc') ?? ''), context),
    rule,
    cwes: cwesOf([stringAt(alert, 'cweid')]),
    links: safeLinks(addressesIn(stringAt(alert, 'reference') ?? '')),
    // A person marks a false positive in ZAP by confidence 0.
    suppression:
      (stringAt(alert, 'confidence') ?? stringAt(alert, 'reliability'))?.trim() === '0'
        ? { by: 'file' as const, reason: 'Marked as a false positive in ZAP.', expiresAt: null }
        : null,
  };
  const quotes = quotesNoUser.has(rule);
  const kind = kindOf(alert, rule);
  const rows = new Map<string, { finding: ReportFinding; request: ReportFlowStep }>();
  for (const instance of instancesOf(alert)) {
    const address = stringAt(instance, 'uri') ?? stringAt(instance, 'url') ?? site;
    const path = address === null ? null : webLocation(address);
    const code = codeOf(instance, kind, context);
    const key = JSON.stringify([path, code]);
    if (rows.has(key)) continue;
    const request = { path, line: null, text: requestText(instance, quotes) };
    const evidence = newEvidence({ dataFlow: distinctRequests([request]), remediation }, context);
    rows.set(key, { finding: newFinding({ ...shared, path, code, evidence }), request });
  }
  // In one order, independent of the session and the query of the addresses.
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  const list = sorted.map(({ finding }) => finding);
  // The vulnerability shows the evidence of its first finding, which therefore has the requests of all.
  const [first] = list;
  if (first && list.length > 1) {
    const dataFlow = distinctRequests(sorted.map(({ request }) => request));
    first.evidence = newEvidence({ dataFlow, remediation }, context);
  }
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

/** Returns method and parameter of a request, the text that an attack sent, and the proof in the response. */
function requestText(instance: JsonRecord, quotes: boolean): string {
  const [method, parameter, attack, proof] = ['method', 'param', 'attack', 'evidence'].map(
    (key) => stringAt(instance, key)?.trim() ?? '',
  ) as [string, string, string, string];
  const lines = [
    [method, parameter === '' ? '' : `parameter ${parameter.slice(0, 100)}`]
      .filter((text) => text !== '')
      .join(', '),
    attack === '' ? '' : `Sent: ${quoted(attack, maxAttackLength)}`,
    proof === '' || (attack === '' && !quotes) ? '' : `In the response: ${quoted(proof, maxProofLength)}`,
  ];
  return lines.filter((line) => line !== '').join('\n');
}

/** Removes secrets before it cuts, because half of one cannot be recognised. */
function quoted(text: string, limit: number): string {
  const clean = redact(withoutCredentials(text.slice(0, maxQuoteLength)));
  return clean.length <= limit ? clean : `${clean.slice(0, limit - 1)}…`;
}

/** Returns each request once, with the number of addresses where it was the same. */
function distinctRequests(requests: ReportFlowStep[]): ReportFlowStep[] {
  return [...Map.groupBy(requests, ({ text }) => text)]
    .filter(([text]) => text !== '')
    .slice(0, evidenceLimits.steps)
    .flatMap(([text, [first, ...others]]) => {
      if (!first) return [];
      const [head = '', ...more] = text.split('\n');
      const addresses = `${head} (at ${others.length + 1} addresses)`;
      return [{ ...first, text: others.length === 0 ? text : [addresses, ...more].join('\n') }];
    });
}

/** Returns method, parameter and kind. */
function codeOf(instance: JsonRecord, kind: string | null, context: ParseContext): string | null {
  const parts = [stringAt(instance, 'method'), stringAt(instance, 'param'), kind];
  return safeCode(parts.filter((text) => text !== null).join('\n'), context);
}

/** Plug-ins whose first kind of alert says that a header or an attribute is missing. */
const firstIsMissing = new Set(['10019', '10020', '10035', '10038', '10054', '10063']);
const saysMissing = /header (?:not set|missing)$|^missing .+ header$|without samesite attribute$/i;

/**
 * Returns the number of the alert if its plug-in has several kinds (`10055-4`). Older versions have no numbers. So the
 * kind that says that something is missing has none, and another one without a number is told apart from it by its
 * name.
 */
function kindOf(alert: JsonRecord, plugin: string): string | null {
  const number = /^[0-9]+-([0-9]+)$/.exec(stringAt(alert, 'alertRef') ?? '')?.[1] ?? null;
  if (!firstIsMissing.has(plugin)) return number;
  const name = stringAt(alert, 'name') ?? stringAt(alert, 'alert') ?? '';
  if (number === null) return saysMissing.test(name.trim()) ? null : 'other';
  return number === '1' ? null : number;
}

const risks: readonly Severity[] = ['info', 'low', 'medium', 'high'];

/** The risk comes from its number. Without it, the word before the confidence counts: `High (Medium)`. */
function severityOf(alert: JsonRecord): Severity {
  const severity = risks[numberAt(alert, 'riskcode') ?? -1];
  return severity ?? severityOfLabel((stringAt(alert, 'riskdesc') ?? '').split('(', 1)[0] ?? null);
}

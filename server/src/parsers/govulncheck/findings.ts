/**
 * Turns govulncheck's finding messages into findings. Several messages about one vulnerability and module (the module
 * is required, the package imported, the symbol called) are one finding per location. It must never read the message
 * stream.
 */
import { advisoryTitle } from '../reading/advisory-title.ts';
import { cvssOfVectors, severityOf } from '../reading/cvss.ts';
import { newFinding, sortAdvisories } from '../reading/finding.ts';
import { arrayAt, integerAt, type JsonRecord, recordAt, stringAt, stringsAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { packageOfName, plainVersion } from '../reading/packages.ts';
import { repositoryPath } from '../reading/paths.ts';
import { cleanName, safeLinks, safeText } from '../reading/text.ts';
import type { ReportFinding, ReportPackage } from '../report.ts';

/** One finding message, with its trace. */
export interface FindingMessage {
  pointer: string;
  id: string;
  package: ReportPackage;
  fixedVersion: string | null;
  /** The location of the call of the symbol; null if only a package or module of it is used. */
  call: { path: string | null; line: number | null; trace: string } | null;
}

/** Returns null for a message without an id, or without a module in its trace. */
export function readMessage(finding: unknown, pointer: string, context: ParseContext): FindingMessage | null {
  const trace = arrayAt(finding, 'trace');
  const [vulnerable] = trace;
  const id = stringAt(finding, 'osv');
  const named = packageOfName(
    { type: 'golang', namespace: null },
    stringAt(vulnerable, 'module'),
    stringAt(vulnerable, 'version'),
    context,
  );
  if (id === null || named === null) return null;
  const fixed = stringAt(finding, 'fixed_version');
  return {
    pointer,
    id: cleanName(id, context),
    package: named,
    fixedVersion: fixed === null ? null : plainVersion(named.purl, cleanName(fixed, context)),
    call: stringAt(vulnerable, 'function') === null ? null : callOf(trace, context),
  };
}

/**
 * Gives the frame of the project's own code that is nearest to the vulnerable symbol. The trace begins with the symbol.
 */
function callOf(trace: readonly unknown[], context: ParseContext): NonNullable<FindingMessage['call']> {
  const own = stringAt(trace.at(-1), 'module');
  const frame = trace.find((candidate) => stringAt(candidate, 'module') === own);
  const position = recordAt(frame, 'position');
  const shown = trace.slice(0, 10).map((candidate) => cleanName(symbolOf(candidate), context));
  return {
    path: repositoryPath(stringAt(position, 'filename')),
    line: integerAt(position, 'line', 1),
    trace: `${shown.toReversed().join(' → ')}${trace.length > shown.length ? ' (shortened)' : ''}`,
  };
}

function symbolOf(frame: unknown): string {
  const receiver = stringAt(frame, 'receiver');
  const names = [
    stringAt(frame, 'package') ?? stringAt(frame, 'module'),
    receiver,
    stringAt(frame, 'function'),
  ];
  return names.filter((name) => name !== null).join('.');
}

/** The messages are in the order of the report. `manifest` is the location if nothing is called. */
export function mergeMessages(
  messages: readonly FindingMessage[],
  records: ReadonlyMap<string, JsonRecord>,
  manifest: string | null,
  context: ParseContext,
): ReportFinding[] {
  const bySubject = new Map<string, FindingMessage[]>();
  for (const message of messages) {
    const key = JSON.stringify([message.id, message.package.purl]);
    const group = bySubject.get(key);
    if (group === undefined) bySubject.set(key, [message]);
    else group.push(message);
  }
  const findings: ReportFinding[] = [];
  for (const group of bySubject.values()) {
    const locations = new Map<string, FindingMessage>();
    const calls = group.filter((message) => message.call !== null);
    // A call is stronger than a requirement, so only the locations of the calls are kept.
    for (const message of calls.length > 0 ? calls : group) {
      const key = JSON.stringify([message.call?.path, message.package.version]);
      const known = locations.get(key);
      if (known === undefined || isBefore(message, known)) locations.set(key, message);
    }
    for (const message of locations.values()) {
      findings.push(toFinding(message, records.get(message.id) ?? null, manifest, context));
    }
  }
  if (findings.length < messages.length) {
    context.warn('Messages about the same vulnerability, module and location are one finding.');
  }
  return findings;
}

/**
 * In one file the uppermost call wins, and on one line the first by name, because their order in the report is random.
 */
function isBefore(message: FindingMessage, known: FindingMessage): boolean {
  const lines = [lineOf(message), lineOf(known)] as const;
  return lines[0] < lines[1] || (lines[0] === lines[1] && traceOf(message) < traceOf(known));
}

function lineOf(message: FindingMessage): number {
  return message.call?.line ?? Number.POSITIVE_INFINITY;
}

function traceOf(message: FindingMessage): string {
  return message.call?.trace ?? '';
}

function toFinding(
  message: FindingMessage,
  record: JsonRecord | null,
  manifest: string | null,
  context: ParseContext,
): ReportFinding {
  const { id, package: named, call } = message;
  const { same, related } = sortAdvisories(
    id,
    stringsAt(record, 'aliases').map((alias) => cleanName(alias, context)),
  );
  const details = stringAt(record, 'details');
  const texts = [details, call === null ? null : `Called: ${call.trace}`].filter((text) => text !== null);
  const specific = recordAt(record, 'database_specific');
  const cvss = cvssOfVectors(arrayAt(record, 'severity').map((entry) => stringAt(entry, 'score') ?? ''));
  return newFinding({
    pointer: message.pointer,
    type: 'dependency',
    severity: severityOf(stringAt(specific, 'severity'), cvss?.score ?? null),
    title: advisoryTitle(
      { summary: stringAt(record, 'summary'), description: details },
      id,
      named.name,
      context,
    ),
    description: safeText(texts.join('\n\n'), context),
    rule: id,
    advisories: same,
    relatedAdvisories: related,
    package: named,
    fixedVersions: message.fixedVersion === null ? [] : [message.fixedVersion],
    cvss,
    path: call === null ? manifest : call.path,
    line: call?.line ?? null,
    links: safeLinks([
      stringAt(specific, 'url'),
      ...arrayAt(record, 'references').map((reference) => stringAt(reference, 'url')),
    ]),
    exploitable: call !== null,
  });
}

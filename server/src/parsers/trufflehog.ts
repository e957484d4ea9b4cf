/**
 * TruffleHog's JSON lines: version 3, with its log lines, and version 2. The bare secret goes only into `secret.value`.
 * A detector's own additions (`ExtraData`) are not stored.
 */
import type { Format } from './format.ts';
import type { ReportDocument } from './reading/decode.ts';
import { newFinding, newRun } from './reading/finding.ts';
import { imageCategory, parseImage } from './reading/images.ts';
import {
  asRecord,
  field,
  integerAt,
  type JsonRecord,
  recordAt,
  stringAt,
  stringsAt,
} from './reading/json.ts';
import { firstJsonRecord, readJsonValues } from './reading/json-lines.ts';
import type { ParseContext } from './reading/limits.ts';
import { pathOfUri, repositoryPath } from './reading/paths.ts';
import { newReport } from './reading/rows.ts';
import { secretLine, wholeSecret, withoutSecrets } from './reading/secrets.ts';
import { cleanName, readTimestamp, safeLinks, safeText, safeTitle } from './reading/text.ts';
import type { Report, ReportFinding } from './report.ts';

export const trufflehog: Format = {
  name: 'trufflehog',
  writesLists: true,
  marks: ['SourceMetadata', 'DetectorName', 'Raw', 'Verified'],
  recognises,
  parse,
};

function recognises(document: ReportDocument): boolean {
  const first = firstJsonRecord(document);
  if (first === null) return false;
  return isLogLine(first) || isVersion2(first) || isVersion3(first);
}

function isVersion3(record: JsonRecord): boolean {
  const has = (key: string): boolean => Object.hasOwn(record, key);
  return has('SourceMetadata') && (has('DetectorName') || has('DetectorType'));
}

const rustyHogFields = [
  'new_file_id',
  'old_file_id',
  'linenum',
  'new_line_num',
  'old_line_num',
  'parent_commit_hash',
];

/**
 * Rusty Hog writes the same fields for the strings and the path, but names files and lines of the diff in its own way.
 */
function isVersion2(record: JsonRecord): boolean {
  const isRustyHog = rustyHogFields.some((key) => Object.hasOwn(record, key));
  return (
    Array.isArray(field(record, 'stringsFound')) &&
    Object.hasOwn(record, 'path') &&
    Object.hasOwn(record, 'commitHash') &&
    !isRustyHog
  );
}

/** TruffleHog's log is JSON as well. It is in the report if both streams go into one file. */
function isLogLine(record: JsonRecord): boolean {
  return field(record, 'logger') === 'trufflehog' && typeof field(record, 'msg') === 'string';
}

function parse(document: ReportDocument, context: ParseContext): Report {
  const values = readJsonValues(document, context);
  let read = context.unreadable.length;
  let toolVersion: string | null = null;
  let image: string | null = null;
  let tag: string | null = null;
  let history = false;
  let hasErrors = false;
  let hasFinished = false;
  let hasFailed = false;
  const findings: ReportFinding[] = [];
  for (const { value, pointer } of values) {
    const record = asRecord(value);
    if (record !== null && isLogLine(record)) {
      const version = stringAt(record, 'trufflehog_version');
      if (version !== null) toolVersion = cleanName(version, context);
      const message = stringAt(record, 'msg');
      hasErrors ||= /^(?:error|fatal)/.test(stringAt(record, 'level') ?? '');
      hasFinished ||= message === 'finished scanning';
      hasFailed ||= message === 'encountered errors during scan';
      continue;
    }
    read++;
    const rows = record === null ? [] : readRow(record, pointer, context);
    // A row of version 2 has several secrets, and the limit counts each of them.
    context.addRows(Math.max(1, rows.length), pointer);
    if (rows.length === 0) {
      context.addUnreadable(
        pointer,
        record === null ? 'The result is not an object.' : 'The result names neither detector nor secret.',
      );
      continue;
    }
    findings.push(...rows);
    history ||= record !== null && commitOf(record) !== null;
    const docker = record === null ? null : recordAt(sourceOf(record).kind, 'Docker');
    image ??= stringAt(docker, 'image');
    tag ??= stringAt(docker, 'tag');
  }
  if (hasErrors) context.warn('TruffleHog logged errors, so it may not have scanned everything.');
  // It logs an error before it ends early, and a summary of errors before it says that it has finished.
  hasFailed ||= hasErrors && !hasFinished;
  return {
    ...newReport(trufflehog.name, context, [
      newRun({
        tool: 'trufflehog',
        toolVersion,
        category: image === null ? '' : cleanName(imageCategory(image), context),
        history,
        outcome: hasFailed ? 'failed' : 'succeeded',
        findings,
        image: parseImage(image, tag),
      }),
    ]),
    read,
  };
}

function readRow(record: JsonRecord, pointer: string, context: ParseContext): ReportFinding[] {
  if (isVersion2(record)) return readVersion2(record, pointer, context);
  const finding = readVersion3(record, pointer, context);
  return finding === null ? [] : [finding];
}

/** `SourceMetadata.Data` has one field, named after the kind of source. Its value is the location. */
function sourceOf(record: JsonRecord): { kind: JsonRecord | null; location: JsonRecord | null } {
  const kind = recordAt(recordAt(record, 'SourceMetadata'), 'Data');
  return { kind, location: kind === null ? null : asRecord(Object.values(kind)[0]) };
}

function commitOf(record: JsonRecord): string | null {
  return stringAt(sourceOf(record).location, 'commit') ?? stringAt(record, 'commitHash');
}

function readVersion3(record: JsonRecord, pointer: string, context: ParseContext): ReportFinding | null {
  const detector = stringAt(record, 'DetectorName');
  // The secret is the first part of a credential, which other tools find too. With the second part (`RawV2`) it would
  // be a different secret.
  const raw = rawOf(record, 'Raw');
  const full = rawOf(record, 'RawV2');
  if (detector === null && raw === null && full === null) return null;
  const value = wholeSecret(raw) ?? wholeSecret(full);
  const scrub = (text: string): string =>
    withoutSecrets(
      text,
      [raw, full].filter((secret) => secret !== null),
    );
  const extra = recordAt(record, 'ExtraData');
  const custom = detector === 'CustomRegex' ? stringAt(extra, 'name') : null;
  const rule = cleanName(scrub(custom ?? detector ?? ''), context);
  const { location } = sourceOf(record);
  const path = pathOf(location);
  const verified = field(record, 'Verified') === true;
  const masked = stringAt(record, 'Redacted');
  return newFinding({
    pointer,
    type: 'secret',
    severity: verified ? 'critical' : 'high',
    title: safeTitle(rule === '' ? 'Secret' : `${rule} secret`, context) || 'Secret',
    description: safeText(scrub(describe(record, location)), context),
    rule,
    path: path === null ? null : scrub(path),
    line: integerAt(location, 'line', 1),
    secret: {
      value,
      // If the detector does not mask, "Redacted" is the key's id or the first part of the key.
      maskedLine: masked?.includes('**') ? secretLine(masked, value === null ? [] : [value], context) : null,
    },
    links: safeLinks([stringAt(location, 'link'), stringAt(extra, 'rotation_guide')]).filter(
      (link) => scrub(link) === link,
    ),
    verified,
    committedAt: commitOf(record) === null ? null : commitTime(stringAt(location, 'timestamp')),
  });
}

function describe(record: JsonRecord, location: JsonRecord | null): string {
  const commit = stringAt(location, 'commit');
  const inCommit = commit !== null && /^[0-9a-f]{7,64}$/i.test(commit) ? `In commit ${commit}.` : null;
  return [stringAt(record, 'DetectorDescription'), inCommit].filter((text) => text !== null).join('\n\n');
}

/** Early versions wrote the bytes in base64. Versions that write a decoder name or `RawV2` write the text. */
function rawOf(record: JsonRecord, key: string): string | null {
  const raw = stringAt(record, key);
  if (raw === null || field(record, 'DecoderName') !== undefined || field(record, 'RawV2') !== undefined) {
    return raw;
  }
  if (raw.length % 4 !== 0 || raw.length > 100_000 || !/^[A-Za-z0-9+/]+={0,2}$/.test(raw)) return raw;
  const decoded = Buffer.from(raw, 'base64').toString('latin1');
  return /^[\t\n\r\x20-\x7e]+$/.test(decoded) ? decoded : raw;
}

function pathOf(location: JsonRecord | null): string | null {
  const file = stringAt(location, 'file') ?? stringAt(location, 'path') ?? stringAt(location, 'filename');
  if (file !== null) return repositoryPath(file);
  const link = stringAt(location, 'link');
  return link === null ? null : pathOfUri(link, null, new Map());
}

/** Reads Go's own format of a time: `2022-06-16 10:17:40 -0700 -0700`, `… +0000 UTC`. */
function commitTime(text: string | null): string | null {
  const match = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})(?:\.\d{1,9})? ?([+-]\d{2}):?(\d{2})/.exec(
    text ?? '',
  );
  return readTimestamp(match === null ? text : `${match[1]}T${match[2]}${match[3]}:${match[4]}`);
}

/** A row is one commit and file, with all strings that looked random or matched a pattern. */
function readVersion2(record: JsonRecord, pointer: string, context: ParseContext): ReportFinding[] {
  const strings = [...new Set(stringsAt(record, 'stringsFound'))];
  const rule = cleanName(withoutSecrets(stringAt(record, 'reason') ?? '', strings.slice(0, 100)), context);
  const path = repositoryPath(stringAt(record, 'path'));
  const date = readTimestamp(stringAt(record, 'date'));
  return strings.map((text) =>
    newFinding({
      pointer,
      type: 'secret',
      severity: 'high',
      title: rule === '' ? 'Secret' : rule,
      rule,
      path: path === null ? null : withoutSecrets(path, [text]),
      secret: { value: wholeSecret(text), maskedLine: null },
      committedAt: commitOf(record) === null ? null : date,
    }),
  );
}

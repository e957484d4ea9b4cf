/**
 * The lists of the Rusty Hog tools. Each hog reads another source, and names a location there with fields of its own:
 * Choctaw in commits, Duroc in files, Essex in Confluence, Göttingen in Jira, Berkshire in S3, Ankamali in Google
 * Drive, Hante in Slack. A row is one line with all the texts that one pattern matched there, and each text is a
 * secret.
 */
import type { Format } from './format.ts';
import type { ReportDocument } from './reading/decode.ts';
import { newFinding, newRun } from './reading/finding.ts';
import { asRecord, integerAt, type JsonRecord, stringAt, stringsAt } from './reading/json.ts';
import type { ParseContext } from './reading/limits.ts';
import { normalisePath, repositoryPath } from './reading/paths.ts';
import { newReport } from './reading/rows.ts';
import { assignedSecret, secretLine, withoutSecrets } from './reading/secrets.ts';
import { cleanName, readTimestamp, safeLinks, safeText, safeTitle } from './reading/text.ts';
import { webLocation } from './reading/web-locations.ts';
import type { Report, ReportFinding } from './report.ts';

export const rustyHog: Format = {
  name: 'rusty-hog',
  writesLists: true,
  marks: ['stringsFound', 'reason', 'linenum', 'new_line_num', 'url'],
  recognises,
  parse,
};

/** The fields of each hog that no other hog has. TruffleHog 2 has none of them. */
const hogs: readonly (readonly [name: string, fields: readonly string[]])[] = [
  ['choctaw', ['new_file_id', 'old_file_id', 'new_line_num', 'old_line_num', 'parent_commit_hash']],
  ['duroc', ['linenum']],
  ['essex', ['page_id']],
  ['gottingen', ['issue_id']],
  ['berkshire', ['bucket']],
  ['ankamali', ['g_drive_id']],
  ['hante', ['channel_id', 'permalink']],
];

function recognises({ json }: ReportDocument): boolean {
  if (!Array.isArray(json)) return false;
  const first = asRecord(json.find((row) => asRecord(row) !== null));
  if (first === null || !Object.hasOwn(first, 'reason')) return false;
  return Array.isArray(first.stringsFound) && hogOf(first) !== null;
}

function hogOf(record: JsonRecord): string | null {
  const hog = hogs.find(([, fields]) => fields.some((name) => Object.hasOwn(record, name)));
  return hog?.[0] ?? null;
}

function parse({ json }: ReportDocument, context: ParseContext): Report {
  const rows = Array.isArray(json) ? json : [];
  const findings: ReportFinding[] = [];
  let hog: string | null = null;
  for (const [index, row] of rows.entries()) {
    const pointer = `/${index}`;
    const record = asRecord(row);
    const strings = record === null ? [] : [...new Set(stringsAt(record, 'stringsFound'))];
    // The limit counts each secret of a row.
    context.addRows(Math.max(1, strings.length), pointer);
    if (record === null || strings.length === 0) {
      const reason =
        record === null ? 'The row is not an object.' : 'The row does not say what was found (stringsFound).';
      context.addUnreadable(pointer, reason);
      continue;
    }
    hog ??= hogOf(record);
    for (const finding of readRow(record, strings, pointer, context)) findings.push(finding);
  }
  if (rows.length === 0) {
    context.warn('An empty list does not name its Rusty Hog tool, so it closes nothing.');
  }
  return {
    ...newReport(rustyHog.name, context, [
      newRun({ tool: 'rusty-hog', category: hog ?? '', history: hog === 'choctaw', findings }),
    ]),
    read: rows.length,
  };
}

function readRow(
  record: JsonRecord,
  strings: readonly string[],
  pointer: string,
  context: ParseContext,
): ReportFinding[] {
  const values = new Map(strings.map((text) => [text, assignedSecret(text)]));
  const secrets = [...new Set([...strings, ...values.values()])].filter((text) => text !== null);
  const scrub = (text: string): string => withoutSecrets(text, secrets);
  const rule = cleanName(scrub(stringAt(record, 'reason') ?? ''), context);
  const path = pathOf(record, context);
  const line = lineOf(record);
  const links = safeLinks(['url', 'web_link', 'permalink'].map((key) => stringAt(record, key))).filter(
    (link) => scrub(link) === link,
  );
  const diff = stringAt(record, 'diff');
  return strings.map((text) =>
    newFinding({
      pointer,
      type: 'secret',
      severity: 'high',
      title: safeTitle(rule === '' ? 'Secret' : rule, context) || 'Secret',
      description: safeText(scrub(describe(record)), context),
      rule,
      path: path === null ? null : scrub(path),
      line,
      secret: {
        value: values.get(text) ?? null,
        // Without the line the text itself is all there is, and its value is masked by its shape.
        maskedLine: diff === null ? secretLine(text, [], context) : secretLine(diff, secrets, context),
      },
      links,
      committedAt: stringAt(record, 'commitHash') === null ? null : readTimestamp(stringAt(record, 'date')),
    }),
  );
}

/** A file, an object in S3, or the address of a page. Essex writes the number of the page into the query. */
function pathOf(record: JsonRecord, context: ParseContext): string | null {
  const bucket = stringAt(record, 'bucket');
  const key = stringAt(record, 'key');
  if (bucket !== null && key !== null) return repositoryPath(`${bucket}/${key}`);
  const url = stringAt(record, 'url') ?? stringAt(record, 'web_link');
  const file = stringAt(record, 'path');
  if (file !== null && url === null) return repositoryPath(file);
  if (url === null) {
    const channel = stringAt(record, 'channel_name') ?? stringAt(record, 'channel_id');
    return channel === null ? null : normalisePath(cleanName(channel, context));
  }
  const address = webLocation(url);
  const page = stringAt(record, 'page_id');
  const isNew = page !== null && /^[\w-]{1,100}$/.test(page) && address?.includes(page) === false;
  return isNew ? `${address}?pageId=${page}` : address;
}

/** A line that a commit removed has a number only in the file before. */
function lineOf(record: JsonRecord): number | null {
  const lines = ['linenum', 'new_line_num', 'old_line_num'].map((key) => integerAt(record, key, 1));
  return lines.find((line) => line !== null) ?? null;
}

function describe(record: JsonRecord): string {
  const commit = stringAt(record, 'commitHash');
  const location = stringAt(record, 'location');
  const isCommit = commit !== null && /^[0-9a-f]{7,64}$/i.test(commit);
  return [isCommit ? `In commit ${commit}.` : null, location === null ? null : `Found in: ${location}`]
    .filter((text) => text !== null)
    .join('\n\n');
}

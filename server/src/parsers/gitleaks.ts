/**
 * Gitleaks' JSON: the capitalised keys of version 8 and the lower-case keys before it. The bare secret goes only into
 * `secret.value`. A fingerprint with a commit in it is not used.
 */
import type { Format } from './format.ts';
import type { ReportDocument } from './reading/decode.ts';
import { newFinding, newRun } from './reading/finding.ts';
import { asArray, asRecord, field, integerAt, type JsonRecord, stringAt } from './reading/json.ts';
import type { ParseContext } from './reading/limits.ts';
import { repositoryPath } from './reading/paths.ts';
import { newReport } from './reading/rows.ts';
import { assignedSecret, secretLine, wholeSecret, withoutSecrets } from './reading/secrets.ts';
import { cleanName, readTimestamp, safeLinks, safeTitle } from './reading/text.ts';
import type { Report, ReportFinding } from './report.ts';

/**
 * The number of secrets of one line that are compared. It is one more than a line may have to be kept, so more make no
 * difference.
 */
const maxNeighbours = 21;

export const gitleaks: Format = {
  name: 'gitleaks',
  writesLists: true,
  marks: ['RuleID', 'Secret', 'Match', 'File', 'StartLine', 'Commit'],
  recognises,
  parse,
};

function recognises({ json }: ReportDocument): boolean {
  const first = asRecord(asArray(json).find((element) => asRecord(element) !== null));
  if (first === null) return false;
  const has = (key: string): boolean => Object.hasOwn(first, key);
  return (has('RuleID') && (has('Secret') || has('Match'))) || (has('offender') && has('commit'));
}

/** The fields of a row, whichever version wrote it. */
interface Leak {
  pointer: string;
  rule: string;
  title: string;
  /** The text as the tool wrote it, masked or not. */
  written: string | null;
  value: string | null;
  line: string | null;
  file: string | null;
  startLine: number | null;
  commit: string | null;
  date: string | null;
  links: (string | null)[];
}

function parse({ json }: ReportDocument, context: ParseContext): Report {
  const rows = asArray(json);
  context.addRows(rows.length, '');
  const leaks: Leak[] = [];
  for (const [index, row] of rows.entries()) {
    const pointer = `/${index}`;
    const record = asRecord(row);
    const leak = record === null ? null : readLeak(record, pointer);
    if (leak === null) {
      context.addUnreadable(
        pointer,
        record === null ? 'The leak is not an object.' : 'The leak has neither a rule nor a secret.',
      );
    } else {
      leaks.push(leak);
    }
  }
  const neighbours = secretsByLocation(leaks);
  return newReport(gitleaks.name, context, [
    newRun({
      tool: 'gitleaks',
      history: leaks.some(({ commit }) => commit !== null),
      findings: leaks.map((leak) => findingOf(leak, neighbours.get(locationOf(leak)) ?? [], context)),
    }),
  ]);
}

function readLeak(record: JsonRecord, pointer: string): Leak | null {
  const isVersion8 = field(record, 'RuleID') !== undefined || field(record, 'Secret') !== undefined;
  const written = stringAt(record, isVersion8 ? 'Secret' : 'offender');
  // The first versions called the rule "reason".
  const rule = isVersion8
    ? stringAt(record, 'RuleID')
    : (stringAt(record, 'rule') ?? stringAt(record, 'reason'));
  const line = stringAt(record, isVersion8 ? 'Match' : 'line');
  if (rule === null && written === null) return null;
  return {
    pointer,
    rule: rule ?? '',
    title: stringAt(record, 'Description') ?? rule ?? 'Secret',
    written,
    value: isVersion8 ? wholeSecret(written) : assignedSecret(written),
    line,
    file: stringAt(record, isVersion8 ? 'File' : 'file'),
    startLine: integerAt(record, isVersion8 ? 'StartLine' : 'lineNumber', 1),
    commit: stringAt(record, isVersion8 ? 'Commit' : 'commit'),
    date: stringAt(record, isVersion8 ? 'Date' : 'date'),
    links: [stringAt(record, 'Link'), stringAt(record, 'leakURL')],
  };
}

function locationOf({ file, startLine, line, commit }: Leak): string {
  return JSON.stringify([file, startLine ?? line, commit]);
}

/** Returns the secret. If it is unknown, it gives all that the tool wrote, because a mask may leave a part visible. */
function secretsOf({ value, written }: Leak): string[] {
  return [value ?? written].filter((text) => text !== null);
}

/** One line may hold several secrets, each in its own row. None may appear in the line of another. */
function secretsByLocation(leaks: readonly Leak[]): Map<string, string[]> {
  const secrets = new Map<string, string[]>();
  for (const leak of leaks) {
    const location = locationOf(leak);
    const known = secrets.get(location) ?? [];
    for (const text of secretsOf(leak)) {
      if (!known.includes(text) && known.length < maxNeighbours) known.push(text);
    }
    secrets.set(location, known);
  }
  return secrets;
}

function findingOf(leak: Leak, neighbours: readonly string[], context: ParseContext): ReportFinding {
  const own = secretsOf(leak);
  const scrub = (text: string): string => withoutSecrets(text, own);
  const path = repositoryPath(leak.file);
  const rule = cleanName(scrub(leak.rule), context);
  return newFinding({
    pointer: leak.pointer,
    type: 'secret',
    // Gitleaks gives no severity. A found key counts as working until a person says otherwise.
    severity: 'high',
    title: safeTitle(scrub(leak.title), context) || rule || 'Secret',
    description:
      leak.commit !== null && /^[0-9a-f]{7,64}$/i.test(leak.commit) ? `In commit ${leak.commit}.` : null,
    rule,
    path: path === null ? null : scrub(path),
    line: leak.startLine,
    secret: {
      value: leak.value,
      maskedLine: secretLine(leak.line, [...new Set([...own, ...neighbours])], context),
    },
    links: safeLinks(leak.links).filter((link) => scrub(link) === link),
    committedAt: leak.commit === null ? null : readTimestamp(leak.date),
  });
}

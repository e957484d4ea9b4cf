/**
 * The rules of MobSF and mobsfscan that name files: a row is a rule, and each of its files is a location of one
 * vulnerability, as in mobsfscan's SARIF.
 */
import type { Severity } from '../../domain/packed-state.ts';
import { cvssOf } from '../reading/cvss.ts';
import { newEvidence } from '../reading/evidence.ts';
import { cwesOf, newFinding, severityOfLabel } from '../reading/finding.ts';
import {
  arrayAt,
  asInteger,
  asRecord,
  field,
  type JsonRecord,
  numberAt,
  recordAt,
  stringAt,
} from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { repositoryPath } from '../reading/paths.ts';
import { secretMask } from '../reading/secret-mask.ts';
import { cleanName, safeLinks, safeText, safeTitle, sourceCode } from '../reading/text.ts';
import { addressesIn } from '../reading/web-locations.ts';
import type { ReportFinding } from '../report.ts';

interface CodeLocation {
  path: string | null;
  line: number | null;
  lastLine: number | null;
  code: string | null;
}

/** `severityOfWord` differs, because mobsfscan writes the levels of Semgrep. Gives null for a row that is no object. */
export function readRule(
  id: string,
  row: unknown,
  pointer: string,
  severityOfWord: (word: string | null) => Severity,
  context: ParseContext,
): ReportFinding[] | null {
  const record = asRecord(row);
  if (record === null) return null;
  const metadata = recordAt(record, 'metadata') ?? record;
  const rule = cleanName(id, context);
  const cwes = cwesOf([stringAt(metadata, 'cwe')]);
  const score = numberAt(metadata, 'cvss');
  const locations = locationsOf(record);
  context.addLocations(locations.length - 1, pointer);
  const mask = secretMask(
    rule,
    cwes,
    locations.map(({ code }) => code),
  );
  const description = mask.message(stringAt(metadata, 'description'));
  const references = [stringAt(metadata, 'reference'), stringAt(metadata, 'ref')];
  const shared = {
    pointer,
    type: 'sast' as const,
    severity: severityOfWord(stringAt(metadata, 'severity')),
    title: safeTitle(description ?? rule, context) || rule || 'Rule without a name',
    description: safeText(description, context),
    rule,
    cvss: score === 0 ? null : cvssOf(score, null),
    cwes,
    links: safeLinks(references.flatMap((text) => addressesIn(text ?? ''))),
    sharedRow: locations.length > 1 ? pointer : null,
  };
  return (locations.length === 0 ? [nowhere] : locations).map(({ path, line, lastLine, code }) =>
    newFinding({
      ...shared,
      path,
      line,
      ...sourceCode(code, context, mask.code(code)),
      evidence:
        code === null
          ? null
          : newEvidence(
              { snippet: { text: code, firstLine: line, markedFrom: line, markedTo: lastLine } },
              context,
              mask.code,
            ),
    }),
  );
}

const nowhere: CodeLocation = { path: null, line: null, lastLine: null, code: null };

/** mobsfscan writes a list of matches, MobSF an object with the lines of each file: `{"a/B.java": "12,40"}`. */
function locationsOf(record: JsonRecord): CodeLocation[] {
  const files = field(record, 'files');
  if (Array.isArray(files)) {
    return files.filter((file) => asRecord(file) !== null).map(matchOf);
  }
  return Object.entries(asRecord(files) ?? {}).map(([name, lines]) => {
    const numbers = (typeof lines === 'string' ? lines.slice(0, 4096).split(',') : [])
      .map((text) => asInteger(text, 1))
      .filter((line) => line !== null);
    const line = numbers.length === 0 ? null : Math.min(...numbers);
    return { path: repositoryPath(name), line, lastLine: line, code: null };
  });
}

function matchOf(file: unknown): CodeLocation {
  const lines = arrayAt(file, 'match_lines');
  const line = asInteger(lines[0], 1);
  return {
    path: repositoryPath(stringAt(file, 'file_path')),
    line,
    lastLine: asInteger(lines[1], line ?? 1) ?? line,
    code: stringAt(file, 'match_string'),
  };
}

/** MobSF's own words. `secure` and `good` are checks that passed. */
export function severityOfMobsf(word: string | null): Severity {
  const label = word?.trim().toLowerCase() ?? '';
  if (label === 'dangerous') return 'low';
  return label === 'normal' || label === 'signature' ? 'info' : severityOfLabel(label);
}

/** Semgrep's levels as in mobsfscan's SARIF, where INFO is a note. */
export function severityOfMobsfscan(word: string | null): Severity {
  return word?.trim().toLowerCase() === 'info' ? 'low' : severityOfLabel(word);
}

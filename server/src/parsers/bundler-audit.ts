/**
 * The JSON of bundler-audit, and its text, which is all that versions before 0.8 write. The report names no file, so
 * its packages belong to the repository itself.
 */
import type { Format } from './format.ts';
import { advisoryTitle } from './reading/advisory-title.ts';
import { cvssOf, severityOf } from './reading/cvss.ts';
import type { ReportDocument } from './reading/decode.ts';
import { newEvidence } from './reading/evidence.ts';
import { newFinding, newRun, sortAdvisories } from './reading/finding.ts';
import {
  arrayAt,
  asRecord,
  field,
  type JsonRecord,
  numberAt,
  recordAt,
  stringAt,
  stringsAt,
} from './reading/json.ts';
import type { ParseContext } from './reading/limits.ts';
import { packageOfName } from './reading/packages.ts';
import { newReport } from './reading/rows.ts';
import { cleanName, safeCode, safeLinks, safeText, safeTitle } from './reading/text.ts';
import type { Report, ReportFinding } from './report.ts';

export const bundlerAudit: Format = {
  name: 'bundler-audit',
  marks: ['version', 'created_at', 'results'],
  runFields: ['created_at'],
  recognises,
  parse,
};

const kinds = new Set(['unpatched_gem', 'insecure_source']);
const none = 'No vulnerabilities found';
const insecureSource = /^Insecure Source URI found: (.+)$/;
const labelAfterVersion = /^(?:Advisory|CVE|GHSA|OSVDB|Criticality|URL|Title): /;
const maxHead = 65_536;

function recognises({ json, text }: ReportDocument): boolean {
  if (json === undefined) return isText(text);
  const results = field(json, 'results');
  if (!Array.isArray(results)) return false;
  const first = results.find((result) => asRecord(result) !== null);
  if (first !== undefined) return kinds.has(stringAt(first, 'type') ?? '');
  const keys = Object.keys(asRecord(json) ?? {});
  return (
    keys.includes('created_at') && keys.every((key) => ['version', 'created_at', 'results'].includes(key))
  );
}

/** The blocks begin with lines that no other tool writes one after the other. XML of other tools may quote them. */
function isText(text: string): boolean {
  if (/^\s*</.test(text)) return false;
  const head = plainLines(text.slice(0, maxHead));
  if (head.includes(none) && head.every((line) => line === '' || line === none)) return true;
  return head.some((line, index) => {
    if (insecureSource.test(line)) return true;
    const [version = '', id = ''] = head.slice(index + 1, index + 3);
    return line.startsWith('Name: ') && version.startsWith('Version: ') && labelAfterVersion.test(id);
  });
}

/** On a terminal the labels have colours. */
function plainLines(text: string): string[] {
  return text.split(/\r?\n/).map((line) => {
    const [first = '', ...coloured] = line.split('\u001b');
    const rest = coloured.map((part) => part.replace(/^\[[0-9;]{0,20}m/, ''));
    return [first, ...rest].join('').trimEnd();
  });
}

function parse({ json, text }: ReportDocument, context: ParseContext): Report {
  const rows = json === undefined ? textRows(text) : jsonRows(json);
  context.addRows(rows.length, '');
  const findings: ReportFinding[] = [];
  for (const row of rows) {
    const finding = 'source' in row ? sourceFinding(row, context) : gemFinding(row, context);
    if (finding !== null) findings.push(finding);
    else context.addUnreadable(row.pointer, 'The row has neither a gem with an advisory nor a source.');
  }
  return newReport(bundlerAudit.name, context, [
    newRun({
      tool: 'bundler-audit',
      toolVersion: cleanName(stringAt(json, 'version'), context),
      findings,
    }),
  ]);
}

/** The fields of a vulnerable gem, from JSON or text. */
interface GemRow {
  pointer: string;
  name: string | null;
  version: string | null;
  /** The id as reported comes first. */
  ids: string[];
  title: string | null;
  description: string | null;
  criticality: string | null;
  score: number | null;
  url: string | null;
  /** `>= 2.2.0`, `~> 2.1.3`. */
  patched: string[];
}

interface SourceRow {
  pointer: string;
  source: string | null;
}

function jsonRows(json: unknown): (GemRow | SourceRow)[] {
  return arrayAt(json, 'results').map((row, index) => {
    const pointer = `/results/${index}`;
    if (stringAt(row, 'type') === 'insecure_source') return { pointer, source: stringAt(row, 'source') };
    const gem = recordAt(row, 'gem');
    const advisory = recordAt(row, 'advisory');
    return {
      pointer,
      name: stringAt(gem, 'name'),
      version: stringAt(gem, 'version'),
      ids: idsOf(advisory),
      title: stringAt(advisory, 'title'),
      description: stringAt(advisory, 'description'),
      criticality: stringAt(advisory, 'criticality'),
      score: numberAt(advisory, 'cvss_v3') ?? numberAt(advisory, 'cvss_v2'),
      url: stringAt(advisory, 'url'),
      patched: stringsAt(advisory, 'patched_versions'),
    };
  });
}

/** The fields have the ids without their prefix. The database's own id is one of them. */
function idsOf(advisory: JsonRecord | null): string[] {
  const prefixed = (key: string, prefix: string): string[] =>
    stringsAt(advisory, key).map((id) => (id.toUpperCase().startsWith(prefix) ? id : `${prefix}${id}`));
  return [
    ...stringsAt(advisory, 'id'),
    ...prefixed('cve', 'CVE-'),
    ...prefixed('ghsa', 'GHSA-'),
    ...prefixed('osvdb', 'OSVDB-'),
  ];
}

/** A block ends at its `Solution`. Its number in the text is its pointer. */
function textRows(text: string): (GemRow | SourceRow)[] {
  const rows: (GemRow | SourceRow)[] = [];
  let block: GemRow | null = null;
  let description: string[] | null = null;
  for (const line of plainLines(text)) {
    const pointer = `/${rows.length}`;
    const source = insecureSource.exec(line)?.[1];
    if (source !== undefined) rows.push({ pointer, source });
    const [, label = '', value = ''] = /^([A-Za-z]{2,20}):[ \t]*(.*)$/.exec(line) ?? [];
    if (label === 'Name') {
      block = emptyBlock(pointer, value);
      description = null;
      rows.push(block);
    } else if (block !== null && label === 'Solution') {
      block.patched = [value];
      if (description !== null) block.description = description.join('\n').trim();
      block = null;
    } else if (block !== null && label === 'Description') {
      description = [];
    } else if (description !== null) {
      description.push(line.trim());
    } else if (block !== null) {
      setField(block, label, value);
    }
  }
  return rows;
}

function emptyBlock(pointer: string, name: string): GemRow {
  const unknown = { title: null, description: null, criticality: null, score: null, url: null };
  return { pointer, name: name === '' ? null : name, version: null, ids: [], patched: [], ...unknown };
}

function setField(block: GemRow, label: string, value: string): void {
  if (value === '') return;
  if (label === 'Version') block.version = value;
  else if (label === 'Title') block.title = value;
  else if (label === 'Criticality') block.criticality = value;
  else if (label === 'URL') block.url = value;
  else if (['Advisory', 'CVE', 'GHSA', 'OSVDB'].includes(label)) block.ids.push(value);
}

function gemFinding(row: GemRow, context: ParseContext): ReportFinding | null {
  const named = packageOfName({ type: 'gem', namespace: null }, row.name, row.version, context);
  const [id, ...others] = [...new Set(row.ids.map((name) => cleanName(name, context)))];
  if (named === null || id === undefined) return null;
  const { same, related } = sortAdvisories(id, others);
  const fixes = row.patched.join(', ').trim();
  return newFinding({
    pointer: row.pointer,
    type: 'dependency',
    severity: severityOf(row.criticality, row.score),
    title: advisoryTitle({ summary: row.title, description: row.description }, id, named.name, context),
    description: safeText(row.description, context),
    rule: id,
    advisories: same,
    relatedAdvisories: related,
    package: named,
    fixedVersions: fixedFrom(row.patched, context),
    cvss: cvssOf(row.score, null),
    links: safeLinks([row.url]),
    evidence: newEvidence({ remediation: fixes === '' ? null : solutionOf(fixes) }, context),
  });
}

function solutionOf(fixes: string): string {
  const isSentence = /^(?:upgrade to|remove)\b/i.test(fixes);
  return isSentence ? fixes : `upgrade to ${fixes}`;
}

/**
 * `~> 1.6.11, >= 2.0.6` → 1.6.11 and 2.0.6; `~> 5.2.4, >= 5.2.4.3` → 5.2.4.3 alone, because the second bound narrows
 * the first. An upper end such as `< 3.0.0` fixes nothing.
 */
function fixedFrom(patched: readonly string[], context: ParseContext): string[] {
  const bounds = patched.flatMap((text) =>
    Array.from(
      text.slice(0, 2000).matchAll(/(?:>=|~>|(?<![<>~!=])=) {0,4}([0-9][\w.]{0,60})/g),
      ([, version = '']) => version,
    ),
  );
  const versions = new Set(bounds.map((version) => cleanName(version, context)));
  const narrowed = new Set<string>();
  for (const version of versions) {
    for (let dot = version.indexOf('.'); dot !== -1; dot = version.indexOf('.', dot + 1)) {
      narrowed.add(version.slice(0, dot));
    }
  }
  return [...versions].filter((version) => !narrowed.has(version));
}

/** A source without encryption is no vulnerability of a package. */
function sourceFinding({ pointer, source }: SourceRow, context: ParseContext): ReportFinding | null {
  if (source === null) return null;
  const text = safeText(`Insecure source: ${source}`, context);
  return newFinding({
    pointer,
    type: 'dependency',
    severity: 'unknown',
    title: safeTitle(`Insecure source: ${source}`, context) || 'Insecure source',
    description: text,
    rule: 'insecure-source',
    code: safeCode(source, context),
  });
}

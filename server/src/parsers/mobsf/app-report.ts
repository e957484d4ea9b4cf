/**
 * The sections of MobSF's report about an app. The report has no one list, so a row is an entry of a section: a
 * permission, a finding of manifest, network, certificate or transport, a check of a binary, a rule about code. Checks
 * that passed are no rows.
 */
import { cvssOf } from '../reading/cvss.ts';
import { cwesOf, newFinding } from '../reading/finding.ts';
import { htmlText } from '../reading/html-text.ts';
import {
  arrayAt,
  asArray,
  asRecord,
  field,
  numberAt,
  pointerStep,
  recordAt,
  stringAt,
  stringsAt,
} from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { repositoryPath } from '../reading/paths.ts';
import { cleanName, safeCode, safeText, safeTitle, slug } from '../reading/text.ts';
import type { ReportFinding } from '../report.ts';
import { readRule, severityOfMobsf } from './code.ts';

export function readApp(json: unknown, context: ParseContext): ReportFinding[] {
  const findings: ReportFinding[] = [];
  const manifest = stringAt(json, 'bundle_id') === null ? 'AndroidManifest.xml' : 'Info.plist';
  const take = (row: Entry | null, pointer: string): void => {
    if (row !== null && isPassed(row.severity)) return;
    context.addRows(1, pointer);
    if (row === null) context.addUnreadable(pointer, 'The entry is not an object.');
    else findings.push(findingOf(row, pointer, context));
  };

  for (const [name, value] of entriesAt(json, 'permissions')) {
    take(permissionOf(name, value, manifest), `/permissions/${pointerStep(name)}`);
  }
  for (const { section, list, rule, path } of lists(manifest)) {
    const found = field(json, section);
    const rows = Array.isArray(found) ? found : arrayAt(found, list);
    const base = Array.isArray(found) ? `/${section}` : `/${section}/${list}`;
    for (const [index, row] of rows.entries()) take(entryOf(row, rule, path), `${base}/${index}`);
  }
  for (const section of ['binary_analysis', 'dylib_analysis', 'framework_analysis']) {
    for (const [index, binary] of arrayAt(json, section).entries()) {
      for (const [key, check] of checksOf(binary)) {
        take(checkOf(key, check, stringAt(binary, 'name')), `/${section}/${index}/${pointerStep(key)}`);
      }
    }
  }
  const macho = recordAt(json, 'macho_analysis');
  for (const [key, check] of checksOf(macho)) {
    take(checkOf(key, check, stringAt(macho, 'name')), `/macho_analysis/${pointerStep(key)}`);
  }
  for (const [title, row] of entriesAt(recordAt(json, 'binary_analysis'), 'findings')) {
    take(binaryOf(title, row), `/binary_analysis/findings/${pointerStep(title)}`);
  }
  for (const section of ['code_analysis', 'android_api', 'ios_api']) {
    const nested = recordAt(recordAt(json, section), 'findings');
    const base = nested === null ? `/${section}` : `/${section}/findings`;
    for (const [id, row] of Object.entries(nested ?? recordAt(json, section) ?? {})) {
      const pointer = `${base}/${pointerStep(id)}`;
      const word = stringAt(recordAt(row, 'metadata'), 'severity');
      if (isPassed(word) || (id === 'summary' && nested === null)) continue;
      context.addRows(1, pointer);
      // The use of an interface is no weakness, and old versions give it no severity.
      const severityOf = (text: string | null) =>
        text === null && section !== 'code_analysis' ? 'info' : severityOfMobsf(text);
      const read = readRule(id, row, pointer, severityOf, context);
      if (read === null) context.addUnreadable(pointer, 'The rule is not an object.');
      else for (const finding of read) findings.push(finding);
    }
  }
  return findings;
}

interface Entry {
  rule: string;
  title: string;
  description: string | null;
  severity: string | null;
  path: string | null;
  /** Tells entries of one rule in one file apart. */
  code: string | null;
  cwe?: string | null;
  score?: number | null;
}

function isPassed(severity: string | null): boolean {
  return /^(?:secure|good)$/i.test(severity?.trim() ?? '');
}

function findingOf(entry: Entry, pointer: string, context: ParseContext): ReportFinding {
  const rule = cleanName(entry.rule, context);
  const score = entry.score === 0 ? null : (entry.score ?? null);
  return newFinding({
    pointer,
    type: 'sast',
    severity: severityOfMobsf(entry.severity),
    title: safeTitle(htmlText(entry.title).replace(/\n+/g, ' '), context) || rule,
    description: safeText(htmlText(entry.description ?? ''), context),
    rule,
    cvss: cvssOf(score, null),
    cwes: cwesOf([entry.cwe ?? null]),
    path: repositoryPath(entry.path),
    code: safeCode(entry.code, context),
  });
}

function permissionOf(name: string, value: unknown, path: string): Entry | null {
  const record = asRecord(value);
  if (record === null) return null;
  const texts = [stringAt(record, 'info'), stringAt(record, 'description') ?? stringAt(record, 'reason')];
  return {
    rule: 'permission',
    title: `Permission ${name}`,
    description: texts.filter((text) => text !== null).join('\n\n'),
    severity: stringAt(record, 'status'),
    path,
    code: name,
  };
}

/** Early versions write the list itself instead of the object with a summary. */
function lists(manifest: string): { section: string; list: string; rule: string; path: string | null }[] {
  return [
    { section: 'manifest_analysis', list: 'manifest_findings', rule: 'manifest', path: manifest },
    { section: 'network_security', list: 'network_findings', rule: 'network', path: null },
    { section: 'certificate_analysis', list: 'certificate_findings', rule: 'certificate', path: null },
    { section: 'ats_analysis', list: 'ats_findings', rule: 'transport', path: manifest },
  ];
}

function entryOf(row: unknown, prefix: string, path: string | null): Entry | null {
  // A finding of the certificate is a list: severity, description, title.
  if (Array.isArray(row)) {
    const [severity, description, title] = asArray(row).map((text) =>
      typeof text === 'string' ? text : null,
    );
    const name = title ?? description ?? null;
    if (name === null) return null;
    const rule = `${prefix}-${slug(name)}`;
    return {
      rule,
      title: name,
      description: description ?? null,
      severity: severity ?? null,
      path,
      code: null,
    };
  }
  const record = asRecord(row);
  const text = stringAt(record, 'description') ?? stringAt(record, 'desc');
  const title = stringAt(record, 'title') ?? stringAt(record, 'issue') ?? text;
  if (record === null || title === null) return null;
  // Titles name the component in brackets, and rules must not.
  const general = htmlText(title).replace(/\([^()]{0,500}\)|\[[^[\]]{0,500}\]/g, ' ');
  return {
    rule: stringAt(record, 'rule') ?? `${prefix}-${slug(general)}`,
    title,
    description: text,
    severity: stringAt(record, 'severity') ?? stringAt(record, 'stat') ?? stringAt(record, 'status'),
    path,
    code: [...stringsAt(record, 'component'), ...stringsAt(record, 'scope')].join('\n') || null,
  };
}

function checkOf(key: string, check: unknown, name: string | null): Entry {
  const description = stringAt(check, 'description');
  return {
    rule: `binary-${key}`,
    title: description ?? key,
    description,
    severity: stringAt(check, 'severity'),
    path: name,
    code: null,
  };
}

/** The fields of a binary that are checks: objects with a severity. */
function checksOf(binary: unknown): [string, unknown][] {
  return Object.entries(asRecord(binary) ?? {}).filter(([, check]) => stringAt(check, 'severity') !== null);
}

function binaryOf(title: string, row: unknown): Entry | null {
  const record = asRecord(row);
  if (record === null) return null;
  return {
    rule: `binary-${slug(title)}`,
    title,
    description: stringAt(record, 'detailed_desc') ?? stringAt(record, 'description'),
    severity: stringAt(record, 'severity'),
    path: null,
    code: null,
    cwe: stringAt(record, 'cwe'),
    score: numberAt(record, 'cvss'),
  };
}

function entriesAt(value: unknown, key: string): [string, unknown][] {
  return Object.entries(recordAt(value, key) ?? {});
}

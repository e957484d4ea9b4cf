/**
 * `identifiers` of a GitLab row: rules of tools, advisories and CWEs stand in one list. Which of them is the rule, and
 * which scanner has it, is decided here.
 */
import { cweOf } from '../reading/finding.ts';
import { arrayAt, asRecord, type JsonRecord, stringAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { cleanName } from '../reading/text.ts';

export interface Identifier {
  /** In lower case: `cve`, `cwe`, `bandit_test_id`. */
  type: string;
  name: string | null;
  value: string | null;
  url: string | null;
}

/** More than a row can use. */
const maxIdentifiers = 100;

export function identifiersOf(row: JsonRecord): Identifier[] {
  return arrayAt(row, 'identifiers')
    .slice(0, maxIdentifiers)
    .filter((identifier) => asRecord(identifier) !== null)
    .map((identifier) => ({
      type: (stringAt(identifier, 'type') ?? '').trim().toLowerCase(),
      name: stringAt(identifier, 'name'),
      value: stringAt(identifier, 'value'),
      url: stringAt(identifier, 'url'),
    }))
    .filter(({ name, value }) => name !== null || value !== null);
}

/** These name a class of weaknesses and no rule. */
const classifications = /^(?:cwe|capec|wasc|owasp|nist|pci|sans|oasis)/;

/** GitLab takes the first identifier for the main one. One that only classifies is used if there is no other. */
export function mainRuleOf(identifiers: readonly Identifier[], context: ParseContext): string {
  const main = identifiers.find(({ type }) => !classifications.test(type)) ?? identifiers[0];
  if (main === undefined) return '';
  if (main.type === 'cwe') return cweOfIdentifier(main) ?? cleanName(main.name ?? '', context);
  // NodeJSScan writes its message as the value.
  const isSentence = /\s/.test(main.value ?? ' ') && main.name !== null && !/\s/.test(main.name);
  return cleanName((isSentence ? main.name : main.value) ?? main.name ?? '', context);
}

/** Returns the advisories, the main identifier first. `Gemnasium-<uuid>` is the name of one that has no CVE. */
export function advisoriesOf(
  row: JsonRecord,
  identifiers: readonly Identifier[],
  context: ParseContext,
): string[] {
  const ids = identifiers
    .filter(({ type }) => !classifications.test(type))
    .map(({ type, name, value }) => {
      const isPart = value !== null && name !== null && !/\s/.test(name) && name.includes(value);
      const id = cleanName((isPart ? name : value) ?? name ?? '', context);
      return type === 'ghsa' && !/^ghsa/i.test(id) ? `GHSA-${id}` : spelled(id);
    });
  // Before the identifiers there was only this field. It also holds keys for the comparison of reports.
  const old = stringAt(row, 'cve')?.trim() ?? '';
  if (ids.length === 0 && /^(?:CVE-[0-9]{4}-[0-9]{4,9}|GHSA-[\w-]{14})$/i.test(old)) ids.push(spelled(old));
  return [...new Set(ids.filter((id) => id !== ''))];
}

function spelled(id: string): string {
  if (/^cve-/i.test(id)) return id.toUpperCase();
  return /^ghsa-/i.test(id) ? `GHSA${id.slice(4).toLowerCase()}` : id;
}

export function cwesOfIdentifiers(identifiers: readonly Identifier[]): string[] {
  const cwes = identifiers.filter(({ type }) => type === 'cwe').map(cweOfIdentifier);
  return [...new Set(cwes.filter((cwe) => cwe !== null))];
}

function cweOfIdentifier({ name, value }: Identifier): string | null {
  return cweOf(value ?? '') ?? cweOf(name ?? '');
}

const ofScanner =
  /^([a-z0-9][a-z0-9_.-]{0,60}?)_(?:(?:rule|test|check|plugin)_)?(?:id|type|pluginid|warning_code|func_name)$/;

/** Returns the scanner of `bandit_test_id` and `eslint_rule_id`; null for types that several scanners use. */
export function scannerOf(identifiers: readonly Identifier[]): string | null {
  const main = identifiers.find(({ type }) => !classifications.test(type))?.type ?? '';
  return main === 'gemnasium' ? main : (ofScanner.exec(main)?.[1] ?? null);
}

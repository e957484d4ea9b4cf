/**
 * The rules of a SARIF run: it finds the rule of a result, and the facts that the rule gives for all its results
 * (title, text, severity, CWEs, links). It must never read a result's own text.
 */
import type { Severity } from '../../domain/packed-state.ts';
import { cweOf, severityOfLabel } from '../reading/finding.ts';
import {
  arrayAt,
  asNumber,
  asRecord,
  field,
  integerAt,
  type JsonRecord,
  recordAt,
  stringAt,
  stringsAt,
} from '../reading/json.ts';
import { cwesWarning, maxCwes, type ParseContext } from '../reading/limits.ts';
import { safeLinks, safeText, safeTitle } from '../reading/text.ts';

export interface SarifRule {
  record: JsonRecord;
  /** The component's strings that messages may refer to by id, besides the rule's own. */
  sharedStrings: JsonRecord | null;
  id: string | null;
  name: string | null;
  /** The short description, or a readable name. */
  title: string | null;
  description: string | null;
  /** The tool's raw help text. It is only used to read packages from it. */
  help: string;
  /** The same for people: raw Markdown, or plain text; null if the rule has none. */
  guidance: string | null;
  level: string | null;
  score: number | null;
  /** The severity that the tool writes as a word instead of the score. */
  severityName: Severity | null;
  cwes: string[];
  tags: string[];
  links: string[];
}

/** Each finding repeats its rule's text; 8,000 characters are two pages. */
const maxRuleText = 8000;

export class Rules {
  readonly #components: (JsonRecord | null)[];
  readonly #byId = new Map<string, { record: JsonRecord; component: JsonRecord | null }>();
  readonly #read = new Map<JsonRecord, SarifRule>();
  readonly #overrides = new Map<string, string>();
  readonly #taxonomies: readonly unknown[];
  readonly #context: ParseContext;

  constructor(run: JsonRecord, context: ParseContext) {
    this.#context = context;
    this.#taxonomies = arrayAt(run, 'taxonomies');
    const tool = recordAt(run, 'tool');
    // The driver comes first, then the extensions in their order.
    this.#components = [recordAt(tool, 'driver'), ...arrayAt(tool, 'extensions').map(asRecord)];
    for (const component of this.#components) {
      for (const rule of arrayAt(component, 'rules')) {
        const record = asRecord(rule);
        const id = stringAt(record, 'id');
        if (record !== null && id !== null && !this.#byId.has(id)) this.#byId.set(id, { record, component });
      }
    }
    for (const invocation of arrayAt(run, 'invocations')) {
      for (const override of arrayAt(invocation, 'ruleConfigurationOverrides')) {
        const id = stringAt(recordAt(override, 'descriptor'), 'id');
        const level = stringAt(recordAt(override, 'configuration'), 'level');
        if (id !== null && level !== null) this.#overrides.set(id, level);
      }
    }
  }

  /**
   * Finds the rule by index into the driver or an extension, else by id, else by the longest part of a hierarchical id.
   */
  find(result: JsonRecord): SarifRule | null {
    const reference = recordAt(result, 'rule');
    const id = stringAt(result, 'ruleId') ?? stringAt(reference, 'id');
    const index = integerAt(result, 'ruleIndex', 0) ?? integerAt(reference, 'index', 0);
    if (index !== null) {
      const component = this.#component(recordAt(reference, 'toolComponent'));
      const record = asRecord(arrayAt(component, 'rules')[index]);
      // An index that disagrees with the id points into another list.
      if (record !== null && (id === null || isPartOf(stringAt(record, 'id'), id))) {
        return this.#readRule(record, component);
      }
    }
    return id === null ? null : this.findById(id);
  }

  findById(id: string): SarifRule | null {
    let part = id;
    // Real ids have two levels, so sixteen are enough.
    for (let step = 0; step < 16; step++) {
      const found = this.#byId.get(part);
      if (found !== undefined) return this.#readRule(found.record, found.component);
      const slash = part.lastIndexOf('/');
      if (slash <= 0) return null;
      part = part.slice(0, slash);
    }
    return null;
  }

  /** Returns the level that the invocation sets for the rule, else the rule's default; null if there is neither. */
  levelOf(rule: SarifRule | null, id: string): string | null {
    return this.#overrides.get(id) ?? this.#overrides.get(rule?.id ?? '') ?? rule?.level ?? null;
  }

  /** Returns the CWEs from references to a taxonomy: `relationships[].target` and `taxa[]`. */
  cwesOf(references: readonly unknown[]): string[] {
    const cwes: string[] = [];
    for (const reference of references) {
      const component = recordAt(reference, 'toolComponent');
      const index = integerAt(component, 'index', 0);
      const taxonomy = index === null ? null : this.#taxonomies[index];
      const name = stringAt(component, 'name') ?? stringAt(taxonomy, 'name');
      const taxon = integerAt(reference, 'index', 0);
      const id =
        stringAt(reference, 'id') ??
        (taxon === null ? null : stringAt(arrayAt(taxonomy, 'taxa')[taxon], 'id'));
      if (id === null || (name?.toUpperCase() !== 'CWE' && !/^cwe-/i.test(id))) continue;
      const cwe = cweOf(id);
      if (cwe !== null) cwes.push(cwe);
    }
    return cwes;
  }

  #component(reference: JsonRecord | null): JsonRecord | null {
    if (reference === null) return this.#components[0] ?? null;
    const index = integerAt(reference, 'index', 0);
    if (index !== null) return this.#components[index + 1] ?? null;
    const name = stringAt(reference, 'name');
    const guid = stringAt(reference, 'guid');
    const named = this.#components.find(
      (component) =>
        (guid !== null && stringAt(component, 'guid') === guid) ||
        (name !== null && stringAt(component, 'name') === name),
    );
    return named ?? this.#components[0] ?? null;
  }

  #readRule(record: JsonRecord, component: JsonRecord | null): SarifRule {
    const known = this.#read.get(record);
    if (known !== undefined) return known;
    const rule = this.#createRule(record, component);
    this.#read.set(record, rule);
    return rule;
  }

  #createRule(record: JsonRecord, component: JsonRecord | null): SarifRule {
    const properties = recordAt(record, 'properties');
    const name = stringAt(record, 'name');
    const short = textAt(record, 'shortDescription');
    const full = textAt(record, 'fullDescription');
    const help = recordAt(record, 'help');
    const tags = stringsAt(properties, 'tags').slice(0, 100);
    const cwes = [
      ...tags.filter((tag) => /cwe[-:_/]/i.test(tag)).map(cweOf),
      ...[...stringsAt(properties, 'cwe'), ...stringsAt(properties, 'cwes')].map(cweOf),
      ...this.cwesOf(arrayAt(record, 'relationships').map((relation) => field(relation, 'target'))),
    ];
    const known = [...new Set(cwes.filter((cwe) => cwe !== null))];
    if (known.length > maxCwes) this.#context.warn(cwesWarning);
    return {
      record,
      sharedStrings: recordAt(component, 'globalMessageStrings'),
      id: stringAt(record, 'id'),
      name,
      title: readableTitle(short, name, this.#context),
      description: safeText(full?.slice(0, maxRuleText) ?? null, this.#context),
      guidance: stringAt(help, 'markdown') ?? stringAt(help, 'text'),
      help: [stringAt(help, 'text'), stringAt(help, 'markdown')]
        .filter((text) => text !== null)
        .join('\n')
        .slice(0, 20_000),
      level: stringAt(recordAt(record, 'defaultConfiguration'), 'level'),
      score: scoreOf(properties),
      severityName: severityNameOf(properties),
      cwes: known.slice(0, maxCwes),
      tags,
      links: safeLinks([stringAt(record, 'helpUri')]),
    };
  }
}

/** Reads `security-severity` as number or text from 0 to 10; null for anything else. */
export function scoreOf(properties: JsonRecord | null): number | null {
  const score = asNumber(field(properties, 'security-severity'));
  return score === null || score < 0 || score > 10 ? null : score;
}

/** Reads `security-severity` where a tool writes a word such as `High`; null without one. */
export function severityNameOf(properties: JsonRecord | null): Severity | null {
  const word = stringAt(properties, 'security-severity');
  const severity = word === null ? 'unknown' : severityOfLabel(word);
  return severity === 'unknown' ? null : severity;
}

/** Returns the text of a SARIF message string. */
function textAt(value: unknown, key: string): string | null {
  const message = field(value, key);
  return typeof message === 'string' ? message : (stringAt(message, 'text') ?? stringAt(message, 'markdown'));
}

/** Returns null if the short description is a template or only repeats the rule's id. */
function readableTitle(short: string | null, name: string | null, context: ParseContext): string | null {
  const isTemplate =
    short !== null && (/^(?:semgrep|opengrep) finding:/i.test(short) || /<[A-Z][a-z]+ key=/.test(short));
  if (short !== null && !isTemplate) return safeTitle(short, context) || null;
  return name !== null && /\S \S/.test(name) ? safeTitle(name, context) || null : null;
}

function isPartOf(ruleId: string | null, resultId: string): boolean {
  return ruleId === null || ruleId === resultId || resultId.startsWith(`${ruleId}/`);
}

/**
 * The document of a policy, in YAML or JSON, as people write it. The checks give every mistake with its document path.
 * They use no database; `apply.ts` looks up the names of rule scopes, such as `acme/shop`.
 */
import { type Static, type TSchema, Type } from 'typebox';
import { Errors } from 'typebox/value';
import { DomainError, describeMistakes } from '../../domain/domain-error.ts';
import { severities } from '../../domain/packed-state.ts';
import {
  policyModes,
  policyStatuses,
  ruleActions,
  ruleTypes,
  targetTypes,
} from '../../domain/policy-enums.ts';
import type { Sentence } from '../../domain/sentence.ts';
import { readYaml } from '../../domain/yaml.ts';
import {
  extendsKeyword,
  matchesSchema,
  namedObject,
  type SchemaError,
  schemaSentence,
} from '../../http/schema.ts';
import { type Condition, checkCondition, isObject, maxProblems, type Problems } from './condition.ts';
import { slaPattern } from './sla.ts';

const strict = { additionalProperties: false };
const keyPattern = '^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$';
// PostgreSQL accepts neither a zero character nor half of a surrogate pair. Other control characters are never useful.
const text = { minLength: 1, maxLength: 255, pattern: '^[^\\p{Cc}\\p{Cs}]*$' };

/** The limits of a snooze: 90 days, three times. A policy may set lower ones. */
export const snoozeLimits = { maxDays: 90, maxCount: 3 };

const maxRules = 1_000;

export const RuleDocument = namedObject(
  'PolicyRule',
  {
    type: Type.Enum([...ruleTypes]),
    id: Type.Optional(
      Type.String({
        ...text,
        description: 'Id or name: org/name of a repository, path of an organization, name of an application.',
      }),
    ),
    action: Type.Optional(Type.Enum([...ruleActions])),
    enforcement_mode: Type.Optional(Type.Union([Type.Enum([...policyModes]), Type.Null()])),
  },
  strict,
);

/** The fields of a policy without its key, which an address may name instead. */
export const PolicyFields = namedObject('PolicyFields', {
  name: Type.Optional(Type.String(text)),
  status: Type.Optional(Type.Enum([...policyStatuses])),
  target_type: Type.Enum([...targetTypes]),
  enforcement_mode: Type.Enum([...policyModes]),
  severity: Type.Optional(Type.Union([Type.Enum([...severities]), Type.Null()])),
  config: Type.Optional(
    Type.Union([
      namedObject(
        'PolicyConfig',
        {
          snooze: Type.Optional(
            Type.Object(
              {
                max_days: Type.Optional(Type.Integer({ minimum: 0, maximum: snoozeLimits.maxDays })),
                max_count: Type.Optional(Type.Integer({ minimum: 0, maximum: snoozeLimits.maxCount })),
              },
              strict,
            ),
          ),
        },
        strict,
      ),
      Type.Null(),
    ]),
  ),
  condition: Type.Object(
    {},
    {
      additionalProperties: true,
      description: '{all: […]}, {any: […]} or {not: …} over clauses {fact, operator, value}.',
    },
  ),
  actions: Type.Optional(
    namedObject(
      'PolicyActions',
      { sla: Type.Optional(Type.Object({ window: Type.String({ pattern: slaPattern }) }, strict)) },
      strict,
    ),
  ),
  rules: Type.Optional(Type.Array(RuleDocument, { maxItems: maxRules })),
});

export const PolicyDocument = namedObject(
  'PolicyDocument',
  {
    key: Type.String({
      pattern: keyPattern,
      description: 'Unique in the workspace: lower-case letters and digits, with . _ - between them.',
    }),
    ...PolicyFields.properties,
  },
  { ...strict, [extendsKeyword]: PolicyFields },
);
export type PolicyInput = Omit<Static<typeof PolicyDocument>, 'condition'> & { condition: Condition };
export type RuleInput = Static<typeof RuleDocument>;

// Limit of a document, because every active policy is evaluated at each import.
export const maxPolicies = 200;

/** The error of a document with mistakes, so that none of its policies is stored. */
export function invalidPolicies(problems: Problems): DomainError {
  const mistakes = [...problems];
  const text = describeMistakes(mistakes.map(([path, problem]) => `${path || '/'}: ${problem}`));
  const errors = Object.fromEntries(mistakes.map(([path, problem]) => [path || 'body', [problem]]));
  return new DomainError('VALIDATION_FAILED', text, { errors });
}

/**
 * Returns the policy, or null after adding its mistakes to `problems`. `path` is the path of the policy in the
 * document, '' if the document is the policy itself.
 */
export function checkPolicy(document: unknown, path: string, problems: Problems): PolicyInput | null {
  if (problems.size >= maxProblems) return null;
  const before = problems.size;
  if (!isObject(document)) {
    problems.set(path, 'Must be an object.');
    return null;
  }
  if (!matchesSchema(PolicyDocument, document)) {
    checkFields(document, path, problems);
    // The schema has failed, so the policy must not pass even if no field names the mistake.
    if (problems.size === before) problems.set(path, 'Is not a policy.');
  }
  // The condition can be checked, together with the other fields, only if the target type is known.
  const target = targetTypes.find((type) => type === document.target_type);
  if (target && document.condition !== undefined) {
    checkCondition(document.condition, target, joined(path, 'condition'), problems);
  }
  return problems.size === before ? (document as PolicyInput) : null;
}

// Each field is checked alone, because one schema reports a few mistakes at most.
function checkFields(document: Record<string, unknown>, path: string, problems: Problems): void {
  const fields: [string, TSchema][] = Object.entries(PolicyDocument.properties);
  const known = fields.map(([name]) => name);
  const unknown = Object.keys(document).filter((name) => !known.includes(name));
  for (const name of unknown.slice(0, maxProblems)) {
    problems.set(joined(path, name.slice(0, 80)), `Is unknown: a policy has ${known.join(', ')}.`);
  }
  for (const [name, schema] of fields) {
    const at = joined(path, name);
    if (document[name] === undefined) {
      if (PolicyDocument.required.some((required) => required === name)) problems.set(at, 'Is required.');
      continue;
    }
    const value = document[name];
    // The errors of a list are collected from all its entries, so its length is checked first.
    if (name === 'rules' && Array.isArray(value) && value.length > maxRules) {
      problems.set(at, `Must not have more than ${maxRules} rules.`);
      continue;
    }
    for (const error of Errors(schema, value)) {
      for (const [part, problem] of problemsOf(error)) {
        // The first mistake of a path counts; later ones name other variants of the field.
        const where = `${at}${pathOf(error.instancePath)}${part}`;
        if (!problems.has(where)) problems.set(where, problem);
      }
    }
  }
}

/** Parses `{policies: […]}` or one policy alone. Throws DomainError with all mistakes, each with its document path. */
export function parsePolicies(file: string): PolicyInput[] {
  const { value } = readYaml(file);
  const problems: Problems = new Map();
  const isList = isObject(value) && Array.isArray(value.policies);
  if (isList) refuseOtherNames(value, problems);
  const checked = checkPolicies(
    isList ? (value.policies as unknown[]) : [value],
    (i) => (isList ? `policies[${i}]` : ''),
    problems,
  );
  if (problems.size > 0) throw invalidPolicies(problems);
  return checked;
}

/** Refuses every field except `policies`, in a file and in a request body. */
export function refuseOtherNames(document: Record<string, unknown>, problems: Problems): void {
  for (const name of Object.keys(document).slice(0, maxProblems)) {
    if (name !== 'policies') problems.set(name.slice(0, 80), `Is unknown: only policies is allowed here.`);
  }
}

/** Returns the policies without mistakes, and adds the mistakes of the others to `problems`. */
export function checkPolicies(
  documents: unknown[],
  pathOf: (i: number) => string,
  problems: Problems,
): PolicyInput[] {
  if (documents.length > maxPolicies) {
    problems.set('policies', `Must not have more than ${maxPolicies} policies.`);
    return [];
  }
  const seen = new Set<string>();
  return documents.flatMap((document, i) => {
    const policy = checkPolicy(document, pathOf(i), problems);
    if (!policy) return [];
    if (seen.has(policy.key)) problems.set(joined(pathOf(i), 'key'), `Occurs twice: ${policy.key}.`);
    seen.add(policy.key);
    return [policy];
  });
}

/** Pairs of the last part of the document path and the mistake there. */
function problemsOf(error: SchemaError): [string, Sentence][] {
  const { keyword, params } = error;
  const { pattern, requiredProperties, type } = params as Partial<Record<string, unknown>>;
  if (keyword === 'required') {
    return (requiredProperties as string[]).map((name) => [`.${name}`, 'Is required.']);
  }
  // A hint that the field may also be null does not help the author.
  if (keyword === 'type' && type === 'null') return [];
  const problem = patternRules[String(pattern)] ?? schemaSentence(error);
  return problem === null ? [] : [['', problem]];
}

const patternRules: Record<string, Sentence> = {
  [keyPattern]: 'Must be 1 to 64 lower-case letters and digits, with . _ - between them.',
  [slaPattern]: 'Must be a number of at most four digits and h, d or w, such as 7d.',
  [text.pattern]: 'Must not have control characters.',
};

/** `/sla/window` → `.sla.window`, `/0/id` → `[0].id`. */
function pathOf(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => (/^[0-9]+$/.test(part) ? `[${part}]` : `.${part.slice(0, 80)}`))
    .join('');
}

/** The path of a field in the object at `path`, which is empty for the whole document. */
export function joined(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

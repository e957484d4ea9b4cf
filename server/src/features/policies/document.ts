/**
 * A policy as people write it, in YAML or JSON: its form, and every mistake with its place in the document. Knows no
 * database; names of places (`acme/shop`) are looked up by `apply.ts`.
 */
import { type Static, Type } from 'typebox';
import { Check, Errors } from 'typebox/value';
import { LineCounter, parseDocument } from 'yaml';
import { Refusal } from '../../refusal.ts';
import { severities } from '../vulnerabilities/bucket.ts';
import { type Condition, checkCondition, type Problems } from './condition.ts';
import { slaPattern } from './sla.ts';
import { policyModes, policyStatuses, ruleActions, ruleTypes, targetTypes } from './words.ts';

const strict = { additionalProperties: false };

/** What may be asked at most of who snoozes: 90 days, three times. A policy may ask for less. */
export const snoozeLimits = { maxDays: 90, maxCount: 3 };

export const RuleDocument = Type.Object(
  {
    type: Type.Enum([...ruleTypes]),
    id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'Id or name: org/name of a repository, path of an organization, name of an application.',
      }),
    ),
    action: Type.Optional(Type.Enum([...ruleActions])),
    enforcement_mode: Type.Optional(Type.Union([Type.Enum([...policyModes]), Type.Null()])),
  },
  strict,
);

export const PolicyDocument = Type.Object(
  {
    key: Type.String({
      pattern: '^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$',
      description: 'Unique in the workspace; lower case letters, digits and . _ - inside.',
    }),
    name: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
    status: Type.Optional(Type.Enum([...policyStatuses])),
    target_type: Type.Enum([...targetTypes]),
    enforcement_mode: Type.Enum([...policyModes]),
    severity: Type.Optional(Type.Union([Type.Enum([...severities]), Type.Null()])),
    config: Type.Optional(
      Type.Union([
        Type.Object(
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
      Type.Object(
        { sla: Type.Optional(Type.Object({ window: Type.String({ pattern: slaPattern }) }, strict)) },
        strict,
      ),
    ),
    rules: Type.Optional(Type.Array(RuleDocument, { maxItems: 1_000 })),
  },
  strict,
);
export type PolicyInput = Omit<Static<typeof PolicyDocument>, 'condition'> & { condition: Condition };
export type RuleInput = Static<typeof RuleDocument>;

// More is nobody's to read; and each costs something with every import.
const maxPolicies = 200;

/** What is wrong with policies that somebody wrote: nothing of them is stored. */
export class InvalidPolicies extends Refusal {
  readonly problems: Problems;

  constructor(problems: Problems) {
    super(
      'invalid',
      [...problems].map(([place, problem]) => `${place === '' ? '/' : place}: ${problem}`).join('\n'),
    );
    this.problems = problems;
  }
}

/** The policy, if nothing is wrong with it; `place` is where the document has it, '' for a document of one. */
export function checkPolicy(document: unknown, place: string, problems: Problems): PolicyInput | null {
  const before = problems.size;
  if (!Check(PolicyDocument, document)) {
    for (const error of Errors(PolicyDocument, document)) {
      problems.set(placeOf(place, error.instancePath), sentence(error.message));
    }
  }
  // Its mistakes are shown with the others, where the target is known at all.
  const { condition, target_type } = (document ?? {}) as Record<string, unknown>;
  const target = targetTypes.find((type) => type === target_type);
  if (target && condition !== undefined) {
    checkCondition(condition, target, joined(place, 'condition'), problems);
  }
  return problems.size === before ? (document as PolicyInput) : null;
}

/** A file of policies: `{policies: […]}`, or one policy alone. Throws Refusal with all that is wrong, each with its place. */
export function parsePolicies(text: string): PolicyInput[] {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  if (document.errors.length > 0) throw invalid(document.errors.map((error) => error.message));
  // Aliases could unfold to more than memory holds; nobody needs a hundred in a file of policies.
  const value: unknown = toJs(() => document.toJS({ maxAliasCount: 100 }));
  const problems: Problems = new Map();
  const policies = Array.isArray((value as { policies?: unknown } | null)?.policies)
    ? ((value as { policies: unknown[] }).policies ?? [])
    : [value];
  if (policies.length > maxPolicies) throw invalid([`policies: must not be more than ${maxPolicies}.`]);
  const isList = policies[0] !== value;
  for (const name of isList ? Object.keys(value as object) : []) {
    if (name !== 'policies') problems.set(name, 'Is unknown: a file has policies.');
  }
  const checked = policies.flatMap(
    (policy, i) => checkPolicy(policy, isList ? `policies[${i}]` : '', problems) ?? [],
  );
  const seen = new Set<string>();
  for (const [i, { key }] of checked.entries()) {
    if (seen.has(key)) problems.set(`policies[${i}].key`, `Stands twice: ${key}.`);
    seen.add(key);
  }
  if (problems.size > 0) throw new InvalidPolicies(problems);
  return checked;
}

function toJs(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    throw invalid([(error as Error).message]);
  }
}

/** `/actions/sla/window` → `policies[0].actions.sla.window`. */
function placeOf(place: string, pointer: string): string {
  const path = pointer
    .split('/')
    .slice(1)
    .map((part) => (/^[0-9]+$/.test(part) ? `[${part}]` : `.${part}`))
    .join('');
  return `${place}${path}`.replace(/^\./, '');
}

function joined(place: string, name: string): string {
  return place === '' ? name : `${place}.${name}`;
}

function sentence(message: string): string {
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
}

function invalid(problems: string[]): Refusal {
  return new Refusal('invalid', problems.join('\n'));
}

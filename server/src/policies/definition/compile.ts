/**
 * Compiles the conditions of policies into one SQL query, which gives the targets that meet them and the references. A
 * row reads each fact once, whatever the number of policies, and looks one up in other tables only if a condition can
 * still depend on it. Every value of a document is a bound parameter.
 */

import { Parameters } from '../../db/database.ts';
import { separate } from '../../db/planner-hints.ts';
import type { ReferenceId, RepositoryId, TenantId } from '../../domain/ids.ts';
import { nameKeyOf } from '../../domain/plain-name.ts';
import type { TargetId, TargetType } from '../../domain/policy-enums.ts';
import { type Clause, type Condition, clausesOf } from './condition.ts';
import { type FactSource, factSourceOf } from './fact-sources.ts';
import { type Fact, findFact } from './facts.ts';

export interface MatchRow {
  repository_id: RepositoryId;
  target_id: TargetId;
  reference_id: ReferenceId;
  tracked: boolean;
  is_default: boolean;
  severity: number | null;
  /** The target has a decision that does not override policies: only policies that block evaluate it. */
  decided: boolean;
  /** The packed states and the time of a vulnerability; null for any other target. */
  vulnerability_state: number | null;
  default_branch_state: number | null;
  introduced_at: Date | null;
  /** Positions of the met conditions in the list. */
  met: number[];
}

export interface MatchQuery {
  tenantId: TenantId;
  repositoryIds: RepositoryId[];
  target: TargetType;
  conditions: Condition[];
  /** The ids of vulnerabilities to evaluate; for other target types all targets of the repositories are taken. */
  ids: string[];
  /** The only references to evaluate; absent or null means all. */
  referenceIds?: ReferenceId[] | null;
  now: Date;
  /** The rows to test instead of the present ones of the target type. `add` gives the parameter of a value. */
  source?: (add: (value: unknown) => string) => FactSource;
}

// Each fact that is looked up repeats the clauses of the conditions about it. With more of them, a row would test
// clauses for longer than it looks facts up, and the statement would be several times as long.
const maxClausesOfNeed = 200;

/** The statement gives a MatchRow for each target that meets at least one of the conditions. */
export function matchQuery(query: MatchQuery): { sql: string; values: unknown[] } {
  const { target } = query;
  const { values, add } = new Parameters(query.tenantId, query.repositoryIds);
  if (target === 'vulnerability') add(query.ids);
  const used = [
    ...new Set(
      query.conditions
        .flatMap(clausesOf)
        .map((clause) => clause.fact)
        .sort(),
    ),
  ].map((name) => getFact(target, name));
  const conditions = query.conditions.map(joinGlobs);
  let now: string | null = null;
  const sqlOf = (fact: Fact): string =>
    fact.sql.replaceAll('$now$', () => {
      now ??= add(query.now);
      return now;
    });
  const columnOf = new Map(used.map((fact, i) => [fact.name, `x.f${i}`]));
  // Equal clauses have one parameter, so that equal parts of what a look-up depends on are recognized by their text.
  const parameters = new Map<string, string>();
  const clauseOn = (clause: Clause, column: string): string =>
    clauseSql(getFact(target, clause.fact), clause, column, (value) => {
      const key = JSON.stringify([clause.fact, clause.operator, clause.value]);
      const parameter = parameters.get(key) ?? add(value);
      parameters.set(key, parameter);
      return parameter;
    });
  /** SQL: a condition may depend on one of these facts, as far as the facts that need no look-up tell. */
  const neededFor = (facts: Fact[]): string => {
    const names = new Set(facts.map((fact) => fact.name));
    const about = conditions.filter((condition) => clausesOf(condition).some(({ fact }) => names.has(fact)));
    if (about.flatMap(clausesOf).length > maxClausesOfNeed) return 'true';
    const possible = about.map((condition) =>
      possibleSql(condition, (clause) => {
        const fact = getFact(target, clause.fact);
        return isLookedUp(fact) ? null : clauseOn(clause, sqlOf(fact));
      }),
    );
    return anyOf(possible);
  };
  const source =
    query.source?.(add) ??
    factSourceOf(
      target,
      (alias) => {
        const facts = used.filter((fact) => new RegExp(`\\b${alias}\\.`).test(fact.sql));
        return facts.length > 0 ? neededFor(facts) : null;
      },
      query.referenceIds ? add(query.referenceIds) : null,
    );
  const columns = used.map((fact, i) => {
    const sql = isLookedUp(fact) ? `case when ${neededFor([fact])} then ${sqlOf(fact)} end` : sqlOf(fact);
    return `, ${sql} as f${i}`;
  });
  const met = conditions.map((condition, i) => {
    const sql = conditionSql(condition, (clause) => clauseOn(clause, columnOf.get(clause.fact) ?? ''));
    return `case when ${sql} then ${i} end`;
  });
  return {
    // A vulnerability has a row for each location, and it meets a condition if one of them does.
    sql: `${source.with ?? ''} select y.repository_id, y.target_id, y.reference_id, y.tracked, y.is_default, y.severity, y.decided,
            y.vulnerability_state, y.default_branch_state, y.introduced_at, array_agg(distinct m.i order by m.i) as met
       from ${separate(`select x.repository_id, x.target_id, x.reference_id, x.tracked, x.is_default, x.severity, x.decided,
             x.vulnerability_state, x.default_branch_state, x.introduced_at, array_remove(array[${met.join(', ')}]::int[], null) as met
        from ${separate(`select r.id as repository_id, ${source.targetId} as target_id, ${source.referenceId} as reference_id,
                     ${source.tracked} as tracked, ${source.isDefault} as is_default,
                     ${source.severity} as severity, ${source.decided} as decided, ${source.listed}${columns.join('')}
                from ${source.from}
               where ${source.where}`)} x`)} y
      cross join unnest(y.met) as m (i)
      group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10`,
    values,
  };
}

function getFact(target: TargetType, name: string): Fact {
  const fact = findFact(target, name);
  if (!fact) throw new Error(`no fact ${name} of a ${target}`);
  return fact;
}

function conditionSql(condition: Condition, clause: (clause: Clause) => string): string {
  if ('all' in condition) return allOf(condition.all.map((child) => conditionSql(child, clause)));
  if ('any' in condition) return anyOf(condition.any.map((child) => conditionSql(child, clause)));
  if ('not' in condition) return `(not ${conditionSql(condition.not, clause)})`;
  return clause(condition);
}

/**
 * SQL that is false only if the condition is false for every value of the facts for whose clauses `clause` returns
 * null. With `negated`, it is true only if the condition is true for all of these values.
 */
function possibleSql(
  condition: Condition,
  clause: (clause: Clause) => string | null,
  negated = false,
): string {
  if ('all' in condition) return allOf(condition.all.map((child) => possibleSql(child, clause, negated)));
  if ('any' in condition) return anyOf(condition.any.map((child) => possibleSql(child, clause, negated)));
  if ('not' in condition) return `(not ${possibleSql(condition.not, clause, !negated)})`;
  return clause(condition) ?? String(!negated);
}

function allOf(parts: string[]): string {
  return `(${[...new Set(parts)].join(' and ')})`;
}

function anyOf(parts: string[]): string {
  return `(${[...new Set(parts)].join(' or ')})`;
}

/** The SQL of the fact reads rows of other tables. */
function isLookedUp({ sql }: Fact): boolean {
  return /\bselect\b|\blocation\./.test(sql);
}

// All globs on one fact become one expression, because PostgreSQL would take a set of texts apart once for each of
// them.
function joinGlobs(condition: Condition): Condition {
  if ('all' in condition) return { all: condition.all.map(joinGlobs) };
  if ('not' in condition) return { not: joinGlobs(condition.not) };
  if (!('any' in condition)) return condition;
  const globs = new Map<string, string[]>();
  const others = condition.any.map(joinGlobs).filter((child) => {
    if (!('fact' in child) || child.operator !== 'matches') return true;
    globs.set(child.fact, [...(globs.get(child.fact) ?? []), String(child.value)]);
    return false;
  });
  return {
    any: [...others, ...[...globs].map(([fact, value]): Clause => ({ fact, operator: 'matches', value }))],
  };
}

/**
 * The SQL is true or false, never null. An unknown fact is not equal to any value, neither more nor less than it, and
 * `!=` is true.
 */
function clauseSql(fact: Fact, clause: Clause, column: string, add: (value: unknown) => string): string {
  const { operator } = clause;
  const one = (value: unknown): unknown => storedValue(fact, value);
  const list = (): unknown[] => (clause.value as unknown[]).map(one);
  const patterns = (): string => add([clause.value].flat().map((glob) => likePattern(String(one(glob)))));
  const type = parameterType(fact);
  if (fact.kind === 'texts') {
    const has = (sql: string): string => `coalesce(${sql}, false)`;
    if (operator === 'matches') {
      return `exists (select 1 from unnest(${column}) w where w like any(${patterns()}::text[]))`;
    }
    if (operator === 'contains') return has(`${add(one(clause.value))}::text = any(${column})`);
    if (operator === 'not_all_in') {
      return `coalesce(${column} = '{}' or not ${column}::text[] <@ ${add(list())}::text[], true)`;
    }
    const overlaps = has(`${column}::text[] && ${add(list())}::text[]`);
    return operator === 'in' ? overlaps : `(not ${overlaps})`;
  }
  switch (operator) {
    case '==':
      return `coalesce(${column} = ${add(one(clause.value))}::${type}, false)`;
    case '!=':
      return `coalesce(${column} <> ${add(one(clause.value))}::${type}, true)`;
    case 'in':
      return `coalesce(${column} = any(${add(list())}::${type}[]), false)`;
    case 'not_in':
      return `coalesce(${column} <> all(${add(list())}::${type}[]), true)`;
    case 'contains':
      return `coalesce(strpos(${column}, ${add(one(clause.value))}::text) > 0, false)`;
    case 'matches':
      return `coalesce(${column} like any(${patterns()}::text[]), false)`;
    default:
      return `coalesce(${column} ${operator} ${add(one(clause.value))}::${type}, false)`;
  }
}

function storedValue(fact: Fact, value: unknown): unknown {
  if (fact.packed) return fact.values?.indexOf(String(value));
  if (typeof value !== 'string') return value;
  if (fact.composed) return value.normalize('NFC');
  if (fact.caseless === undefined) return value;
  if (fact.caseless === 'unicode') return nameKeyOf(value);
  return value.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function parameterType({ kind, packed }: Fact): string {
  if (packed) return 'int';
  switch (kind) {
    case 'number':
    case 'days':
      return 'numeric';
    case 'boolean':
      return 'boolean';
    case 'date':
      return 'date';
    default:
      return 'text';
  }
}

/** In a glob, `*` stands for any run of characters, including `/`, and `?` for one; nothing else is special. */
function likePattern(glob: string): string {
  return glob
    .replace(/[\\%_]/g, '\\$&')
    .replace(/\*+/g, '%')
    .replaceAll('?', '_');
}

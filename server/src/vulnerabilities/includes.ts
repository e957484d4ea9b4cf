/**
 * The fields that `include` adds to the rows of the vulnerability list. `includes` declares each of them once: its
 * name, its columns and joins, and its value. The values of the parameter, the schema of a row and the statement are
 * derived from it. One statement reads all requested fields, for the rows of the page alone.
 */
import { type Static, type TSchema, Type } from 'typebox';
import type { Tx } from '../db/database.ts';
import { rowByKey, rowsByKey } from '../db/planner-hints.ts';
import { formatId, type TeamId, type UserId, type VulnerabilityId } from '../domain/ids.ts';
import { packageName, packageVersion } from '../domain/package-name.ts';
import { reaches, unpackState } from '../domain/packed-state.ts';
import { shortRef } from '../domain/reference-name.ts';
import { unresolvedStates } from '../domain/violation-state.ts';
import { requireScopes } from '../http/access.ts';
import { listParameter } from '../http/input.ts';
import type { KeyScope, Principal } from '../http/principal.ts';
import {
  extendedObject,
  IdAndName,
  NullableNumber,
  NullableString,
  namedObject,
  Timestamp,
  timestamp,
} from '../http/schema.ts';
import { sqlRule } from './identifiers.ts';
import { type IntelColumns, intelColumns, intelJoins } from './intel-columns.ts';
import { VulnerabilityItem, type VulnerabilityRow } from './schema.ts';

interface Include<Schema extends TSchema, Row> {
  schema: Schema;
  /** The joins that the columns need, after those of `rowsOfPage`. */
  joins: readonly Join[];
  columns: string;
  value: (row: Row) => Static<Schema>;
  /** The scope that the caller needs in addition to that of the list. */
  scope?: KeyScope;
}

function include<Schema extends TSchema, Row>(declared: Include<Schema, Row>): Include<Schema, Row> {
  return declared;
}

function orNull<Schema extends TSchema>(schema: Schema, description: string) {
  return Type.Union([schema, Type.Null()], { description });
}

/** The joins in the order of the statement. Each looks up rows by a key, for the rows of the page. */
const joins = {
  location: `cross join lateral ${rowByKey('vulnerability_location l', 'k.location_id')}`,
  artifact: `left join lateral ${rowByKey('artifact a', 'l.artifact_id')} on true`,
  reference: `cross join lateral ${rowByKey('reference f', 'k.reference_id')}`,
  person: 'left join user_account u on u.id = v.assignee_id',
  team: `left join lateral ${rowByKey('team t', 'v.team_id')} on true`,
  due: `cross join lateral (
        select min(p.due_at) as due_at from ${rowsByKey('policy_violation p', 'v.id', {
          column: 'target_id',
          next: 'policy_id',
          where: 'p.repository_id = v.repository_id',
        })} where p.packed_state in (${unresolvedStates.join(', ')})) p`,
  intel: intelJoins,
};
type Join = keyof typeof joins;

const rowsOfPage = `unnest($2::uuid[], $3::uuid[], $4::uuid[]) as k (id, location_id, reference_id)
      cross join lateral ${rowByKey('vulnerability v', 'k.id')}`;

const includes = {
  package: include({
    schema: orNull(
      namedObject('ListedPackage', {
        purl: Type.String({ description: 'Package URL, without version.' }),
        name: Type.String(),
        version: NullableString,
      }),
      'Package with the version at the location that is shown; null if the vulnerability is in no package.',
    ),
    joins: ['location', 'artifact'],
    columns: 'v.package, a.purl as installed',
    value: ({ package: purl, installed }: { package: string | null; installed: string | null }) =>
      purl === null
        ? null
        : { purl, name: packageName(purl), version: installed === null ? null : packageVersion(installed) },
  }),
  rule: include({
    schema: Type.String({
      description:
        'Rule of the tool that found it, which is an advisory in a package; empty if the report names none.',
    }),
    joins: [],
    columns: `${sqlRule('v')} as rule`,
    value: ({ rule }: { rule: string }) => rule,
  }),
  advisory: include({
    schema: NullableString,
    joins: [],
    columns: 'v.advisory',
    value: ({ advisory }: { advisory: string | null }) => advisory,
  }),
  fix: include({
    schema: orNull(
      namedObject('ListedFix', { fix_version: Type.String() }),
      'Version that fixes it; null if none is known.',
    ),
    joins: [],
    columns: 'v.fix_version',
    value: ({ fix_version }: { fix_version: string | null }) =>
      fix_version === null ? null : { fix_version },
  }),
  assignee: include({
    schema: orNull(IdAndName, 'Person to whom it is assigned.'),
    joins: ['person'],
    columns: 'u.id as assignee_id, u.name as assignee_name',
    value: ({
      assignee_id: id,
      assignee_name: name,
    }: {
      assignee_id: UserId | null;
      assignee_name: string;
    }) => (id === null ? null : { id: formatId('user', id), name }),
  }),
  team: include({
    schema: orNull(IdAndName, 'Team that owns the file, by the CODEOWNERS file of the repository.'),
    joins: ['team'],
    columns: 't.id as team_id, t.name as team_name',
    value: ({ team_id: id, team_name: name }: { team_id: TeamId | null; team_name: string }) =>
      id === null ? null : { id: formatId('team', id), name },
  }),
  due: include({
    schema: orNull(
      namedObject('ListedDue', { due_at: Timestamp }),
      'The policy violation that is due first among those open or in review.',
    ),
    joins: ['due'],
    columns: 'p.due_at',
    value: ({ due_at: at }: { due_at: Date | null }) => (at === null ? null : { due_at: timestamp(at) }),
    scope: 'policy-violations:read',
  }),
  epss: include({
    schema: namedObject('ListedEpss', {
      score: NullableNumber,
      kev: Type.Boolean({
        description: 'True: it is in the catalogue of known exploited vulnerabilities (KEV).',
      }),
    }),
    joins: ['intel'],
    columns: intelColumns,
    value: ({ epss, kev }: IntelColumns) => ({ score: epss?.score ?? null, kev: kev !== null }),
  }),
  open_on: include({
    schema: namedObject('ListedReach', {
      ref: Type.String({ description: 'Reference of the location that is shown.' }),
      is_default: Type.Boolean(),
      reach: Type.String({ description: reaches.join(', ') }),
    }),
    joins: ['reference'],
    columns: 'f.full_ref, f.is_default, v.packed_state',
    value: (row: { full_ref: string; is_default: boolean; packed_state: number }) => ({
      ref: shortRef(row.full_ref),
      is_default: row.is_default,
      reach: unpackState(row.packed_state).reach,
    }),
  }),
};

type Includes = typeof includes;
export type IncludeName = keyof Includes;
const names = Object.keys(includes) as IncludeName[];

export const includeParameter = Type.Optional(
  listParameter<IncludeName>('Further fields of each row, by their names.', { values: names }),
);

/** A row of the list, with the fields that `include` adds. */
export const ListedVulnerability = extendedObject('Vulnerability', VulnerabilityItem, {
  ...(Object.fromEntries(names.map((name) => [name, Type.Optional(includes[name].schema)])) as {
    [Name in IncludeName]: ReturnType<typeof Type.Optional<Includes[Name]['schema']>>;
  }),
});

export type Included = { [Name in IncludeName]?: Static<Includes[Name]['schema']> };

/** Throws 403 if the caller may not read the requested fields. */
export function requireIncludes(principal: Principal, requested: readonly IncludeName[]): void {
  requireScopes(
    principal,
    requested.flatMap((name) => includes[name].scope ?? []),
  );
}

/** Returns the requested fields, by the id of the vulnerability, for the rows of a page. */
export async function readIncludes(
  tx: Tx,
  requested: readonly IncludeName[],
  rows: VulnerabilityRow[],
): Promise<Map<string, Included>> {
  const chosen = names.filter((name) => requested.includes(name));
  if (chosen.length === 0 || rows.length === 0) return new Map();
  const needed = new Set<Join>(chosen.flatMap((name) => includes[name].joins));
  const found = await tx.query<{ id: VulnerabilityId }>(
    `select k.id, ${[...new Set(chosen.map((name) => includes[name].columns))].join(', ')}
       from ${rowsOfPage}
      ${(Object.keys(joins) as Join[])
        .filter((join) => needed.has(join))
        .map((join) => joins[join])
        .join('\n      ')}`,
    [
      tx.tenantId,
      rows.map((row) => row.id),
      rows.map((row) => row.location_id),
      rows.map((row) => row.reference_id),
    ],
  );
  return new Map(found.map((row) => [row.id, includedIn(row, chosen)]));
}

function includedIn(row: object, chosen: IncludeName[]): Included {
  return Object.fromEntries(
    chosen.map((name) => [name, (includes[name] as Include<TSchema, object>).value(row)]),
  ) as Included;
}

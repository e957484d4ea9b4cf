/** Parts of response schemas that all modules share, and the functions that format their values. */

import {
  type Static,
  type TObject,
  type TObjectOptions,
  type TProperties,
  type TSchema,
  type TString,
  type TStringOptions,
  Type,
} from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { formatId, type UserId } from '../domain/ids.ts';
import type { Sentence } from '../domain/sentence.ts';
import { roles } from './principal.ts';

export const NullableString = Type.Unsafe<string | null>({ type: ['string', 'null'] });
export const nullableString = (description: string, rules: TStringOptions = {}) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], ...rules, description });
export const NullableInteger = Type.Unsafe<number | null>({ type: ['integer', 'null'] });
export const NullableNumber = Type.Unsafe<number | null>({ type: ['number', 'null'] });

/** The schema of an enumeration of texts. */
export function oneOf<const Value extends string>(values: readonly Value[], description?: string) {
  return Type.Unsafe<Value>({ type: 'string', enum: values, ...(description && { description }) });
}

export const RoleName = oneOf(roles);

/** `YYYY-MM-DDTHH:MM:SSZ` */
export const Timestamp = Type.String({ format: 'date-time' });
const nullableTime = { type: ['string', 'null'], format: 'date-time' };
export const NullableTimestamp = Type.Unsafe<string | null>(nullableTime);
export const nullableTimestamp = (description: string) =>
  Type.Unsafe<string | null>({ ...nullableTime, description });

/** The body of a request: a field that it does not declare is refused. */
export function closedObject<Fields extends TProperties>(fields: Fields) {
  return Type.Object(fields, { additionalProperties: false });
}

// Without being compiled, a check of a large value takes seconds in which the process answers nobody.
const validators = new WeakMap<TSchema, Validator>();

/** True if the value has the form of the schema, which is compiled at its first use. */
export function matchesSchema<Schema extends TSchema>(
  schema: Schema,
  value: unknown,
): value is Static<Schema> {
  const validator = validators.get(schema) ?? Compile(schema);
  validators.set(schema, validator);
  return validator.Check(value);
}

export interface SchemaError {
  keyword: string;
  params: object;
  message: string;
}

/** Returns the mistake as a sentence. Null if the library also reports it for each field or variant of the value. */
export function schemaSentence({ keyword, params, message }: SchemaError): Sentence | null {
  switch (keyword) {
    case 'additionalProperties':
    case 'anyOf':
      return null;
    case 'boolean':
      return 'Is unknown.';
    case 'enum':
      return `Must be one of ${(params as { allowedValues: unknown[] }).allowedValues.join(', ')}.`;
    default:
      // The library begins each other message with "must".
      return `Must ${message.slice('must '.length)}.`;
  }
}

/** An object with a name: the API's document holds it once, under this name, and refers to it everywhere else. */
export function namedObject<Fields extends TProperties>(
  title: string,
  fields: Fields,
  options: TObjectOptions = {},
) {
  return Type.Object(fields, { title, ...options });
}

/** The keyword with the schema that a schema extends. */
export const extendsKeyword = 'x-extends';

/**
 * An object with a name that has the fields of another and further ones. The API's document refers to the other one.
 */
export function extendedObject<Base extends TProperties, Fields extends TProperties>(
  title: string,
  base: TObject<Base>,
  fields: Fields,
) {
  type All = { [Name in keyof (Base & Fields)]: (Base & Fields)[Name] };
  return Type.Object<All>({ ...base.properties, ...fields }, { title, [extendsKeyword]: base });
}

/** One page of a list. The schema is named after its items. */
export function page<T extends TSchema>(item: T) {
  return namedObject(`${titleOf(item)}Page`, { items: Type.Array(item), next_cursor: NullableString });
}

/** A list without pages. The schema is named after its items. */
export function list<T extends TSchema>(item: T) {
  return namedObject(`${titleOf(item)}List`, { items: Type.Array(item) });
}

function titleOf(schema: TSchema): string {
  const { title } = schema as { title?: string };
  if (title === undefined) throw new Error('the items of a list have no name: declare them by namedObject');
  return title;
}

export const IdAndName = namedObject('IdAndName', { id: Type.String(), name: Type.String() });
export const Account = namedObject('Account', {
  id: Type.String(),
  name: Type.String(),
  email: Type.String(),
});
export const PersonBrief = namedObject('Person', {
  id: Type.String(),
  display_name: Type.String(),
  email: Type.String(),
});
export const NullablePerson = Type.Union([PersonBrief, Type.Null()]);
export function personOf(
  person: { id: UserId; name: string; email: string } | null,
): Static<typeof NullablePerson> {
  return person && { id: formatId('user', person.id), display_name: person.name, email: person.email };
}
export const Workspace = namedObject('Workspace', {
  id: Type.String(),
  slug: Type.String(),
  workspace: Type.String(),
});
export const OrganizationBrief = namedObject('OrganizationBrief', {
  id: Type.String(),
  name: Type.String(),
  full_path: Type.String(),
});
export const RepositoryBrief = namedObject('RepositoryBrief', {
  id: Type.String(),
  full_name: Type.String(),
});
export const BranchHead = namedObject('BranchHead', { ref: NullableString, sha: NullableString });
export const PolicyName = namedObject('PolicyName', {
  id: Type.String(),
  key: Type.String(),
  name: Type.String(),
});

/**
 * Writes a time in whole seconds, as the API's contract says; the database keeps milliseconds. A text is one that
 * PostgreSQL wrote in JSON, in UTC.
 */
export function timestamp(time: Date | string): string {
  return `${(typeof time === 'string' ? time : time.toISOString()).slice(0, 19)}Z`;
}

export function timestampOrNull(time: Date | string | null): string | null {
  return time === null ? null : timestamp(time);
}

const ErrorMap = Type.Record(Type.String(), Type.Array(Type.String()));

/** The body of every error answer. */
export const ErrorResponse = Type.Object(
  {
    code: Type.String(),
    message: Type.String(),
    details: Type.Optional(Type.Object({}, { additionalProperties: true })),
    errors: Type.Optional(ErrorMap),
  },
  { title: 'ApiError' },
);

/** Parameters of paths. A malformed id is a resource that does not exist (404), so the schema checks nothing. */
export const tenantParams = Type.Object({
  tenant_slug: Type.String({ description: 'Slug of the workspace.' }),
});

/** The workspace, and further parameters with their descriptions. */
export function paramsWith<Name extends string>(descriptions: Record<Name, string>) {
  const parameters = Object.entries<string>(descriptions).map(([name, description]) => [
    name,
    Type.String({ description }),
  ]);
  return Type.Object({
    ...tenantParams.properties,
    ...(Object.fromEntries(parameters) as Record<Name, TString>),
  });
}

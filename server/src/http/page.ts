/**
 * Every list is read in the same way: declare the filters once, open the requested page, read one row more than it
 * shows, and answer. The extra row says whether there is another page. A cursor names the next page.
 */
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { type Static, type TArray, type TOptional, type TSchema, type TString, Type } from 'typebox';
import { invalidInput } from '../domain/errors.ts';
import { formatId, type Id, type IdKind, nilId } from '../domain/ids.ts';
import { listParameter } from './input.ts';
import type { KeyScope } from './principal.ts';
import { NullableString } from './schema.ts';

const maxPerPage = 200;
const defaultPerPage = 50;

/** Page size and cursor, the same on every list. */
export const pageParameters = {
  per_page: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: maxPerPage,
      default: defaultPerPage,
      description: 'Number of rows on a page; `limit` and `page_size` mean the same.',
    }),
  ),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 255, description: '`next_cursor` of the page before.' }),
  ),
};

/** The ids of the rows of a page, for what else the caller asks about them. */
export function idsParameter(kind: IdKind) {
  return listParameter(`Ids, at most ${maxPerPage}; unknown ids are left out.`, {
    maxItems: maxPerPage,
    maxText: maxPerPage * `${formatId(kind, nilId)},`.length,
  });
}

export interface PageQuery {
  cursor?: string;
  per_page?: number;
}

export interface OpenPage {
  /** The sort key of the last row of the page before; null for the first page. */
  after: CursorValue[] | null;
  /** The same for a list in the order of its ids. */
  afterId: Id<never> | null;
  /** The number of rows to read. */
  take: number;
  /** Removes the extra row. If there was one, the cursor holds the sort key of the last row shown. */
  answer<Row, Item>(rows: Row[], show: (row: Row) => Item, keyOf: (last: Row) => CursorValue[]): Page<Item>;
  /** The same for items that are read together, only for the rows that are shown. */
  readAnswer<Row, Item>(
    rows: Row[],
    show: (rows: Row[]) => Promise<Item[]>,
    keyOf: (last: Row) => CursorValue[],
  ): Promise<Page<Item>>;
}

interface Page<Item> {
  items: Item[];
  next_cursor: string | null;
}

/**
 * Opens a page of the list of this workspace, or caller, and of the object of the path, if there is one. The cursor is
 * bound to these and to every other parameter of the query, in any order. Throws 422 for the cursor of another list.
 */
export function openPage<Query extends { cursor?: string | undefined; per_page?: number | undefined }>(
  cursors: Cursors,
  [owner, operation, ...object]: [owner: string, operation: string, ...object: unknown[]],
  query: Query,
): OpenPage {
  const { cursor, per_page: size = defaultPerPage, ...filters } = query;
  const scope = cursorScope(owner, operation, [object, boundTo(filters)]);
  const after = cursor === undefined ? null : cursors.decode(scope, cursor);
  return {
    after,
    afterId: after && idIn(after[0]),
    take: size + 1,
    answer: (rows, show, keyOf) => ({
      items: rows.slice(0, size).map(show),
      next_cursor: nextCursor(rows, keyOf),
    }),
    readAnswer: async (rows, show, keyOf) => ({
      items: await show(rows.slice(0, size)),
      next_cursor: nextCursor(rows, keyOf),
    }),
  };

  function nextCursor<Row>(rows: Row[], keyOf: (last: Row) => CursorValue[]): string | null {
    const last = rows[size - 1];
    return rows.length > size && last !== undefined ? cursors.encode(scope, keyOf(last)) : null;
  }
}

/**
 * Returns the id that is a part of the position of a cursor. As the cursor is bound to its list, the id has the kind
 * that the list gave it.
 */
export function idIn(value: CursorValue | undefined): Id<never> {
  return String(value) as Id<never>;
}

function boundTo(filters: object): unknown {
  const given = Object.entries(filters as Record<string, unknown>).filter(([, value]) => value !== undefined);
  return given.sort(([one], [other]) => (one < other ? -1 : 1));
}

export type CursorValue = string | number;

/**
 * A cursor holds the sort key of the last row of a page; it is opaque and authenticated. It is bound to its workspace,
 * route, filters and sort, so an altered or foreign cursor, or one with other filters, is refused.
 */
export interface Cursors {
  /** At most 255 characters for keys of ids, numbers and short names. */
  encode(scope: string, key: CursorValue[]): string;
  /** Throws 422 on `cursor`. */
  decode(scope: string, cursor: string): CursorValue[];
}

// 16 bytes of HMAC-SHA256: a forgery has one chance in 2^128.
const macBytes = 16;

export function cursors(key: Buffer): Cursors {
  // With the bytes themselves an HMAC takes six times as long.
  const secretKey = createSecretKey(key);
  const mac = (scope: string, payload: Buffer): Buffer =>
    createHmac('sha256', secretKey).update(scope).update('\0').update(payload).digest().subarray(0, macBytes);
  return {
    encode: (scope, values) => {
      const payload = Buffer.from(JSON.stringify(values));
      return Buffer.concat([mac(scope, payload), payload]).toString('base64url');
    },
    decode: (scope, cursor) => {
      const bytes = Buffer.from(cursor, 'base64url');
      const payload = bytes.subarray(macBytes);
      const intact =
        bytes.length > macBytes &&
        bytes.toString('base64url') === cursor &&
        timingSafeEqual(bytes.subarray(0, macBytes), mac(scope, payload));
      if (!intact) {
        throw invalidInput(
          'The cursor does not belong to this list: send next_cursor unchanged, with the same filters.',
          'cursor',
        );
      }
      return JSON.parse(payload.toString()) as CursorValue[];
    },
  };
}

/** The scope that a cursor is bound to; any change of it means another list. */
export function cursorScope(owner: string, route: string, filters: unknown): string {
  return JSON.stringify([owner, route, filters]);
}

export interface Filter<Schema extends TSchema = TSchema> {
  schema: Schema;
  /** True for a filter without which there is no list. */
  required?: true;
  /** False for a filter that is not part of the echo, whose keys the API's specification fixes. */
  echoed?: false;
}

/** A filter of a list whose rows have traits in a packed state. */
export interface TraitFilter<Schema extends TSchema, Traits, Query> extends Filter<Schema> {
  /** Returns the test of a value, or nothing if it allows all traits. */
  test?: (value: Static<Schema>, query: Query) => ((traits: Traits) => boolean) | undefined;
  /** The scope that the caller needs in addition to that of the list, because the filter reveals data of that scope. */
  needs?: KeyScope;
}

/** Returns the function that declares one filter of a list whose rows have these traits. */
export function filterOn<Traits, Query = unknown>() {
  return <Schema extends TSchema, const Rest extends Omit<TraitFilter<Schema, Traits, Query>, 'schema'>>(
    schema: Schema,
    rest?: Rest,
  ): { schema: Schema } & Rest => ({ schema, ...(rest as Rest) });
}

/** Returns the tests of the filters on traits that the query has, by the names of the filters. */
export function testsOf<Traits, Query extends object, Name extends string>(
  filters: Record<Name, object>,
  query: Query & { [Key in Name]?: unknown },
): Map<Name, (traits: Traits) => boolean> {
  const tests = new Map<Name, (traits: Traits) => boolean>();
  for (const name of Object.keys(filters) as Name[]) {
    const { test } = filters[name] as TraitFilter<TSchema, Traits, Query>;
    const made = query[name] === undefined ? undefined : test?.(query[name], query);
    if (made) tests.set(name, made);
  }
  return tests;
}

type RequiredName<Declared extends Record<string, Filter>> = {
  [Name in keyof Declared]: Declared[Name] extends { required: true } ? Name : never;
}[keyof Declared];

export type QueryOf<Declared extends Record<string, Filter>> = {
  [Name in RequiredName<Declared>]: Static<Declared[Name]['schema']>;
} & {
  [Name in Exclude<keyof Declared, RequiredName<Declared>>]?: Static<Declared[Name]['schema']>;
};

type EchoedName<Declared extends Record<string, Filter>> = {
  [Name in keyof Declared]: Declared[Name] extends { echoed: false } ? never : Name;
}[keyof Declared];

type EchoSchema<Declared extends Record<string, Filter>> = {
  [Name in EchoedName<Declared>]: Static<Declared[Name]['schema']> extends string[]
    ? TArray<TString>
    : typeof NullableString;
};

type Echo<Declared extends Record<string, Filter>> = {
  [Name in EchoedName<Declared>]: Static<Declared[Name]['schema']> extends string[]
    ? string[]
    : string | null;
};

/** Derives the query parameters, the type of a query, and the echo of a list from its filters. */
export function declareFilters<Declared extends Record<string, Filter>>(filters: Declared) {
  const names = Object.keys(filters);
  const echoed = names.filter((name) => filters[name]?.echoed !== false);
  const isList = (name: string): boolean => 'items' in (filters[name]?.schema ?? {});
  return {
    names: names as (keyof Declared & string)[],
    /** The filters as query parameters. */
    parameters: Object.fromEntries(
      Object.entries(filters).map(([name, { schema, required }]) => [
        name,
        required ? schema : Type.Optional(schema),
      ]),
    ) as {
      [Name in keyof Declared]: Name extends RequiredName<Declared>
        ? Declared[Name]['schema']
        : TOptional<Declared[Name]['schema']>;
    },
    /** The fields of the schema of the echo. */
    echo: Object.fromEntries(
      echoed.map((name) => [name, isList(name) ? Type.Array(Type.String()) : NullableString]),
    ) as EchoSchema<Declared>,
    /** The echoed filters with the text sent, or null or an empty list. */
    echoOf: (query: QueryOf<Declared>) => {
      const sent = new Map(Object.entries(query));
      return Object.fromEntries(
        echoed.map((name) => [name, sent.get(name) ?? (isList(name) ? [] : null)]),
      ) as Echo<Declared>;
    },
  };
}

/** The declaration of a text. */
export function textFilter(maxLength: number, description: string) {
  return Type.String({ minLength: 1, maxLength, description });
}

/** The repository that a list is about, or the filter by it. */
export const repositoryText = textFilter(255, 'Repository: id or full name.');

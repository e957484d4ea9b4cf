/**
 * The query string of an address. It holds every filter of a page as plain text: `?severity=critical,high`. A page
 * declares its parameters by `searchOf({ severity: list, state: oneOf(…), q: text })` and gives that to its route's
 * `validateSearch`. The page of a list of the API declares them by `listSearchOf`, which requires every filter of that
 * list. The router keeps a value that does not fit as it is, and the server refuses it by name.
 */
type Read<T> = (raw: string) => T | undefined;
type Schema = Record<string, Read<unknown>>;
type Value<R> = R extends Read<infer T> ? T : never;
type Searched<S extends Schema> = {
  [K in keyof S as S[K] extends NotOffered ? never : K]?: Value<S[K]>;
};
type NotOffered = Read<never>;

/** Reads free text, a cursor or an id. */
export const text: Read<string> = (raw) => (raw === '' ? undefined : raw);

/** Reads several names. A name holds no comma. */
export const list: Read<string[]> = (raw) => {
  const names = [...new Set(raw.split(',').filter((name) => name !== ''))];
  return names.length === 0 ? undefined : names;
};

export function oneOf<const T extends string>(...names: T[]): Read<T> {
  return (raw) => names.find((name) => name === raw);
}

export const yesNo = oneOf('yes', 'no');

/** Reads several of these names. It keeps any other name, so that the server refuses it and says which one is wrong. */
export function someOf<const T extends string>(..._names: T[]): Read<T[]> {
  return list as Read<T[]>;
}

export function matching(pattern: RegExp): Read<string> {
  return (raw) => (pattern.test(raw) ? raw : undefined);
}

/** Creates the `validateSearch` of a route. */
export function searchOf<S extends Schema>(schema: S): (raw: Record<string, unknown>) => Searched<S> {
  return (raw) => {
    const entries = Object.entries(schema).map(([name, read]) => [name, read(asText(raw[name]))]);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Searched<S>;
  };
}

type FilterName<Query> = Exclude<keyof Query, 'cursor' | 'per_page'>;

/** Requires a reader of every value of each filter, or that the filter is declared as not offered. */
type EveryFilter<Query, S extends Schema> = {
  [Name in FilterName<Query>]-?: Name extends keyof S
    ? S[Name] extends NotOffered
      ? NotOffered
      : NonNullable<Query[Name]> extends Value<S[Name]>
        ? S[Name]
        : { lacks: NonNullable<Query[Name]> }
    : Read<unknown>;
};

/**
 * Creates the `validateSearch` of the page of a list of the API:
 * `listSearchOf<Query<'listScans'>>()({ tool: text, … })`. It does not compile if it lacks a filter, or a value of a
 * filter.
 */
export function listSearchOf<Query>() {
  return <S extends Schema & EveryFilter<Query, S>>(schema: S) => searchOf<S>(schema);
}

/** Declares that the page does not offer this filter of its list. The reason is for the reader of the code. */
export function notOffered(_reason: string): NotOffered {
  return () => undefined;
}

function asText(value: unknown): string {
  if (Array.isArray(value)) return value.join(',');
  return value === undefined || value === null ? '' : String(value);
}

/** Parses for the router: `?a=1&b=x,y` ↔ `{ a: '1', b: 'x,y' }`. */
export function parseSearch(search: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(search));
}

export function stringifySearch(search: Record<string, unknown>): string {
  const parts = Object.entries(search)
    .map(([name, value]) => [name, asText(value)] as const)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${encodeURIComponent(name)}=${readable(value)}`);
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

// Characters that a query string allows are not encoded, so that the address stays readable.
function readable(value: string): string {
  return encodeURIComponent(value).replace(/%(2C|2F|3A|40)/g, (code) => decodeURIComponent(code));
}

/**
 * The operations of the API by their names in the OpenAPI document. A caller names an operation and gives its
 * parameters. Method and path come from the generated table, so that no other file writes a path.
 */
import type { operations } from './api.gen.ts';
import { operationTable } from './operation-table.gen.ts';

export type OperationName = keyof operations;

type Success<Responses> = Responses[keyof Responses & (200 | 201 | 202 | 204)];

/** The body of an operation's success: JSON, another text, or undefined if there is none. */
export type Answer<Name extends OperationName> =
  Success<operations[Name]['responses']> extends { content: infer Content }
    ? Content extends { 'application/json': infer Body }
      ? Body
      : string
    : undefined;

// An absent value is left out of the request, so an optional one may be passed without a check.
type WithAbsent<Values, Absent> = {
  [Key in keyof Values]: object extends Pick<Values, Key> ? Values[Key] | Absent : Values[Key];
};

export type Query<Name extends OperationName> = WithAbsent<
  NonNullable<operations[Name]['parameters']['query']>,
  null | undefined
>;

export type RequestBody<Name extends OperationName> = operations[Name] extends {
  requestBody: { content: { 'application/json': infer Body } };
}
  ? WithAbsent<Body, undefined>
  : never;

type OperationInput<Name extends OperationName> = Pick<operations[Name]['parameters'], 'path'> & {
  [Key in keyof Pick<operations[Name]['parameters'], 'query'>]: Query<Name>;
} & ([RequestBody<Name>] extends [never] ? { body?: never } : { body: RequestBody<Name> }) & {
    signal?: AbortSignal | undefined;
  };

type InputArgument<Name extends OperationName> =
  object extends OperationInput<Name> ? [parts?: OperationInput<Name>] : [parts: OperationInput<Name>];

export type Operations = {
  readonly [Name in OperationName]: (...input: InputArgument<Name>) => Promise<Answer<Name>>;
};

export interface OperationRequest {
  method: string;
  /** Path and query, without the server. */
  address: string;
  headers: Record<string, string>;
  body: string | null;
  signal: AbortSignal | null;
}

interface AnyInput {
  path?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
  signal?: AbortSignal | undefined;
}

/** Every operation as a function over one way to send requests. It answers with a success or throws. */
export function operationsOver(send: (request: OperationRequest) => Promise<Response>): Operations {
  const ask = async (name: OperationName, input?: AnyInput): Promise<unknown> => {
    const response = await send(buildRequest(name, input));
    if (response.status === 204) return undefined;
    return operationTable[name][2] === 'text' ? response.text() : response.json();
  };
  const names = Object.keys(operationTable) as OperationName[];
  return Object.fromEntries(names.map((name) => [name, (input?: AnyInput) => ask(name, input)])) as never;
}

/** For callers that send a request by themselves, such as one with a file as its body. */
export function requestOf<Name extends OperationName>(
  name: Name,
  ...[input]: InputArgument<Name>
): OperationRequest {
  return buildRequest(name, input as AnyInput | undefined);
}

/** Path and query of an operation, for links and for requests that the browser makes by itself. */
export function addressOf<Name extends OperationName>(name: Name, ...input: InputArgument<Name>): string {
  return requestOf(name, ...input).address;
}

function buildRequest(
  name: OperationName,
  { path = {}, query = {}, body, signal }: AnyInput = {},
): OperationRequest {
  const [method, template, answer] = operationTable[name];
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(path[key] ?? ''));
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    // The server splits a list at its commas. It refuses an empty text, so that an empty variable of CI cannot remove a
    // filter.
    const values = [value ?? []].flat();
    if (values.length > 0) search.set(key, values.join(','));
  }
  return {
    method,
    address: search.size === 0 ? filled : `${filled}?${search}`,
    headers: {
      ...(answer === 'text' ? {} : { accept: 'application/json' }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    body: body === undefined ? null : JSON.stringify(body),
    signal: signal ?? null,
  };
}

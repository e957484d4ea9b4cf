/** The error answers of each operation in the OpenAPI document follow from the declarations of its route. */
import {
  authenticationRequired,
  malformedRequest,
  payloadTooLarge,
  rateLimitExceeded,
  resourceNotFound,
  serviceUnavailable,
  statusVersionConflict,
  tokenAbilityDenied,
  unsupportedMediaType,
  validationFailed,
} from '../domain/errors.ts';
import type { Access } from './access.ts';
import { type ErrorBody, errorBodyOf } from './error-answers.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True if the route may answer 409, because of the state of its object. */
    conflicts?: true;
  }
}

export type ErrorStatus = '400' | '401' | '403' | '404' | '409' | '413' | '415' | '422' | '429' | '5XX';

export const errors: Record<ErrorStatus, { name: string; description: string; example: ErrorBody }> = {
  '400': {
    name: 'MalformedRequest',
    description: 'The body cannot be read.',
    example: errorBodyOf(malformedRequest('The body is empty; it must be JSON.')),
  },
  '401': {
    name: 'Unauthenticated',
    description: 'There is no valid key or session.',
    example: errorBodyOf(authenticationRequired()),
  },
  '403': {
    name: 'Forbidden',
    description: 'The key or session is valid, and does not allow this.',
    example: errorBodyOf(tokenAbilityDenied({ scopes: [] })),
  },
  '404': {
    name: 'NotFound',
    description: 'The workspace does not exist, or something in the request does not exist in it.',
    example: errorBodyOf(resourceNotFound()),
  },
  '409': {
    name: 'Conflict',
    description: 'The state of the object does not allow this, or it has changed since it was read.',
    example: errorBodyOf(statusVersionConflict('7')),
  },
  '413': {
    name: 'PayloadTooLarge',
    description: 'The body is larger than the limit.',
    example: errorBodyOf(payloadTooLarge(1024 * 1024)),
  },
  '415': {
    name: 'UnsupportedMediaType',
    description: 'The media type of the body is not supported.',
    example: errorBodyOf(unsupportedMediaType()),
  },
  '422': {
    name: 'ValidationFailed',
    description:
      'A parameter or a field of the body is unknown or invalid. `errors` names each, and `details.invalid_values` the values that a list parameter does not allow.',
    example: errorBodyOf(validationFailed({ per_page: ['Must be at most 200.'] })),
  },
  '429': {
    name: 'RateLimited',
    description: 'There were too many requests. `Retry-After` says when to try again.',
    example: errorBodyOf(rateLimitExceeded(12)),
  },
  '5XX': {
    name: 'ServerError',
    description:
      'The server failed, or cannot answer right now. Its log has the reason under the request id.',
    example: errorBodyOf(serviceUnavailable()),
  },
};

interface ErrorAnswer {
  name: string;
  /** The status, or the range of statuses, under which an operation has the answer. */
  key: ErrorStatus | '4XX';
  statuses: ErrorStatus[];
}

/**
 * The error answers of the document. The statuses that most operations share are one answer, because each operation
 * would else repeat all of them. The order matters: an operation takes each answer whose statuses it has left.
 */
export const errorAnswers: ErrorAnswer[] = [
  { name: 'RefusedChange', key: '4XX', statuses: ['400', '401', '403', '404', '413', '415', '422', '429'] },
  { name: 'Refused', key: '4XX', statuses: ['401', '403', '404', '422', '429'] },
  ...Object.entries(errors).map(([status, { name }]): ErrorAnswer => {
    const key = status as ErrorStatus;
    return { name, key, statuses: [key] };
  }),
];

interface DeclaredRoute {
  access: Access | undefined;
  conflicts: boolean;
  method: string;
  url: string;
}

/** The error statuses that a route may answer with. */
export function errorStatusesOf({ access, conflicts, method, url }: DeclaredRoute): ErrorStatus[] {
  const isPublic = access === undefined || access === 'public';
  const takesBody = method !== 'GET';
  const isConsole = url.startsWith('/console/');
  // A public route of the console signs people in, and one with a body takes a credential in it.
  const checksCaller = !isPublic || isConsole || takesBody;
  const possible: [ErrorStatus, boolean][] = [
    ['400', takesBody],
    ['401', checksCaller],
    ['403', checksCaller],
    ['404', url.includes(':') || isConsole],
    ['409', conflicts],
    ['413', takesBody],
    ['415', takesBody],
    // Every route refuses a query parameter that it does not know.
    ['422', true],
    ['429', checksCaller],
    ['5XX', true],
  ];
  return possible.flatMap(([status, isPossible]) => (isPossible ? [status] : []));
}

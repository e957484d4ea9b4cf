/** Pieces of response schemas that every feature shares, and how their values are written. */
import { type TSchema, Type } from 'typebox';
import { roles } from './principal.ts';

export const NullableString = Type.Unsafe<string | null>({ type: ['string', 'null'] });
export const NullableInteger = Type.Unsafe<number | null>({ type: ['integer', 'null'] });
export const NullableNumber = Type.Unsafe<number | null>({ type: ['number', 'null'] });

/** One of a few words. */
export function oneOf<const Word extends string>(words: readonly Word[], description?: string) {
  return Type.Unsafe<Word>({ type: 'string', enum: words, ...(description && { description }) });
}

export const RoleName = oneOf(roles);

/** `YYYY-MM-DDTHH:MM:SSZ` */
export const Timestamp = Type.String({ format: 'date-time' });
export const NullableTimestamp = Type.Unsafe<string | null>({
  type: ['string', 'null'],
  format: 'date-time',
});

export function page<T extends TSchema>(item: T) {
  return Type.Object({ items: Type.Array(item), next_cursor: NullableString });
}

/** To the second, as in the API's contract; the database keeps milliseconds. */
export function timestamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

export function timestampOrNull(date: Date | null): string | null {
  return date === null ? null : timestamp(date);
}

const ErrorMap = Type.Record(Type.String(), Type.Array(Type.String()));

/** The body of every refusal. */
export const ErrorResponse = Type.Object(
  {
    code: Type.String(),
    message: Type.String(),
    details: Type.Optional(Type.Object({}, { additionalProperties: true })),
    errors: Type.Optional(ErrorMap),
  },
  { title: 'ApiError' },
);

/** Parameters of paths. An id that is malformed is a resource that does not exist (404), so nothing is checked here. */
export const tenantParams = Type.Object({
  tenant_slug: Type.String({ description: 'Slug of the workspace.' }),
});

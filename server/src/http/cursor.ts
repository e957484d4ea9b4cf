/**
 * A cursor holds the sort key of the last row of a page; it is opaque and authenticated. It is bound to its workspace,
 * route, filters and sort, so an altered or foreign cursor, or one with other filters, is refused.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { validationFailed } from '../domain/errors.ts';

export type CursorValue = string | number;

export interface Cursors {
  /** At most 255 characters for keys of ids, numbers and short names. */
  encode(scope: string, key: CursorValue[]): string;
  /** Throws 422 on `cursor`. */
  decode(scope: string, cursor: string): CursorValue[];
}

// 16 bytes of HMAC-SHA256: a forgery has one chance in 2^128.
const macBytes = 16;

export function cursors(key: Buffer): Cursors {
  const mac = (scope: string, payload: Buffer): Buffer =>
    createHmac('sha256', key).update(scope).update('\0').update(payload).digest().subarray(0, macBytes);
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
        throw validationFailed({
          cursor: [
            'The cursor is not one of this list: send next_cursor back as it came, with the same filters.',
          ],
        });
      }
      return JSON.parse(payload.toString()) as CursorValue[];
    },
  };
}

/** The scope that a cursor is bound to; any change of it means another list. */
export function cursorScope(tenantId: string, route: string, filters: unknown): string {
  return JSON.stringify([tenantId, route, filters]);
}

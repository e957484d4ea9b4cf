/** Keys as the API shows them, without their value, which is shown once when a key is made. */
import { Type } from 'typebox';
import { formatId } from '../../domain/ids.ts';
import { maxNameLength } from '../../domain/plain-name.ts';
import { scopes } from '../../http/principal.ts';
import {
  IdAndName,
  NullableTimestamp,
  namedObject,
  oneOf,
  RoleName,
  Timestamp,
  timestamp,
  timestampOrNull,
} from '../../http/schema.ts';
import { defaultExpiry, offeredExpiries } from './service.ts';
import type { ShownKey } from './store.ts';

export const KeyItem = namedObject('Key', {
  id: Type.String(),
  kind: oneOf(['personal', 'workspace']),
  name: Type.String(),
  status: oneOf(['Active', 'Expired', 'Disabled']),
  role: Type.Union([RoleName, Type.Null()], {
    description: 'Role of a workspace key; null for a personal key.',
  }),
  scopes: Type.Array(Type.String()),
  workspaces: Type.Union([Type.Array(Type.String()), Type.Null()], {
    description: 'Slugs of the workspaces that the key is restricted to; null: all workspaces of its user.',
  }),
  last_four: Type.String({ description: 'Last four characters of its value.' }),
  created_at: Timestamp,
  created_by: Type.Union([IdAndName, Type.Null()], {
    description: 'Null: the operator created it.',
  }),
  last_used_at: NullableTimestamp,
  expires_at: NullableTimestamp,
});

export const CreatedKeyBody = namedObject('CreatedKey', {
  key: KeyItem,
  value: Type.String({ description: 'The key itself. Only this answer shows it.' }),
});

export const newKeyFields = {
  name: Type.String({ minLength: 1, maxLength: maxNameLength }),
  scopes: Type.Array(oneOf(scopes), {
    minItems: 1,
    maxItems: scopes.length,
  }),
  expires: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      default: defaultExpiry,
      description: `${offeredExpiries.join(', ')}, or a date such as 2027-01-31. The key is valid until the end of that day (UTC).`,
    }),
  ),
};

export function keyItem(row: ShownKey) {
  return {
    id: formatId('key', row.id),
    kind: row.kind,
    name: row.name,
    status: row.status,
    role: row.role,
    scopes: row.scopes,
    workspaces: row.workspaces,
    last_four: row.last_four,
    created_at: timestamp(row.created_at),
    created_by: row.created_by && { id: formatId('user', row.created_by.id), name: row.created_by.name },
    last_used_at: timestampOrNull(row.last_used_at),
    expires_at: timestampOrNull(row.expires_at),
  };
}

/** Members and invitations as the API shows them. */
import { Type } from 'typebox';
import { formatId } from '../../domain/ids.ts';
import {
  IdAndName,
  NullableString,
  NullableTimestamp,
  namedObject,
  oneOf,
  RoleName,
  Timestamp,
  timestamp,
  timestampOrNull,
} from '../../http/schema.ts';
import { type InvitationRow, mailStatuses } from './invitation-store.ts';
import type { MemberRow } from './store.ts';

export const MemberItem = namedObject('Member', {
  id: Type.String(),
  name: Type.String(),
  email: Type.String(),
  role: RoleName,
  since: Timestamp,
  last_seen_at: NullableTimestamp,
});

export function memberItem(row: MemberRow) {
  return {
    id: formatId('user', row.id),
    name: row.name,
    email: row.email,
    role: row.role,
    since: timestamp(row.since),
    last_seen_at: timestampOrNull(row.last_seen_at),
  };
}

export const InvitationItem = namedObject('Invitation', {
  id: Type.String(),
  email: Type.String(),
  role: RoleName,
  invited_by: Type.Union([IdAndName, Type.Null()]),
  created_at: Timestamp,
  expires_at: Timestamp,
  expired: Type.Boolean({
    description: 'True: the link is no longer valid. Invite the person again for a new one.',
  }),
  mail: Type.Union(
    [
      Type.Object({
        status: oneOf(mailStatuses),
        mailed_at: NullableTimestamp,
        error: NullableString,
      }),
      Type.Null(),
    ],
    { description: 'The mail with a link to this address; null if the server had no mail server.' },
  ),
});

export function invitationItem(row: InvitationRow) {
  return {
    id: formatId('invitation', row.id),
    email: row.email,
    role: row.role,
    invited_by:
      row.invited_by_id === null
        ? null
        : { id: formatId('user', row.invited_by_id), name: row.invited_by_name ?? '' },
    created_at: timestamp(row.created_at),
    expires_at: timestamp(row.expires_at),
    expired: row.is_expired,
    mail: row.mail_status && {
      status: row.mail_status,
      mailed_at: timestampOrNull(row.mailed_at),
      error: row.mail_error,
    },
  };
}

/** The members. An admin changes roles and removes people here, but the last admin cannot be changed. */
import { Button, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Member } from '../../api/members.ts';
import { sessionQuery } from '../../api/session.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { enumLabel, ToneBadge } from '../../components/badges.tsx';
import type { Column } from '../../components/column.ts';
import { DataTable } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { FilterBar } from '../../components/filter-bar.tsx';
import { hasWords } from '../../components/has-words.ts';
import { SmallNote } from '../../components/note.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { RemoveMember } from './remove-member.tsx';
import { lastAdminText } from './role-labels.ts';
import { RoleMenu } from './role-menu.tsx';

const route = getRouteApi('/w/$slug/members');

export function MemberTable({ members }: { members: Member[] }) {
  const { may } = useWorkspace();
  const { q } = route.useSearch();
  const { data: session } = useSuspenseQuery(sessionQuery);
  const myId = session.signed_in ? session.user.id : null;
  // The member stays set while the dialog closes.
  const [leaving, setLeaving] = useState<Member | null>(null);
  const [isConfirming, confirmation] = useDisclosure(false);
  const remove = (member: Member) => {
    setLeaving(member);
    confirmation.open();
  };
  const admins = members.filter(({ role }) => role === 'admin').length;
  const isLastAdmin = ({ role }: Member) => role === 'admin' && admins === 1;
  const columns: Column<Member>[] = [
    {
      id: 'name',
      label: 'Name',
      cell: (member) => (
        <>
          <span className="break">{member.name}</span>{' '}
          {member.id === myId && <ToneBadge tone="plain">You</ToneBadge>}
          <SmallNote isBreakable>{member.email}</SmallNote>
        </>
      ),
    },
    {
      id: 'role',
      label: 'Role',
      cell: (member) =>
        may('admin') ? (
          <RoleMenu member={member} isMe={member.id === myId} isLastAdmin={isLastAdmin(member)} />
        ) : (
          enumLabel(member.role)
        ),
    },
    { id: 'since', label: 'Since', cell: ({ since }) => <TimeText value={since} as="date" /> },
    { id: 'seen', label: 'Last seen', cell: (member) => <TimeText value={member.last_seen_at} /> },
  ];
  const action: Column<Member> = {
    id: 'remove',
    label: 'Action',
    cell: (member) => (
      <Removal
        member={member}
        isLastAdmin={isLastAdmin(member)}
        isMe={member.id === myId}
        onRemove={remove}
      />
    ),
  };
  const rows = members.filter(({ name, email, role }) => hasWords(q, [name, email, enumLabel(role)]));
  return (
    <div>
      <FilterBar searchField={{ label: 'Name, address or role' }} />
      {rows.length === 0 ? (
        <EmptyState title="No member matches" />
      ) : (
        <DataTable
          label="Members"
          columns={may('admin') ? [...columns, action] : columns}
          rows={rows}
          keyOf={(member) => member.id}
          nameOf={(member) => member.name}
        />
      )}
      {leaving && (
        <RemoveMember
          member={leaving}
          isMe={leaving.id === myId}
          opened={isConfirming}
          onClose={confirmation.close}
        />
      )}
    </div>
  );
}

interface RemovalProps {
  member: Member;
  isLastAdmin: boolean;
  isMe: boolean;
  onRemove: (member: Member) => void;
}

function Removal({ member, isLastAdmin, isMe, onRemove }: RemovalProps) {
  return (
    <Tooltip label={lastAdminText} disabled={!isLastAdmin}>
      <Button
        size="compact-xs"
        variant="default"
        aria-label={isMe ? 'Leave the workspace' : `Remove ${member.name}`}
        // `disabled` is not used, because the keyboard must reach the button's reason.
        {...(isLastAdmin ? { 'data-disabled': true } : {})}
        aria-disabled={isLastAdmin}
        onClick={() => !isLastAdmin && onRemove(member)}
      >
        {isMe ? 'Leave' : 'Remove'}
      </Button>
    </Tooltip>
  );
}

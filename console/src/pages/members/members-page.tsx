/** The members of the workspace, the invitations, and the teams. Members see the list; admins change it. */
import { Button, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUserPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { membersQuery } from '../../api/members.ts';
import { type Role, useWorkspace } from '../../api/workspaces.ts';
import { Forbidden } from '../../components/error-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { InviteMember } from './invite-member.tsx';
import { MemberTable } from './member-table.tsx';
import { OpenInvitations } from './open-invitations.tsx';
import { TeamsSection } from './teams-section.tsx';

export function MembersPage() {
  const { slug, may } = useWorkspace();
  const isAdmin = may('admin');
  const query = useQuery({ ...membersQuery(slug), enabled: may('member') });
  const [isInviting, inviting] = useDisclosure(false);
  // The dialog starts with these values.
  const [invited, setInvited] = useState<{ email: string; role: Role }>(nobody);
  const openInvite = (invitee = nobody) => {
    setInvited(invitee);
    inviting.open();
  };
  return (
    <>
      <PageHeader
        title="Members"
        description={may('member') ? 'The people in this workspace, and their roles.' : null}
        actions={
          isAdmin && (
            <Button leftSection={<IconUserPlus size={16} />} onClick={() => openInvite()}>
              Invite
            </Button>
          )
        }
      />
      {may('member') ? (
        <Stack gap="lg">
          <Loaded query={query} noun="the members">
            {({ items }) => <MemberTable members={items} />}
          </Loaded>
          {isAdmin && <OpenInvitations onInviteAgain={openInvite} />}
          <TeamsSection />
        </Stack>
      ) : (
        <Forbidden>
          Viewers do not see who else is in the workspace. An administrator can make you a member.
        </Forbidden>
      )}
      <InviteMember opened={isInviting} onClose={inviting.close} invitee={invited} />
    </>
  );
}

const nobody: { email: string; role: Role } = { email: '', role: 'member' };

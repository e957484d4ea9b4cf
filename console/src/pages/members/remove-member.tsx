/** Removes a member, or lets the person leave. It explains the effects, and the person must type the e-mail address. */
import { List, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { api } from '../../api/client.ts';
import { type ApiKey, workspaceKeysQuery } from '../../api/keys.ts';
import { assignedCountQuery, invitationsKey, type Member, membersKey } from '../../api/members.ts';
import { teamsKey } from '../../api/teams.ts';
import { useWorkspace, workspacesKey } from '../../api/workspaces.ts';
import { ConfirmTyped } from '../../components/confirm-typed.tsx';
import { notifyDone, notifyError } from '../../components/notify.tsx';

interface RemoveMemberProps {
  member: Member;
  isMe: boolean;
  opened: boolean;
  onClose: () => void;
}

export function RemoveMember({ member, isMe, opened, onClose }: RemoveMemberProps) {
  const { slug, workspace } = useWorkspace();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.removeMember({ path: { tenant_slug: slug, user: member.id } }),
    onSuccess: async () => {
      onClose();
      notifyDone(isMe ? `You have left ${workspace}.` : `${member.name} is removed.`);
      if (isMe) {
        await navigate({ to: '/' });
        await queryClient.invalidateQueries({ queryKey: workspacesKey });
        return;
      }
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: membersKey(slug) }),
        queryClient.invalidateQueries({ queryKey: invitationsKey(slug) }),
        queryClient.invalidateQueries({ queryKey: teamsKey(slug) }),
      ]);
    },
    onError: notifyError,
  });
  return (
    <ConfirmTyped
      opened={opened}
      onClose={onClose}
      title={isMe ? 'Leave the workspace' : 'Remove the member'}
      name={member.email}
      action={isMe ? 'Leave' : 'Remove'}
      pending={isPending}
      onConfirm={() => mutate()}
    >
      {opened && <WhatFollows member={member} isMe={isMe} workspace={workspace} slug={slug} />}
    </ConfirmTyped>
  );
}

interface WhatFollowsProps {
  member: Member;
  isMe: boolean;
  workspace: string;
  slug: string;
}

function WhatFollows({ member, isMe, workspace, slug }: WhatFollowsProps) {
  const assigned = useQuery(assignedCountQuery(slug, member.id)).data;
  const keys = useQuery(workspaceKeysQuery(slug)).data?.items ?? [];
  const made = keys.filter(({ status, created_by }) => status === 'Active' && created_by?.id === member.id);
  const who = isMe ? 'You' : member.name;
  return (
    <>
      <Text size="sm" mb="xs" className="break">
        {who} will lose access to {workspace} with the next click.
      </Text>
      <List size="sm" spacing={4}>
        <List.Item>
          {isMe ? 'Your' : 'Their'} personal keys lose access to this workspace at once. In other workspaces
          they stay valid.
        </List.Item>
        <List.Item>{assignedText(assigned, isMe)}</List.Item>
        <List.Item>
          Invitations that {isMe ? 'you' : 'they'} have made become invalid. What {isMe ? 'you' : 'they'} have
          decided and written stays.
        </List.Item>
        {made.length > 0 && (
          <List.Item>
            <KeysThatStay keys={made} slug={slug} isMe={isMe} />
          </List.Item>
        )}
      </List>
    </>
  );
}

function assignedText(assigned: number | undefined, isMe: boolean): string {
  const whom = isMe ? 'you' : 'them';
  if (assigned === undefined) return `All vulnerabilities assigned to ${whom} will be unassigned.`;
  if (assigned === 0) return `Nothing open is assigned to ${whom}.`;
  const what = assigned === 1 ? '1 open vulnerability' : `${assigned.toLocaleString()} open vulnerabilities`;
  return `${what} assigned to ${whom} will be unassigned.`;
}

function KeysThatStay({ keys, slug, isMe }: { keys: ApiKey[]; slug: string; isMe: boolean }) {
  const what = keys.length === 1 ? 'One key' : `${keys.length} keys`;
  return (
    <>
      <b>
        {what} of the workspace that {isMe ? 'you' : 'they'} have made {keys.length === 1 ? 'stays' : 'stay'}{' '}
        valid.
      </b>{' '}
      Revoke what {isMe ? 'you' : 'they'} may still know under{' '}
      <Link to="/w/$slug/keys" params={{ slug }} search={{ kind: 'workspace' }}>
        API keys
      </Link>
      .
    </>
  );
}

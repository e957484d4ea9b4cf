/** Invitations that nobody has accepted yet. */
import { Button, Group, Modal, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { type Invitation, invitationsKey, invitationsQuery } from '../../api/members.ts';
import { type Role, useWorkspace } from '../../api/workspaces.ts';
import { enumLabel, StatusBadge } from '../../components/badges.tsx';
import type { Column } from '../../components/column.ts';
import { ConfirmedButton } from '../../components/confirmed-button.tsx';
import { ListTable } from '../../components/list-table.tsx';
import { Note } from '../../components/note.tsx';
import { notifyDone, notifyError } from '../../components/notify.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { type CreatedInvitation, createInvitation, ShownLink, titleCreated } from './invite-member.tsx';

interface OpenInvitationsProps {
  onInviteAgain: (invitee: { email: string; role: Role }) => void;
}

export function OpenInvitations({ onInviteAgain }: OpenInvitationsProps) {
  const { slug } = useWorkspace();
  const query = useQuery(invitationsQuery(slug));
  const [unmailed, setUnmailed] = useState<CreatedInvitation | null>(null);
  const close = () => setUnmailed(null);
  const columns: Column<Invitation>[] = [
    { id: 'email', label: 'E-mail', cell: ({ email }) => <span className="break">{email}</span> },
    { id: 'role', label: 'Role', cell: ({ role }) => enumLabel(role) },
    {
      id: 'by',
      label: 'Invited by',
      wrap: true,
      cell: ({ invited_by }) => <span className="break">{invited_by?.name ?? 'the operator'}</span>,
    },
    {
      id: 'expires',
      label: 'Link expires',
      cell: ({ expired, expires_at }) =>
        expired ? <StatusBadge status="expired" /> : <TimeText value={expires_at} />,
    },
    { id: 'mail', label: 'Mail', wrap: true, cell: ({ mail }) => <MailState mail={mail} /> },
    {
      id: 'action',
      label: 'Action',
      cell: (invitation) => (
        <Group gap={6}>
          <WithdrawButton invitation={invitation} />
          {invitation.mail !== null && <SendAgainButton invitation={invitation} onNotMailed={setUnmailed} />}
          <Button
            size="compact-xs"
            variant="default"
            aria-label={`New link for ${invitation.email}`}
            onClick={() => onInviteAgain(invitation)}
          >
            New link
          </Button>
        </Group>
      ),
    },
  ];
  return (
    <section aria-labelledby="open-invitations">
      <Text component="h2" id="open-invitations" fw={600} size="lg" mb="xs">
        Open invitations
      </Text>
      <ListTable
        query={query}
        noun="the invitations"
        lines={2}
        none={<Note>There is no open invitation.</Note>}
        label="Open invitations"
        columns={columns}
        keyOf={({ id }) => id}
        nameOf={({ email }) => email}
      />
      <Modal
        opened={unmailed !== null}
        onClose={close}
        title={titleCreated}
        size={520}
        // A click outside must not take away a link that is shown once.
        closeOnClickOutside={false}
      >
        {unmailed && <ShownLink made={unmailed} onClose={close} />}
      </Modal>
    </section>
  );
}

function MailState({ mail }: Pick<Invitation, 'mail'>) {
  if (mail === null) return 'not mailed: send the link yourself';
  if (mail.status === 'failed') return <span className="break">could not be mailed: {mail.error}</span>;
  if (mail.status === 'pending') return <span className="break">{mail.error ?? 'is being mailed'}</span>;
  return (
    <>
      mailed <TimeText value={mail.mailed_at} />
    </>
  );
}

interface SendAgainButtonProps {
  invitation: Invitation;
  /** Gets the new link, which is the only valid one. */
  onNotMailed: (made: CreatedInvitation) => void;
}

function SendAgainButton({ invitation: { email, role }, onNotMailed }: SendAgainButtonProps) {
  const { slug } = useWorkspace();
  const queryClient = useQueryClient();
  const { mutate, isPending } = useMutation({
    // The link is not in the result, because a mutation keeps its result in a cache.
    mutationFn: async () => {
      const made = await createInvitation(slug, email, role);
      if (made.invitation.mail?.status === 'pending') {
        notifyDone(`A new invitation goes to ${email}. Earlier links are not valid any more.`);
      } else {
        onNotMailed(made);
      }
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: invitationsKey(slug) }),
    onError: notifyError,
  });
  return (
    <Button
      size="compact-xs"
      variant="default"
      loading={isPending}
      aria-label={`Send the invitation of ${email} again`}
      onClick={() => mutate()}
    >
      Send again
    </Button>
  );
}

function WithdrawButton({ invitation: { id, email } }: { invitation: Invitation }) {
  const { slug } = useWorkspace();
  return (
    <ConfirmedButton
      aria-label={`Withdraw the invitation of ${email}`}
      title="Withdraw the invitation"
      consequences={`The links that ${email} was sent open nothing any more. You can invite them once more with a new one.`}
      confirm="Withdraw"
      isRemoval
      act={() => api.withdrawInvitation({ path: { tenant_slug: slug, invitation: id } })}
      done={`The invitation of ${email} is withdrawn.`}
      changed={[invitationsKey(slug)]}
    >
      Withdraw
    </ConfirmedButton>
  );
}

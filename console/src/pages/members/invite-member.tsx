/** The dialog that invites somebody. The link is shown once; a mail has another one. */
import { Radio, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldError } from '../../api/errors.ts';
import { type Invitation, invitationsKey, invite } from '../../api/members.ts';
import { notificationsQuery } from '../../api/notifications.ts';
import { type Role, roles, useWorkspace } from '../../api/workspaces.ts';
import { enumLabel } from '../../components/badges.tsx';
import { DialogForm } from '../../components/dialog-form.tsx';
import { RequiredText } from '../../components/required-text.tsx';
import { type CreationCallbacks, OnceValue, ShownOnce, useCreation } from '../../components/shown-once.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { asRole, roleDescriptions } from './role-labels.ts';

interface InviteMemberProps {
  opened: boolean;
  onClose: () => void;
  invitee: { email: string; role: Role };
}

export interface CreatedInvitation {
  invitation: Invitation;
  link: string;
}

/** Creates the invitation. Nothing may cache the result, because its link is shown once. */
export async function createInvitation(slug: string, email: string, role: Role): Promise<CreatedInvitation> {
  const { invitation, link_token } = await invite(slug, email, role);
  return { invitation, link: `${location.origin}/invite#${encodeURIComponent(link_token)}` };
}

export const titleCreated = 'The invitation was created';

export function InviteMember({ opened, onClose, invitee }: InviteMemberProps) {
  return (
    <ShownOnce<CreatedInvitation>
      opened={opened}
      onClose={onClose}
      title="Invite somebody"
      titleCreated={titleCreated}
      size={520}
      form={(creation) => <InviteForm invitee={invitee} {...creation} />}
      shown={(made, close) => <ShownLink made={made} onClose={close} />}
    />
  );
}

type InviteFormProps = CreationCallbacks<CreatedInvitation> & Pick<InviteMemberProps, 'invitee'>;

function InviteForm({ invitee, ...creation }: InviteFormProps) {
  const { slug } = useWorkspace();
  const [email, setEmail] = useState(invitee.email);
  const [role, setRole] = useState(invitee.role);
  const isMailed = useQuery(notificationsQuery(slug)).data?.mail_available ?? false;
  const { make, isCreating, error } = useCreation(creation, invitationsKey(slug));
  return (
    <DialogForm
      action={isMailed ? 'Send invitation' : 'Create link'}
      onSubmit={() => make(() => createInvitation(slug, email.trim(), role))}
      onCancel={creation.onClose}
      isPending={isCreating}
      error={error}
      fields={['email']}
      mustStay
    >
      <RequiredText
        label="E-mail"
        description={
          isMailed
            ? 'The invitation is for this address only. Merlon mails it.'
            : 'The invitation is for this address only. No e-mail is sent: send the link yourself.'
        }
        type="email"
        data-autofocus
        autoComplete="off"
        message="Enter an e-mail address."
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
        refusal={fieldError(error, 'email')}
      />
      <Radio.Group label="Role" value={role} onChange={(to) => setRole(to as Role)}>
        <Stack gap={8} mt={6}>
          {roles.map((each) => (
            <Radio key={each} value={each} label={enumLabel(each)} description={roleDescriptions[each]} />
          ))}
        </Stack>
      </Radio.Group>
    </DialogForm>
  );
}

export function ShownLink({
  made: { invitation, link },
  onClose,
}: {
  made: CreatedInvitation;
  onClose: () => void;
}) {
  return (
    <OnceValue
      value={link}
      noun="link"
      warning={
        invitation.mail?.status === 'pending' ? (
          <>
            Merlon mails an invitation to <b className="break">{invitation.email}</b>. Send this link only if
            the mail does not arrive. It is shown this once.
          </>
        ) : (
          <>
            {invitation.mail && `${invitation.mail.error} `}
            The link is shown this once. Send it to <b className="break">{invitation.email}</b>: anyone who
            opens it with that address joins as {asRole(invitation.role)}.
          </>
        )
      }
      onClose={onClose}
    >
      <Text size="sm">
        It ends <TimeText value={invitation.expires_at} />, with its first use, or when you withdraw it. A new
        invitation for the same address makes this link invalid.
      </Text>
    </OnceValue>
  );
}

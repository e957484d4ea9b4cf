/**
 * The dialog that invites somebody. The link is shown once: it lives in the state of this dialog's content alone, which
 * goes when the dialog closes.
 */
import { Alert, Button, Group, Modal, Radio, Stack, Text, TextInput } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { errorText, fieldError, isApiError } from '../../api/errors.ts';
import { type Invitation, invitationsKey, invite } from '../../api/members.ts';
import { type Role, roles, useWorkspace } from '../../api/workspaces.ts';
import { wordsOf } from '../../parts/badges.tsx';
import { CodeBlock } from '../../parts/code-block.tsx';
import { useCopy } from '../../parts/copy-button.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { asRole, roleWords } from './role-words.ts';

interface InviteMemberProps {
  opened: boolean;
  onClose: () => void;
  whom: { email: string; role: Role };
}

interface Made {
  invitation: Invitation;
  link: string;
}

type Step = 'form' | 'making' | 'shown';

export function InviteMember({ opened, onClose, whom }: InviteMemberProps) {
  const [step, setStep] = useState<Step>('form');
  // Whoever closed it while the link is being made would never see it.
  const close = () => {
    if (step === 'making') return;
    setStep('form');
    onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={step === 'shown' ? 'The invitation is made' : 'Invite somebody'}
      size={520}
      closeOnClickOutside={step === 'form'}
    >
      <Content whom={whom} onStep={setStep} onClose={close} />
    </Modal>
  );
}

interface ContentProps {
  whom: InviteMemberProps['whom'];
  onStep: (step: Step) => void;
  onClose: () => void;
}

function Content({ whom, onStep, onClose }: ContentProps) {
  const [made, setMade] = useState<Made | null>(null);
  if (made) return <ShownLink made={made} onClose={onClose} />;
  const onMade = (answer: Made) => {
    setMade(answer);
    onStep('shown');
  };
  return <InviteForm whom={whom} onStep={onStep} onMade={onMade} onClose={onClose} />;
}

function InviteForm({ whom, onStep, onMade, onClose }: ContentProps & { onMade: (made: Made) => void }) {
  const { slug } = useWorkspace();
  const queryClient = useQueryClient();
  const [email, setEmail] = useState(whom.email);
  const [role, setRole] = useState(whom.role);
  const [isMaking, setMaking] = useState(false);
  const [error, setError] = useState<unknown>(null);
  // By hand, since a mutation keeps its answer for minutes in the cache of queries.
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (isMaking) return;
    setError(null);
    setMaking(true);
    onStep('making');
    try {
      const { invitation, link_token } = await invite(slug, email.trim(), role);
      onMade({ invitation, link: `${location.origin}/invite#${encodeURIComponent(link_token)}` });
      await queryClient.invalidateQueries({ queryKey: invitationsKey(slug) });
    } catch (refusal) {
      onStep('form');
      setMaking(false);
      setError(refusal);
    }
  };
  const emailError = fieldError(error, 'email');
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <TextInput
          label="E-mail"
          description="The invitation is for this address alone. Nothing is sent: you pass the link on."
          type="email"
          data-autofocus
          autoComplete="off"
          required
          withAsterisk={false}
          value={email}
          onChange={(event) => setEmail(event.currentTarget.value)}
          error={emailError}
        />
        <Radio.Group label="Role" value={role} onChange={(to) => setRole(to as Role)}>
          <Stack gap={8} mt={6}>
            {roles.map((each) => (
              <Radio key={each} value={each} label={wordsOf(each)} description={roleWords[each]} />
            ))}
          </Stack>
        </Radio.Group>
        {error !== null && !emailError && !isApiError(error, 'SIGN_IN_AGAIN') && (
          <Alert color="red" role="alert">
            {errorText(error)}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose} disabled={isMaking}>
            Cancel
          </Button>
          <Button type="submit" loading={isMaking}>
            Make the link
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function ShownLink({ made: { invitation, link }, onClose }: { made: Made; onClose: () => void }) {
  const { copied, copy } = useCopy();
  const copyButton = useRef<HTMLButtonElement>(null);
  // The button that had the focus is gone with the form.
  useEffect(() => copyButton.current?.focus(), []);
  return (
    <Stack gap="md">
      <Alert color="orange" title="Copy it now" role="status">
        The link is shown this once. Send it to <b className="break">{invitation.email}</b>: whoever opens it
        with that address joins as {asRole(invitation.role)}.
      </Alert>
      <CodeBlock code={link} label="Link" />
      <Group>
        <Button
          ref={copyButton}
          leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          onClick={() => copy(link)}
        >
          {copied ? 'Copied' : 'Copy the link'}
        </Button>
      </Group>
      <Text size="sm">
        It ends <TimeText value={invitation.expires_at} />, with its first use, or when you withdraw it. A new
        invitation for the same address makes this link worthless.
      </Text>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </Group>
    </Stack>
  );
}

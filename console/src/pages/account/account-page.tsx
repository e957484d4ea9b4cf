/** The person's own account: name, password and sessions. */

import { Button, Group, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { api } from '../../api/client.ts';
import { fieldError, isApiError } from '../../api/errors.ts';
import { type SignedIn, sessionQuery } from '../../api/session.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { Fact } from '../../components/fact.tsx';
import { NewPassword } from '../../components/new-password.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { useRequired } from '../../components/use-required.ts';
import { useSignOut } from '../../layout/use-sign-out.ts';

export function AccountPage() {
  const { data: session } = useSuspenseQuery(sessionQuery);
  return (
    <>
      <PageHeader title="Account" />
      {session.signed_in && (
        <Stack gap="lg" maw={640}>
          <Identity session={session} />
          {session.methods.password && <Password session={session} />}
          <Sessions session={session} />
        </Stack>
      )}
    </>
  );
}

function Identity({ session: { user, operator } }: { session: SignedIn }) {
  return (
    <Section title="You">
      <dl className="facts">
        <Fact name="Name">{user.name}</Fact>
        <Fact name="E-mail">{user.email}</Fact>
        {operator && <Fact name="This server">You can create workspaces</Fact>}
        <Fact name="User id">
          <span className="mono">{user.id}</span>
        </Fact>
      </dl>
    </Section>
  );
}

function Password({ session }: { session: SignedIn }) {
  const queryClient = useQueryClient();
  const form = useRef<HTMLFormElement>(null);
  const [isDifferent, setDifferent] = useState(false);
  const { mutate, error, isPending } = useMutation({
    mutationFn: ({ current, next }: { current: string; next: string }) =>
      api.changePassword({ body: { current, new: next } }),
    onSuccess: async () => {
      form.current?.reset();
      notifyDone('Your password is changed. Your other sessions are signed out.');
      await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
    },
  });
  const current = useRequired({ message: 'Enter your password.', refusal: fieldError(error, 'current') });
  const again = useRequired({
    message: 'Enter it again.',
    refusal: isDifferent ? 'The passwords differ.' : null,
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    const next = String(data.get('new'));
    setDifferent(next !== data.get('again'));
    if (next === data.get('again')) mutate({ current: String(data.get('current')), next });
  };
  return (
    <Section title="Password" description="Changing it signs out your other sessions. API keys stay valid.">
      <form ref={form} onSubmit={submit}>
        <Stack gap="md" maw={380}>
          <ErrorAlert error={isApiError(error, 'VALIDATION_FAILED') ? null : error} />
          <input type="hidden" name="username" autoComplete="username" value={session.user.email} />
          <PasswordInput
            label="Current password"
            name="current"
            autoComplete="current-password"
            {...current}
          />
          <NewPassword label="New password" name="new" refusal={fieldError(error, 'new')} />
          <PasswordInput label="New password again" name="again" autoComplete="new-password" {...again} />
          <Group>
            <Button type="submit" loading={isPending}>
              Change the password
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}

function Sessions({ session }: { session: SignedIn }) {
  const { leave, leaveEverywhere } = useSignOut();
  return (
    <Section title="Sessions">
      <Text size="sm">
        You signed in here <TimeText value={session.signed_in_at} />. This session ends{' '}
        <TimeText value={session.expires_at} />, or when you sign out.
      </Text>
      <Group mt="md">
        <Button variant="default" onClick={leave}>
          Sign out
        </Button>
        <Button variant="default" onClick={leaveEverywhere}>
          Sign out everywhere
        </Button>
      </Group>
    </Section>
  );
}

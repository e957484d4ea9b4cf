/** Shows an invitation. The invited person opens it by the link `/invite#token`. */
import { Alert, Anchor, Button, Divider, List, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { type Answer, api, type RequestBody } from '../../api/client.ts';
import { errorText, fieldError, isApiError } from '../../api/errors.ts';
import { readNewSession, sessionQuery, signOut } from '../../api/session.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { ErrorState } from '../../components/error-state.tsx';
import { LoadingState } from '../../components/loading-state.tsx';
import { NewPassword } from '../../components/new-password.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { RequiredText } from '../../components/required-text.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { useLinkToken } from '../../components/use-link-token.ts';
import { keepNext } from '../../next-page.ts';

type InvitationPreview = Answer<'previewInvitation'>;

export function InvitePage() {
  const token = useLinkToken();
  const { data, error, refetch } = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => api.previewInvitation({ body: { token: token ?? '' } }),
    enabled: token !== null,
    retry: false,
    // The answer depends on who is signed in at that moment.
    gcTime: 0,
    staleTime: 0,
  });
  const session = useQuery(sessionQuery);
  if (token === null || isRefusalOfToken(error)) return <NotValid />;
  const failure = error ?? session.error;
  if (failure) {
    return (
      <>
        <PageHeader title="Invitation" />
        <ErrorState error={failure} onRetry={() => void Promise.all([refetch(), session.refetch()])} />
      </>
    );
  }
  if (!data || !session.data) return <LoadingState label="Loading the invitation" lines={3} />;
  return (
    <>
      <PageHeader
        title={`Join ${data.workspace.name}`}
        description={
          <>
            You are invited as <b>{data.role}</b>, with the address <b className="break">{data.email}</b>.
          </>
        }
      />
      <Accept token={token} preview={data} hasPasswords={session.data.methods.password} />
    </>
  );
}

function isRefusalOfToken(error: unknown): boolean {
  return isApiError(error, 'RESOURCE_NOT_FOUND') || isApiError(error, 'VALIDATION_FAILED');
}

function NotValid() {
  return (
    <>
      <PageHeader title="Invitation" />
      <Alert color="orange" role="alert" title="This invitation is not valid">
        It may be used, withdrawn or expired. Ask the person who invited you for a new one.
      </Alert>
    </>
  );
}

interface AcceptProps {
  token: string;
  preview: InvitationPreview;
  /** False if the server has no passwords. People then sign in at the provider. */
  hasPasswords: boolean;
}

function Accept({ token, preview, hasPasswords }: AcceptProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { mutate, error, isPending } = useMutation({
    mutationFn: (body: RequestBody<'acceptInvitation'>) => api.acceptInvitation({ body }),
    onSuccess: async ({ slug }) => {
      await readNewSession(queryClient);
      await navigate({ to: '/w/$slug', params: { slug } });
    },
  });
  const signedInAs = preview.signed_in_as;
  if (signedInAs !== null && signedInAs.toLowerCase() !== preview.email.toLowerCase()) {
    return <OtherAccount signedInAs={signedInAs} email={preview.email} />;
  }
  const refusal = <ErrorAlert error={hasFieldError(error) ? null : error} />;
  if (signedInAs !== null) {
    return (
      <Stack gap="md">
        {refusal}
        <KeysThatReach keys={preview.keys} workspace={preview.workspace.name} />
        <Button loading={isPending} onClick={() => mutate({ token })} fullWidth>
          Join the workspace
        </Button>
      </Stack>
    );
  }
  if (!hasPasswords) return <SignInFirst token={token} message="Sign in with this address to join." />;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    mutate({ token, name: String(form.get('name')), password: String(form.get('password')) });
  };
  // The server does not tell a visitor whether the address has an account, so the page offers both ways in.
  return (
    <Stack gap="lg">
      <SignInFirst token={token} message="If you have an account with this address, sign in to join." />
      <Divider label="or create a new account" labelPosition="center" />
      <form onSubmit={submit}>
        <Stack gap="md">
          {refusal}
          <input type="hidden" name="username" autoComplete="username" value={preview.email} />
          <RequiredText
            label="Your name"
            name="name"
            autoComplete="name"
            message="Enter your name."
            refusal={fieldError(error, 'name')}
          />
          <NewPassword label="Choose a password" refusal={fieldError(error, 'password')} />
          <Button type="submit" loading={isPending} fullWidth>
            Create account and join
          </Button>
        </Stack>
      </form>
    </Stack>
  );
}

function hasFieldError(error: unknown): boolean {
  return fieldError(error, 'name') !== null || fieldError(error, 'password') !== null;
}

function SignInFirst({ token, message }: { token: string; message: string }) {
  const navigate = useNavigate();
  // The token is not a part of the address of the sign-in, because addresses are written into logs.
  const goToSignIn = () => {
    keepNext(`/invite#${encodeURIComponent(token)}`);
    navigate({ to: '/sign-in' });
  };
  return (
    <Stack gap="xs">
      <Text size="sm">{message}</Text>
      <Button variant="default" onClick={goToSignIn} fullWidth>
        Sign in
      </Button>
    </Stack>
  );
}

function KeysThatReach({ keys, workspace }: { keys: InvitationPreview['keys']; workspace: string }) {
  if (keys.length === 0) return null;
  return (
    <Alert color="orange" title={`Your keys that will have access to ${workspace}`}>
      <Stack gap="xs">
        <Text size="sm">
          Before you join, revoke a key that you do not know or do not need there: under API keys of one of{' '}
          <Anchor renderRoot={(props) => <Link to="/" {...props} />} inherit underline="always">
            your workspaces
          </Anchor>
          .
        </Text>
        <List size="sm" aria-label="Keys that will have access" className="break">
          {keys.map((key) => (
            <List.Item key={key.id}>
              <b>{key.name}</b>, ends in {key.last_four}, made <TimeText value={key.created_at} />, last used:{' '}
              <TimeText value={key.last_used_at} />
            </List.Item>
          ))}
        </List>
      </Stack>
    </Alert>
  );
}

function OtherAccount({ signedInAs, email }: { signedInAs: string; email: string }) {
  const queryClient = useQueryClient();
  const { mutate, error, isPending } = useMutation({
    mutationFn: signOut,
    onSuccess: () => queryClient.invalidateQueries(),
  });
  return (
    <Stack gap="md">
      <Alert color="orange" title="The invitation is for somebody else" role="alert">
        You are signed in as {signedInAs}. Sign out to accept it as {email}.
      </Alert>
      {error && <Alert color="red">{errorText(error)}</Alert>}
      <Button variant="default" loading={isPending} onClick={() => mutate()} fullWidth>
        Sign out
      </Button>
    </Stack>
  );
}

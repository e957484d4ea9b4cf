/** Creates the first account, by the one-time link that the server prints: `/setup#token`. */
import { Alert, Button, Stack } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { FormEvent } from 'react';
import { api, type RequestBody } from '../../api/client.ts';
import { fieldError, isApiError } from '../../api/errors.ts';
import { readNewSession, sessionQuery } from '../../api/session.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { NewPassword } from '../../components/new-password.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { RequiredText } from '../../components/required-text.tsx';
import { useLinkToken } from '../../components/use-link-token.ts';

export function SetupPage() {
  const token = useLinkToken();
  const { data: session } = useQuery(sessionQuery);
  // After the setup no link works any more. The person who has just set up the server is signed in.
  const isSetUp = session !== undefined && !session.signed_in && !session.setup;
  return (
    <>
      <PageHeader
        title="Set up Merlon"
        description="Create the first account. It can create workspaces and invite others."
      />
      {token === null || isSetUp ? <NoToken /> : <FirstAccount token={token} />}
    </>
  );
}

function FirstAccount({ token }: { token: string }) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { mutate, error, isPending } = useMutation({
    mutationFn: (body: RequestBody<'setUp'>) => api.setUp({ body }),
    onSuccess: async () => {
      await readNewSession(queryClient);
      await navigate({ to: '/' });
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const textOf = (name: string) => String(form.get(name));
    mutate({ token, name: textOf('name'), email: textOf('email'), password: textOf('password') });
  };
  if (isApiError(error, 'RESOURCE_NOT_FOUND')) return <NoToken />;
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <ErrorAlert error={isApiError(error, 'VALIDATION_FAILED') ? null : error} />
        <RequiredText
          label="Name"
          name="name"
          autoComplete="name"
          message="Enter your name."
          refusal={fieldError(error, 'name')}
        />
        <RequiredText
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username"
          message="Enter your e-mail address."
          refusal={fieldError(error, 'email')}
        />
        <NewPassword label="Password" refusal={fieldError(error, 'password')} />
        <Button type="submit" loading={isPending} fullWidth>
          Create account
        </Button>
      </Stack>
    </form>
  );
}

function NoToken() {
  return (
    <Stack gap="md">
      <Alert color="orange" title="This link is not valid" role="alert">
        A link works once, for one day, and only until the server has its first account. If there is none yet,
        restart the server to get a new link.
      </Alert>
      <Button renderRoot={(props) => <Link to="/sign-in" {...props} />} variant="default">
        Go to sign-in
      </Button>
    </Stack>
  );
}

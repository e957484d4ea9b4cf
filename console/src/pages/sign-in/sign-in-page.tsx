/** Signs in by password, or by the provider if there is one. It shows a hint on the very first start. */
import { Alert, Button, Divider, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type FormEvent, useEffect } from 'react';
import { errorText, isApiError, retryAfter, waitText } from '../../api/errors.ts';
import { readNewSession, type Session, sessionQuery, signIn, startOidc } from '../../api/session.ts';
import { ErrorAlert } from '../../components/error-alert.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { SmallNote } from '../../components/note.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { useRequired } from '../../components/use-required.ts';
import { keepNext, ownPage, takeNext } from '../../next-page.ts';

const route = getRouteApi('/sign-in');

export function SignInPage() {
  const query = useQuery(sessionQuery);
  return (
    <>
      <PageHeader title="Sign in" />
      <Loaded query={query} lines={3}>
        {(session) => <SignIn session={session} />}
      </Loaded>
    </>
  );
}

function SignIn({ session }: { session: Session }) {
  const { next, error } = route.useSearch();
  const navigate = useNavigate();
  const target = ownPage(next);
  const isIn = session.signed_in;
  useEffect(() => {
    if (!isIn) return;
    // A page that was kept for the provider is the same or an older one, so it is removed.
    if (target !== '/') takeNext();
    navigate({ href: target, replace: true });
  }, [isIn, navigate, target]);
  if (session.signed_in) return null;
  const { password, oidc } = session.methods;
  const hasPasswords = password && !session.setup;
  return (
    <Stack gap="lg">
      {error && (
        <Alert color="red" title="Sign-in failed" role="alert">
          {providerErrorText(error)}
        </Alert>
      )}
      {session.setup && <FirstRunHint />}
      {oidc && <ProviderButton name={oidc.name} next={target} />}
      {oidc && hasPasswords && <Divider label="or" />}
      {hasPasswords && <PasswordForm />}
    </Stack>
  );
}

function PasswordForm() {
  const queryClient = useQueryClient();
  const { mutate, error, isPending } = useMutation({
    mutationFn: ({ email, password }: { email: string; password: string }) => signIn(email, password),
    onSuccess: () => readNewSession(queryClient),
  });
  const email = useRequired({ message: 'Enter your e-mail address.' });
  const secret = useRequired({ message: 'Enter your password.' });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    mutate({ email: String(form.get('email')), password: String(form.get('password')) });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        {error && (
          <Alert color="red" role="alert">
            {refusalText(error)}
          </Alert>
        )}
        <TextInput
          label="E-mail"
          name="email"
          type="email"
          autoComplete="username"
          {...email}
          // In a form of two fields, both are clearly required.
          withAsterisk={false}
          autoFocus
        />
        <PasswordInput
          label="Password"
          name="password"
          autoComplete="current-password"
          {...secret}
          withAsterisk={false}
        />
        <Button type="submit" loading={isPending} fullWidth>
          Sign in
        </Button>
        <SmallNote>
          Forgotten? The operator of this server can set a new one: <code>merlond user password</code>.
        </SmallNote>
      </Stack>
    </form>
  );
}

// An unknown e-mail and a wrong password give the same text, because the server answers the same.
function refusalText(error: unknown): string {
  if (isApiError(error, 'AUTHENTICATION_REQUIRED')) return 'Wrong e-mail or password.';
  if (isApiError(error, 'RATE_LIMIT_EXCEEDED')) {
    const seconds = retryAfter(error);
    const wait = seconds === null ? 'a few minutes' : waitText(seconds);
    return `Too many failed attempts. Try again in ${wait}; until then the correct password is refused too.`;
  }
  return errorText(error);
}

function ProviderButton({ name, next }: { name: string; next: string }) {
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => {
      // The provider sends a person who cancels to the sign-in, without the page. A page that was kept before stays.
      if (next !== '/') keepNext(next);
      return startOidc('/');
    },
    onSuccess: ({ url }) => location.assign(url),
  });
  return (
    <Stack gap="sm">
      <ErrorAlert error={error} />
      <Button variant="default" onClick={() => mutate()} loading={isPending} fullWidth>
        Sign in with {name}
      </Button>
    </Stack>
  );
}

function FirstRunHint() {
  return (
    <Alert color="petrol" title="Nobody has an account here yet">
      Open the link that the server printed when it started, to create the first account. If it is lost or
      older than a day, restart the server to get a new one.
    </Alert>
  );
}

// The provider's redirect puts this code into the address. An unknown code is not shown, because anybody can write a
// link.
function providerErrorText(code: string): string {
  switch (code) {
    case 'access_denied':
      return 'The provider refused the sign-in, or you cancelled it.';
    case 'identity_refused':
      return 'This identity has no account here. Either the provider does not confirm its e-mail, or the account with that e-mail belongs to another identity. Ask the operator of the server.';
    case 'unable_to_create_session':
      return 'Your account is disabled. Ask the operator of the server.';
    case 'email_not_found':
      return 'The provider did not send a valid e-mail address. Let it share your address, and try again.';
    case 'state_mismatch':
    case 'please_restart_the_process':
      return 'It took too long, or was started in another browser. Try again.';
    default:
      return 'The sign-in with the provider failed. Try again; if it fails again, the log of the server has the reason.';
  }
}

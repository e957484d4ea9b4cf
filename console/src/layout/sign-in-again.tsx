/**
 * Asks for the password or the provider once more when the server requires a recent sign-in, then repeats the refused
 * request. `api/http.ts` calls `askToSignInAgain`; the dialog is in the frame.
 */
import { Alert, Button, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { errorText, isApiError } from '../api/errors.ts';
import { type SignedIn, sessionQuery, signIn, startOidc } from '../api/session.ts';
import { DialogForm } from '../components/dialog-form.tsx';
import { SmallNote } from '../components/note.tsx';
import { useRequired } from '../components/use-required.ts';
import { createStore } from '../external-store.ts';

type Answer = (hasSignedIn: boolean) => void;

const waiting = createStore<Answer[]>([]);

/** Resolves to true after the sign-in, and to false if the person declined. */
export function askToSignInAgain(): Promise<boolean> {
  return new Promise((resolve) => waiting.set([...waiting.get(), resolve]));
}

function answer(hasSignedIn: boolean): void {
  const resolvers = waiting.get();
  waiting.set([]);
  for (const resolve of resolvers) resolve(hasSignedIn);
}

// This listener runs before those of the pages' dialogs, so that Escape closes only this question.
window.addEventListener(
  'keydown',
  (event) => {
    if (event.key !== 'Escape' || event.isComposing || waiting.get().length === 0) return;
    event.stopImmediatePropagation();
    answer(false);
  },
  { capture: true },
);

export function SignInAgain({ session }: { session: SignedIn }) {
  const isOpen = waiting.useValue().length > 0;
  return (
    <Modal
      opened={isOpen}
      onClose={() => answer(false)}
      closeOnEscape={false}
      title="Sign in again"
      zIndex={300}
    >
      <Stack gap="md">
        <Text size="sm">
          This changes access, so it needs a sign-in within the last hour. Your action continues afterwards.
        </Text>
        {session.methods.password && <PasswordForm email={session.user.email} />}
        {session.methods.oidc && <ProviderButton session={session} name={session.methods.oidc.name} />}
      </Stack>
    </Modal>
  );
}

function PasswordForm({ email }: { email: string }) {
  const queryClient = useQueryClient();
  const { mutate, error, isPending } = useMutation({
    mutationFn: (password: string) => signIn(email, password),
    onSuccess: async () => {
      await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
      answer(true);
    },
  });
  const wrong = isApiError(error, 'AUTHENTICATION_REQUIRED') ? 'Wrong password.' : null;
  const field = useRequired({ message: 'Enter your password.', refusal: wrong });
  return (
    <DialogForm
      action="Sign in"
      onSubmit={(event) => mutate(String(new FormData(event.currentTarget).get('password')))}
      onCancel={() => answer(false)}
      isPending={isPending}
      error={wrong ? null : error}
    >
      <input type="hidden" name="username" value={email} autoComplete="username" />
      <PasswordInput
        label={`Password of ${email}`}
        name="password"
        autoComplete="current-password"
        data-autofocus
        {...field}
      />
    </DialogForm>
  );
}

// The provider opens in another tab, so that text that was typed here is not lost. The return to this tab triggers a
// check.
function ProviderButton({ session, name }: { session: SignedIn; name: string }) {
  const queryClient = useQueryClient();
  useEffect(() => {
    const look = async () => {
      const now = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
      if (now.signed_in && now.signed_in_at !== session.signed_in_at) answer(true);
    };
    window.addEventListener('focus', look);
    return () => window.removeEventListener('focus', look);
  }, [queryClient, session.signed_in_at]);
  const { mutate, error, isPending } = useMutation({
    mutationFn: async (tab: Window | null) => {
      const { url } = await startOidc('/');
      if (tab) tab.location.href = url;
      else location.assign(url);
    },
    onError: (_, tab) => tab?.close(),
  });
  return (
    <Stack gap="xs">
      {/* A browser blocks a tab as a pop-up if it opens after the answer. */}
      <Button variant="default" loading={isPending} onClick={() => mutate(window.open('about:blank'))}>
        Sign in with {name} in a new tab
      </Button>
      <SmallNote>Come back to this tab afterwards.</SmallNote>
      {error && <Alert color="red">{errorText(error)}</Alert>}
    </Stack>
  );
}

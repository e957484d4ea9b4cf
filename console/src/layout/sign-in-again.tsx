/**
 * Asks for the password or the provider once more when the session has ended or the server requires a recent sign-in,
 * then repeats the refused requests. The page stays as it is, with all that was typed. `api/http.ts` calls
 * `askToSignInAgain`; the dialog is in the frame.
 */
import { Alert, Button, Modal, PasswordInput, Stack, Text } from '@mantine/core';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { type AnyRouter, useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { errorText, isApiError } from '../api/errors.ts';
import { forgetAnswers, type SignedIn, sessionKey, sessionQuery, signIn, startOidc } from '../api/session.ts';
import { DialogForm } from '../components/dialog-form.tsx';
import { SmallNote } from '../components/note.tsx';
import { useRequired } from '../components/use-required.ts';
import { createStore } from '../external-store.ts';

interface Question {
  answer: (hasSignedIn: boolean) => void;
  /** The session has ended, so the person cannot stay on the page without a sign-in. */
  hasEnded: boolean;
}

const waiting = createStore<Question[]>([]);

/** Resolves to true after the sign-in, and to false if the person declined. */
export function askToSignInAgain(hasEnded: boolean): Promise<boolean> {
  return new Promise((answer) => waiting.set([...waiting.get(), { answer, hasEnded }]));
}

function answerAll(hasSignedIn: boolean): void {
  const questions = waiting.get();
  waiting.set([]);
  for (const { answer } of questions) answer(hasSignedIn);
}

const isAboutEnd = (questions: Question[]): boolean => questions.some(({ hasEnded }) => hasEnded);

/** Forgets the session and all answers, and comes back to the page after the sign-in. */
export async function leaveForSignIn(queryClient: QueryClient, router: AnyRouter): Promise<void> {
  // Each request that was refused leads here.
  if (queryClient.getQueryData(sessionKey) === undefined) return;
  queryClient.resetQueries({ queryKey: sessionKey });
  const { href, pathname } = router.state.location;
  if (pathname !== '/sign-in') {
    await router.navigate({ to: '/sign-in', search: { next: href }, ignoreBlocker: true });
  }
  forgetAnswers(queryClient);
}

// This listener runs before those of the pages' dialogs, so that Escape closes only this question. After the end of a
// session it closes nothing, because text would be lost.
window.addEventListener(
  'keydown',
  (event) => {
    if (event.key !== 'Escape' || event.isComposing || waiting.get().length === 0) return;
    event.stopImmediatePropagation();
    if (!isAboutEnd(waiting.get())) answerAll(false);
  },
  { capture: true },
);

export function SignInAgain({ session }: { session: SignedIn }) {
  const queryClient = useQueryClient();
  const router = useRouter();
  const questions = waiting.useValue();
  const isOpen = questions.length > 0;
  const isEnd = isAboutEnd(questions);
  const { has_ended: hasEnded, signed_in_at: signedInAt } = session;
  useEffect(() => {
    if (!hasEnded) return;
    askToSignInAgain(true).then((isIn) => (isIn ? undefined : leaveForSignIn(queryClient, router)));
  }, [hasEnded, queryClient, router]);
  const lastSignIn = useRef(signedInAt);
  useEffect(() => {
    // The sign-in may have happened in another tab.
    if (lastSignIn.current !== signedInAt) answerAll(true);
    lastSignIn.current = signedInAt;
  }, [signedInAt]);
  useEffect(() => {
    if (!isOpen) return;
    const look = () => queryClient.refetchQueries({ queryKey: sessionKey });
    window.addEventListener('focus', look);
    return () => window.removeEventListener('focus', look);
  }, [isOpen, queryClient]);
  useEffect(() => () => answerAll(false), []);
  return (
    <Modal
      opened={isOpen}
      onClose={() => answerAll(false)}
      closeOnEscape={false}
      closeOnClickOutside={!isEnd}
      title="Sign in again"
      zIndex={300}
      // Somebody else may sit at this computer by now.
      {...(isEnd && { overlayProps: { color: 'var(--mantine-color-body)', backgroundOpacity: 1 } })}
    >
      <Stack gap="md">
        <Text size="sm">
          {isEnd
            ? 'Your session has ended. After the sign-in the page is as it was, with all that you have typed. If you cancel, you leave it.'
            : 'This changes access, so it needs a sign-in within the last hour. Your action continues afterwards.'}
        </Text>
        {session.methods.password && <PasswordForm email={session.user.email} />}
        {session.methods.oidc && <ProviderButton name={session.methods.oidc.name} />}
      </Stack>
    </Modal>
  );
}

function PasswordForm({ email }: { email: string }) {
  const queryClient = useQueryClient();
  const { mutate, error, isPending } = useMutation({
    mutationFn: (password: string) => signIn(email, password),
    onSuccess: () => queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 }),
  });
  const wrong = isApiError(error, 'AUTHENTICATION_REQUIRED') ? 'Wrong password.' : null;
  const field = useRequired({ message: 'Enter your password.', refusal: wrong });
  return (
    <DialogForm
      action="Sign in"
      onSubmit={(event) => mutate(String(new FormData(event.currentTarget).get('password')))}
      onCancel={() => answerAll(false)}
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
function ProviderButton({ name }: { name: string }) {
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

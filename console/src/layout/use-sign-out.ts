/** Signs out: the server forgets the session, then the page forgets all data that it has read. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { forgetAnswers, readNewSession, signOut, signOutEverywhere } from '../api/session.ts';
import { notifyError } from '../components/notify.tsx';

export function useSignOut(): { leave: () => void; leaveEverywhere: () => void } {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { mutate } = useMutation({
    mutationFn: (end: () => Promise<void>) => end(),
    onSuccess: async () => {
      await readNewSession(queryClient);
      await navigate({ to: '/sign-in' });
      forgetAnswers(queryClient);
    },
    onError: notifyError,
  });
  return { leave: () => mutate(signOut), leaveEverywhere: () => mutate(signOutEverywhere) };
}

/** An action on the server that has no form: a notification shows that it is done, or why it failed. */
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { notifyDone, notifyError } from './notify.tsx';

export interface Action<Result, Input = void> {
  act: (input: Input) => Promise<Result>;
  /** The text of the notification. */
  done: string | ((result: Result) => string);
  /** The keys of the queries that are read again. Without them, everything is. */
  changed?: QueryKey[] | undefined;
}

// Every key begins with the empty one.
const everything: QueryKey[] = [[]];

export function useAction<Result, Input = void>(action: Action<Result, Input>) {
  const { act, done, changed = everything } = action;
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: async (result) => {
      notifyDone(typeof done === 'string' ? done : done(result));
      await Promise.all(changed.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
    },
    onError: notifyError,
  });
}

/** An action on the server that has no form: a notification shows that it is done, or why it failed. */
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { notifyDone, notifyError } from './notify.tsx';

export interface Action<Result, Input = void> {
  act: (input: Input) => Promise<Result>;
  /** The text of the notification. */
  done: string | ((result: Result) => string);
  /** The keys of the queries that are read again. */
  changed: QueryKey[] | 'everything';
}

export function useAction<Result, Input = void>(action: Action<Result, Input>) {
  const { act, done, changed } = action;
  // Every key begins with the empty one.
  const keys = changed === 'everything' ? [[]] : changed;
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: async (result) => {
      notifyDone(typeof done === 'string' ? done : done(result));
      await Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
    },
    onError: notifyError,
  });
}

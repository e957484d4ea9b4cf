/** The hook that reads and changes the parameters in the address, whatever the page. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

export type SearchValue = string | readonly string[] | undefined;
export type SearchPatch = Record<string, SearchValue>;

/**
 * Returns the parameters of the page that is shown, for components that all pages share. A page itself uses its route's
 * typed `useSearch`. `set` changes the named parameters, and it forgets the page of the list unless told which one to
 * keep. It then keeps the way back to the previous pages as well (`CursorPager`).
 */
export function useAnySearch(): {
  search: Record<string, SearchValue>;
  set: (patch: SearchPatch, options?: { replace?: boolean }) => void;
} {
  const search = useSearch({ strict: false }) as Record<string, SearchValue>;
  const navigate = useNavigate();
  const set = useCallback(
    (patch: SearchPatch, { replace = false } = {}) => {
      navigate({
        to: '.',
        search: (before: Record<string, unknown>) => ({ ...before, cursor: undefined, ...patch }),
        state: 'cursor' in patch,
        replace,
        resetScroll: false,
      } as Parameters<typeof navigate>[0]);
    },
    [navigate],
  );
  return { search, set };
}

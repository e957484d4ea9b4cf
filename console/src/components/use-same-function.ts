/**
 * Returns a function that stays the same object and calls the one of the last render, so that components that use it
 * are not drawn again.
 */
import { useCallback, useEffect, useRef } from 'react';

export function useSameFunction<A extends unknown[]>(now: (...args: A) => void): (...args: A) => void {
  const latest = useRef(now);
  useEffect(() => {
    latest.current = now;
  });
  return useCallback((...args: A) => latest.current(...args), []);
}

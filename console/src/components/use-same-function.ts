/** The function of the last drawing behind one that stays the same, for what must not be drawn again when it changes. */
import { useCallback, useEffect, useRef } from 'react';

export function useSameFunction<A extends unknown[]>(now: (...args: A) => void): (...args: A) => void {
  const latest = useRef(now);
  useEffect(() => {
    latest.current = now;
  });
  return useCallback((...args: A) => latest.current(...args), []);
}

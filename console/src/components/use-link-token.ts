/**
 * The secret behind the `#` of a one-time link. Browsers send that part to no server. It is removed from the address at
 * once, so that it stays neither in the address nor in the history.
 */
import { useState } from 'react';

// The component may mount twice, so the token lives outside it.
let taken: { path: string; token: string } | null = null;

export function useLinkToken(): string | null {
  const [token] = useState(() => {
    const inAddress = decodeURIComponent(location.hash.slice(1));
    if (inAddress !== '') {
      taken = { path: location.pathname, token: inAddress };
      history.replaceState(history.state, '', location.pathname + location.search);
    }
    return taken?.path === location.pathname ? taken.token : null;
  });
  return token;
}

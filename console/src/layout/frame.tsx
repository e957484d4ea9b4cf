/** Wraps every page: the app's frame for signed-in people, a plain frame for the pages before the sign-in. */
import { useQuery } from '@tanstack/react-query';
import { Outlet, type StaticDataRouteOption, useMatches } from '@tanstack/react-router';
import { sessionQuery } from '../api/session.ts';
import { AppFrame } from './app-frame.tsx';
import { OutsideFrame } from './outside-frame.tsx';
import { ServerAwayBar } from './server-away.tsx';
import { SignInAgain } from './sign-in-again.tsx';

/** True if the page is shown without the app's frame, to people who have not signed in. */
export function isOutside(matches: { staticData: StaticDataRouteOption }[]): boolean {
  return matches.some(({ staticData }) => staticData.outside);
}

export function Frame() {
  const outside = useMatches({ select: isOutside });
  const { data: session } = useQuery(sessionQuery);
  if (outside || !session?.signed_in) {
    return (
      <OutsideFrame>
        <Outlet />
        <ServerAwayBar />
      </OutsideFrame>
    );
  }
  return (
    <AppFrame session={session}>
      <Outlet />
      <SignInAgain session={session} />
      <ServerAwayBar />
    </AppFrame>
  );
}

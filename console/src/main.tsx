/** Starts the console: theme, queries, router, and the callbacks that the API client needs. */
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { ModalsProvider, modals } from '@mantine/modals';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { isApiError } from './api/errors.ts';
import { connect, isServerReady } from './api/http.ts';
import { createQueryClient } from './api/query-client.ts';
import { onServerReturn, watchServer } from './api/server-away.ts';
import { forgetAnswers, type Session, sessionKey } from './api/session.ts';
import { workspacesKey } from './api/workspaces.ts';
import { isOutside } from './layout/frame.tsx';
import { askToSignInAgain, leaveForSignIn } from './layout/sign-in-again.tsx';
import { createConsoleRouter } from './routes.tsx';
import { cssVariablesResolver, theme } from './theme.ts';
import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import './theme.css';

const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
// The scroll lock of Mantine's dialogs looks up the nonce under this name.
Object.assign(globalThis, { __webpack_nonce__: nonce });

const queryClient = createQueryClient();
const router = createConsoleRouter(queryClient);
// The page's code loads in parallel with the session.
for (const { routeId } of router.matchRoutes(router.latestLocation)) {
  router.loadRouteChunk(router.routesById[routeId as keyof typeof router.routesById]);
}

connect({
  csrfToken: () => {
    const session = queryClient.getQueryData<Session>(sessionKey);
    return session?.signed_in ? session.csrf_token : null;
  },
  readSessionAgain: () => queryClient.refetchQueries({ queryKey: sessionKey }),
  signedOut: () => leaveForSignIn(queryClient, router),
  workspaceLost: async () => {
    // Somebody else may have signed in in another tab. The page is then loaded anew for them.
    await queryClient.refetchQueries({ queryKey: sessionKey });
    // The route guard then sees that the workspace is gone, and its data is forgotten.
    await queryClient.refetchQueries({ queryKey: workspacesKey });
    await router.invalidate();
    forgetAnswers(queryClient);
  },
  isOutside: () => isOutside(router.state.matches),
  signInAgain: askToSignInAgain,
});

// A question is about the page that asked it, and about the person to whom that page was shown.
router.subscribe('onBeforeNavigate', ({ pathChanged }) => {
  if (pathChanged) modals.closeAll();
});

watchServer(isServerReady);
// Everything in sight is read again. Pages and their forms stay as they are.
onServerReturn(() => queryClient.invalidateQueries());

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no root');
// The page shows an error of the API to the person. Only unexpected errors go to the browser's log.
const onCaughtError = (error: unknown): void => {
  if (!isApiError(error)) console.error(error);
};
createRoot(root, { onCaughtError }).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariablesResolver}
      defaultColorScheme="auto"
      colorSchemeManager={localStorageColorSchemeManager({ key: 'merlon.colours' })}
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <ModalsProvider>
          <RouterProvider router={router} />
        </ModalsProvider>
        <Notifications position="bottom-right" containerWidth={400} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);

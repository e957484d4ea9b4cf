/** The notifications in the corner: an action is done, with a button to undo it, or it failed. */
import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { errorText, isApiError } from '../api/errors.ts';
import { createStore } from '../external-store.ts';
import { SmallNote } from './note.tsx';
import { useModKey } from './use-mod-key.ts';

const shortMs = 5_000;
// Long enough to read the text.
const undoMs = 15_000;

export function notifyDone(message: string): void {
  notifications.show({ message, color: 'petrol', autoClose: shortMs, closeButtonProps });
}

/** The actions that can be reversed, the last one last, each with its page. */
let done: Action[] = [];

interface Action {
  id: string;
  path: string;
  at: number;
  takeBack: () => void;
}

// The server refuses to undo what is older.
const undoableMs = 15 * 60_000;
const isUndoable = ({ at }: Action) => Date.now() - at < undoableMs;

const pageInSight = createStore(location.pathname);

/** Tells the buttons of which page the person sees. Their key acts only on the page of their action. */
export const setPageInSight = pageInSight.set;

/** Reverses the last action of this page, even if its notification is gone. Returns false if there is none. */
export function undoLast(): boolean {
  const last = done.findLast((action) => action.path === pageInSight.get() && isUndoable(action));
  last?.takeBack();
  return last !== undefined;
}

/** Another person who signs in must not reverse them. */
export function forgetActions(): void {
  hideLast();
  done = [];
}

// Only the notification of the last action is shown.
function hideLast(): void {
  const last = done.at(-1);
  if (last) notifications.hide(last.id);
}

/**
 * `undo` reverses what was done. If it throws, its error is shown as well. A panel keeps the keyboard from the button,
 * so `layout/shortcuts.tsx` has a key for it.
 */
export function notifyUndo(message: string, undo: () => Promise<unknown>): void {
  const path = location.pathname;
  const takeBack = async () => {
    // A second click may come before the button is gone.
    if (!done.includes(action)) return;
    done = done.filter((other) => other !== action);
    notifications.hide(id);
    try {
      await undo();
      notifyDone('Undone.');
    } catch (error) {
      notifyError(error);
    }
  };
  // The corner has room for a few, and another message must not wait until these are closed.
  hideLast();
  const id = notifications.show({
    color: 'petrol',
    autoClose: false,
    closeButtonProps,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <span>{message}</span>
        <UndoButton path={path} onClick={takeBack} />
      </Group>
    ),
  });
  const action = { id, path, at: Date.now(), takeBack };
  done = [...done.filter(isUndoable), action];
  const closeLater = () =>
    setTimeout(() => (document.querySelector(busy) ? closeLater() : notifications.hide(id)), undoMs);
  closeLater();
}

// While a panel or dialog is open, or the person is at a notification, none with a button is closed.
const busy = '[role="dialog"], .mantine-Notification-root:is(:hover, :focus-within)';

function UndoButton({ path, onClick }: { path: string; onClick: () => void }) {
  const mod = useModKey();
  const hasKey = pageInSight.useValue() === path;
  return (
    <Button
      size="compact-sm"
      variant="default"
      onClick={onClick}
      aria-keyshortcuts={hasKey ? 'Control+Z Meta+Z' : undefined}
      style={{ flexShrink: 0 }}
    >
      {hasKey ? `Undo (${mod} Z)` : 'Undo'}
    </Button>
  );
}

/** For `onError` of a mutation that has no other way to show its error. */
export function notifyError(error: unknown): void {
  notifyFailed('The action failed', error);
}

/** Like `notifyError`, with a title that says what failed. */
export function notifyFailed(title: string, error: unknown): void {
  // A person who closes the question for the password knows that nothing was changed.
  if (isApiError(error, 'SIGN_IN_AGAIN')) return;
  const requestId = isApiError(error) ? error.requestId : null;
  notifications.show({
    color: 'red',
    autoClose: undoMs,
    closeButtonProps,
    title,
    message: (
      <>
        {errorText(error)}
        {requestId && (
          <SmallNote>
            Request <span className="mono">{requestId}</span>
          </SmallNote>
        )}
      </>
    ),
  });
}

const closeButtonProps = { 'aria-label': 'Close' };

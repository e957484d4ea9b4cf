/** The notifications in the corner: an action is done, with a button to undo it, or it failed. */
import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { errorText, isApiError } from '../api/errors.ts';
import { SmallNote } from './note.tsx';
import { useModKey } from './use-mod-key.ts';

const shortMs = 5_000;
// Long enough to read the text.
const undoMs = 15_000;

export function notifyDone(message: string): void {
  notifications.show({ message, color: 'petrol', autoClose: shortMs, closeButtonProps });
}

/** The actions that can be reversed, the last one last, each with its page. */
let done: { path: string; takeBack: () => void }[] = [];

/** Reverses the last action of this page, even if its notification is gone. Returns false if there is none. */
export function undoLast(): boolean {
  const last = done.at(-1);
  if (last?.path !== location.pathname) return false;
  last.takeBack();
  return true;
}

/** Another person who signs in must not reverse them. */
export function forgetActions(): void {
  done = [];
}

/**
 * `undo` reverses what was done. If it throws, its error is shown as well. A panel keeps the keyboard from the button, so
 * `layout/shortcuts.tsx` has a key for it.
 */
export function notifyUndo(message: string, undo: () => Promise<unknown>): void {
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
  const id = notifications.show({
    color: 'petrol',
    autoClose: false,
    closeButtonProps,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <span>{message}</span>
        <UndoButton onClick={takeBack} />
      </Group>
    ),
  });
  const action = { path: location.pathname, takeBack };
  done.push(action);
  const closeLater = () =>
    setTimeout(() => (document.querySelector(busy) ? closeLater() : notifications.hide(id)), undoMs);
  closeLater();
}

// While a panel or dialog is open, or the person is at a notification, none with a button is closed.
const busy = '[role="dialog"], .mantine-Notification-root:is(:hover, :focus-within)';

function UndoButton({ onClick }: { onClick: () => void }) {
  return (
    <Button
      size="compact-sm"
      variant="default"
      onClick={onClick}
      aria-keyshortcuts="Control+Z Meta+Z"
      style={{ flexShrink: 0 }}
    >
      Undo ({useModKey()} Z)
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

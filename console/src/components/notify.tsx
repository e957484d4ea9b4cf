/** The notifications in the corner: an action is done, with a button to undo it, or it failed. */
import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { errorText, isApiError } from '../api/errors.ts';
import { SmallNote } from './note.tsx';

const shortMs = 5_000;
// Long enough to read the text and to reach the button by keyboard.
const undoMs = 15_000;

export function notifyDone(message: string): void {
  notifications.show({ message, color: 'petrol', autoClose: shortMs, closeButtonProps });
}

/** `undo` reverses what was done. If it throws, its error is shown as well. */
export function notifyUndo(message: string, undo: () => Promise<unknown>): void {
  const takeBack = async () => {
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
    autoClose: undoMs,
    closeButtonProps,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <span>{message}</span>
        <Button size="compact-sm" variant="default" onClick={takeBack} style={{ flexShrink: 0 }}>
          Undo
        </Button>
      </Group>
    ),
  });
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

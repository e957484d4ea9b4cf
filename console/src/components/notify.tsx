/** What is said in the corner: that something is done, with a way to take it back, or that it failed. */
import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { errorText, isApiError } from '../api/errors.ts';

const shortMs = 5_000;
// Long enough to read what has been done, and to find the button by keyboard.
const undoMs = 15_000;

export function notifyDone(message: string): void {
  notifications.show({ message, color: 'petrol', autoClose: shortMs, closeButtonProps });
}

/** `undo` takes back what was done; what it throws is told in its turn. */
export function notifyUndo(message: string, undo: () => Promise<unknown>): void {
  const takeBack = async () => {
    notifications.hide(id);
    try {
      await undo();
      notifyDone('Taken back.');
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

/** For `onError` of a mutation that has no place of its own for what went wrong. */
export function notifyError(error: unknown): void {
  // Whoever closes the question for their password knows that nothing was done.
  if (isApiError(error, 'SIGN_IN_AGAIN')) return;
  const requestId = isApiError(error) ? error.requestId : null;
  notifications.show({
    color: 'red',
    autoClose: undoMs,
    closeButtonProps,
    title: 'That did not work',
    message: (
      <>
        {errorText(error)}
        {requestId && (
          <Text size="xs" c="dimmed">
            Request <span className="mono">{requestId}</span>
          </Text>
        )}
      </>
    ),
  });
}

const closeButtonProps = { 'aria-label': 'Close' };

/** The form of a dialog: the fields, the server's error, then the buttons to cancel and to submit. */
import { Button, Group, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { isApiError } from '../api/errors.ts';
import { ErrorAlert } from './error-alert.tsx';

interface DialogFormProps {
  /** The label of the submit button. */
  action: string;
  /** Is not called while the browser finds a field invalid. */
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  onCancel: () => void;
  isPending?: boolean;
  error?: unknown;
  /** The names of fields that show their own errors, so the form does not repeat them below. */
  fields?: readonly string[];
  /** The colour of the button, for actions that remove something. */
  color?: string | undefined;
  /** Closing is not possible while the request is pending, because its answer would be lost. */
  mustStay?: boolean;
  children: ReactNode;
}

export function DialogForm({
  action,
  onSubmit,
  onCancel,
  isPending = false,
  error,
  fields = [],
  color,
  mustStay = false,
  children,
}: DialogFormProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        // Ctrl+Enter in a text field submits the form even when its button is disabled.
        if (!isPending) onSubmit(event);
      }}
    >
      <Stack gap="md">
        {children}
        {/* The error is shown beside the pressed button, because the top of a long form is out of sight. */}
        <ErrorAlert error={isUnshown(error, fields) ? error : null} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel} disabled={mustStay && isPending}>
            Cancel
          </Button>
          {/* The first element that requests the focus gets it: a field, if there is one. */}
          <Button
            type="submit"
            data-autofocus
            loading={isPending}
            {...(color === undefined ? {} : { color })}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function isUnshown(error: unknown, fields: readonly string[]): boolean {
  // A person who closes the question for the password knows that nothing was changed.
  if (!error || isApiError(error, 'SIGN_IN_AGAIN')) return false;
  const refused = isApiError(error) ? Object.keys(error.errors) : [];
  return refused.length === 0 || !refused.every((field) => fields.includes(field));
}

/** The form of a dialog: the fields, what the server has refused, then away from it or on with it. */
import { Alert, Button, Group, Stack } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import { errorText, isApiError } from '../api/errors.ts';

interface DialogFormProps {
  /** The words on the button that submits. */
  action: string;
  /** Not called while the browser finds a field wrong. */
  onSubmit: (event: FormEvent<HTMLFormElement>) => void;
  onCancel: () => void;
  isPending?: boolean;
  error?: unknown;
  /** Those that say at their place what the server has said of them: then nothing is said below. */
  fields?: readonly string[];
  /** Of what takes something away. */
  color?: string | undefined;
  /** While it is pending: going away would lose what is on its way. */
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
        // Ctrl+Enter in a text field submits a form whose button is not to be pressed.
        if (!isPending) onSubmit(event);
      }}
    >
      <Stack gap="md">
        {children}
        {/* Beside the button that was pressed: the top of a long form is out of sight. */}
        {isUntold(error, fields) && (
          <Alert color="red" role="alert">
            {errorText(error)}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onCancel} disabled={mustStay && isPending}>
            Cancel
          </Button>
          {/* The first that asks for the focus gets it: a field, if one does. */}
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

function isUntold(error: unknown, fields: readonly string[]): boolean {
  // Whoever closes the question for their password knows that nothing was done.
  if (!error || isApiError(error, 'SIGN_IN_AGAIN')) return false;
  const refused = isApiError(error) ? Object.keys(error.errors) : [];
  return refused.length === 0 || !refused.every((field) => fields.includes(field));
}

/** The end of a dialog's form: away from it, and what it does. */
import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';

interface DialogActionsProps {
  onCancel: () => void;
  /** The words on the button that submits. */
  children: ReactNode;
  isPending?: boolean;
  /** Of what takes something away. */
  color?: string;
  /** While going away would lose what is on its way. */
  mustStay?: boolean;
}

export function DialogActions({
  onCancel,
  children,
  isPending = false,
  color,
  mustStay = false,
}: DialogActionsProps) {
  return (
    <Group justify="flex-end">
      <Button variant="default" onClick={onCancel} disabled={mustStay}>
        Cancel
      </Button>
      <Button type="submit" loading={isPending} {...(color === undefined ? {} : { color })}>
        {children}
      </Button>
    </Group>
  );
}

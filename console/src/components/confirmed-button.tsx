/** Actions that a dialog explains first. The person confirms them there. */
import { Button, type ButtonProps, Text } from '@mantine/core';
import { modals } from '@mantine/modals';
import type { ReactNode } from 'react';
import { type Action, useAction } from './use-action.ts';

interface Question {
  /** The title of the dialog, which names the action: `Delete the team`. */
  title: string;
  /** The consequences of the action. */
  consequences: ReactNode;
  /** The label of the button in the dialog. */
  confirm: string;
  /** The button in the dialog is red, because the action takes something away. */
  isRemoval?: boolean;
}

export function askFirst({ title, consequences, confirm, isRemoval }: Question, onConfirm: () => void): void {
  // While the dialog fades out, its button still takes the second click of a double click.
  let isConfirmed = false;
  modals.openConfirmModal({
    title,
    children: (
      <Text size="sm" className="break">
        {consequences}
      </Text>
    ),
    labels: { confirm, cancel: 'Cancel' },
    ...(isRemoval && { confirmProps: { color: 'red' } }),
    onConfirm: () => {
      if (!isConfirmed) onConfirm();
      isConfirmed = true;
    },
  });
}

interface ConfirmedButtonProps<Result> extends Question, Action<Result>, Omit<ButtonProps, keyof Question> {
  'aria-label'?: string;
}

export function ConfirmedButton<Result>(props: ConfirmedButtonProps<Result>) {
  const { title, consequences, confirm, isRemoval = false, act, done, changed, ...button } = props;
  const { mutate, isPending } = useAction({ act, done, changed });
  const ask = () => askFirst({ title, consequences, confirm, isRemoval }, () => mutate());
  return <Button size="compact-xs" variant="default" loading={isPending} onClick={ask} {...button} />;
}

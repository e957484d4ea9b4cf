/** Before what cannot be taken back: the person types the name of the thing. */
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';

interface ConfirmTypedProps {
  opened: boolean;
  onClose: () => void;
  /** `Revoke the key`. */
  title: string;
  /** What will happen, and that it is for ever. */
  children: ReactNode;
  /** What must be typed. */
  name: string;
  /** The word on the button. */
  action: string;
  onConfirm: () => void;
  pending?: boolean;
}

export function ConfirmTyped(props: ConfirmTypedProps) {
  return (
    <Modal opened={props.opened} onClose={props.onClose} title={props.title}>
      <ConfirmForm {...props} />
    </Modal>
  );
}

function ConfirmForm({ onClose, children, name, action, onConfirm, pending = false }: ConfirmTypedProps) {
  const [typed, setTyped] = useState('');
  const isRight = typed.trim() === name;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isRight) onConfirm();
      }}
    >
      <Stack gap="md">
        <Text size="sm" component="div">
          {children}
        </Text>
        <TextInput
          data-autofocus
          autoComplete="off"
          label={
            <>
              Type{' '}
              <span className="mono break" style={{ whiteSpace: 'pre-wrap' }}>
                {name}
              </span>{' '}
              to confirm
            </>
          }
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" color="red" disabled={!isRight} loading={pending}>
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

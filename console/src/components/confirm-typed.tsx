/** Guards an action that cannot be undone: the person types the name of the object. */
import { Modal, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { DialogForm } from './dialog-form.tsx';
import { RequiredText } from './required-text.tsx';

interface ConfirmTypedProps {
  opened: boolean;
  onClose: () => void;
  /** The title names the action: `Revoke the key`. */
  title: string;
  /** Explains the effect, and that it is permanent. */
  children: ReactNode;
  /** The text that the person must type. */
  name: string;
  /** The label of the button. */
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

const notTheName = 'Type it exactly as it is shown above.';

function ConfirmForm({ onClose, children, name, action, onConfirm, pending = false }: ConfirmTypedProps) {
  const [typed, setTyped] = useState('');
  const [refused, setRefused] = useState<string | null>(null);
  return (
    <DialogForm
      action={action}
      onSubmit={() => (typed.trim() === name ? onConfirm() : setRefused(typed))}
      onCancel={onClose}
      isPending={pending}
      color="red"
    >
      <Text size="sm" component="div">
        {children}
      </Text>
      <RequiredText
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
        message={notTheName}
        refusal={refused === typed ? notTheName : null}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </DialogForm>
  );
}

/**
 * A dialog that creates something whose value is shown once. Only the state of the dialog's content holds the value,
 * and it disappears when the dialog closes. It is in no cache, no address and no storage.
 */
import { Alert, Button, Group, Modal, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { CodeBlock } from './code-block.tsx';
import { useCopy } from './copy-button.tsx';
import { LeaveGuard } from './leave-guard.tsx';

/** The callbacks that the form in the dialog gets. */
export interface CreationCallbacks<T> {
  onCreating: (isCreating: boolean) => void;
  onCreated: (made: T) => void;
  onClose: () => void;
}

/**
 * Creates the object and reloads the list that then holds it. It does not use a mutation, because a mutation keeps its
 * answer in a cache.
 */
export function useCreation<T>({ onCreating, onCreated }: CreationCallbacks<T>, list: QueryKey) {
  const queryClient = useQueryClient();
  const [isCreating, setCreating] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const make = async (create: () => Promise<T>): Promise<void> => {
    setError(null);
    setCreating(true);
    onCreating(true);
    try {
      onCreated(await create());
      await queryClient.invalidateQueries({ queryKey: list });
    } catch (refusal) {
      onCreating(false);
      setCreating(false);
      setError(refusal);
    }
  };
  return { make, isCreating, error };
}

interface ShownOnceProps<T> {
  opened: boolean;
  onClose: () => void;
  title: string;
  /** The title after the object is created. */
  titleCreated: string;
  size: number;
  form: (creation: CreationCallbacks<T>) => ReactNode;
  shown: (made: T, onClose: () => void) => ReactNode;
}

type Step = 'form' | 'creation' | 'shown';

export function ShownOnce<T>(props: ShownOnceProps<T>) {
  const { opened, onClose, title, titleCreated, size, form, shown } = props;
  const [step, setStep] = useState<Step>('form');
  // A person who closed the dialog now would never see the value.
  const close = () => {
    if (step === 'creation') return;
    setStep('form');
    onClose();
  };
  return (
    // In a stack, Escape closes only the question of the guard.
    <Modal.Stack>
      <Modal
        stackId="shown-once"
        // Back may take away the parameter that opened the dialog, but not a value that is shown once.
        opened={opened || step !== 'form'}
        onClose={close}
        title={step === 'shown' ? titleCreated : title}
        size={size}
        // A click outside must not take it away either.
        closeOnClickOutside={step === 'form'}
      >
        <Content form={form} shown={shown} onStep={setStep} onClose={close} />
      </Modal>
      <LeaveGuard active={step !== 'form'} title="Leave this page?">
        <Text size="sm">A value that is shown only this once is lost if you leave now.</Text>
      </LeaveGuard>
    </Modal.Stack>
  );
}

interface ContentProps<T> extends Pick<ShownOnceProps<T>, 'form' | 'shown' | 'onClose'> {
  onStep: (step: Step) => void;
}

function Content<T>({ form, shown, onStep, onClose }: ContentProps<T>) {
  const [made, setMade] = useState<{ value: T } | null>(null);
  if (made) return shown(made.value, onClose);
  return form({
    onCreating: (isCreating) => onStep(isCreating ? 'creation' : 'form'),
    onCreated: (value) => {
      setMade({ value });
      onStep('shown');
    },
    onClose,
  });
}

interface OnceValueProps {
  value: string;
  /** The name of the object: `key`. */
  noun: string;
  /** Says that the value is shown only this once, and what to do with it. */
  warning: ReactNode;
  /** Shown below the value: how to use it. */
  children: ReactNode;
  onClose: () => void;
}

export function OnceValue({ value, noun, warning, children, onClose }: OnceValueProps) {
  const { copied, outcome, copy } = useCopy();
  const copyButton = useRef<HTMLButtonElement>(null);
  // The button that had the focus has disappeared with the form.
  useEffect(() => copyButton.current?.focus(), []);
  return (
    <Stack gap="md">
      <Alert color="orange" title="Copy it now" role="status">
        {warning}
      </Alert>
      <CodeBlock code={value} label={noun.charAt(0).toUpperCase() + noun.slice(1)} />
      <Group>
        <Button
          ref={copyButton}
          leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
          onClick={() => copy(value)}
        >
          {outcome || `Copy the ${noun}`}
        </Button>
        <VisuallyHidden role="status">{outcome}</VisuallyHidden>
      </Group>
      {children}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
      </Group>
    </Stack>
  );
}

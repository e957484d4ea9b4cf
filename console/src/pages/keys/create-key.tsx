/**
 * The dialog in which a key is made. Its value lives in the state of this dialog's content alone, which goes when the
 * dialog closes: it is in no cache, not in the address, not in storage.
 */
import { Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type KeyKind, keyChoicesQuery, type MadeKey } from '../../api/keys.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { Loaded } from '../../parts/loaded.tsx';
import { CreateKeyForm } from './create-key-form.tsx';
import { ShownKey } from './shown-key.tsx';

interface CreateKeyProps {
  opened: boolean;
  onClose: () => void;
  /** What is offered first. */
  kind: KeyKind;
}

type Step = 'form' | 'making' | 'shown';

export function CreateKey({ opened, onClose, kind }: CreateKeyProps) {
  const [step, setStep] = useState<Step>('form');
  // Whoever closed it while the key is being made would have a key that nobody knows.
  const close = () => {
    if (step === 'making') return;
    setStep('form');
    onClose();
  };
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={step === 'shown' ? 'The key is made' : 'New API key'}
      size={640}
      // A click beside it must not take away a value that is shown once.
      closeOnClickOutside={step === 'form'}
    >
      <Content kind={kind} onStep={setStep} onClose={close} />
    </Modal>
  );
}

interface ContentProps {
  kind: KeyKind;
  onStep: (step: Step) => void;
  onClose: () => void;
}

function Content({ kind, onStep, onClose }: ContentProps) {
  const { slug } = useWorkspace();
  const query = useQuery(keyChoicesQuery);
  const [made, setMade] = useState<MadeKey | null>(null);
  if (made) return <ShownKey made={made} slug={slug} onClose={onClose} />;
  return (
    <Loaded query={query} what="the scopes">
      {(choices) => (
        <CreateKeyForm
          choices={choices}
          kind={kind}
          onMaking={(isMaking) => onStep(isMaking ? 'making' : 'form')}
          onMade={(key) => {
            setMade(key);
            onStep('shown');
          }}
          onClose={onClose}
        />
      )}
    </Loaded>
  );
}

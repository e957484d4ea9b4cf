/** The dialog before a decision about a stream: what it does, and why it is made. */
import { Modal, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldError } from '../../api/errors.ts';
import { scansChanged } from '../../api/scans.ts';
import { decideStream, type Stream, type StreamAction } from '../../api/streams.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { ReasonField } from '../../components/reason-field.tsx';
import { countOf } from '../../components/target-labels.ts';

export interface StreamDecision {
  action: StreamAction;
  stream: Stream;
}

interface DecideStreamProps {
  /** Null: closed. */
  decision: StreamDecision | null;
  onClose: () => void;
  onDone?: () => void;
}

export function DecideStream({ decision, onClose, onDone = () => {} }: DecideStreamProps) {
  return (
    <Modal opened={decision !== null} onClose={onClose} title={decision && titles[decision.action]}>
      {decision && <DecisionForm decision={decision} onClose={onClose} onDone={onDone} />}
    </Modal>
  );
}

const titles: Record<StreamAction, string> = {
  release: 'Release the closing',
  discard: 'Discard the closing',
  retire: 'Retire the stream',
};

function DecisionForm(props: { decision: StreamDecision; onClose: () => void; onDone: () => void }) {
  const { decision, onClose, onDone } = props;
  const { action, stream } = decision;
  const { slug } = useWorkspace();
  const queryClient = useQueryClient();
  const [reason, setReason] = useState('');
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => decideStream(slug, stream.id, action, reason.trim()),
    onSuccess: async (fixed) => {
      onClose();
      onDone();
      notifyDone(doneWords(action, fixed));
      await scansChanged(queryClient, slug);
    },
  });
  return (
    <DialogForm
      action={actionWords(decision)}
      onSubmit={() => mutate()}
      onCancel={onClose}
      isPending={isPending}
      error={error}
      fields={['reason']}
      color={action === 'discard' ? 'petrol' : 'red'}
    >
      <Text size="sm" className="break">
        {effectOf(decision)}
      </Text>
      <ReasonField
        description="Stands in the audit log."
        hasFocus
        value={reason}
        onChange={setReason}
        refusal={fieldError(error, 'reason')}
      />
    </DialogForm>
  );
}

function actionWords({ action, stream }: StreamDecision): string {
  const held = stream.held?.vulnerabilities ?? 0;
  switch (action) {
    case 'release':
      return `Close ${countOf(held, 'vulnerability', 'vulnerabilities')}`;
    case 'discard':
      return 'Keep them open';
    case 'retire':
      return 'Retire the stream';
  }
}

function effectOf({ action, stream }: StreamDecision): string {
  const { tool, repository, reference } = stream;
  const place = `${repository.full_name}, ${reference.ref}`;
  switch (action) {
    case 'release':
      return `What the last scan by ${tool} no longer showed on ${place} counts as fixed from now on. This cannot be taken back; a scan that shows one of them again opens it again.`;
    case 'discard':
      return `What the last scan by ${tool} did not show on ${place} stays open. The next complete scan that misses it is held again.`;
    case 'retire':
      return `Nobody feeds ${tool} on ${place} any more: what only it saw counts as fixed from now on. A later report of it takes the stream up again.`;
  }
}

function doneWords(action: StreamAction, fixed: number): string {
  if (action === 'discard') return 'Nothing is held any more, and nothing was closed.';
  const what = `${countOf(fixed, 'vulnerability is', 'vulnerabilities are')} fixed.`;
  return action === 'retire' ? `The stream is retired. ${what}` : what;
}

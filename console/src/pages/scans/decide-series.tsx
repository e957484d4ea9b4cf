/** The dialog before a decision about a series: its effect, and its reason. */
import { Modal, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { scansChanged } from '../../api/scans.ts';
import { decideSeries, type Series, type SeriesAction } from '../../api/series.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { ReasonField } from '../../components/reason-field.tsx';
import { countOf } from '../../components/target-labels.ts';
import { useFormMutation } from '../../components/use-form-mutation.ts';

export interface SeriesDecision {
  action: SeriesAction;
  series: Series;
}

interface DecideSeriesProps {
  /** Null means closed. */
  decision: SeriesDecision | null;
  onClose: () => void;
  onDone?: () => void;
}

export function DecideSeries({ decision, onClose, onDone = () => {} }: DecideSeriesProps) {
  return (
    <Modal opened={decision !== null} onClose={onClose} title={decision && titles[decision.action]}>
      {decision && <DecisionForm decision={decision} onClose={onClose} onDone={onDone} />}
    </Modal>
  );
}

const titles: Record<SeriesAction, string> = {
  release: 'Release the closure',
  discard: 'Discard the closure',
  retire: 'Retire the series',
};

function DecisionForm(props: { decision: SeriesDecision; onClose: () => void; onDone: () => void }) {
  const { decision, onClose, onDone } = props;
  const { action, series } = decision;
  const { slug } = useWorkspace();
  const queryClient = useQueryClient();
  const [reason, setReason] = useState('');
  const { form, error } = useFormMutation({
    mutationFn: () => decideSeries(slug, series, action, reason.trim()),
    onSuccess: async (fixed) => {
      onClose();
      onDone();
      notifyDone(doneMessage(action, fixed));
      await scansChanged(queryClient, slug);
    },
  });
  return (
    <DialogForm
      action={actionLabel(decision)}
      {...form}
      onCancel={onClose}
      fields={['reason']}
      color={action === 'discard' ? 'petrol' : 'red'}
    >
      <Text size="sm" className="break">
        {effectOf(decision)}
      </Text>
      <ReasonField
        description="Recorded in the audit log."
        hasFocus
        value={reason}
        onChange={setReason}
        error={error}
      />
    </DialogForm>
  );
}

function actionLabel({ action, series }: SeriesDecision): string {
  const held = series.held?.vulnerabilities ?? 0;
  switch (action) {
    case 'release':
      return `Close ${countOf(held, 'vulnerability', 'vulnerabilities')}`;
    case 'discard':
      return 'Keep them open';
    case 'retire':
      return 'Retire the series';
  }
}

function effectOf({ action, series }: SeriesDecision): string {
  const { tool, repository, reference } = series;
  const where = `${repository.full_name}, ${reference.ref}`;
  switch (action) {
    case 'release':
      return `Vulnerabilities that the last scan by ${tool} no longer showed on ${where} count as fixed from now on. This cannot be undone; a scan that shows one of them again opens it again.`;
    case 'discard':
      return `Vulnerabilities that the last scan by ${tool} did not show on ${where} stay open. The next complete scan that misses them is held again.`;
    case 'retire':
      return `${tool} is retired on ${where}. Vulnerabilities that only it saw count as fixed from now on. A later report makes the series active again.`;
  }
}

function doneMessage(action: SeriesAction, fixed: number): string {
  if (action === 'discard') return 'The closure is discarded, and nothing was closed.';
  const what = `${countOf(fixed, 'vulnerability is', 'vulnerabilities are')} fixed.`;
  return action === 'retire' ? `The series is retired. ${what}` : what;
}

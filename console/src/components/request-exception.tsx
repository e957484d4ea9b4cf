/**
 * The dialog that requests an exception. The requester cannot approve it, and it has no effect until somebody approves
 * it.
 */
import { Modal, NativeSelect, Radio, Stack, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type ExceptionSubject, type ExceptionTerms, requestExceptions } from '../api/exceptions.ts';
import { violationsChanged } from '../api/violations.ts';
import { useWorkspace } from '../api/workspaces.ts';
import { choicesOf } from './choices.ts';
import { DialogForm } from './dialog-form.tsx';
import { dayIn, EndDate, endOf, usualExceptionDays } from './end-date.tsx';
import { notifyDone } from './notify.tsx';
import { ReasonField } from './reason-field.tsx';
import { countOf } from './target-labels.ts';
import { useFormMutation } from './use-form-mutation.ts';

export interface ExceptionChoice {
  /** The label says what the choice covers: `This violation`. */
  label: string;
  about: ExceptionSubject;
}

/** The choices for one violation: itself, or everything that its policy finds in its repository. */
export function choicesFor(
  violation: { id: string; policy: { id: string; name: string } },
  repository: { id: string; name: string },
): ExceptionChoice[] {
  const { id, policy } = violation;
  return [
    { label: 'This violation', about: { violations: [id] } },
    {
      label: `All violations of “${policy.name}” in ${repository.name}, now and later`,
      about: { policy: policy.id, repo: repository.id },
    },
  ];
}

interface RequestExceptionFormProps {
  onClose: () => void;
  onDone?: () => void;
  /** The subjects that the exception can have. The person chooses one. */
  choices: ExceptionChoice[];
}

export function RequestException(props: RequestExceptionFormProps & { opened: boolean }) {
  return (
    <Modal opened={props.opened} onClose={props.onClose} title="Request an exception">
      <RequestExceptionForm {...props} />
    </Modal>
  );
}

export function RequestExceptionForm({ choices, onClose, onDone }: RequestExceptionFormProps) {
  const { slug, may } = useWorkspace();
  const queryClient = useQueryClient();
  const [chosen, setChosen] = useState(0);
  const [effect, setEffect] = useState('exempt');
  const [day, setDay] = useState(() => dayIn(usualExceptionDays));
  const [reason, setReason] = useState('');
  const { form, error } = useFormMutation({
    mutationFn: () => {
      const terms: ExceptionTerms = {
        ...(effect === 'exempt'
          ? { mode: 'exempt' }
          : { mode: 'downgrade', enforcement_mode: effect as 'warn' | 'monitor' }),
        ...(day === '' ? {} : { until: endOf(day) }),
        reason: reason.trim(),
      };
      return requestExceptions(slug, (choices[chosen] ?? choices[0])?.about ?? { violations: [] }, terms);
    },
    onSuccess: async (requested) => {
      await violationsChanged(queryClient, slug);
      onClose();
      onDone?.();
      notifyDone(`${countOf(requested.length, 'exception')} requested. Another administrator must approve.`);
    },
  });
  return (
    <DialogForm action="Request an exception" {...form} onCancel={onClose} fields={['until', 'reason']}>
      <Text size="sm">
        {may('admin')
          ? 'Another administrator must approve it, because you cannot approve your own request.'
          : 'An administrator approves or refuses it.'}{' '}
        Until then, violations still block.
      </Text>
      {choices.length > 1 && (
        <Radio.Group label="Subject" value={String(chosen)} onChange={(value) => setChosen(Number(value))}>
          <Stack gap={6} mt={6}>
            {choices.map(({ label }, index) => (
              <Radio key={label} value={String(index)} label={label} size="sm" />
            ))}
          </Stack>
        </Radio.Group>
      )}
      <NativeSelect
        label="Requested effect"
        value={effect}
        onChange={(event) => setEffect(event.currentTarget.value)}
        data={choicesOf({
          exempt: 'Exempt: it is waived',
          warn: 'Downgrade: it warns and does not block',
          monitor: 'Downgrade: it is only recorded',
        })}
      />
      <EndDate label="Ends with" isOptional value={day} onChange={setDay} error={error} />
      <ReasonField
        description="The reviewer reads this reason."
        hasFocus
        value={reason}
        onChange={setReason}
        error={error}
      />
    </DialogForm>
  );
}

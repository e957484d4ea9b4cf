/** The dialog in which an admin records what was reported about a vulnerability of a product, and when. */
import { Modal, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { type CraChange, type CraNotification, craKey } from '../../api/cra.ts';
import { fieldError } from '../../api/errors.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { useFormMutation } from '../../components/use-form-mutation.ts';

interface RecordStepsProps {
  notification: CraNotification;
  onClose: () => void;
}

const times = [
  { field: 'aware_at', label: 'Aware since', about: 'The 24 and the 72 hours begin here.' },
  { field: 'early_warning_at', label: 'Early warning sent' },
  { field: 'notification_at', label: 'Notification sent' },
  { field: 'measure_at', label: 'Measure available', about: 'The 14 days of the final report begin here.' },
  { field: 'final_report_at', label: 'Final report sent' },
] as const;
type TimeField = (typeof times)[number]['field'];

// The server has the same limit.
const maxReason = 2_000;

export function RecordSteps({ notification, onClose }: RecordStepsProps) {
  const { slug } = useWorkspace();
  const queryClient = useQueryClient();
  const before = timesOf(notification);
  const [values, setValues] = useState(before);
  const [reason, setReason] = useState(notification.not_reportable_reason ?? '');
  const { application, cve, version } = notification;
  const { form, error } = useFormMutation({
    mutationFn: () => {
      const change: CraChange = { version, not_reportable_reason: reason.trim() || null };
      for (const { field } of times) {
        const value = values[field];
        // An unchanged time keeps its seconds, which the field does not show.
        if (value === before[field]) continue;
        if (field !== 'aware_at') change[field] = value === '' ? null : inUtc(value);
        else if (value !== '') change.aware_at = inUtc(value);
      }
      return api.recordCraSteps({
        path: { tenant_slug: slug, application: application.id, cve },
        body: change,
      });
    },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: craKey(slug) });
      onClose();
      notifyDone(`The steps for ${cve} in ${application.name} are recorded.`);
    },
  });
  return (
    <Modal opened onClose={onClose} title={`${cve} in ${application.name}`}>
      <DialogForm
        action="Record"
        {...form}
        onCancel={onClose}
        fields={[...times.map(({ field }) => field), 'not_reportable_reason']}
      >
        {times.map(({ field, label, ...rest }) => (
          <TextInput
            key={field}
            type="datetime-local"
            label={label}
            {...('about' in rest ? { description: rest.about } : {})}
            required={field === 'aware_at'}
            value={values[field]}
            onChange={(event) => {
              const { value } = event.currentTarget;
              setValues((all) => ({ ...all, [field]: value }));
            }}
            error={fieldError(error, field)}
          />
        ))}
        <Textarea
          label="Reason why nothing is to be reported"
          description="The clocks stand still while there is a reason."
          autosize
          maxRows={6}
          maxLength={maxReason}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          error={fieldError(error, 'not_reportable_reason')}
        />
      </DialogForm>
    </Modal>
  );
}

function timesOf(row: CraNotification): Record<TimeField, string> {
  return {
    aware_at: inZone(row.aware_at),
    early_warning_at: inZone(row.early_warning.sent_at),
    notification_at: inZone(row.notification.sent_at),
    measure_at: inZone(row.measure_at),
    final_report_at: inZone(row.final_report.sent_at),
  };
}

/** The time in the reader's zone, as a field of a form has it. */
function inZone(time: string | null): string {
  if (time === null) return '';
  const date = new Date(time);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function inUtc(value: string): string {
  return new Date(value).toISOString();
}

/** The dialogs that create and change an issue tracker. */
import { Modal, SegmentedControl, Stack } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  changeTracker,
  createTracker,
  type IssueTracker,
  type TrackerKind,
  trackersKey,
} from '../../../api/issues.ts';
import { useWorkspace } from '../../../api/workspaces.ts';
import { choicesOf } from '../../../components/choices.ts';
import { DialogForm } from '../../../components/dialog-form.tsx';
import { notifyDone } from '../../../components/notify.tsx';
import { useFormMutation } from '../../../components/use-form-mutation.ts';
import { FieldsOfTracker, fieldsOf, kindLabels, noFields, shownFields } from './tracker-fields.tsx';

interface DialogProps {
  /** Undefined: a new one. */
  tracker?: IssueTracker;
  opened: boolean;
  onClose: () => void;
}

export function TrackerDialog(props: DialogProps) {
  const title = props.tracker === undefined ? 'New issue tracker' : 'Change the issue tracker';
  return (
    <Modal opened={props.opened} onClose={props.onClose} title={title} size={600}>
      <TrackerForm {...props} />
    </Modal>
  );
}

function TrackerForm({ tracker, onClose }: DialogProps) {
  const { slug } = useWorkspace();
  const queryClient = useQueryClient();
  const [kind, setKind] = useState<TrackerKind>(tracker?.kind ?? 'github');
  const [fields, setFields] = useState(() => (tracker === undefined ? noFields : fieldsOf(tracker)));
  const { form, error } = useFormMutation({
    mutationFn: () =>
      tracker === undefined ? createTracker(slug, kind, fields) : changeTracker(slug, tracker.id, fields),
    onSuccess: async ({ name }) => {
      onClose();
      notifyDone(tracker === undefined ? `${name} is created. Merlon looks for the project now.` : 'Saved.');
      await queryClient.invalidateQueries({ queryKey: trackersKey(slug) });
    },
  });
  const choose = (chosen: string) => {
    setKind(chosen as TrackerKind);
    // The other kinds have no such fields.
    setFields((before) => ({
      ...before,
      user: null,
      issue_type: null,
      closed_status: null,
      open_status: null,
    }));
  };
  return (
    <DialogForm
      action={tracker === undefined ? 'Create tracker' : 'Save'}
      {...form}
      onCancel={onClose}
      fields={shownFields}
    >
      <Stack gap="md">
        {tracker === undefined && (
          <SegmentedControl
            aria-label="Kind of tracker"
            value={kind}
            onChange={choose}
            data={choicesOf(kindLabels)}
          />
        )}
        <FieldsOfTracker
          kind={kind}
          fields={fields}
          change={(part) => setFields((before) => ({ ...before, ...part }))}
          error={error}
          {...(tracker === undefined ? {} : { stored: tracker })}
        />
      </Stack>
    </DialogForm>
  );
}

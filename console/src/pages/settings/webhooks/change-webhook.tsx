/** The dialog that changes a webhook. */
import { Modal } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { changeWebhook, type Webhook, webhooksKey } from '../../../api/webhooks.ts';
import { useWorkspace } from '../../../api/workspaces.ts';
import { DialogForm } from '../../../components/dialog-form.tsx';
import { notifyDone } from '../../../components/notify.tsx';
import { useFormMutation } from '../../../components/use-form-mutation.ts';
import { FieldsOfWebhook, fieldsOf, shownFields } from './webhook-fields.tsx';

interface ChangeProps {
  webhook: Webhook;
  opened: boolean;
  onClose: () => void;
}

export function ChangeWebhook(props: ChangeProps) {
  return (
    <Modal opened={props.opened} onClose={props.onClose} title="Change the webhook" size={600}>
      <ChangeForm {...props} />
    </Modal>
  );
}

function ChangeForm({ webhook, onClose }: ChangeProps) {
  const { slug } = useWorkspace();
  const queryClient = useQueryClient();
  const [fields, setFields] = useState(() => fieldsOf(webhook));
  const { form, error } = useFormMutation({
    // Another person may have disabled it meanwhile, so only the fields of this dialog are sent. The address is shown
    // without its path and query, so it is sent only if it was changed.
    mutationFn: () => {
      const { enabled: _, url, ...changed } = fields;
      return changeWebhook(slug, webhook.id, url === webhook.url ? changed : { ...changed, url });
    },
    onSuccess: async () => {
      onClose();
      notifyDone('Saved. Waiting events are sent now.');
      await queryClient.invalidateQueries({ queryKey: webhooksKey(slug) });
    },
  });
  return (
    <DialogForm action="Save" {...form} onCancel={onClose} fields={shownFields}>
      <FieldsOfWebhook
        format={webhook.format}
        fields={fields}
        change={(part) => setFields((before) => ({ ...before, ...part }))}
        error={error}
        stored={webhook}
      />
    </DialogForm>
  );
}

/** The dialog that creates a webhook, and the one that makes a new signing secret. The secret is shown once. */
import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import {
  type CreatedWebhook,
  createWebhook,
  type Webhook,
  type WebhookFormat,
  webhooksKey,
} from '../../../api/webhooks.ts';
import { useWorkspace } from '../../../api/workspaces.ts';
import { choicesOf } from '../../../components/choices.ts';
import { DialogForm } from '../../../components/dialog-form.tsx';
import {
  type CreationCallbacks,
  OnceValue,
  ShownOnce,
  useCreation,
} from '../../../components/shown-once.tsx';
import { FieldsOfWebhook, formatLabels, noFields, shownFields } from './webhook-fields.tsx';

interface DialogProps {
  opened: boolean;
  onClose: () => void;
}

export function CreateWebhook(props: DialogProps) {
  return (
    <ShownOnce<CreatedWebhook>
      {...props}
      title="New webhook"
      titleCreated="The webhook was created"
      size={600}
      form={(creation) => <CreateForm {...creation} />}
      shown={(created, close) => <ShownSecret created={created} onClose={close} />}
    />
  );
}

function CreateForm(creation: CreationCallbacks<CreatedWebhook>) {
  const { slug } = useWorkspace();
  const [format, setFormat] = useState<WebhookFormat>('standard');
  const [fields, setFields] = useState(noFields);
  const chooseFormat = (chosen: WebhookFormat) => {
    setFormat(chosen);
    setFields((before) => ({ ...before, least_severity: chosen === 'standard' ? 'unknown' : 'high' }));
  };
  const { make, isCreating, error } = useCreation(creation, webhooksKey(slug));
  return (
    <DialogForm
      action="Create webhook"
      onSubmit={() => make(() => createWebhook(slug, { ...fields, format }))}
      onCancel={creation.onClose}
      isPending={isCreating}
      error={error}
      fields={shownFields}
      mustStay
    >
      <NativeSelect
        label="Receiver"
        description={
          format === 'standard'
            ? 'It gets each event as JSON, with a signature.'
            : 'It gets a message for people, at most one a minute, about all that is new.'
        }
        data={choicesOf(formatLabels)}
        value={format}
        onChange={(event) => chooseFormat(event.currentTarget.value as WebhookFormat)}
      />
      <FieldsOfWebhook
        format={format}
        fields={fields}
        change={(part) => setFields((before) => ({ ...before, ...part }))}
        error={error}
      />
    </DialogForm>
  );
}

export function NewSecret({ webhook, ...props }: DialogProps & { webhook: Webhook }) {
  return (
    <ShownOnce<CreatedWebhook>
      {...props}
      title="New signing secret"
      titleCreated="The new secret was created"
      size={600}
      form={(creation) => <NewSecretForm webhook={webhook} {...creation} />}
      shown={(created, close) => <ShownSecret created={created} onClose={close} />}
    />
  );
}

function NewSecretForm({ webhook, ...creation }: CreationCallbacks<CreatedWebhook> & { webhook: Webhook }) {
  const { slug } = useWorkspace();
  const { make, isCreating, error } = useCreation(creation, webhooksKey(slug));
  return (
    <DialogForm
      action="Create secret"
      onSubmit={() =>
        make(() => api.rotateWebhookSecret({ path: { tenant_slug: slug, webhook: webhook.id }, body: {} }))
      }
      onCancel={creation.onClose}
      isPending={isCreating}
      error={error}
      mustStay
    >
      <Text size="sm" className="break">
        For 24 hours, each request of {webhook.name} is signed by the new secret and by the present one. Give
        the receiver the new secret in this time. A secret before the present one ends now.
      </Text>
    </DialogForm>
  );
}

function ShownSecret({
  created: { webhook, secret },
  onClose,
}: {
  created: CreatedWebhook;
  onClose: () => void;
}) {
  if (secret === null) {
    return (
      <Stack gap="md">
        <Text size="sm" className="break">
          {webhook.name} gets a message when something happens from now on.
        </Text>
        <Group justify="flex-end">
          <Button data-autofocus onClick={onClose}>
            Close
          </Button>
        </Group>
      </Stack>
    );
  }
  return (
    <OnceValue
      value={secret}
      noun="secret"
      warning={
        <>
          The signing secret of <b className="break">{webhook.name}</b> is shown only now: nobody can see it
          again.
        </>
      }
      onClose={onClose}
    >
      <Text size="sm">
        Give it to the receiver, which checks the signature of each request with it. Any library of Standard
        Webhooks does this.
      </Text>
    </OnceValue>
  );
}

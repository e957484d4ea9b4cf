/** The page where a person chooses the mails from the workspace. A switch is saved at once. */
import { Alert, Button, NativeSelect, Stack, Switch } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.ts';
import { type Notifications, notificationsKey, notificationsQuery } from '../../api/notifications.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { choicesOf } from '../../components/choices.ts';
import { LeastSeverity } from '../../components/least-severity.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { notifyDone, notifyError } from '../../components/notify.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { Section } from '../../components/section.tsx';

export function NotificationsPage() {
  const { slug } = useWorkspace();
  const query = useQuery(notificationsQuery(slug));
  return (
    <>
      <PageHeader title="Notifications" />
      <Loaded query={query} noun="your notifications" lines={6}>
        {(settings) => <Form settings={settings} />}
      </Loaded>
    </>
  );
}

type Changed = Partial<Omit<Notifications, 'mail_available' | 'address_proved'>>;

function Form({ settings }: { settings: Notifications }) {
  const { may } = useWorkspace();
  // The switch that is being saved. It is shown at once, before the mutation reports that it is pending.
  const [chosen, setChosen] = useState<Changed>({});
  const { mutate, isPending } = useChange();
  const choose = (changed: Changed) => {
    // A disabled switch would lose the focus.
    if (isPending) return;
    setChosen(changed);
    mutate(changed, { onSettled: () => setChosen({}) });
  };
  const shown = { ...settings, ...chosen };
  return (
    <Stack gap="lg" maw={640}>
      {!settings.mail_available && (
        <Alert color="orange" role="status">
          This server has no mail server, so it sends no mails. Your choices count as soon as its operator
          adds one.
        </Alert>
      )}
      {!settings.address_proved && (
        <Alert color="orange" role="status">
          Nobody has confirmed that the e-mail address of your account is yours, so you get no mails. Sign in
          through the provider with this address, or ask the operator to reset the account.
        </Alert>
      )}
      <Section title="At once" description="A mail about what is addressed to you.">
        <Stack gap="md">
          {may('admin') && (
            <Switch
              label="An exception waits for approval"
              checked={shown.approvals}
              onChange={(event) => choose({ approvals: event.currentTarget.checked })}
            />
          )}
          <Switch
            label="A vulnerability is assigned to me, or one of mine is due within three days"
            checked={shown.assigned}
            onChange={(event) => choose({ assigned: event.currentTarget.checked })}
          />
        </Stack>
      </Section>
      <Section
        title="Digest"
        description="One mail about what has opened, is due soon, and is overdue in the workspace. It comes in the morning (5:00 UTC), and not if there is nothing to tell."
      >
        <DigestForm settings={settings} />
      </Section>
    </Stack>
  );
}

function DigestForm({ settings }: { settings: Notifications }) {
  const [draft, setDraft] = useState<Pick<Changed, 'digest' | 'least_severity'>>({});
  const { mutate, isPending } = useChange();
  const { digest, least_severity } = { ...settings, ...draft };
  const change = (changed: typeof draft) => !isPending && setDraft({ ...draft, ...changed });
  const isChanged = digest !== settings.digest || least_severity !== settings.least_severity;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (!isPending) mutate({ digest, least_severity }, { onSuccess: () => setDraft({}) });
      }}
    >
      <Stack gap="md" maw={380}>
        <NativeSelect
          label="How often"
          value={digest}
          onChange={(event) => change({ digest: event.currentTarget.value as Notifications['digest'] })}
          data={choicesOf({ none: 'Never', daily: 'Every day', weekly: 'Every Monday' })}
        />
        <LeastSeverity
          value={least_severity}
          disabled={digest === 'none'}
          onChange={(severity) => change({ least_severity: severity })}
        />
        <Button type="submit" variant={isChanged ? 'filled' : 'default'} style={{ alignSelf: 'start' }}>
          Save
        </Button>
      </Stack>
    </form>
  );
}

function useChange() {
  const { slug } = useWorkspace();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (changed: Changed) => api.changeNotifications({ path: { tenant_slug: slug }, body: changed }),
    onSuccess: (stored) => {
      queryClient.setQueryData(notificationsKey(slug), stored);
      notifyDone('Saved.');
    },
    onError: notifyError,
  });
}

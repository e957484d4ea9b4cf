/** Switches a policy on after showing the result of the dry run, or off after showing the consequences. */
import { Modal, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { dryRun, type Policy, policiesChanged, policyQuery, putPolicy } from '../../api/policies.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { ConditionText } from '../../components/condition-labels.tsx';
import { DialogForm } from '../../components/dialog-form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { modeMeanings } from '../../components/policy-labels.ts';
import { useFormMutation } from '../../components/use-form-mutation.ts';
import { dryRunLabel } from './dry-run-labels.ts';
import { documentOf } from './policy-document.ts';

interface SwitchPolicyProps {
  /** Null means closed. An active policy is switched off, any other is switched on. */
  policy: Policy | null;
  onClose: () => void;
  onSwitched?: ((policy: Policy) => void) | undefined;
}

export function SwitchPolicy({ policy, onClose, onSwitched }: SwitchPolicyProps) {
  return (
    <Modal
      opened={policy !== null}
      onClose={onClose}
      title={policy && `${switchLabel(policy)} “${policy.name}”`}
    >
      {policy && (
        <SwitchForm policy={policy} onClose={onClose} onSwitched={onSwitched}>
          {policy.status === 'active' ? <WhatEnds /> : <WhatItFinds policy={policy} />}
        </SwitchForm>
      )}
    </Modal>
  );
}

export function switchLabel({ status }: Policy): string {
  return status === 'active' ? 'Switch off' : 'Switch on';
}

interface SwitchFormProps extends SwitchPolicyProps {
  policy: Policy;
  children: ReactNode;
}

function SwitchForm({ policy, onClose, onSwitched, children }: SwitchFormProps) {
  const { slug } = useWorkspace();
  const queryClient = useQueryClient();
  const isOn = policy.status === 'active';
  const { form } = useFormMutation({
    mutationFn: async () => {
      // The stored version is read again, so that changes by other people are kept.
      const stored = await queryClient.fetchQuery({ ...policyQuery(slug, policy.id), staleTime: 0 });
      return putPolicy(slug, policy.id, { ...documentOf(stored), status: isOn ? 'disabled' : 'active' });
    },
    onSuccess: async (stored) => {
      onClose();
      onSwitched?.(stored.policy);
      notifyDone(`“${policy.name}” is ${isOn ? 'off' : 'on'}. It is being evaluated.`);
      await policiesChanged(queryClient, slug);
    },
  });
  return (
    <DialogForm action={switchLabel(policy)} {...form} onCancel={onClose}>
      {children}
    </DialogForm>
  );
}

function WhatItFinds({ policy }: { policy: Policy }) {
  const { slug } = useWorkspace();
  const document = { ...documentOf(policy), status: 'active' };
  const matches = useQuery({
    queryKey: ['policies', slug, 'dry-run', document],
    queryFn: ({ signal }) => dryRun(slug, document, signal),
  });
  return (
    <>
      <ConditionText condition={policy.condition} />
      <Text size="sm">{modeMeanings[policy.enforcement_mode] ?? policy.enforcement_mode}.</Text>
      <Loaded query={matches} noun="the matches" lines={1}>
        {(result) => (
          <Text size="sm" fw={600} role="status">
            It {dryRunLabel(result, policy.target_type)}.
          </Text>
        )}
      </Loaded>
    </>
  );
}

function WhatEnds() {
  return (
    <Text size="sm">
      Its violations are resolved, and it no longer blocks or warns. Verdicts are updated within moments. The
      policy is kept, and can be switched on again.
    </Text>
  );
}

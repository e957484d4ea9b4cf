/** Switches a policy on, after a look at what it would find. */
import { Alert, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { errorText } from '../../api/errors.ts';
import { dryRun, type Policy, policiesChanged, putPolicy } from '../../api/policies.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { ConditionWords } from '../../parts/condition-words.tsx';
import { Loaded } from '../../parts/loaded.tsx';
import { notifyDone } from '../../parts/notify.tsx';
import { modeMeanings } from '../../parts/policy-words.ts';
import { dryRunWords } from './dry-run-words.ts';
import { documentOf } from './policy-document.ts';

interface SwitchOnProps {
  policy: Policy | null;
  onClose: () => void;
}

export function SwitchOn({ policy, onClose }: SwitchOnProps) {
  return (
    <Modal opened={policy !== null} onClose={onClose} title={policy && `Switch on “${policy.name}”`}>
      {policy && <SwitchForm policy={policy} onClose={onClose} />}
    </Modal>
  );
}

function SwitchForm({ policy, onClose }: { policy: Policy; onClose: () => void }) {
  const { slug } = useWorkspace();
  const queryClient = useQueryClient();
  const document = { ...documentOf(policy), status: 'active' };
  const trial = useQuery({
    queryKey: ['policies', slug, 'dry-run', document],
    queryFn: ({ signal }) => dryRun(slug, document, signal),
  });
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => putPolicy(slug, policy.id, document),
    onSuccess: async () => {
      await policiesChanged(queryClient, slug);
      onClose();
      notifyDone(`“${policy.name}” is on. The workspace is being asked.`);
    },
  });
  return (
    <Stack gap="md">
      {error && (
        <Alert color="red" role="alert">
          {errorText(error)}
        </Alert>
      )}
      <ConditionWords condition={policy.condition} />
      <Text size="sm">{modeMeanings[policy.enforcement_mode] ?? policy.enforcement_mode}.</Text>
      <Loaded query={trial} what="what it would find" lines={1}>
        {(result) => (
          <Text size="sm" fw={600} role="status">
            It {dryRunWords(result, policy.target_type)}.
          </Text>
        )}
      </Loaded>
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button data-autofocus loading={isPending} onClick={() => mutate()}>
          Switch on
        </Button>
      </Group>
    </Stack>
  );
}

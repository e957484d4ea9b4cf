/** The review before a policy is stored: the changed lines, and the result of the dry run. */
import { Alert, Modal } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import {
  type Policy,
  type PolicyDocument,
  policiesChanged,
  policiesQuery,
  putPolicy,
} from '../../api/policies.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { DialogForm } from '../../components/dialog-form.tsx';
import { Note } from '../../components/note.tsx';
import { notifyDone } from '../../components/notify.tsx';
import { useFormMutation } from '../../components/use-form-mutation.ts';
import { DifferenceLines } from './difference-lines.tsx';
import { DryRunNote } from './dry-run-note.tsx';
import { textIn } from './policy-document.ts';
import type { DryRunState } from './use-dry-run.ts';
import { writeYaml } from './yaml-text.ts';

interface SaveDialogProps {
  opened: boolean;
  onClose: () => void;
  /** The policy as stored; null for a new one. */
  stored: { policy: Policy; document: PolicyDocument } | null;
  document: PolicyDocument;
  /** True if the key of a new policy is that of another one. */
  isKeyTaken: boolean;
  dryRun: DryRunState;
  /** True if somebody else has stored another version since this draft began. */
  isOvertaken: boolean;
  onSaved: (policy: Policy) => void;
}

export function SaveDialog(props: SaveDialogProps) {
  return (
    <Modal
      opened={props.opened}
      onClose={props.onClose}
      size="xl"
      title={props.stored ? 'Save the changes' : 'Create policy'}
    >
      <SaveForm {...props} />
    </Modal>
  );
}

function SaveForm(props: SaveDialogProps) {
  const { onClose, stored, document, isKeyTaken, dryRun, isOvertaken, onSaved } = props;
  const { slug } = useWorkspace();
  const queryClient = useQueryClient();
  const { form } = useFormMutation({
    mutationFn: async () => {
      const key = textIn(document, ['key']);
      // A policy that somebody has just created with this key would be replaced.
      if (stored === null) {
        const { items } = await queryClient.fetchQuery({ ...policiesQuery(slug), staleTime: 0 });
        if (items.some((policy) => policy.key === key)) return null;
      }
      return putPolicy(slug, stored?.policy.id ?? key, document);
    },
    onSuccess: async (saved) => {
      if (saved === null) return;
      onClose();
      onSaved(saved.policy);
      notifyDone(saved.change === 'same' ? 'Nothing has changed.' : 'Saved. It is being evaluated.');
      await policiesChanged(queryClient, slug);
    },
  });
  const isActive = (textIn(document, ['status']) || 'active') === 'active';
  return (
    <DialogForm action={stored ? 'Save' : 'Create policy'} {...form} onCancel={onClose}>
      {isKeyTaken && (
        <Alert color="red" role="alert">
          Somebody has created a policy with this key in the meantime. Cancel, and enter another key.
        </Alert>
      )}
      {isOvertaken && (
        <Alert color="yellow" role="note">
          Somebody has changed this policy in the meantime. Saving puts yours in its place.
        </Alert>
      )}
      <DifferenceLines before={stored ? writeYaml(stored.document) : ''} after={writeYaml(document)} />
      <DryRunNote
        dryRun={dryRun}
        targetType={textIn(document, ['target_type'])}
        mistakes={0}
        isActive={isActive}
      />
      <Note>
        {isActive
          ? 'Then the workspace is evaluated in the background, and violations and verdicts are updated.'
          : 'It is not active, so its violations are resolved.'}
      </Note>
    </DialogForm>
  );
}

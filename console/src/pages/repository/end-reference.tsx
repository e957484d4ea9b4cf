/**
 * The button that marks a tracked branch as deleted, for admins. Vulnerabilities that are open there alone count as
 * fixed then. The default branch ends last, with its repository.
 */
import { api } from '../../api/client.ts';
import type { Reference } from '../../api/inventory.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { ConfirmedButton } from '../../components/confirmed-button.tsx';

export function EndReference({ reference }: { reference: Reference }) {
  const { slug, may } = useWorkspace();
  if (!may('admin') || !reference.tracked || !reference.active) return null;
  return (
    <ConfirmedButton
      variant="subtle"
      aria-label={`Mark ${reference.ref} as deleted`}
      title={reference.is_default ? 'The repository has ended' : 'The branch was deleted'}
      consequences={`Vulnerabilities that are open on ${reference.ref} alone count as fixed from now on. A later scan of the branch opens them again.`}
      confirm="Mark as deleted"
      act={() =>
        api.changeReference({ path: { tenant_slug: slug, reference: reference.id }, body: { deleted: true } })
      }
      done={`${reference.ref} is marked as deleted.`}
      // Status, numbers and verdicts depend on it.
      changed="everything"
    >
      Mark deleted
    </ConfirmedButton>
  );
}

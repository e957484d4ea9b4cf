/** The button that makes a branch the default one, for admins. It is needed when a report has guessed another branch. */
import { api } from '../../api/client.ts';
import type { Reference, RepositoryDetail } from '../../api/inventory.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { ConfirmedButton } from '../../components/confirmed-button.tsx';

interface MakeDefaultProps {
  repository: RepositoryDetail;
  reference: Reference;
}

export function MakeDefault({ repository, reference }: MakeDefaultProps) {
  const { slug, may } = useWorkspace();
  if (!may('admin')) return null;
  return (
    <ConfirmedButton
      variant="subtle"
      aria-label={`Make ${reference.ref} the default branch`}
      title="Change the default branch"
      consequences={`${reference.ref} becomes the default branch of ${repository.full_name}. Vulnerabilities that are open there count in the headlines, and those on ${repository.default_branch.ref ?? 'another branch'} alone no longer count.`}
      confirm="Make it the default"
      act={() =>
        api.changeRepository({
          path: { tenant_slug: slug, repository: repository.id },
          body: { default_branch: reference.ref },
        })
      }
      done={`${reference.ref} is the default branch now.`}
      // Status, numbers and verdicts depend on the default branch.
      changed="everything"
    >
      Make default
    </ConfirmedButton>
  );
}

/**
 * The button that makes a branch the default one, for admins. It is needed when a report has guessed another branch,
 * and when the default branch was marked as deleted by mistake.
 */
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
  const { ref, is_default: hasEnded } = reference;
  const text = hasEnded
    ? {
        label: `Make ${ref} active again`,
        title: 'Make the default branch active again',
        consequences: `What the last scan of ${ref} has shown is open again.`,
        confirm: 'Make it active',
        done: `${ref} is active again.`,
        button: 'Make active',
      }
    : {
        label: `Make ${ref} the default branch`,
        title: 'Change the default branch',
        consequences: `${ref} becomes the default branch of ${repository.full_name}. Vulnerabilities that are open there count in the headlines, and those on ${repository.default_branch.ref ?? 'another branch'} alone no longer count.`,
        confirm: 'Make it the default',
        done: `${ref} is the default branch now.`,
        button: 'Make default',
      };
  return (
    <ConfirmedButton
      variant="subtle"
      aria-label={text.label}
      title={text.title}
      consequences={text.consequences}
      confirm={text.confirm}
      act={() =>
        api.changeRepository({
          path: { tenant_slug: slug, repository: repository.id },
          body: { default_branch: ref },
        })
      }
      done={text.done}
      // Status, numbers and verdicts depend on the default branch.
      changed="everything"
    >
      {text.button}
    </ConfirmedButton>
  );
}

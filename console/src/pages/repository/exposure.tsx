/** The section says whether people outside the company can reach the software. An admin can change it. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.ts';
import { exposureQuery, type RepositoryDetail } from '../../api/inventory.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { askFirst } from '../../components/confirmed-button.tsx';
import { useAction } from '../../components/use-action.ts';

interface ExposureProps {
  slug: string;
  repository: RepositoryDetail;
}

export function Exposure({ slug, repository: { id, full_name: name } }: ExposureProps) {
  const { may } = useWorkspace();
  const { data: isExposed } = useQuery(exposureQuery(slug, id));
  const { mutate, isPending } = useAction({
    act: (exposed: boolean) =>
      api.changeRepository({ path: { tenant_slug: slug, repository: id }, body: { exposed } }),
    done: ({ is_exposed }) => `${name} is ${is_exposed ? 'exposed' : 'not exposed'} now.`,
    // Violations depend on it.
    changed: 'everything',
  });
  if (isExposed === undefined) return '…';
  const openConfirmation = () =>
    askFirst(
      {
        title: isExposed ? 'Not exposed any more' : 'Exposed',
        consequences: isExposed
          ? `People outside the company cannot reach the software of ${name}. Policies that test this may allow more time.`
          : `People outside the company can reach the software of ${name}. Policies that test this may allow less time.`,
        confirm: isExposed ? 'Set not exposed' : 'Set exposed',
      },
      () => mutate(!isExposed),
    );
  return (
    <>
      {isExposed ? 'Yes: people outside can reach it' : 'No'}{' '}
      {may('admin') && (
        <Button
          size="compact-xs"
          variant="subtle"
          loading={isPending}
          aria-label="Change whether it is exposed"
          onClick={openConfirmation}
        >
          Change
        </Button>
      )}
    </>
  );
}

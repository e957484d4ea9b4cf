/** The tracked branches of the repository. An admin can set names for this repository only. */
import { Button, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { setTrackedBranches, trackedBranchesQuery } from '../../api/inventory.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Section } from '../../components/section.tsx';
import { TrackedBranchesForm } from '../../components/tracked-branches-form.tsx';
import { useAction } from '../../components/use-action.ts';

export function TrackedBranches({ repository }: { repository: string }) {
  const { slug, may } = useWorkspace();
  const query = useQuery(trackedBranchesQuery(slug, repository));
  const [isEdited, setEdited] = useState(false);
  const reset = useAction({
    act: () => setTrackedBranches(slug, repository, null),
    done: 'The repository uses the names of the workspace.',
    // Status, numbers and verdicts depend on them.
    changed: 'everything',
  });
  return (
    <Section
      title="Tracked branches"
      description="Vulnerabilities that are open on the default branch and on these branches count in the headlines."
    >
      <Loaded query={query} noun="the tracked branches" lines={2}>
        {({ own, workspace }) =>
          isEdited ? (
            <TrackedBranchesForm
              names={own ?? workspace}
              save={async (names) => {
                await setTrackedBranches(slug, repository, names);
                setEdited(false);
              }}
            >
              {own !== null && (
                <Button
                  variant="subtle"
                  loading={reset.isPending}
                  onClick={() => reset.mutate(undefined, { onSuccess: () => setEdited(false) })}
                >
                  Use those of the workspace
                </Button>
              )}
              <Button variant="subtle" color="gray" onClick={() => setEdited(false)}>
                Cancel
              </Button>
            </TrackedBranchesForm>
          ) : (
            <>
              <Text size="sm" className="mono break">
                {(own ?? workspace).join(', ') || 'None'}
              </Text>
              <Text size="sm" c="dimmed" mt={4}>
                {own === null ? 'The names of the workspace.' : 'Names of this repository.'}
              </Text>
              {may('admin') && (
                <Button size="compact-sm" variant="default" mt="sm" onClick={() => setEdited(true)}>
                  Change
                </Button>
              )}
            </>
          )
        }
      </Loaded>
    </Section>
  );
}

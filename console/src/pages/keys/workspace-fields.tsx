/** The workspaces in which a personal key is valid. */
import { Checkbox, Radio, Stack } from '@mantine/core';
import { useSuspenseQuery } from '@tanstack/react-query';
import { type Workspace, workspacesQuery } from '../../api/workspaces.ts';
import type { Draft } from './draft.ts';

export function useMyWorkspaces(): Workspace[] {
  return useSuspenseQuery(workspacesQuery).data.items;
}

interface WorkspaceFieldsProps {
  workspaces: Workspace[];
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  error: string | null;
}

export function WorkspaceFields({ workspaces, draft, change, error }: WorkspaceFieldsProps) {
  return (
    <Stack gap={8}>
      <Radio.Group
        label="Workspaces"
        value={draft.restricted ? 'chosen' : 'all'}
        onChange={(to) => change({ restricted: to === 'chosen' })}
      >
        <Stack gap={8} mt={6}>
          <Radio value="all" label="All my workspaces, also those that I join later" />
          <Radio value="chosen" label="Only chosen ones" />
        </Stack>
      </Radio.Group>
      {draft.restricted && (
        <Checkbox.Group
          label="Chosen workspaces"
          withAsterisk
          value={draft.chosen}
          onChange={(chosen) => change({ chosen })}
          error={error}
        >
          <div className="workspace-choice">
            {workspaces.map(({ id, slug, workspace, role }) => (
              <Checkbox
                key={id}
                size="xs"
                value={slug}
                label={
                  <>
                    {workspace} <span className="mono">{slug}</span>
                  </>
                }
                description={`Your role: ${role}`}
              />
            ))}
          </div>
        </Checkbox.Group>
      )}
    </Stack>
  );
}

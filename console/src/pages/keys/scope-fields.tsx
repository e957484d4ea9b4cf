/** The scopes of a new key, each with what it allows. Scopes above the role say why they cannot be chosen. */
import { Checkbox, SimpleGrid, Stack } from '@mantine/core';
import type { KeyChoices } from '../../api/keys.ts';
import type { Role } from '../../api/workspaces.ts';
import { type Draft, givenScopes, isGiven, type ScopeChoice } from './draft.ts';

interface ScopeFieldsProps {
  choices: KeyChoices;
  draft: Draft;
  /** The highest role whose scopes may be given. */
  reach: Role;
  change: (part: Partial<Draft>) => void;
  error: string | null;
}

export function ScopeFields({ choices, draft, reach, change, error }: ScopeFieldsProps) {
  const column = (isRead: boolean) => (
    <Stack gap={10}>
      {choices.scopes
        .filter(({ name }) => name.endsWith(':read') === isRead)
        .map((scope) => (
          <ScopeBox key={scope.name} scope={scope} draft={draft} reach={reach} />
        ))}
    </Stack>
  );
  return (
    <Checkbox.Group
      label="Scopes"
      withAsterisk
      description="What the key may do. Choose only what it needs, in case it is lost."
      value={givenScopes(draft, choices, reach)}
      onChange={(scopes) => change({ scopes })}
      error={error}
    >
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing={10} mt="sm" mb={4}>
        {column(true)}
        {column(false)}
      </SimpleGrid>
    </Checkbox.Group>
  );
}

function ScopeBox({ scope, draft, reach }: { scope: ScopeChoice; draft: Draft; reach: Role }) {
  const isOffered = isGiven(scope, reach);
  const whose = draft.kind === 'workspace' ? 'the key’s' : 'yours';
  return (
    <Checkbox
      size="xs"
      value={scope.name}
      label={<span className="mono">{scope.name}</span>}
      description={
        isOffered ? scope.opens : `${scope.opens}. Needs the role ${scope.role}; ${whose} is ${reach}.`
      }
      disabled={!isOffered}
    />
  );
}

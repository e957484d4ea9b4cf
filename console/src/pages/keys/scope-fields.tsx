/** The scopes of a new key, each with what it opens; those above the role say why they cannot be chosen. */
import { Button, Checkbox, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import type { KeyChoices } from '../../api/keys.ts';
import { type Role, roleAtLeast } from '../../api/workspaces.ts';
import { type Draft, givenScopes, isGiven, roleOf, type ScopeChoice } from './draft.ts';

interface ScopeFieldsProps {
  choices: KeyChoices;
  draft: Draft;
  /** The role up to which scopes may be given. */
  reach: Role;
  /** What that could be made: a workspace key's role goes up to one's own. */
  most: Role;
  change: (part: Partial<Draft>) => void;
  error: string | null;
}

export function ScopeFields({ choices, draft, reach, most, change, error }: ScopeFieldsProps) {
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
      description="What the key may be used for. The fewer, the less a lost key costs."
      value={givenScopes(draft, choices, reach)}
      onChange={(scopes) => change({ scopes })}
      error={error}
    >
      <Presets choices={choices} draft={draft} most={most} change={change} />
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md" verticalSpacing={10} mt="sm" mb={4}>
        {column(true)}
        {column(false)}
      </SimpleGrid>
    </Checkbox.Group>
  );
}

type PresetsProps = Pick<ScopeFieldsProps, 'choices' | 'draft' | 'most' | 'change'>;

function Presets({ choices, draft, most, change }: PresetsProps) {
  const presets = choices.presets.map((preset) => ({ ...preset, role: roleOf(preset.scopes, choices) }));
  const above = presets.filter(({ role }) => !roleAtLeast(most, role));
  return (
    <>
      <Group gap={6} mt={8} role="group" aria-label="Usual scopes">
        {presets.map(({ name, scopes, role }) => (
          <Button
            key={name}
            size="compact-xs"
            variant="default"
            disabled={!roleAtLeast(most, role)}
            // A workspace key is given the role that it takes.
            onClick={() =>
              change({
                scopes,
                ...(draft.kind === 'personal' || roleAtLeast(draft.role, role) ? {} : { role }),
              })
            }
          >
            {name}
          </Button>
        ))}
        <Button size="compact-xs" variant="subtle" color="gray" onClick={() => change({ scopes: [] })}>
          None
        </Button>
      </Group>
      {above.map(({ name, role }) => (
        <Text key={name} size="xs" c="dimmed" mt={6}>
          {name} takes the role {role}; yours is {most}.
        </Text>
      ))}
    </>
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
        isOffered ? scope.opens : `${scope.opens}. Takes the role ${scope.role}; ${whose} is ${reach}.`
      }
      disabled={!isOffered}
    />
  );
}

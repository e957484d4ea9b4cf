/** What keys are made for most: a press sets all that it takes. The one that is set is shown as pressed. */
import { Button, Group, Input, Text } from '@mantine/core';
import { useId } from 'react';
import type { KeyChoices } from '../../api/keys.ts';
import { type Role, roleAtLeast } from '../../api/workspaces.ts';
import { type Draft, roleOf } from './draft.ts';

interface PresetsProps {
  choices: KeyChoices;
  draft: Draft;
  /** That the page is about, with the role there. */
  workspace: { slug: string; role: Role };
  /** The highest role up to which scopes could be given to a key of the chosen kind. */
  most: Role;
  change: (part: Partial<Draft>) => void;
}

export function Presets({ choices, draft, workspace, most, change }: PresetsProps) {
  const id = useId();
  const presets = choices.presets.map((preset) => presetOf(preset, choices, draft, workspace, most));
  return (
    <Input.Wrapper labelElement="div" label="Used for" labelProps={{ id }}>
      <Group gap={6} mt={6} role="group" aria-labelledby={id}>
        {presets.map(({ name, part, isOffered }) => (
          <Button
            key={name}
            size="compact-sm"
            variant={isSet(draft, part) ? 'light' : 'default'}
            aria-pressed={isSet(draft, part)}
            disabled={!isOffered}
            onClick={() => change(part)}
          >
            {name}
          </Button>
        ))}
        <Button size="compact-sm" variant="subtle" color="gray" onClick={() => change({ scopes: [] })}>
          Clear the scopes
        </Button>
      </Group>
      {presets
        .filter(({ isOffered }) => !isOffered)
        .map(({ name, role, own }) => (
          <Text key={name} size="xs" c="dimmed" mt={6}>
            {name} takes the role {role}; yours is {own}.
          </Text>
        ))}
    </Input.Wrapper>
  );
}

interface Preset {
  name: string;
  /** What it sets. */
  part: Partial<Draft>;
  /** The least that it takes. */
  role: Role;
  own: Role;
  isOffered: boolean;
}

function presetOf(
  { name, scopes }: KeyChoices['presets'][number],
  choices: KeyChoices,
  draft: Draft,
  workspace: PresetsProps['workspace'],
  most: Role,
): Preset {
  const role = roleOf(scopes, choices);
  if (name === 'CI') {
    const own = workspace.role;
    const part = partForCi(scopes, role, workspace);
    return { name, part, role, own, isOffered: roleAtLeast(own, role) };
  }
  // A workspace key is given the role that it takes, and no more.
  const part = { scopes, ...(draft.kind === 'workspace' && { role }) };
  return { name, part, role, own: most, isOffered: roleAtLeast(most, role) };
}

/** What uploads does so in one workspace, and goes on when whoever made it leaves: as far as one may make such a key. */
function partForCi(
  scopes: string[],
  role: Role,
  { slug, role: own }: PresetsProps['workspace'],
): Partial<Draft> {
  return own === 'admin'
    ? { scopes, kind: 'workspace', role }
    : { scopes, kind: 'personal', restricted: true, chosen: [slug] };
}

/** Setting it would change nothing. */
function isSet(draft: Draft, part: Partial<Draft>): boolean {
  return Object.entries(part).every(([name, value]) => asText(draft[name as keyof Draft]) === asText(value));
}

function asText(value: unknown): string {
  return JSON.stringify(Array.isArray(value) ? [...value].sort() : value);
}

/** The common uses of keys: one click sets all fields that a use needs. The active one is shown as pressed. */
import { Button, Group, Input, Text } from '@mantine/core';
import { useId } from 'react';
import type { KeyChoices } from '../../api/keys.ts';
import { type Role, roleAtLeast } from '../../api/workspaces.ts';
import { type Draft, roleOf } from './draft.ts';

interface PresetsProps {
  choices: KeyChoices;
  draft: Draft;
  /** The workspace of the page, with the person's role there. */
  workspace: { slug: string; role: Role };
  /** The highest role whose scopes a key of the chosen kind could get. */
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
            {name} needs the role {role}; yours is {own}.
          </Text>
        ))}
    </Input.Wrapper>
  );
}

interface Preset {
  name: string;
  /** The fields that the preset sets. */
  part: Partial<Draft>;
  /** The lowest role that the preset needs. */
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
  // A workspace key gets exactly the role that it needs.
  const part = { scopes, ...(draft.kind === 'workspace' && { role }) };
  return { name, part, role, own: most, isOffered: roleAtLeast(most, role) };
}

/**
 * A key for uploads works in one workspace and stays valid after its creator leaves. An admin therefore gets a
 * workspace key, and others a personal key for one workspace.
 */
function partForCi(
  scopes: string[],
  role: Role,
  { slug, role: own }: PresetsProps['workspace'],
): Partial<Draft> {
  return own === 'admin'
    ? { scopes, kind: 'workspace', role }
    : { scopes, kind: 'personal', restricted: true, chosen: [slug] };
}

/** True if the preset would change nothing. */
function isSet(draft: Draft, part: Partial<Draft>): boolean {
  return Object.entries(part).every(([name, value]) => asText(draft[name as keyof Draft]) === asText(value));
}

function asText(value: unknown): string {
  return JSON.stringify(Array.isArray(value) ? [...value].sort() : value);
}

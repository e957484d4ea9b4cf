/** The fields for a policy's name, its target type and its mode. */
import { NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { queryValues } from '@merlon/client';
import { enumLabel } from '../../components/badges.tsx';
import { choicesOf } from '../../components/choices.ts';
import { modeMeanings } from '../../components/policy-labels.ts';
import { slugOf } from '../../components/slug.ts';
import { targetTypeName } from '../../components/target-labels.ts';
import { severities } from '../../theme.ts';
import { type FieldsProps, withWritten } from './fields.ts';
import { named, setIn, textIn } from './policy-document.ts';

interface GeneralFieldsProps extends FieldsProps {
  /** An existing policy keeps its key and its target type. */
  isNew: boolean;
}

// The server has the same maximum.
const maxKeyLength = 64;

const statusOptions = choicesOf({
  active: 'Active: its violations count',
  draft: 'Draft: it finds nothing yet',
  disabled: 'Disabled: it finds nothing',
});

export function GeneralFields({ document, change, problems, isNew }: GeneralFieldsProps) {
  const field = (name: string) => ({
    value: textIn(document, [name]),
    error: problems.get(name),
    onChange: (event: { currentTarget: { value: string } }) =>
      change(setIn(document, [name], event.currentTarget.value || undefined)),
  });
  const target = textIn(document, ['target_type']);
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" verticalSpacing="sm">
      <TextInput
        label="Name"
        description="If it is empty, the key is shown."
        maxLength={255}
        {...field('name')}
        onChange={({ currentTarget: { value } }) => {
          const before = textIn(document, ['name']);
          const key = textIn(document, ['key']);
          // The key follows the name until the person types another key.
          const follows = isNew && key === slugOf(before, maxKeyLength);
          change(named(document, follows ? slugOf(value, maxKeyLength) : key, value));
        }}
      />
      <TextInput
        label="Key"
        description={isNew ? 'Cannot be changed later.' : 'Cannot be changed.'}
        classNames={{ input: 'mono' }}
        maxLength={maxKeyLength}
        required={isNew}
        readOnly={!isNew}
        {...field('key')}
        onChange={(event) => change(setIn(document, ['key'], event.currentTarget.value))}
      />
      <NativeSelect
        label="Status"
        {...field('status')}
        data={withWritten(statusOptions, textIn(document, ['status']) || 'active')}
        value={textIn(document, ['status']) || 'active'}
      />
      <NativeSelect
        label="Mode"
        {...field('enforcement_mode')}
        data={withWritten(choicesOf(modeMeanings), textIn(document, ['enforcement_mode']))}
      />
      <NativeSelect
        label="Target"
        description={isNew ? 'Cannot be changed later.' : 'Cannot be changed.'}
        disabled={!isNew}
        {...field('target_type')}
        data={withWritten(
          queryValues.listAllPolicyViolations.target_type.map((value) => ({
            value,
            label: targetTypeName(value),
          })),
          target,
        )}
      />
      <NativeSelect
        label="Severity"
        description={
          target === 'vulnerability'
            ? 'For vulnerabilities, their own severity counts.'
            : 'The severity of a violation. It sets the time to fix.'
        }
        {...field('severity')}
        data={withWritten(
          [
            { value: '', label: 'None' },
            ...severities.map((severity) => ({ value: severity, label: enumLabel(severity) })),
          ],
          textIn(document, ['severity']),
        )}
      />
    </SimpleGrid>
  );
}

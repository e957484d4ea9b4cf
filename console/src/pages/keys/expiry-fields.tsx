/** The fields for the end of a new key. */
import { Alert, Group, Select } from '@mantine/core';
import type { KeyChoices } from '../../api/keys.ts';
import { dateTime } from '../../components/date-time.ts';
import { RequiredText } from '../../components/required-text.tsx';
import { dayMs } from '../../components/time-lengths.ts';
import { useNow } from '../../components/time-text.tsx';
import { type Draft, onDate } from './draft.ts';

interface ExpiryFieldsProps {
  choices: KeyChoices;
  draft: Draft;
  change: (part: Partial<Draft>) => void;
  error: string | null;
}

export function ExpiryFields({ choices, draft, change, error }: ExpiryFieldsProps) {
  const now = useNow();
  const days = daysOf(draft.expires);
  return (
    <>
      <Group align="flex-start" gap="sm" grow>
        <Select
          label="Expires"
          description={days === null ? ' ' : `On ${dateTime(new Date(now + days * dayMs), 'date')}`}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          data={[
            ...choices.expiries
              .filter((expiry) => expiry !== 'never')
              .map((value) => ({ value, label: labelOf(value) })),
            { value: onDate, label: 'On a date' },
            ...(choices.expiries.includes('never') ? [{ value: 'never', label: 'Never' }] : []),
          ]}
          allowDeselect={false}
          value={draft.expires}
          onChange={(expires) => change({ expires: expires ?? choices.default_expiry })}
          error={draft.expires === onDate ? null : error}
        />
        {draft.expires === onDate && (
          <RequiredText
            type="date"
            label="Date"
            description="The key works until the end of this day, UTC."
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            message="Choose a day."
            min={new Date(now).toISOString().slice(0, 10)}
            value={draft.date}
            onChange={(event) => change({ date: event.currentTarget.value })}
            refusal={error}
          />
        )}
      </Group>
      {draft.expires === 'never' && (
        <Alert color="orange" role="status" title="A key without an end">
          It works until somebody revokes it, and nobody is reminded of it. Choose a date, if the key can be
          renewed.
        </Alert>
      )}
    </>
  );
}

function daysOf(expiry: string): number | null {
  const days = /^(\d+)d$/.exec(expiry)?.[1];
  return days === undefined ? null : Number(days);
}

function labelOf(expiry: string): string {
  const days = daysOf(expiry);
  return days === null ? expiry : `In ${days} days`;
}

/**
 * The day on which a decision ends, with the usual periods to choose from. It ends with that day in UTC, which is the
 * day that documents, messages and the command line show.
 */
import { Button, Group, TextInput } from '@mantine/core';
import { fieldError } from '../api/errors.ts';
import { dayMs } from './time-lengths.ts';
import { useRequired } from './use-required.ts';

interface EndDateProps {
  label: string;
  /** A day such as `2026-05-04`, or an empty text. */
  value: string;
  onChange: (value: string) => void;
  /** The highest number of days ahead. */
  maxDays?: number;
  /** Without an end, the decision stays until somebody ends it. */
  isOptional?: boolean;
  description?: string;
  /** The error of the form's request. */
  error: unknown;
}

/**
 * The default for an exception or an accepted risk. A person must choose "for ever" on purpose. The server takes any
 * time in the future.
 */
export const usualExceptionDays = 30;

const spans = [
  { label: '1 week', days: 7 },
  { label: '2 weeks', days: 14 },
  { label: '30 days', days: 30 },
  { label: '90 days', days: 90 },
];

export function EndDate(props: EndDateProps) {
  const { label, value, onChange, maxDays, isOptional = false, description, error } = props;
  const field = useRequired({
    message: 'Choose a day.',
    refusal: fieldError(error, 'until'),
    value,
    isRequired: !isOptional,
  });
  const fitting = spans.filter(({ days }) => maxDays === undefined || days <= maxDays);
  return (
    <TextInput
      type="date"
      label={label}
      description={`${description === undefined ? '' : `${description} `}The day ends at midnight in UTC.`}
      withAsterisk={!isOptional}
      {...field}
      value={value}
      min={dayIn(0)}
      {...(maxDays === undefined ? {} : { max: dayIn(maxDays) })}
      onChange={(event) => onChange(event.currentTarget.value)}
      styles={{ wrapper: { width: 160, margin: 0 } }}
      inputContainer={(input) => (
        <Group gap={6} my={6}>
          {input}
          {fitting.map(({ label: span, days }) => (
            <Button
              key={days}
              size="compact-sm"
              variant={value === dayIn(days) ? 'light' : 'default'}
              aria-pressed={value === dayIn(days)}
              onClick={() => onChange(dayIn(days))}
            >
              {span}
            </Button>
          ))}
          {isOptional && (
            <Button
              size="compact-sm"
              variant={value === '' ? 'light' : 'default'}
              aria-pressed={value === ''}
              onClick={() => onChange('')}
            >
              No end
            </Button>
          )}
        </Group>
      )}
    />
  );
}

// The request takes time, and the end must still be within the server's limit when it arrives.
const marginMs = 60_000;

/** Returns the day in UTC that is so many days from now, in the format of a date field. */
export function dayIn(days: number): string {
  return new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
}

/** Returns the last second of the day in UTC in the API's format, but no later than `maxDays` from now. */
export function endOf(day: string, maxDays?: number): string {
  const end = new Date(`${day}T23:59:59Z`).getTime();
  const latest = maxDays === undefined ? Number.POSITIVE_INFINITY : Date.now() + maxDays * dayMs - marginMs;
  return new Date(Math.min(end, latest)).toISOString();
}

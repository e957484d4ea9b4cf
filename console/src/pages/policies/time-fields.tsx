/** The fields for the time to fix, and for the length and number of snoozes. */
import { Group, NativeSelect, NumberInput, SimpleGrid } from '@mantine/core';
import { choicesOf } from '../../components/choices.ts';
import type { FieldsProps } from './fields.ts';
import { getIn, type Path, setIn, textIn } from './policy-document.ts';

const windowPath = ['actions', 'sla', 'window'];
const daysPath = ['config', 'snooze', 'max_days'];
const countPath = ['config', 'snooze', 'max_count'];

// The server has the same limits.
const longestWindow = 9_999;
const mostDays = 90;
const mostTimes = 3;

export function TimeFields({ document, change, problems }: FieldsProps) {
  const [, number = '', unit = 'd'] = /^(\d*)([hdw])$/.exec(textIn(document, windowPath)) ?? [];
  const setWindow = (count: number | string, of: string) =>
    change(setIn(document, windowPath, count === '' ? undefined : `${count}${of}`));
  const limit = (path: Path, label: string, max: number) => {
    const value = getIn(document, path);
    return (
      <NumberInput
        label={label}
        description={`If empty: ${max}. 0: never.`}
        min={0}
        max={max}
        allowDecimal={false}
        value={typeof value === 'number' ? value : ''}
        onChange={(count) => change(setIn(document, path, count === '' ? undefined : count))}
        error={problems.get(path.join('.'))}
      />
    );
  };
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="md" verticalSpacing="sm">
      <Group gap={6} wrap="nowrap" align="flex-end" className="policy-window">
        <NumberInput
          flex={1}
          label="Time to fix"
          description="If empty: by severity."
          min={1}
          max={longestWindow}
          allowDecimal={false}
          value={number === '' ? '' : Number(number)}
          onChange={(count) => setWindow(count, unit)}
          error={problems.get(windowPath.join('.'))}
        />
        <NativeSelect
          w={112}
          aria-label="Unit of the time to fix"
          value={unit}
          disabled={number === ''}
          onChange={(event) => setWindow(number, event.currentTarget.value)}
          data={choicesOf({ h: 'hours', d: 'days', w: 'weeks' })}
        />
      </Group>
      {limit(daysPath, 'Snooze: days at most', mostDays)}
      {limit(countPath, 'Snooze: times at most', mostTimes)}
    </SimpleGrid>
  );
}

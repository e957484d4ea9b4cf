/** One clause: the fact, the operator and the value. The choices are those that the server allows for the fact. */
import { ActionIcon, NativeSelect, Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useId } from 'react';
import type { Fact } from '../../api/policies.ts';
import { operatorLabels } from '../../components/condition-labels.tsx';
import { type ConditionNode, clauseAbout, valueUnder } from './condition-nodes.ts';
import { withWritten } from './fields.ts';
import { ValueField } from './value-field.tsx';

interface ClauseRowProps {
  clause: Extract<ConditionNode, { kind: 'clause' }>;
  onChange: (written: unknown) => void;
  facts: Fact[];
  problems: ReadonlyMap<string, string>;
  path: string;
  number: string;
}

export function ClauseRow({ clause, onChange, facts, problems, path, number }: ClauseRowProps) {
  const noteId = useId();
  const name = String(clause.fact ?? '');
  const operator = String(clause.operator ?? '');
  const fact = facts.find((one) => one.name === name);
  const change = (changes: object) =>
    onChange({ fact: clause.fact, operator: clause.operator, value: clause.value, ...changes });
  const problem = problems.get(path) ?? [...problems].find(([at]) => at.startsWith(`${path}.`))?.[1];
  return (
    <fieldset className="condition-clause" aria-label={`Clause ${number}`} aria-describedby={noteId}>
      <NativeSelect
        size="xs"
        aria-label="Fact"
        className="condition-fact"
        value={name}
        onChange={(event) => {
          const chosen = facts.find((one) => one.name === event.currentTarget.value);
          if (chosen) onChange(clauseAbout(chosen));
        }}
        data={withWritten(
          facts.map((one) => ({ value: one.name, label: one.name })),
          name,
        )}
        error={problems.has(`${path}.fact`)}
      />
      <NativeSelect
        size="xs"
        aria-label="Operator"
        className="condition-operator"
        value={operator}
        onChange={(event) => {
          const chosen = event.currentTarget.value;
          change({ operator: chosen, value: valueUnder(chosen, clause.value) });
        }}
        data={withWritten(
          (fact?.operators ?? []).map((one) => ({ value: one, label: operatorLabels[one] ?? one })),
          operator,
          operatorLabels[operator],
        )}
        error={problems.has(`${path}.operator`)}
      />
      <ValueField
        fact={fact}
        operator={operator}
        value={clause.value}
        onChange={(value) => change({ value })}
        hasError={problems.has(`${path}.value`)}
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`Remove clause ${number}`}
        onClick={() => onChange(undefined)}
      >
        <IconTrash size={16} stroke={1.6} />
      </ActionIcon>
      <Text id={noteId} size="xs" className="condition-note" {...(problem ? { c: 'red' } : { c: 'dimmed' })}>
        {problem ?? fact?.meaning ?? ''}
      </Text>
    </fieldset>
  );
}

/** The value of a clause. The kind of its fact decides the field: a choice, a number or text, single or multiple. */
import { MultiSelect, NativeSelect, NumberInput, TagsInput, TextInput } from '@mantine/core';
import type { Fact } from '../../api/policies.ts';
import { isListOperator } from './condition-nodes.ts';

interface ValueFieldProps {
  fact: Fact | undefined;
  operator: string;
  value: unknown;
  onChange: (value: unknown) => void;
  hasError: boolean;
}

export function ValueField(props: ValueFieldProps) {
  return isListOperator(props.operator) ? <ListField {...props} /> : <OneField {...props} />;
}

const maxText = 255;
const maxDays = 36_500;

function OneField({ fact, operator, value, onChange, hasError }: ValueFieldProps) {
  const common = {
    size: 'xs',
    'aria-label': 'Value',
    className: 'condition-value-field',
    error: hasError,
  } as const;
  switch (fact?.kind) {
    case 'severity':
    case 'enum':
      return (
        <NativeSelect
          {...common}
          value={textOf(value)}
          onChange={(event) => onChange(event.currentTarget.value)}
          data={[...new Set([...(fact.values ?? []), textOf(value)])]}
        />
      );
    case 'boolean':
      return (
        <NativeSelect
          {...common}
          value={textOf(value)}
          onChange={(event) => onChange(event.currentTarget.value === 'true')}
          data={[...new Set(['true', 'false', textOf(value)])]}
        />
      );
    case 'date':
      return (
        <TextInput
          {...common}
          type="date"
          value={textOf(value)}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    case 'number':
    case 'days':
      return (
        <NumberInput
          {...common}
          value={typeof value === 'number' || typeof value === 'string' ? value : ''}
          onChange={onChange}
          {...(fact.kind === 'days' ? { min: 0, max: maxDays, allowDecimal: false } : { step: 0.1 })}
        />
      );
    default:
      return (
        <TextInput
          {...common}
          value={textOf(value)}
          maxLength={maxText}
          onChange={(event) => onChange(event.currentTarget.value)}
          {...(operator === 'matches' ? { placeholder: 'src/*' } : {})}
        />
      );
  }
}

function ListField({ fact, value, onChange, hasError }: ValueFieldProps) {
  const common = {
    size: 'xs',
    'aria-label': 'Values',
    className: 'condition-value-field',
    error: hasError,
  } as const;
  const written = (Array.isArray(value) ? value : [value]).map(textOf);
  if (fact?.kind === 'severity' || fact?.kind === 'enum') {
    return (
      <MultiSelect
        {...common}
        value={written}
        onChange={onChange}
        data={[...new Set([...(fact.values ?? []), ...written])]}
      />
    );
  }
  const isNumber = fact?.kind === 'number' || fact?.kind === 'days';
  return (
    <TagsInput
      {...common}
      value={written}
      splitChars={[',']}
      placeholder={written.length === 0 ? 'Type a value, then Enter' : ''}
      onChange={(texts) => onChange(isNumber ? texts.map(numberOf) : texts)}
    />
  );
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

// Text that is no number stays as it is, and the server reports it.
function numberOf(text: string): number | string {
  const number = Number(text);
  return text.trim() === '' || Number.isNaN(number) ? text : number;
}

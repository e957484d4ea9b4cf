/** The reason of a decision: the same field in every dialog that asks for one. Ctrl+Enter submits its form. */
import { Textarea } from '@mantine/core';
import { fieldError } from '../api/errors.ts';
import { useRequired } from './use-required.ts';

interface ReasonFieldProps {
  value: string;
  onChange: (value: string) => void;
  /** Says where the reason will be shown. */
  description?: string;
  isOptional?: boolean;
  /** The dialog starts with the focus in this field. */
  hasFocus?: boolean;
  /** The error of the form's request. */
  error: unknown;
}

// The server has the same maximum.
const maxLength = 2_000;

export function ReasonField(props: ReasonFieldProps) {
  const { value, onChange, description, isOptional = false, hasFocus = false, error } = props;
  const field = useRequired({
    message: 'Enter a reason.',
    refusal: fieldError(error, 'reason'),
    value,
    isRequired: !isOptional,
  });
  return (
    <Textarea
      label={isOptional ? 'Reason (optional)' : 'Reason'}
      description={description}
      autosize
      minRows={2}
      maxRows={10}
      maxLength={maxLength}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey))
          event.currentTarget.form?.requestSubmit();
      }}
      {...(hasFocus ? { 'data-autofocus': true } : {})}
      {...field}
    />
  );
}

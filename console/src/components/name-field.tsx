/** The field for the name of an object, which has the focus when its form opens. */
import type { ReactNode } from 'react';
import { fieldError } from '../api/errors.ts';
import { RequiredText } from './required-text.tsx';

interface NameFieldProps {
  value: string;
  onChange: (name: string) => void;
  /** The error of the form's request. */
  error: unknown;
  description?: ReactNode;
  maxLength?: number;
}

// The server has the same limit for most names.
const usualMaxLength = 255;

export function NameField({ onChange, error, maxLength = usualMaxLength, ...field }: NameFieldProps) {
  return (
    <RequiredText
      label="Name"
      data-autofocus
      message="Enter a name."
      maxLength={maxLength}
      onChange={(event) => onChange(event.currentTarget.value)}
      refusal={fieldError(error, 'name')}
      {...field}
    />
  );
}

/** A line of text that must not be empty. */
import { TextInput, type TextInputProps } from '@mantine/core';
import { useRequired } from './use-required.ts';

interface RequiredTextProps extends Omit<TextInputProps, 'error' | 'required' | 'onInvalid' | 'onInput'> {
  /** The message while the field is empty. */
  message: string;
  /** The server's error for this field. */
  refusal?: string | null | undefined;
}

export function RequiredText({ message, refusal, ...input }: RequiredTextProps) {
  const { value } = input;
  const field = useRequired({ message, refusal, ...(typeof value === 'string' ? { value } : {}) });
  return <TextInput {...input} {...field} />;
}

/** A line of text that must be written. */
import { TextInput, type TextInputProps } from '@mantine/core';
import { useRequired } from './use-required.ts';

interface RequiredTextProps extends Omit<TextInputProps, 'error' | 'required' | 'onInvalid' | 'onInput'> {
  /** What is said of it while it is empty. */
  says: string;
  /** What the server has said of it. */
  refusal?: string | null | undefined;
}

export function RequiredText({ says, refusal, ...input }: RequiredTextProps) {
  const { value } = input;
  const field = useRequired({ says, refusal, ...(typeof value === 'string' ? { value } : {}) });
  return <TextInput {...input} {...field} />;
}

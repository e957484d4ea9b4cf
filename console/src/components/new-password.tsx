/** The field for a new password. Its form reads it by its name. */
import { PasswordInput } from '@mantine/core';
import { useRequired } from './use-required.ts';

interface NewPasswordProps {
  label: string;
  name?: string;
  /** The server's error for this field. */
  refusal: string | null;
}

// The server has the same minimum.
const minLength = 12;

export function NewPassword({ label, name = 'password', refusal }: NewPasswordProps) {
  const field = useRequired({ message: 'Choose a password.', refusal });
  return (
    <PasswordInput
      label={label}
      description={`${minLength} characters or more`}
      name={name}
      autoComplete="new-password"
      minLength={minLength}
      {...field}
    />
  );
}

/** The field in which somebody chooses a password. Its form reads it by its name. */
import { PasswordInput } from '@mantine/core';
import { useRequired } from './use-required.ts';

interface NewPasswordProps {
  label: string;
  name?: string;
  /** What the server has said of it. */
  refusal: string | null;
}

// As the server takes it.
const minLength = 12;

export function NewPassword({ label, name = 'password', refusal }: NewPasswordProps) {
  const field = useRequired({ says: 'Choose a password.', refusal });
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

/** The error of a request, if there is one. */
import { Alert, type MantineSpacing } from '@mantine/core';
import { errorText } from '../api/errors.ts';

export function ErrorAlert({ error, mb }: { error: unknown; mb?: MantineSpacing }) {
  if (!error) return null;
  return (
    <Alert color="red" role="alert" {...(mb && { mb })}>
      {errorText(error)}
    </Alert>
  );
}

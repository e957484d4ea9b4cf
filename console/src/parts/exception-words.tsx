/** What an exception gives, and until when. */
import type { Exception } from '../api/exceptions.ts';
import { TimeText } from './time-text.tsx';

export function ExceptionWords({ exception }: { exception: Exception }) {
  const { mode, enforcement_mode: lower, until } = exception;
  const what = mode === 'exempt' ? 'Exempt' : `Downgrade to ${lower ?? 'warn'}`;
  if (until === null) return <>{what}, without an end</>;
  return (
    <>
      {what} until <TimeText value={until} as="date" />
    </>
  );
}

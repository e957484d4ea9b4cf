/** Texts for the effect of an exception and its end. */
import type { Exception } from '../api/exceptions.ts';
import { TimeText } from './time-text.tsx';

export function ExceptionLabel({ exception }: { exception: Exception }) {
  const { until } = exception;
  const what = <ExceptionGives exception={exception} />;
  if (until === null) return <>{what}, without an end</>;
  return (
    <>
      {what} until <TimeText value={until} as="end" />
    </>
  );
}

/** Describes the effect of the exception, without its end. */
export function ExceptionGives({ exception: { mode, enforcement_mode: lower } }: { exception: Exception }) {
  return <>{mode === 'exempt' ? 'Exempt' : `Downgrade to ${lower ?? 'warn'}`}</>;
}

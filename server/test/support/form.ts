/**
 * The form says how much of a long test runs. `npm test` runs the short form, while a change is made. CI runs what must
 * hold before the change lands. `npm run test:full` takes hours, with another seed each time. A file that is named runs
 * as in CI.
 */
export type Form = 'short' | 'ci' | 'full';

export const form = (process.env.TEST_FORM ?? 'ci') as Form;

/** The value of the form that runs. */
export function byForm<T>(values: Record<Form, T>): T {
  return values[form];
}

/** `usual` is the same in each run, so that CI fails for a change only. `TEST_SEED` repeats a run of the full form. */
export function seedOf(usual: number): number {
  return Number(process.env.TEST_SEED ?? (form === 'full' ? Date.now() % 1_000_000_000 : usual));
}

/** These are the reasons to skip a test, or false. */
export const onlyInCi = form === 'short' && 'too long for npm test, so CI runs it: npm test -- --ci';
export const onlyInFull = form !== 'full' && 'only in the full form: npm run test:full';

/**
 * The shortcuts of one character, which a person can turn off in this browser: speech input types words, and each
 * letter would act.
 */
import { readLocalStorageValue, useLocalStorage } from '@mantine/hooks';

const stored = { key: 'merlon.single-keys', defaultValue: true, getInitialValueInEffect: false };

/** Returns whether they are on, and the function that changes it. */
export const useSingleKeys = () => useLocalStorage(stored);

/** True if the key is one of them and they are off. */
export function isTurnedOff({ key }: { key: string }): boolean {
  return key.length === 1 && !readLocalStorageValue(stored);
}

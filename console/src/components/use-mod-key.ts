import { useOs } from '@mantine/hooks';

/** The name of the key that begins shortcuts: that of the person's keyboard. */
export function useModKey(): string {
  const os = useOs();
  return os === 'macos' || os === 'ios' ? '⌘' : 'Ctrl';
}

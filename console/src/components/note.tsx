/** Dimmed text: what stands in place of an empty list, and smaller notes below something. */
import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

export function Note({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  );
}

export function SmallNote({ children }: { children: ReactNode }) {
  return (
    <Text size="xs" c="dimmed" className="break">
      {children}
    </Text>
  );
}

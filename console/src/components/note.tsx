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

interface SmallNoteProps {
  children: ReactNode;
  /** The text may hold long words, such as a name or an address, which wrap onto the next line. */
  isBreakable?: boolean;
}

export function SmallNote({ children, isBreakable = false }: SmallNoteProps) {
  return (
    <Text size="xs" c="dimmed" className={isBreakable ? 'break' : ''}>
      {children}
    </Text>
  );
}

/** Asks before a person leaves a page on which something would be lost. */
import { Button, Group, Modal, Stack } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface LeaveGuardProps {
  /** True if leaving would lose something. Then another path, a reload and closing the window ask first. */
  active: boolean;
  title: string;
  /** Says what would be lost. */
  children: ReactNode;
}

export function LeaveGuard({ active, title, children }: LeaveGuardProps) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => active && current.pathname !== next.pathname,
    enableBeforeUnload: active,
    withResolver: true,
  });
  return (
    <Modal stackId="leave" opened={status === 'blocked'} onClose={() => reset?.()} title={title}>
      <Stack gap="md">
        {children}
        <Group justify="flex-end">
          <Button variant="default" data-autofocus onClick={() => reset?.()}>
            Stay
          </Button>
          <Button color="red" onClick={() => proceed?.()}>
            Leave
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

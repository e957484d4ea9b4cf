/** Grey lines where content will be, said once to screen readers. */
import { Skeleton, VisuallyHidden } from '@mantine/core';

interface LoadingStateProps {
  /** `Loading the vulnerabilities`. */
  label?: string;
  lines?: number;
  lineHeight?: number;
}

export function LoadingState({ label = 'Loading', lines = 6, lineHeight = 34 }: LoadingStateProps) {
  const rows = Array.from({ length: lines }, (_, index) => index);
  return (
    <div role="status" aria-busy="true">
      <VisuallyHidden>{label}…</VisuallyHidden>
      {rows.map((row) => (
        <Skeleton key={row} height={lineHeight} mb={8} radius="sm" />
      ))}
    </div>
  );
}

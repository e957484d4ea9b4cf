/** Grey lines stand for content that is loading, and screen readers hear of it once. */
import { Skeleton, VisuallyHidden } from '@mantine/core';

interface LoadingStateProps {
  /** The text for screen readers: `Loading the vulnerabilities`. */
  label?: string;
  lines?: number;
}

export function LoadingState({ label = 'Loading', lines = 6 }: LoadingStateProps) {
  const rows = Array.from({ length: lines }, (_, index) => index);
  return (
    <div role="status" aria-busy="true">
      <VisuallyHidden>{label}…</VisuallyHidden>
      {rows.map((row) => (
        <Skeleton key={row} height={34} mb={8} radius="sm" />
      ))}
    </div>
  );
}

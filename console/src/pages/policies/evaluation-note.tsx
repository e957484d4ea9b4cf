/** Shows how far the present version of a policy has been evaluated in the workspace. */
import { Progress, Text } from '@mantine/core';
import type { Policy } from '../../api/policies.ts';

export function EvaluationNote({ policy: { evaluation } }: { policy: Policy }) {
  if (!evaluation.pending) return null;
  return (
    <div className="evaluation-note" role="status">
      <Text size="sm">This policy is being evaluated in the workspace: {progressLabel(evaluation)}</Text>
      {evaluation.progress && (
        <Progress
          mt={6}
          size="sm"
          aria-label="Repositories evaluated"
          value={(100 * evaluation.progress.done) / Math.max(1, evaluation.progress.total)}
        />
      )}
    </div>
  );
}

export function progressLabel({ progress }: Policy['evaluation']): string {
  return progress === null
    ? 'starting'
    : `${progress.done.toLocaleString()} of ${progress.total.toLocaleString()} repositories`;
}

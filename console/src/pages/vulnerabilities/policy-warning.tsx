/**
 * Warns a member before a decision about a blocked vulnerability: it becomes a request, and the policy blocks until it
 * is approved.
 */
import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { violationsOfQuery } from '../../api/vulnerabilities.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import type { Target } from './targets.ts';

/**
 * `perhaps`: a rule or a temporary exception gives the policy another mode here. `some`: some of several are blocked.
 */
export type Blocked = 'surely' | 'perhaps' | 'some';

const becomes = 'becomes a request that an admin approves or refuses; until then it still blocks.';
const messages: Record<Blocked, string> = {
  surely: `A policy blocks this. Your decision ${becomes}`,
  perhaps: `Where its policy blocks, your decision ${becomes}`,
  some: `Where a policy blocks one of these, your decision about it ${becomes}`,
};

/** Returns null if no policy blocks or if nothing is decided. */
export function useBlocked([only, ...others]: Target[]): Blocked | null {
  const { slug } = useWorkspace();
  const { data } = useQuery({
    ...violationsOfQuery(slug, only?.id ?? ''),
    enabled: only !== undefined && others.length === 0,
  });
  if (others.length > 0) return 'some';
  const violated = (data?.items ?? []).filter(({ policy }) => policy.status === 'active');
  if (violated.some(({ enforcement_mode: mode }) => mode === 'block')) return 'surely';
  return violated.some(({ policy }) => policy.enforcement_mode === 'block') ? 'perhaps' : null;
}

export function PolicyWarning({ blocked }: { blocked: Blocked }) {
  return (
    <Alert color="yellow" role="note">
      {messages[blocked]}
    </Alert>
  );
}

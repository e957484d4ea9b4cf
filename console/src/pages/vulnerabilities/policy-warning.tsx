/** Before a member decides about what a policy blocks: that it will be a request, and that it blocks until somebody agrees. */
import { Alert } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { violationsOfQuery } from '../../api/vulnerabilities.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import type { Target } from './targets.ts';

export function PolicyWarning({ targets }: { targets: Target[] }) {
  const [only, ...others] = targets;
  if (only === undefined) return null;
  return others.length === 0 ? <OfOne id={only.id} /> : <Warning>{ofSome}</Warning>;
}

const becomes = 'becomes a request that an admin approves or refuses; until then it goes on blocking.';
const ofOne = `A policy blocks this. Your decision ${becomes}`;
const ofSome = `Where a policy blocks one of these, your decision about it ${becomes}`;
// Its mode is another here, by a rule of the place or by an exception that will end.
const ofPerhaps = `Where its policy blocks, your decision ${becomes}`;

function OfOne({ id }: { id: string }) {
  const { slug } = useWorkspace();
  const { data } = useQuery(violationsOfQuery(slug, id));
  const violated = (data?.items ?? []).filter(({ policy }) => policy.status === 'active');
  if (violated.some(({ enforcement_mode: mode }) => mode === 'block')) return <Warning>{ofOne}</Warning>;
  if (violated.some(({ policy }) => policy.enforcement_mode === 'block'))
    return <Warning>{ofPerhaps}</Warning>;
  return null;
}

function Warning({ children }: { children: string }) {
  return (
    <Alert color="yellow" role="note">
      {children}
    </Alert>
  );
}

/** Shows the number of violations of an active policy, as a link to the list. */
import { Link } from '@tanstack/react-router';
import type { Policy, PolicyCounts } from '../../api/policies.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { countOf } from '../../components/target-labels.ts';

interface FindsNowProps {
  policy: Policy;
  /** Undefined means that the policy finds nothing. */
  counts: PolicyCounts | undefined;
}

export function FindsNow({ policy: { key }, counts }: FindsNowProps) {
  const { slug } = useWorkspace();
  if (!counts) return <>Nothing</>;
  const { unresolved, blocking, waived } = counts;
  const parts = [
    ...(blocking > 0 ? [`${blocking.toLocaleString()} blocking`] : []),
    ...(waived > 0 ? [`${waived.toLocaleString()} waived`] : []),
  ];
  return (
    <>
      <Link to="/w/$slug/violations" params={{ slug }} search={{ policy: [key] }}>
        {countOf(unresolved, 'violation')}
      </Link>
      {parts.length > 0 && <span className="policy-dimmed"> {parts.join(', ')}</span>}
    </>
  );
}

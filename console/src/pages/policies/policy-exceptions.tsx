/** The newest exceptions of one policy, and a link to all. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { exceptionsQuery } from '../../api/exceptions.ts';
import type { Policy } from '../../api/policies.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { StatusBadge } from '../../components/badges.tsx';
import { ExceptionLabel } from '../../components/exception-labels.tsx';
import { Section } from '../../components/section.tsx';
import { targetTitle } from '../../components/target-labels.ts';
import { TimeText } from '../../components/time-text.tsx';

// This many fit below a policy; the page of exceptions shows all.
const shown = 10;

export function PolicyExceptions({ policy }: { policy: Policy }) {
  const { slug } = useWorkspace();
  const { data } = useQuery(exceptionsQuery(slug, { policy: [policy.id] }));
  if (!data) return null;
  const { items } = data;
  return (
    <div className="policy-exceptions">
      <Section
        title="Exceptions"
        actions={
          items.length > 0 && (
            <Link to="/w/$slug/exceptions" params={{ slug }} search={{ policy: [policy.key] }}>
              Show all
            </Link>
          )
        }
      >
        {items.length === 0 ? (
          <p className="policy-none">No exception has been requested.</p>
        ) : (
          <ul className="policy-exception-list">
            {items.slice(0, shown).map((exception) => (
              <li key={exception.id}>
                <StatusBadge status={exception.status} />
                <span className="break">
                  {exception.target === null
                    ? `All violations in ${exception.repository.full_name}`
                    : `${targetTitle(exception.target, exception.repository.full_name)} in ${exception.repository.full_name}`}
                </span>
                <span className="policy-dimmed">
                  <ExceptionLabel exception={exception} />, requested by{' '}
                  {exception.requested_by?.display_name ?? 'somebody'}{' '}
                  <TimeText value={exception.requested_at} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </Section>
    </div>
  );
}

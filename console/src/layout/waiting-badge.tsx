/** The number beside a link of the navigation: the waiting tasks of the person. It leads to exactly these. */
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import { type Waiting, waitingQuery } from '../api/waiting.ts';

// The server counts to one more.
const most = 99;

const kinds: Record<Waiting, { one: string; many: string; to: LinkProps['to']; search: object }> = {
  exceptions: {
    one: 'exception waits for your review',
    many: 'exceptions wait for your review',
    to: '/w/$slug/exceptions',
    search: {},
  },
  overdue: {
    one: 'vulnerability assigned to you is overdue',
    many: 'vulnerabilities assigned to you are overdue',
    to: '/w/$slug/vulnerabilities',
    search: { assignee: 'me', due: 'overdue' },
  },
};

/** Shows nothing if nothing waits, or if it is not known. */
export function WaitingBadge({ slug, waiting }: { slug: string; waiting: Waiting }) {
  const { data } = useQuery(waitingQuery(slug));
  const count = data?.[waiting] ?? 0;
  if (count === 0) return null;
  const { one, many, to, search } = kinds[waiting];
  const shown = count > most ? `${most}+` : String(count);
  const label = `${shown} ${count === 1 ? one : many}`;
  return (
    <Link
      {...({ to, params: { slug }, search } as LinkProps)}
      className="app-nav-waiting"
      data-waiting={waiting}
      aria-label={label}
      title={label}
    >
      {shown}
    </Link>
  );
}

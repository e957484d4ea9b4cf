/** The exceptions that wait for a review, each with all facts that the decision needs. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type Exception, exceptionsQuery } from '../../api/exceptions.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { ExceptionActions } from '../../components/exception-actions.tsx';
import { ExceptionLabel } from '../../components/exception-labels.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { ReportText, visibleText } from '../../components/report-text.tsx';
import { countOf } from '../../components/target-labels.ts';
import { TimeText } from '../../components/time-text.tsx';
import { ExceptionAbout } from './exception-about.tsx';
import { type ExceptionSearch, requestOf } from './search.ts';

export function WaitingExceptions({ search }: { search: ExceptionSearch }) {
  const { slug } = useWorkspace();
  const query = useQuery(exceptionsQuery(slug, { ...requestOf(search), status: ['requested'] }));
  return (
    <section aria-labelledby="exceptions-waiting">
      <h2 id="exceptions-waiting" className="exception-heading">
        Waiting for a review
      </h2>
      <Loaded query={query} noun="the waiting exceptions" lines={2}>
        {({ items, next_cursor: more }) => (
          <>
            {items.length === 0 && (
              <p className="exception-none">
                {Object.keys(search).length === 0
                  ? 'No exception waits for a review.'
                  : 'No waiting exception matches.'}
              </p>
            )}
            <ul className="exception-cards">
              {items.map((exception) => (
                <li key={exception.id}>
                  <WaitingException exception={exception} />
                </li>
              ))}
            </ul>
            {more !== null && (
              <p>
                <Link
                  from="/w/$slug/exceptions"
                  to="."
                  search={(before) => ({ ...before, status: ['requested'] })}
                >
                  These are the newest {countOf(items.length, 'request')}: show all
                </Link>
              </p>
            )}
          </>
        )}
      </Loaded>
    </section>
  );
}

function WaitingException({ exception }: { exception: Exception }) {
  return (
    <article className="exception-card" aria-labelledby={exception.id}>
      <h3 id={exception.id} className="break">
        <ExceptionAbout exception={exception} />
      </h3>
      <p className="exception-scope break">
        <ReportText>{exception.policy.name}</ReportText> in{' '}
        <ReportText>{exception.repository.full_name}</ReportText>
      </p>
      <p className="break">{visibleText(exception.reason)}</p>
      <p className="exception-scope">
        <ExceptionLabel exception={exception} />. Requested by{' '}
        <ReportText>{exception.requested_by?.display_name ?? 'a removed member'}</ReportText>,{' '}
        <TimeText value={exception.requested_at} />.
      </p>
      <ExceptionActions exception={exception} />
    </article>
  );
}

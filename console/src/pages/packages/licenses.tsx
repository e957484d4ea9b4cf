/** The licenses of a package or version: each leads to the packages that have it. */
import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { visibleText } from '../../components/report-text.tsx';

// The row of a list shows these, and the page of the package shows all.
const namesShown = 3;

export function Licenses({ slug, names, all = false }: { slug: string; names: string[]; all?: boolean }) {
  if (names.length === 0) return <span className="dimmed">Not known</span>;
  const shown = all ? names : names.slice(0, namesShown);
  return (
    <span className={all ? 'break' : 'break two-lines'}>
      {shown.map((license, i) => (
        <Fragment key={license}>
          {i > 0 && ', '}
          <Link to="/w/$slug/packages" params={{ slug }} search={{ license }}>
            {visibleText(license)}
          </Link>
        </Fragment>
      ))}
      {names.length > shown.length && ` and ${names.length - shown.length} more`}
    </span>
  );
}

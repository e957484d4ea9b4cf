/**
 * The top of every page: one `h1`, what the page is for, and its actions. It also names the page in the browser, and
 * takes the focus after a change of page, so that a screen reader says where one is. A page shows it at once, before
 * its data is there.
 */
import { useDocumentTitle } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useParams, useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { workspacesQuery } from '../api/workspaces.ts';
import './page-header.css';

interface PageHeaderProps {
  title: string;
  /** One sentence at most. */
  description?: ReactNode;
  /** Beside the title, such as a badge. */
  aside?: ReactNode;
  /** Buttons. */
  actions?: ReactNode;
  /** Above the title: the way back to the list. */
  back?: ReactNode;
}

export function PageHeader({ title, description, aside, actions, back }: PageHeaderProps) {
  const { slug } = useParams({ strict: false });
  const { data } = useQuery({ ...workspacesQuery, enabled: slug !== undefined });
  const workspace = data?.items.find((item) => item.slug === slug)?.workspace;
  useDocumentTitle([title, workspace, 'Merlon'].filter((part) => part !== undefined).join(' · '));
  const heading = useFocusAfterNavigation();
  return (
    <header className="page-header">
      {back && <div className="page-header-back">{back}</div>}
      <div className="page-header-row">
        <div className="page-header-text">
          <div className="page-header-title">
            <h1 ref={heading} tabIndex={-1} className="break">
              {title}
            </h1>
            {aside}
          </div>
          {description && <p className="page-header-description">{description}</p>}
        </div>
        {actions && <div className="page-header-actions">{actions}</div>}
      </div>
    </header>
  );
}

// Not for the page that the browser itself has opened: there the reading begins at the top.
function useFocusAfterNavigation() {
  const heading = useRef<HTMLHeadingElement>(null);
  const router = useRouter();
  useEffect(() => {
    if (router.state.resolvedLocation === undefined) return;
    heading.current?.focus({ preventScroll: true });
  }, [router]);
  return heading;
}

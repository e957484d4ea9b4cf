/**
 * The top of every page: one `h1`, the purpose of the page, and its actions. It sets the title of the browser tab. It
 * takes the focus after a change of page, so that a screen reader names the new page. A page shows it at once, before
 * its data is there.
 */
import { useDocumentTitle } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps, useParams, useRouter } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { workspacesQuery } from '../api/workspaces.ts';
import { visibleText } from './report-text.tsx';
import './page-header.css';

interface PageHeaderProps {
  title: string;
  /** At most one sentence. */
  description?: ReactNode;
  /** Shown beside the title, such as a badge. */
  aside?: ReactNode;
  /** The buttons of the page. */
  actions?: ReactNode;
  /** Shown above the title: the way back to a page of the workspace, such as the list. */
  back?: { to: LinkProps['to']; label: string };
}

export function PageHeader({ title, description, aside, actions, back }: PageHeaderProps) {
  const { slug } = useParams({ strict: false });
  const { data } = useQuery({ ...workspacesQuery, enabled: slug !== undefined });
  const workspace = data?.items.find((item) => item.slug === slug)?.workspace;
  const shown = visibleText(title);
  useDocumentTitle([shown, workspace, 'Merlon'].filter((part) => part !== undefined).join(' · '));
  const heading = useFocusAfterNavigation();
  return (
    <header className="page-header">
      {back && (
        <div className="page-header-back">
          <Link {...({ to: back.to, params: { slug } } as LinkProps)}>{back.label}</Link>
        </div>
      )}
      <div className="page-header-row">
        <div className="page-header-text">
          <div className="page-header-title">
            <h1 ref={heading} tabIndex={-1} className="break">
              {shown}
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

// The first page of a visit is left out: there, reading begins at the top.
function useFocusAfterNavigation() {
  const heading = useRef<HTMLHeadingElement>(null);
  const router = useRouter();
  useEffect(() => {
    if (router.state.resolvedLocation === undefined) return;
    heading.current?.focus({ preventScroll: true });
  }, [router]);
  return heading;
}

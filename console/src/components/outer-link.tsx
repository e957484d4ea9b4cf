/** A link to another site: it opens in a new tab, and the site learns nothing of this page. */
import type { ReactNode } from 'react';

export function OuterLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  );
}

export function isWeb(link: string): boolean {
  const url = URL.parse(link);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:');
}

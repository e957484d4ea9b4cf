/** A link to another site. It opens in a new tab, and the other site gets no address of this page. */
import type { ComponentProps } from 'react';

export function OuterLink(props: ComponentProps<'a'> & { href: string }) {
  return <a {...props} target="_blank" rel="noreferrer noopener" />;
}

export function isWeb(link: string): boolean {
  const url = URL.parse(link);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:');
}

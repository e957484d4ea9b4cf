/** A titled part of a violation: a section of its page, or a plainer one in the side panel. */
import { createContext, type ReactNode, use } from 'react';
import { Section } from '../../components/section.tsx';

/** True around the parts of the page. */
export const OnPage = createContext(false);

export function ViolationPart({ title, children }: { title: string; children: ReactNode }) {
  if (use(OnPage)) return <Section title={title}>{children}</Section>;
  return (
    <section aria-label={title}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

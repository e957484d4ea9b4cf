/** A titled part of a page. The class `facts` is for a `dl` in it with one property a line. */
import { type ReactNode, useId } from 'react';
import './section.css';

interface SectionProps {
  title: string;
  description?: ReactNode;
  /** Shown beside the title. */
  actions?: ReactNode;
  children: ReactNode;
}

export function Section({ title, description, actions, children }: SectionProps) {
  const id = useId();
  return (
    <section className="section" aria-labelledby={id}>
      <div className="section-top">
        <h2 id={id}>{title}</h2>
        {actions}
      </div>
      {description && <p className="section-description">{description}</p>}
      {children}
    </section>
  );
}

/** A titled part of the panel. */
import { type ReactNode, useId } from 'react';

interface PanelSectionProps {
  title: string;
  /** Shown beside the title. */
  actions?: ReactNode;
  children: ReactNode;
}

export function PanelSection({ title, actions, children }: PanelSectionProps) {
  const id = useId();
  return (
    <section className="vuln-section" aria-labelledby={id}>
      <div className="vuln-section-top">
        <h3 id={id}>{title}</h3>
        {actions}
      </div>
      {children}
    </section>
  );
}

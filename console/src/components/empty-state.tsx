/** Where nothing is to show: says why, and what to do next, with the command to copy. */
import type { ReactNode } from 'react';
import { CodeBlock } from './code-block.tsx';
import './state.css';

interface EmptyStateProps {
  title: string;
  /** What to do next. */
  children?: ReactNode;
  icon?: ReactNode;
  /** A command line that does it. */
  command?: string;
  /** A button or link. */
  action?: ReactNode;
}

export function EmptyState({ title, children, icon, command, action }: EmptyStateProps) {
  return (
    <div className="state">
      {icon && <div className="state-icon">{icon}</div>}
      <p className="state-title">{title}</p>
      {children && <div className="state-text">{children}</div>}
      {command && (
        <div className="state-command">
          <CodeBlock code={command} label="Command" />
        </div>
      )}
      {action && <div className="state-action">{action}</div>}
    </div>
  );
}

/** Replaces an empty list. It says why the list is empty and explains the next step, with the command to copy. */
import type { ReactNode } from 'react';
import { CodeBlock } from './code-block.tsx';
import './state.css';

interface EmptyStateProps {
  title: string;
  /** Explains the next step. */
  children?: ReactNode;
  icon?: ReactNode;
  /** A command line for the next step. */
  command?: string;
  /** A button or a link. */
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

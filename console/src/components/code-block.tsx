/** A command, a document or a value that people read and copy. Long lines scroll inside the block. */
import { CopyButton } from './copy-button.tsx';
import './code-block.css';

interface CodeBlockProps {
  code: string;
  /** The name for screen readers: `Command`, `Policy as YAML`. */
  label: string;
}

export function CodeBlock({ code, label }: CodeBlockProps) {
  return (
    <div className="code-block">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by the keyboard */}
      <section tabIndex={0} aria-label={label} style={{ maxHeight: 420 }}>
        <pre>
          <code>{code}</code>
        </pre>
      </section>
      <div className="code-block-copy">
        <CopyButton value={code} label={`Copy: ${label.toLowerCase()}`} />
      </div>
    </div>
  );
}

/** The policy as YAML, with line numbers. Lines with a mistake are marked. */
import { Input } from '@mantine/core';
import { useId, useRef } from 'react';
import './yaml-pane.css';

export interface LineProblem {
  line: number;
  /** The document path: `condition.all[0].fact`. It is empty for a mistake of the YAML itself. */
  path: string;
  message: string;
}

interface YamlPaneProps {
  text: string;
  onChange: (text: string) => void;
  problems: LineProblem[];
}

export function YamlPane({ text, onChange, problems }: YamlPaneProps) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const numbers = useRef<HTMLDivElement>(null);
  const lines = text.split('\n').length;
  const wrong = new Set(problems.map(({ line }) => line));
  const goTo = (line: number) => {
    const start =
      text
        .split('\n')
        .slice(0, line - 1)
        .join('\n').length + (line > 1 ? 1 : 0);
    const end = text.indexOf('\n', start);
    field.current?.focus();
    field.current?.setSelectionRange(start, end < 0 ? text.length : end);
  };
  return (
    <div className="yaml-pane">
      <Input.Label htmlFor={id}>YAML</Input.Label>
      <div className="yaml-field">
        <div className="yaml-numbers" ref={numbers} aria-hidden="true">
          {Array.from({ length: lines }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line's number is all that it is
            <div key={index} className={wrong.has(index + 1) ? 'yaml-wrong' : undefined}>
              {index + 1}
            </div>
          ))}
        </div>
        <textarea
          id={id}
          ref={field}
          value={text}
          spellCheck={false}
          autoCapitalize="off"
          wrap="off"
          aria-invalid={problems.length > 0}
          aria-describedby={`${id}-problems`}
          onChange={(event) => onChange(event.currentTarget.value)}
          onScroll={(event) => {
            if (numbers.current) numbers.current.scrollTop = event.currentTarget.scrollTop;
          }}
        />
      </div>
      <ul id={`${id}-problems`} className="yaml-problems" aria-label="Mistakes">
        {problems.map(({ line, path, message }) => (
          <li key={`${line} ${path} ${message}`}>
            <button type="button" onClick={() => goTo(line)}>
              Line {line}
            </button>
            {path !== '' && (
              <>
                {' '}
                <code className="mono break">{path}</code>
              </>
            )}
            : <span className="break">{message}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

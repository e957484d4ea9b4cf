/**
 * Markdown or plain text by strangers: tools, rules, advisories. The code that reads Markdown loads when the first such
 * text is shown. Until then, and if it cannot load, the text is shown unchanged.
 */
import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { visibleText } from './report-text.tsx';
import './markdown.css';

// No text of a known tool is longer, and the time to render a text grows with its length.
const longestMarkdown = 25_000;

const MarkdownText = lazy(() =>
  import('./markdown-text.tsx')
    .then((module) => ({ default: module.MarkdownText }))
    .catch(() => ({ default: PlainText })),
);

function PlainText({ text }: { text: string }) {
  return <p className="markdown-plain">{visibleText(text)}</p>;
}

// About eight lines. A longer text would push everything else out of sight, so its rest opens on demand.
const shown = 700;

export function Markdown({ text }: { text: string }) {
  const [isWhole, setIsWhole] = useState(text.length <= shown);
  const part = isWhole ? text : `${beginningOf(text, shown)}…`;
  return (
    <>
      <div className="markdown break" dir="auto">
        {part.length > longestMarkdown ? (
          <PlainText text={part} />
        ) : (
          <Suspense fallback={<PlainText text={part} />}>
            <MarkdownText text={part} />
          </Suspense>
        )}
      </div>
      {text.length > shown && (
        <Button
          size="compact-xs"
          variant="subtle"
          onClick={() => setIsWhole(!isWhole)}
          aria-expanded={isWhole}
        >
          {isWhole ? 'Show less' : 'Show all'}
        </Button>
      )}
    </>
  );
}

/** Ends at a line or a word, where one ends in the second half. */
function beginningOf(text: string, length: number): string {
  const cut = text.slice(0, length);
  const end = Math.max(cut.lastIndexOf('\n'), cut.lastIndexOf(' '));
  return (end > length / 2 ? cut.slice(0, end) : cut).trimEnd().toWellFormed();
}

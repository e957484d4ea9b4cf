/** A tool's description as plain text with its own line breaks. A long one opens on demand. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { visibleText } from '../../../components/report-text.tsx';

// About eight lines; a longer text would push everything else out of sight.
const longText = 700;

export function Description({ text }: { text: string }) {
  const [isWhole, setIsWhole] = useState(text.length <= longText);
  return (
    <>
      <p className="vuln-description break" dir="auto">
        {visibleText(isWhole ? text : `${text.slice(0, longText).trimEnd()}…`)}
      </p>
      {text.length > longText && (
        <Button
          size="compact-xs"
          variant="subtle"
          onClick={() => setIsWhole(!isWhole)}
          aria-expanded={isWhole}
        >
          {isWhole ? 'Show less' : 'Show all of it'}
        </Button>
      )}
    </>
  );
}

/** Two texts compared line by line. Signs mark removed and added lines, so that colour is never the only sign. */
import { VisuallyHidden } from '@mantine/core';
import { differenceOf } from './difference.ts';
import './difference-lines.css';

const signs = { same: ' ', added: '+', removed: '−' };
const changeLabels = { same: '', added: 'Added: ', removed: 'Removed: ' };

export function DifferenceLines({ before, after }: { before: string; after: string }) {
  const lines = differenceOf(before, after);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by the keyboard
    <section className="difference" aria-label="Difference" tabIndex={0}>
      {lines.map(({ change, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines may be the same, and are not moved
        <div key={index} className={`difference-${change}`}>
          <span aria-hidden="true">{signs[change]} </span>
          {change !== 'same' && <VisuallyHidden>{changeLabels[change]}</VisuallyHidden>}
          {text}
        </div>
      ))}
    </section>
  );
}

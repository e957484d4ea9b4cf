/** One line of a list of facts. */
import type { ReactNode } from 'react';
import { CopyButton } from './copy-button.tsx';

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="break">{children}</dd>
    </div>
  );
}

/** A fact that people copy, such as an id. `noun` names it for the button: `the id`. */
export function CopiedFact({ name, value, noun }: { name: string; value: string; noun: string }) {
  return (
    <Fact name={name}>
      <span className="mono">{value}</span> <CopyButton value={value} label={`Copy ${noun}`} size="xs" />
    </Fact>
  );
}

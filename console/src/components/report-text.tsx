/**
 * Text that reports, branches and people have brought, in a line of ours: it runs in its own direction, and moves
 * nothing around it. What would turn the direction of letters, to show another text than there is, is shown itself.
 */
import type { ComponentProps } from 'react';

interface ReportTextProps extends Omit<ComponentProps<'bdi'>, 'children'> {
  children: string;
}

export function ReportText({ children, ...props }: ReportTextProps) {
  return <bdi {...props}>{visibleText(children)}</bdi>;
}

// Embeddings, overrides and isolates of Unicode. Letters of either direction need none of them.
const turning = /[\u202a-\u202e\u2066-\u2069]/g;

/** The same text, with `[U+202E]` for such a character. */
export function visibleText(text: string): string {
  return text.replace(turning, (character) => `[U+${character.charCodeAt(0).toString(16).toUpperCase()}]`);
}

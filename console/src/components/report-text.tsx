/**
 * Text from reports, branches and people, inside a line of ours. It has its own direction and does not affect the text
 * around it. Characters that change the direction could hide the real text, so they are made visible.
 */
import type { ComponentProps } from 'react';

interface ReportTextProps extends Omit<ComponentProps<'bdi'>, 'children'> {
  children: string;
}

export function ReportText({ children, ...props }: ReportTextProps) {
  return <bdi {...props}>{visibleText(children)}</bdi>;
}

// Embeddings, overrides and isolates of Unicode. Ordinary text in either direction needs none of them.
const turning = /[\u202a-\u202e\u2066-\u2069]/g;

/** Returns the same text with `[U+202E]` in place of such a character. */
export function visibleText(text: string): string {
  return text.replace(turning, (character) => `[U+${character.charCodeAt(0).toString(16).toUpperCase()}]`);
}

/** The title of an advisory's finding. It must never hold more than one line. */
import type { ParseContext } from './limits.ts';
import { safeTitle } from './text.ts';

/** "Jinja is an extensible templating engine." describes the package and not the problem. */
const introduction = /^[^.:;]{1,80}\b(?:is|are) (?:an?|the)\b/i;

/**
 * Gives the summary. Without one it gives the first sentence of the description, unless that only introduces the
 * package.
 */
export function advisoryTitle(
  texts: { summary: string | null; description: string | null },
  id: string,
  packageName: string | null,
  context: ParseContext,
): string {
  const summary = safeTitle(texts.summary ?? '', context);
  if (summary !== '') return summary;
  const sentence = safeTitle(texts.description ?? '', context);
  if (sentence !== '' && !introduction.test(sentence)) return sentence;
  return (packageName === null ? '' : safeTitle(`${id} in ${packageName}`, context)) || id;
}

/**
 * The way from a tool's HTML to plain text, where the tool writes either. The result may look like markup, because
 * tools write about markup, but it is data. It must never be used to make text safe to show.
 */
import { htmlText } from './html-text.ts';

/** Paragraphs become blank lines, and list items become dashes. A text without any of these is no HTML of a tool. */
export function plainText(text: string): string {
  return /<(?:p|br|ul|li)\b[^<>]{0,100}>/i.test(text) ? htmlText(text) : text.trim();
}

/** The way from the first bytes of a report to a document, by which an upload is refused early. */
import { isArchive } from './archive.ts';
import type { ReportDocument } from './decode.ts';
import { defaultLimits } from './limits.ts';

/**
 * Turns the beginning into a document: open brackets are closed after the last complete value. Gives null if nothing is
 * complete yet. Nothing of an archive is, because its directory stands at its end.
 */
export function decodeBeginning(bytes: Uint8Array): ReportDocument | null {
  if (isArchive(bytes)) return null;
  const decoder = new TextDecoder(
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? 'utf-16le'
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? 'utf-16be'
        : 'utf-8',
  );
  const text = decoder.decode(bytes, { stream: true });
  const first = text.trimStart()[0];
  if (first !== '{' && first !== '[') return { text, json: undefined, jsonError: null, archive: null };
  const closed = closeJson(text);
  if (closed === null) return null;
  try {
    return { text, json: JSON.parse(closed), jsonError: null, archive: null };
  } catch {
    return null;
  }
}

function closeJson(text: string): string | null {
  const open: string[] = [];
  // After a comma or an opening bracket, everything before it is complete.
  let cut = 0;
  let stack: string[] = [];
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (char === '"') {
      at = endOfText(text, at);
      if (at < 0) break;
    } else if (char === '{' || char === '[') {
      open.push(char === '{' ? '}' : ']');
      cut = at + 1;
      stack = [...open];
      if (open.length > defaultLimits.maxNesting) return null;
    } else if (char === '}' || char === ']') {
      open.pop();
      cut = at + 1;
      stack = [...open];
      // A second document follows, so the first one is complete.
      if (open.length === 0) break;
    } else if (char === ',') {
      cut = at;
      stack = [...open];
    }
  }
  return cut === 0 ? null : text.slice(0, cut) + stack.reverse().join('');
}

/** Returns the index of the closing quote, or -1 if the text ends before it. */
function endOfText(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at;
  }
  return -1;
}

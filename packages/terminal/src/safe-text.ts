/**
 * Text of reports and of the server is data, and a terminal or a CI runner must not execute it. It is printed without
 * line breaks, control characters, format characters and workflow commands.
 */
import { randomUUID } from 'node:crypto';
import { Transform } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

// CI runners compare text by culture and ignore format characters, so `#\u200b#vso[` is a command to them too.
const format = '\\p{Cf}\\p{Default_Ignorable_Code_Point}';
const formatCharacter = new RegExp(`[${format}]`, 'gu');

/** Makes foreign text safe for one line. */
export function plain(text: string): string {
  return withoutControls(text).trim();
}

function withoutControls(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .replace(formatCharacter, '');
}

// This stands for the escape character of our own styles. Other text cannot hold it, because it cannot be guessed.
export const ownEscape = randomUUID();
const commandAtStart = new RegExp(`^((?:\\s|${ownEscape}\\[\\d+m)*):(?=:)`);

/**
 * Makes one line safe. Azure Pipelines and TeamCity find `##vso[`, `##[` and `##teamcity[` anywhere in a line. GitHub
 * Actions finds `##[` anywhere, and `::` after the blanks at its start.
 */
export function safeLine(line: string): string {
  return withoutControls(line)
    .replace(/#(?=#)/g, '# ')
    .replace(commandAtStart, '$1: ')
    .replaceAll(ownEscape, '\u001b');
}

const unseen = new RegExp(`[^\\P{Cc}\\n\\r\\t]|[\\u2028\\u2029${format}]`, 'gu');
const obeyed = new RegExp(`#(?=#)|:(?=:)|${unseen.source}`, 'gu');

/**
 * Writes the same value as JSON without any command. The dangerous characters occur only in strings, where they can be
 * escaped.
 */
export function jsonText(value: unknown): string {
  return `${escapeJson(JSON.stringify(value, null, 2))}\n`;
}

/** The same on one line, without a final newline. */
export function jsonLine(value: unknown): string {
  return escapeJson(JSON.stringify(value));
}

function escapeJson(json: string): string {
  return json.replace(obeyed, (found) =>
    found
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );
}

/** Makes a stream to standard output safe. JSON keeps its values; in other text, blanks break the commands. */
export function safeStream(isJson: boolean): Transform {
  const decoder = new StringDecoder();
  // The last character is held back if the next one decides about it.
  let held = '';
  const safe = (piece: string, isLast: boolean): string => {
    const text = held + (isJson ? piece : piece.replace(unseen, ''));
    held = isLast ? '' : (/[#:]$/.exec(text)?.[0] ?? '');
    const broken = isJson ? escapeJson(text) : text.replace(/#(?=#)|:(?=:)/g, '$& ');
    return held === '' ? broken : broken.slice(0, -1);
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      done(null, safe(decoder.write(chunk), false));
    },
    flush(done) {
      done(null, safe(decoder.end(), true));
    },
  });
}

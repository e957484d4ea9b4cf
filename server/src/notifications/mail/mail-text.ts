/** A message for people as a mail, as plain text and as HTML. */
import type { EventMessage, MessageLine } from '../messages/event-message.ts';

export interface MailText {
  subject: string;
  text: string;
  html: string;
}

/** `reason` says why the person gets the mail; the page of the settings stands behind it. */
export function mailText(message: EventMessage, reason: string, settingsUrl: string): MailText {
  const { title, counts, lines, more, url } = message;
  const rest = more === 0 ? null : `and ${more.toLocaleString('en')} more`;
  return {
    subject: title,
    text: [
      ...counts.map(unlinked),
      '',
      ...lines.flatMap(textOf),
      ...(rest === null ? [] : [rest, '']),
      `Merlon: ${url}`,
      '',
      `${reason} To change this: ${settingsUrl}`,
      '',
    ].join('\n'),
    html: [
      '<!doctype html><html lang="en"><body style="font-family:sans-serif">',
      `<p>${counts.map(plainHtml).join('<br>')}</p>`,
      `<ul>${lines.map((line) => `<li>${htmlOf(line)}</li>`).join('')}</ul>`,
      rest === null ? '' : `<p>${rest}</p>`,
      `<p>${link('Open Merlon', url ?? '')}</p>`,
      `<p style="color:#666">${escapeHtml(reason)} ${link('Change your notifications', settingsUrl)}</p>`,
      '</body></html>',
    ].join('\n'),
  };
}

function textOf({ text, detail, url }: MessageLine): string[] {
  return [`- ${unlinked(text)} – ${unlinked(detail)}`, ...(url === null ? [] : [`  ${url}`]), ''];
}

function htmlOf({ text, detail, url }: MessageLine): string {
  const subject = url === null ? plainHtml(text) : link(unlinked(text), url);
  return `${subject} – ${plainHtml(detail)}`;
}

export const plainHtml = (text: string): string => escapeHtml(unlinked(text));

export const link = (text: string, url: string): string =>
  `<a href="${escapeHtml(url)}">${escapeHtml(text)}</a>`;

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(plain: string): string {
  return plain.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
}

// Programs for mail make links of what looks like an address. A title of a report must not become one.
export function unlinked(plain: string): string {
  return plain.replaceAll(/[:.@。．｡](?=\S)/g, (mark) => `${mark}\u200b`);
}

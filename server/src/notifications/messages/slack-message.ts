/**
 * A message as an incoming webhook of Slack takes it: Block Kit (https://docs.slack.dev/reference/block-kit). Texts
 * that are not ours stand in `rich_text` elements, which Slack shows as they are: no link, no mention and no markup is
 * read from them.
 */
import type { EventMessage, MessageLine } from './event-message.ts';

// The limit of a header.
const maxHeaderLength = 150;

export function slackMessage({ title, counts, lines, more, url }: EventMessage): object {
  return {
    // The text of the notification, and all that a client without blocks shows. Slack reads markup from it.
    text: escapeMarkup(title),
    unfurl_links: false,
    unfurl_media: false,
    blocks: [
      {
        type: 'header',
        text: { type: 'plain_text', text: shortened(title), emoji: false },
      },
      {
        type: 'rich_text',
        elements: [
          section([text(counts.join('\n'))]),
          { type: 'rich_text_list', style: 'bullet', elements: lines.map((line) => section(lineOf(line))) },
          ...endOf(more, url),
        ],
      },
    ],
  };
}

/**
 * The three characters that Slack gives a meaning: https://docs.slack.dev/messaging/formatting-message-text#escaping.
 */
function escapeMarkup(plain: string): string {
  return plain.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function shortened(title: string): string {
  return title.length <= maxHeaderLength ? title : `${title.slice(0, maxHeaderLength - 1)}…`;
}

const text = (content: string): object => ({ type: 'text', text: content });
const link = (content: string, url: string): object => ({ type: 'link', text: content, url });
const section = (elements: object[]): object => ({ type: 'rich_text_section', elements });

function lineOf({ text: subject, detail, url }: MessageLine): object[] {
  return [url === null ? text(subject) : link(subject, url), text(` – ${detail}`)];
}

function endOf(more: number, url: string | null): object[] {
  const elements = [
    ...(more === 0 ? [] : [text(`and ${more.toLocaleString('en')} more. `)]),
    ...(url === null ? [] : [link('Open Merlon', url)]),
  ];
  return elements.length === 0 ? [] : [section(elements)];
}

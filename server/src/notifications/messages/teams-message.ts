/**
 * A message as a webhook of Workflows in Microsoft Teams takes it: an Adaptive Card
 * (https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using). Texts stand in
 * text runs, which read no Markdown, so a title of a report makes no link. A mention would need an entity of the card,
 * which has none.
 */
import type { EventMessage, MessageLine } from './event-message.ts';

export function teamsMessage({ title, counts, lines, more, url }: EventMessage): object {
  const content = {
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    type: 'AdaptiveCard',
    version: '1.4',
    msteams: { width: 'Full' },
    body: [
      paragraph([{ ...run(title), size: 'medium', weight: 'bolder' }]),
      ...counts.map((count) => paragraph([run(count)])),
      ...lines.map((line) => paragraph(lineOf(line))),
      ...(more === 0 ? [] : [paragraph([run(`and ${more.toLocaleString('en')} more.`)])]),
    ],
    actions: url === null ? [] : [openUrl('Open Merlon', url)],
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
  };
}

const run = (text: string): object => ({ type: 'TextRun', text });
const paragraph = (inlines: object[]): object => ({ type: 'RichTextBlock', inlines });
const openUrl = (title: string, url: string): object => ({ type: 'Action.OpenUrl', title, url });

function lineOf({ text, detail, url }: MessageLine): object[] {
  const subject = { ...run(text), weight: 'bolder' };
  return [url === null ? subject : { ...subject, selectAction: openUrl(text, url) }, run(` – ${detail}`)];
}

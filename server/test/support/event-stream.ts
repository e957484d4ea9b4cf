/** Server-sent events as a browser receives them: one connection, and its events as they arrive. */
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { request as requestByTls } from 'node:https';

export interface HeardEvent {
  event: string;
  data: unknown;
}

export interface EventStream {
  status: number;
  headers: IncomingMessage['headers'];
  /** The events so far, in order. */
  events: HeardEvent[];
  /** The received text, unchanged. */
  text(): string;
  /** Time when the server ended the stream; null while it is open. */
  endedAt(): number | null;
  hangUp(): void;
}

export async function openEvents(
  port: number,
  path: string,
  headers: Record<string, string>,
  { byTls = false } = {},
): Promise<EventStream> {
  let sent: ClientRequest | undefined;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const options = {
      ...{ port, host: '127.0.0.1', path, agent: false as const },
      headers: { ...headers, accept: 'text/event-stream' },
    };
    // The certificate of a test is its own.
    sent = byTls
      ? requestByTls({ ...options, servername: headers.host ?? '', rejectUnauthorized: false })
      : request(options);
    sent.on('response', resolve);
    sent.on('error', reject);
    sent.end();
  });
  const events: HeardEvent[] = [];
  let text = '';
  let read = 0;
  let endedAt: number | null = null;
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    text += chunk;
    for (let end = text.indexOf('\n\n', read); end >= 0; end = text.indexOf('\n\n', read)) {
      const event = parse(text.slice(read, end));
      if (event) events.push(event);
      read = end + 2;
    }
  });
  response.on('end', () => {
    endedAt = Date.now();
  });
  response.on('error', () => {});
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    events,
    text: () => text,
    endedAt: () => endedAt,
    hangUp: () => sent?.destroy(),
  };
}

function parse(block: string): HeardEvent | null {
  const fields = new Map(
    block.split('\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon), line.slice(colon + 1).trimStart()] as const;
    }),
  );
  const event = fields.get('event');
  return event === undefined ? null : { event, data: JSON.parse(fields.get('data') ?? 'null') };
}

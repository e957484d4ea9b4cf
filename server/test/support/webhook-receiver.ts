/**
 * A receiver of webhooks: a real HTTP server on loopback, which checks each request with the library of Standard
 * Webhooks.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { EventItem } from '../../src/notifications/feed/event-schema.ts';

export interface ReceivedEvent {
  id: string;
  event: EventItem;
  headers: Record<string, string>;
  body: string;
  path: string;
}

export interface Receiver {
  url: string;
  /** All signed events that have arrived, whatever was answered. */
  received: ReceivedEvent[];
  /** Answers with this status, or does what the function does. */
  answer: number | ((event: ReceivedEvent, response: ServerResponse) => void);
  /** Requests whose signature is wrong. */
  refused: number;
  /** The signing secret that each request must use, unless it is null. */
  secret: string | null;
  ids(): string[];
  close(): Promise<void>;
}

export async function startReceiver(port = 0): Promise<Receiver> {
  const server = createServer((request, response) => {
    void receive(request, response);
  });
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const headers = request.headers as Record<string, string>;
    if (receiver.secret !== null) {
      try {
        new Webhook(receiver.secret).verify(body, headers);
      } catch {
        receiver.refused++;
        response.writeHead(401).end();
        return;
      }
    }
    const event: ReceivedEvent = {
      id: headers['webhook-id'] ?? '',
      event: JSON.parse(body),
      headers,
      body,
      path: request.url ?? '',
    };
    receiver.received.push(event);
    if (typeof receiver.answer === 'number') response.writeHead(receiver.answer).end();
    else receiver.answer(event, response);
  };
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received: [],
    answer: 204,
    refused: 0,
    secret: null,
    ids: () => receiver.received.map(({ id }) => id),
    close: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
  return receiver;
}

/** A mail server: a real SMTP server on loopback that keeps what it takes. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  from: string;
  to: string[];
  headers: Record<string, string>;
  /** The whole mail as it came. */
  source: string;
  /** The parts by type, decoded. */
  text: string;
  html: string;
}

export interface MailServer {
  url: string;
  received: ReceivedMail[];
  /** Null takes each mail; a number refuses each recipient with this code. */
  refuses: number | null;
  close(): Promise<void>;
}

export async function startMailServer(port = 0): Promise<MailServer> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (_address, _session, done) => {
      if (mails.refuses === null) done();
      else done(Object.assign(new Error('refused'), { responseCode: mails.refuses }));
    },
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const source = Buffer.concat(chunks).toString();
        mails.received.push({
          from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          source,
          headers: headersOf(source),
          text: partOf(source, 'text/plain'),
          html: partOf(source, 'text/html'),
        });
        done();
      });
    },
  });
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  const mails: MailServer = {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received: [],
    refuses: null,
    close: () => new Promise((closed) => server.close(() => closed())),
  };
  return mails;
}

function headersOf(source: string): Record<string, string> {
  const head = source.slice(0, source.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]+/g, ' ');
  return Object.fromEntries(
    head.split('\r\n').map((line) => {
      const colon = line.indexOf(':');
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}

/** The decoded part of a mail of two parts. */
function partOf(source: string, type: string): string {
  const from = source.indexOf(`Content-Type: ${type}`);
  const start = source.indexOf('\r\n\r\n', from) + 4;
  const head = source.slice(from, start);
  const body = source.slice(start, source.indexOf('\r\n--', start));
  if (/base64/i.test(head)) return Buffer.from(body, 'base64').toString();
  if (!/quoted-printable/i.test(head)) return body;
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

/** A mail server: a real SMTP server on loopback that keeps the mails that it accepts. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  from: string;
  to: string[];
  headers: Record<string, string>;
  /** The whole mail as received. */
  source: string;
  /** The parts by type, decoded. */
  text: string;
  html: string;
}

export interface MailServer {
  url: string;
  received: ReceivedMail[];
  /** Null takes each mail; a number is the code of a refusal. */
  refuses: number | null;
  /** The step that is refused. The refusal of the data quotes the mail from its first link on. */
  refusesAt: 'greeting' | 'login' | 'sender' | 'recipient' | 'data';
  /** Waits before it answers that it has taken a mail. */
  delayMs: number;
  close(): Promise<void>;
}

export async function startMailServer(port = 0): Promise<MailServer> {
  const refusalAt = (step: MailServer['refusesAt'], text = 'refused') =>
    mails.refuses !== null && mails.refusesAt === step
      ? Object.assign(new Error(text), { responseCode: mails.refuses })
      : null;
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onConnect: (_session, done) => done(refusalAt('greeting')),
    onAuth: ({ username }, _session, done) => done(refusalAt('login'), { user: username }),
    onMailFrom: (_address, _session, done) => done(refusalAt('sender')),
    onRcptTo: (_address, _session, done) => done(refusalAt('recipient')),
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const source = Buffer.concat(chunks).toString();
        const refusal = refusalAt('data', source.slice(source.indexOf('http')).replaceAll(/\s+/g, ' '));
        if (refusal) return done(refusal);
        mails.received.push({
          from: envelope.mailFrom === false ? '' : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address),
          source,
          headers: headersOf(source),
          text: partOf(source, 'text/plain'),
          html: partOf(source, 'text/html'),
        });
        setTimeout(done, mails.delayMs);
      });
    },
  });
  server.listen(port, '127.0.0.1');
  await once(server.server, 'listening');
  const mails: MailServer = {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    received: [],
    refuses: null,
    refusesAt: 'recipient',
    delayMs: 0,
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

/** Hands mails to the SMTP server of the operator. */
import { createTransport } from 'nodemailer';
import type { Config } from '../../config.ts';
import { isLoopback } from '../../domain/loopback.ts';

export interface Mail {
  /** The same for each attempt, so that a mail server can tell doubles apart. */
  id: string;
  to: { name: string; address: string };
  subject: string;
  text: string;
  html: string;
  /** The page where the person can end such mails; null for a single mail. */
  settingsUrl: string | null;
}

/** The result of an attempt: `refused` if the server will not take this mail at any time. */
export type MailOutcome = 'sent' | 'refused' | 'unreachable';

export interface Mailer {
  send(mail: Mail): Promise<{ outcome: MailOutcome; error: string | null }>;
  close(): void;
}

// A server that is silent for so long keeps the mails of others waiting.
const timeoutMs = 15_000;
const maxErrorLength = 500;

export function openMailer({ url, from }: NonNullable<Config['smtp']>): Mailer {
  const { protocol, hostname, port, username, password } = new URL(url);
  const secure = protocol === 'smtps:';
  const transport = createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (secure ? 465 : 587),
    secure,
    // A password must not go over a network in the clear.
    requireTLS: !secure && username !== '' && !isLoopback(hostname),
    ...(username === ''
      ? {}
      : { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // A mail is text alone: nothing in it may make the library read a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = from.slice(from.lastIndexOf('@') + 1).replace(/>.*$/, '');
  return {
    send: async ({ id, to, subject, text, html, settingsUrl }) => {
      try {
        await transport.sendMail({
          from,
          to,
          subject,
          text,
          html,
          messageId: `<${id}@${domain}>`,
          ...(settingsUrl === null
            ? {}
            : { list: { unsubscribe: { url: settingsUrl, comment: 'Notifications' } } }),
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
        return { outcome: 'sent', error: null };
      } catch (error) {
        const { message, responseCode = 0 } = error as Error & { responseCode?: number };
        return {
          outcome: responseCode >= 500 ? 'refused' : 'unreachable',
          error: message.slice(0, maxErrorLength),
        };
      }
    },
    close: () => transport.close(),
  };
}

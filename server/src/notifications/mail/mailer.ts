/** Hands mails to the SMTP server of the operator. */
import { createTransport, type NodemailerError } from 'nodemailer';
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
  /** A text of the mail that no error may repeat. */
  secret?: string;
}

/**
 * The result of an attempt. The mail server takes this mail (`sent`), never takes it (`refused`), or does not take it
 * yet (`deferred`). Or Merlon cannot use the mail server for any mail (`unreachable`), such as without a valid login.
 */
export type MailOutcome = 'sent' | 'refused' | 'deferred' | 'unreachable';

export interface Mailer {
  send(mail: Mail): Promise<{ outcome: MailOutcome; error: string | null }>;
  close(): void;
}

// A server that is not reached for so long keeps the mails of others waiting.
const timeoutMs = 15_000;
// A server may check a mail before it answers that it has it (RFC 5321, section 4.5.3.2.6), and a mail that is given up
// earlier is sent again. A stop of the process waits for this answer, and has a minute in deploy/compose.yaml.
const answerTimeoutMs = 45_000;
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
    socketTimeout: answerTimeoutMs,
    // A mail is text alone: nothing in it may make the library read a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = from.slice(from.lastIndexOf('@') + 1).replace(/>.*$/, '');
  return {
    send: async ({ id, to, subject, text, html, settingsUrl, secret = '' }) => {
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
        const failure = error as NodemailerError;
        return {
          outcome: outcomeOf(failure),
          error: withoutSecret(failure.message, secret).slice(0, maxErrorLength),
        };
      }
    },
    close: () => transport.close(),
  };
}

// RFC 5321: with 421 the server closes the connection, whatever it was asked. Answers to other commands, such as the
// login and the sender, are the same for every mail.
function outcomeOf({ command, responseCode = 0, permanent = false }: NodemailerError): MailOutcome {
  const isAboutMail = command === 'RCPT TO' || command === 'DATA';
  if (!isAboutMail || responseCode < 400 || responseCode === 421) return 'unreachable';
  return permanent ? 'refused' : 'deferred';
}

// A server may quote the mail, whose lines are cut. Shorter pieces of the secret are of no use.
function withoutSecret(text: string, secret: string): string {
  return text.replaceAll(/[\w-]{8,}/g, (piece) => (secret.includes(piece) ? '…' : piece));
}

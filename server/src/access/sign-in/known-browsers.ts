/**
 * Known browsers of an account: those in which somebody has signed in with its present password within half a year. A
 * cookie proves it. The lock-out counts each of them alone (OWASP, "Slow Down Online Guessing Attacks with Device
 * Cookies").
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import type { InstallSecret } from '../../db/install-secret.ts';
import { foldEmail } from '../../domain/email.ts';
import { dayMs } from '../../domain/time.ts';
import { cookieSettings } from './cookies.ts';

export interface KnownBrowsers {
  /**
   * The id of the browser; null if it is unknown. `readHash` reads the stored hash of the account. It is called only if
   * this server has made the cookie for this account, so that strangers cause no reads of the database.
   */
  find(
    request: Pick<FastifyRequest, 'headers'>,
    email: string,
    readHash: () => Promise<string | null>,
  ): Promise<string | null>;
  /** The Set-Cookie header after a sign-in. `browser` is the id that it has; null gives it one. */
  cookieFor(account: PasswordAccount, browser: string | null): string;
}

export interface PasswordAccount {
  email: string;
  /** The stored hash of the password; null without one. */
  hash: string | null;
}

// A person who comes more rarely than that is a stranger again.
const keepSeconds = (180 * dayMs) / 1000;

export function knownBrowsers(config: Pick<Config, 'publicUrl'>, secret: InstallSecret): KnownBrowsers {
  const { prefix, isSecure } = cookieSettings(config);
  const name = `${prefix}.known_browser`;
  const key = secret.key('known-browser');
  const sign = (...parts: string[]): string =>
    createHmac('sha256', key).update(parts.join(' ')).digest('base64url');
  // The cookie must not tell the e-mail address to another person at the same browser. The hash ends all cookies when
  // the password changes, because an attacker who knew it could make any number of them.
  const ofAccount = (issued: string, id: string, email: string): string =>
    `${issued}.${id}.${sign('account', issued, id, foldEmail(email))}`;
  const signed = (issued: string, id: string, { email, hash }: PasswordAccount): string =>
    `${ofAccount(issued, id, email)}.${sign('password', issued, id, foldEmail(email), String(hash))}`;
  return {
    find: async ({ headers }, email, readHash) => {
      const cookie = headers.cookie?.split('; ').find((pair) => pair.startsWith(`${name}=`));
      const given = cookie?.slice(name.length + 1) ?? '';
      const [issued = '', id = ''] = given.split('.', 2);
      if (!isSame(given.slice(0, given.lastIndexOf('.')), ofAccount(issued, id, email))) return null;
      if (nowSeconds() - Number(issued) >= keepSeconds) return null;
      return isSame(given, signed(issued, id, { email, hash: await readHash() })) ? id : null;
    },
    cookieFor: (account, browser) => {
      const id = browser ?? randomBytes(16).toString('base64url');
      const attributes = `Max-Age=${keepSeconds}; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
      return `${name}=${signed(String(nowSeconds()), id, account)}; ${attributes}`;
    },
  };
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

function isSame(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}

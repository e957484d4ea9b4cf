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
  /** The id of the browser; null if it is unknown. */
  find(request: Pick<FastifyRequest, 'headers'>, account: PasswordAccount): string | null;
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
  // The cookie must not tell the e-mail address to another person at the same browser. The hash ends all cookies when the
  // password changes: whoever knew it could make any number of them.
  const signed = (issued: string, id: string, { email, hash }: PasswordAccount): string => {
    const mac = createHmac('sha256', key).update(`${issued} ${id} ${foldEmail(email)} ${hash}`);
    return `${issued}.${id}.${mac.digest('base64url')}`;
  };
  return {
    find: ({ headers }, account) => {
      const cookie = headers.cookie?.split('; ').find((pair) => pair.startsWith(`${name}=`));
      const given = cookie?.slice(name.length + 1) ?? '';
      const [issued = '', id = ''] = given.split('.', 2);
      if (!isSame(given, signed(issued, id, account))) return null;
      return nowSeconds() - Number(issued) < keepSeconds ? id : null;
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

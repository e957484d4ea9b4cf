/**
 * Known browsers of an account: those in which somebody has signed in to it by password before. A cookie proves it. The
 * lock-out counts each of them alone (OWASP, "Slow Down Online Guessing Attacks with Device Cookies").
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Config } from '../../config.ts';
import type { InstallSecret } from '../../db/install-secret.ts';
import { foldEmail } from '../../domain/email.ts';
import { dayMs } from '../../domain/time.ts';
import { cookieSettings } from './cookies.ts';

export interface KnownBrowsers {
  /** The id of the browser; null if nobody has signed in to the account there. */
  find(request: FastifyRequest, email: string): string | null;
  /** The Set-Cookie header after a sign-in. `browser` is the id that it has; null gives it one. */
  cookieFor(email: string, browser: string | null): string;
}

// A person who comes more rarely than that is a stranger again.
const keepSeconds = (180 * dayMs) / 1000;

export function knownBrowsers(config: Pick<Config, 'publicUrl'>, secret: InstallSecret): KnownBrowsers {
  const { prefix, isSecure } = cookieSettings(config);
  const name = `${prefix}.known_browser`;
  const key = secret.key('known-browser');
  // The cookie must not tell the e-mail address to another person at the same browser.
  const signed = (id: string, email: string): string => {
    const mac = createHmac('sha256', key).update(`${id} ${foldEmail(email)}`);
    return `${id}.${mac.digest('base64url')}`;
  };
  return {
    find: ({ headers }, email) => {
      const cookie = headers.cookie?.split('; ').find((pair) => pair.startsWith(`${name}=`));
      const given = cookie?.slice(name.length + 1) ?? '';
      const [id = ''] = given.split('.', 1);
      return isSame(given, signed(id, email)) ? id : null;
    },
    cookieFor: (email, browser) => {
      const id = browser ?? randomBytes(16).toString('base64url');
      const attributes = `Max-Age=${keepSeconds}; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
      return `${name}=${signed(id, email)}; ${attributes}`;
    },
  };
}

function isSame(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** The settings of all cookies of the console. */
import type { Config } from '../../config.ts';

export interface CookieSettings {
  /** The beginning of the name of each cookie. */
  prefix: string;
  isSecure: boolean;
}

export function cookieSettings({ publicUrl }: Pick<Config, 'publicUrl'>): CookieSettings {
  const isSecure = publicUrl?.startsWith('https:') ?? false;
  // With this prefix a browser accepts the cookie over TLS and from this host alone, so that no other host of the same
  // domain can set one. `__Secure-` protects less.
  return { prefix: isSecure ? '__Host-merlon' : 'merlon', isSecure };
}

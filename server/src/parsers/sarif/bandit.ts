/** Bandit's habit of quoting passwords in SARIF: they are masked as in Bandit's own JSON. */
import { maskedMessage, quotedPassword, withoutPassword } from '../reading/bandit-passwords.ts';
import type { SarifLocation } from './locations.ts';

interface Masked {
  message: string;
  maskLocation(location: SarifLocation): SarifLocation;
}

/** Returns null for a result that quotes no password. */
export function maskBandit(rule: string, message: string): Masked | null {
  const password = quotedPassword(rule, message);
  if (password === null) return null;
  const mask = (text: string | null): string | null =>
    text === null ? null : withoutPassword(text, password);
  return {
    message: maskedMessage,
    maskLocation: (location) => ({
      ...location,
      code: mask(location.code),
      rawCode: location.code,
      context: mask(location.context),
    }),
  };
}

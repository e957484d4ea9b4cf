/**
 * The passwords that Bandit quotes in the messages of its rules about hard-coded passwords, in its JSON and its SARIF
 * alike. They have no shape by which a password could be known.
 */
import { withoutSecrets } from './secrets.ts';

/** Stands for a message with a password. */
export const maskedMessage = 'Possible hardcoded password.';

/** Returns `wood` of "Possible hardcoded password: 'wood'", which the rules B105, B106 and B107 write. */
export function quotedPassword(rule: string, message: string): string | null {
  if (!/^B10[567]$/.test(rule)) return null;
  const written = /hardcoded password: (.+)$/s.exec(message.slice(0, 4096))?.[1]?.trim() ?? null;
  return written === null ? null : (/^(['"])(.*)\1$/s.exec(written)?.[2] ?? written);
}

/** Masks the password where the code quotes it, so that a name of the same letters stays. */
export function withoutPassword(code: string, password: string | null): string {
  if (password === null || password === '') return code;
  const masked = ['"', "'"].reduce(
    (text, quote) => text.replaceAll(`${quote}${password}${quote}`, `${quote}****${quote}`),
    code,
  );
  return masked === code ? withoutSecrets(code, [password]) : masked;
}

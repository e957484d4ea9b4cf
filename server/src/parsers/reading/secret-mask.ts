/**
 * The mask for findings of rules about credentials in source code. Such a finding keeps the type of a finding in code.
 * Its secret has no known shape, so the mask replaces each value that may be it: quoted texts, assigned values, the
 * texts of XML and YAML. If nothing was replaced, all of the code is masked.
 */
import { mask, maskCode, maskLine, maskQuoted, valuesIn } from './redact.ts';
import { withoutSecrets } from './secrets.ts';

// Credentials that are stored in the code, or without protection.
const weaknesses = /^CWE-(?:256|257|259|260|313|321|522|547|798)$/;
// `G101` is gosec's rule about credentials, and `android_hardcoded` MobSF's.
const names = /generic\.secrets\.|no-secrets|^G101$|^android(?:_kotlin)?_hardcoded$/i;
// A name with this word needs a second one, because many such rules are about settings, files and addresses.
const hardCoded = /hard.?cod/i;
const secretWord = /pass(?:w|phrase)|pwd|secret|key|token|cred|auth|hmac|jwt|salt/i;

/** A message is searched for each value, so that more of them would take too long. */
const maxValues = 100;

/** True if the code, the flow and the message of the rule may show a secret. */
export function isAboutSecret(rule: string, cwes: readonly string[]): boolean {
  const isNamed = names.test(rule) || (hardCoded.test(rule) && secretWord.test(rule));
  return isNamed || cwes.some((cwe) => weaknesses.test(cwe));
}

export interface SecretMask {
  /** Masks code, all of it if nothing in it could be told to be the secret. */
  code<T extends string | null>(text: T): T;
  /** Masks texts that quote the code. */
  message<T extends string | null>(text: T): T;
}

export const noMask: SecretMask = { code: (text) => text, message: (text) => text };

/** Masks nothing for a rule about anything else. `codes` are the parts of code that the finding shows. */
export function secretMask(
  rule: string,
  cwes: readonly string[],
  codes: readonly (string | null)[],
): SecretMask {
  if (!isAboutSecret(rule, cwes)) return noMask;
  const values = new Set(codes.flatMap((code) => valuesIn(code ?? '')).filter((value) => !isWord(value)));
  const message = (text: string): string =>
    values.size > maxValues ? (maskLine(text) ?? mask) : withoutSecrets(maskQuoted(text), [...values]);
  return {
    code: (text) => apply(text, (code) => maskCode(code) ?? mask),
    message: (text) => apply(text, message),
  };
}

/** A short word such as `password` is in many messages, and says nothing. */
function isWord(value: string): boolean {
  return /^[a-z]{1,8}$/i.test(value);
}

function apply<T extends string | null>(text: T, change: (text: string) => string): T {
  return (text === null ? null : change(text)) as T;
}

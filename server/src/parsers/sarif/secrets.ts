/**
 * The secret in a SARIF result of a secret scanner: its value if the report holds it bare, else the line with the
 * secret masked. Nothing else of a result may pass the value on.
 */
import { field, type JsonRecord, recordAt, stringAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { maskLine, maskSecret, redact } from '../reading/redact.ts';
import { withoutSecrets } from '../reading/secrets.ts';
import { cleanText, readTimestamp, unixLines } from '../reading/text.ts';
import type { ReportFinding } from '../report.ts';
import { maskedMatch } from '../trivy/checks.ts';
import type { SarifLocation } from './locations.ts';
import { trivyMatch } from './trivy.ts';

interface SecretFacts {
  secret: NonNullable<ReportFinding['secret']>;
  verified: boolean;
  committedAt: string | null;
  /**
   * Removes the secret from a message of the same result. If the secret is unknown, it removes everything that may be
   * one.
   */
  scrub(message: string): string;
  /** True if a text of the same result holds the known secret. */
  isIn(text: string): boolean;
}

/** Scanners put the bare secret under these property names. */
const valueKeys = ['offender', 'secret', 'raw', 'match'] as const;
const maxLine = 1000;
const maxMessage = 8000;

export function secretFacts(
  result: JsonRecord,
  tool: string,
  location: SarifLocation,
  context: ParseContext,
): SecretFacts {
  const properties = recordAt(result, 'properties');
  const partial = recordAt(result, 'partialFingerprints');
  const given = valueKeys.map((key) => stringAt(properties, key)).find((text) => text !== null) ?? null;
  const value = bareSecret(given) ?? bareSecret(location.code);
  const written = stringAt(recordAt(result, 'message'), 'text') ?? '';
  const match = value === null && tool === 'trivy' ? trivyMatch(written.slice(0, maxMessage)) : null;
  const line = location.context ?? (location.code === value ? null : location.code);
  return {
    secret: {
      value,
      maskedLine: match === null ? maskedLine(line, value, context) : maskedMatch(match, context),
    },
    verified: field(properties, 'verified') === true,
    committedAt: readTimestamp(stringAt(properties, 'date') ?? stringAt(partial, 'date')),
    scrub: (message) => {
      if (value !== null) return maskSecret(message, value);
      // A text that is no plain word may be a secret, so none of it is kept where it is quoted.
      const unquoted = withoutSecrets(
        message.slice(0, maxMessage),
        [given, location.code].filter((text) => text !== null),
      );
      return maskLine(unquoted) ?? unquoted;
    },
    isIn: (text) => value !== null && maskSecret(text, value) !== text,
  };
}

/** Returns the text if it is only a secret: one word, or a key block. Gives null for lines, masks and placeholders. */
function bareSecret(text: string | null): string | null {
  const bare = unixLines(text?.trim() ?? '');
  if (bare.length < 6 || bare.length > 65_536) return null;
  if (/^-{2,5}BEGIN /.test(bare) && /-{2,5}END [^\n]{1,80}$/.test(bare)) return bare;
  const isMasked = /\*{3}|\.{3}|…|redacted|x{6}/i.test(bare);
  const isLine = /[\s"'`,;(){}<>]|[^=]=[^=]|^[A-Za-z_][\w.-]{0,40}:./.test(bare);
  return isMasked || isLine ? null : bare;
}

function maskedLine(line: string | null, value: string | null, context: ParseContext): string | null {
  if (line === null) return null;
  const text = cleanText(line.slice(0, maxLine), context);
  if (value === null) return maskLine(text);
  const masked = maskSecret(text, value);
  return masked === text ? maskLine(text) : redact(masked);
}

/**
 * The removal of secrets from text that is stored or shown. It must be linear in the length of any text, so no pattern
 * may start inside a run that it has already searched. It must never be the only protection of a known secret:
 * `maskSecret` is for that.
 */

const redacted = '[redacted]';

// All shapes are found in one pass over the text. Each look-behind names the characters of its own token, so that a run
// is tried only from its start. The counts are the tokens' documented lengths, or a little less.
const token = new RegExp(
  [
    '(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])', // AWS key id
    '(?<![A-Za-z0-9_])(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,})',
    '(?<![A-Za-z0-9_-])glpat-[A-Za-z0-9_-]{20,}',
    '(?<![A-Za-z0-9-])xox[abeoprs]-[A-Za-z0-9-]{10,}', // Slack
    '(?<=hooks\\.slack\\.com/services/)[A-Za-z0-9/]{20,80}',
    '(?<![A-Za-z0-9_-])AIza[A-Za-z0-9_-]{35}', // Google
    '(?<![A-Za-z0-9_])[rs]k_live_[A-Za-z0-9]{16,}', // Stripe
    '(?<![A-Za-z0-9_])npm_[A-Za-z0-9]{30,}',
    '(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{8,}(?:\\.[A-Za-z0-9_-]*)?', // JWT
    '(?<=[a-z]://[^\\s/:@]{0,64}:)[^\\s/:@"\']{3,128}(?=@)', // the password of a URL
  ].join('|'),
  'g',
);

// Matches `password = "…"` and similar: the name, then at most a few signs, then a quoted value on one line.
const assignment =
  /(pass(?:word|wd|phrase)?|pwd|secret|token|api[_-]?key|(?:access|private|secret|account|auth)[_-]?key|credential)(s?["']?[ \t]{0,8}(?::=|=>|[:=])[ \t]{0,8})(["'`])([^"'`\n]{4,256})\3/gi;

// Every shape above contains one of these. Most texts hold none, and this check is several times faster.
const tokenMark =
  /(?:AKIA|ASIA|ABIA|ACCA|gh[pousr]_|github_pat_|glpat-|xox[a-z]-|hooks\.slack|AIza|k_live_|npm_|eyJ)|@/;
const assignmentMark = /pass|pwd|secret|token|key|credential/i;

const keyHeader = /-{2,5}BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-{2,5}/g;
const keyFooter = 'PRIVATE KEY';
const looksEncoded = /[A-Za-z0-9+/=]{32}/;

/** Replaces everything that looks like a secret. A text without any comes back unchanged. */
export function redact(text: string): string {
  const keyless = text.includes('PRIVATE KEY') ? redactKeys(text) : text;
  const tokenless = tokenMark.test(keyless) ? keyless.replace(token, redacted) : keyless;
  if (!assignmentMark.test(tokenless)) return tokenless;
  return tokenless.replace(assignment, (_all, name: string, between: string, quote: string) => {
    return `${name}${between}${quote}${redacted}${quote}`;
  });
}

/**
 * Removes each key from its header to its footer, or to the text's end if there is no footer. A header without key data
 * after it stays.
 */
function redactKeys(text: string): string {
  let out = '';
  let position = 0;
  keyHeader.lastIndex = 0;
  for (let found = keyHeader.exec(text); found !== null; found = keyHeader.exec(text)) {
    const body = found.index + found[0].length;
    if (!looksEncoded.test(text.slice(body, body + 256))) continue;
    const footer = text.indexOf(keyFooter, body);
    const end = footer === -1 ? text.length : footer + keyFooter.length;
    out += text.slice(position, found.index) + redacted;
    position = end;
    keyHeader.lastIndex = end;
  }
  return out + text.slice(position);
}

export const mask = '****';

/** Removes every occurrence of the secret from the text. A secret of several lines is also removed line by line. */
export function maskSecret(text: string, secret: string): string {
  // The secret has the line ends of Unix (`unixLines`), and the text may have those of Windows.
  let masked = text.replaceAll(secret, mask).replaceAll(secret.replaceAll('\n', '\r\n'), mask);
  for (const line of secret.split(/\r?\n/)) {
    if (line.trim().length >= 8) masked = masked.replaceAll(line.trim(), mask);
  }
  return masked;
}

// A quote may hold the other kinds of quotes. A short quoted text is matched too, so that its closing quote does not
// open the next one.
const quotedInCode = /"[^"\n]*"|'[^'\n]*'|`[^`\n]*`/g;
// An apostrophe after three letters stands in a word, such as "don't".
const quotedInText = /"[^"\n]*"|(?<![A-Za-z]{3})'[^'\n]*'|`[^`\n]*`/g;
// Code may have comments with apostrophes. What either pattern matches is masked.
const quoted = [quotedInCode, quotedInText];
/** The length of a quoted text of three characters with its quotes. */
const minQuoted = 5;
const assigned = /([=:][ \t]{0,4})([^\s"'`=:]{4,})/g;
const elementText = /(?<=>)(?=\s*[^\s<>])[^<>]{3,}(?=<\/)/g;
const restOfLine = /(?<![\w.-])([A-Za-z_][\w.-]*:[ \t]+)(?![ \t"'`])([^\r\n]{3,})/g;

/** Masks the quoted texts of a message. */
export function maskQuoted(text: string): string {
  return replaceQuoted(dropEscapedQuotes(text), quotedInText, mask);
}

/** Removes escaped quotes, because they do not end a quoted text. */
function dropEscapedQuotes(text: string): string {
  return text.replace(/\\([\\"'`])/g, (all, sign: string) => (sign === '\\' ? all : ''));
}

function replaceQuoted(text: string, pattern: RegExp, replacement: string): string {
  return text.replace(pattern, (all) =>
    all.length < minQuoted ? all : `${all.charAt(0)}${replacement}${all.charAt(0)}`,
  );
}

/** Returns the values that `maskCode` masks for their position. */
export function valuesIn(code: string): string[] {
  const text = dropEscapedQuotes(code);
  const texts = quoted.flatMap((pattern) => text.match(pattern) ?? []);
  return [
    ...texts.filter((all) => all.length >= minQuoted).map((all) => all.slice(1, -1)),
    ...(text.match(elementText) ?? []),
    ...[assigned, restOfLine].flatMap((pattern) =>
      Array.from(text.matchAll(pattern), ([, , value = '']) => value),
    ),
  ];
}

// Few words have a digit, or a capital letter inside.
const looksRandom = /[0-9]|[a-z][A-Z]/;

/**
 * Masks a line that holds a secret at an unknown position: quoted texts, values after `=` and `:`, and long runs that
 * are no plain words. Gives null if nothing was masked, because the secret may then be anything.
 */
export function maskLine(line: string): string | null {
  const masked = replaceValues(withoutKnownTokens(line)).replaceAll(placeholder, mask);
  return masked.includes('**') ? masked : null;
}

/**
 * Masks code as a line, and the texts of XML and the rest of a line of YAML as well. Stars that the code itself has,
 * such as those of a comment, count as no mask.
 */
export function maskCode(code: string): string | null {
  const text = withoutKnownTokens(code)
    .replace(elementText, placeholder)
    .replace(restOfLine, `$1${placeholder}`);
  const replaced = replaceValues(text);
  return replaced.includes(placeholder) ? replaced.replaceAll(placeholder, mask) : null;
}

// Stands for each mask until all are set.
const placeholder = '\0';

function withoutKnownTokens(text: string): string {
  return redact(dropEscapedQuotes(text.replaceAll(placeholder, ''))).replaceAll(redacted, placeholder);
}

function replaceValues(text: string): string {
  return quoted
    .reduce((replaced, pattern) => replaceQuoted(replaced, pattern, placeholder), text)
    .replace(assigned, `$1${placeholder}`)
    .replace(/(?<![A-Za-z0-9+/=_.-])[A-Za-z0-9+/=_.-]{8,}/g, (run) =>
      looksRandom.test(run) ? placeholder : run,
    );
}

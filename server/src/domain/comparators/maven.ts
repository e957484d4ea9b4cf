/** The order of Maven's versions, by the version order specification of the POM reference. */
import { compareDigits, compareParts, compareText, isDigits } from './digits.ts';

interface Token {
  separator: '.' | '-';
  text: string;
}

export function compareMaven(a: string, b: string): number {
  return compareParts(tokensOf(a), tokensOf(b), (x, y) => compareToken(x ?? nullFor(y), y ?? nullFor(x)));
}

const aliases: Readonly<Record<string, string>> = { cr: 'rc', ga: '', final: '', release: '' };
const abbreviations: Readonly<Record<string, string>> = { a: 'alpha', b: 'beta', m: 'milestone' };

function tokensOf(version: string): Token[] {
  const tokens: Token[] = [];
  let separator: Token['separator'] = '.';
  for (const part of version.toLowerCase().split(/(?=[.-])/)) {
    if (/^[.-]/.test(part)) separator = part.startsWith('-') ? '-' : '.';
    // A change between digits and letters separates as a hyphen does. An empty part stands for 0.
    const pieces = part.replace(/^[.-]/, '').match(/[0-9]+|[^0-9]+/g) ?? ['0'];
    for (const [index, piece] of pieces.entries()) {
      const isAbbreviation = isDigits(pieces[index + 1] ?? '');
      const text = (isAbbreviation ? abbreviations[piece] : undefined) ?? aliases[piece] ?? piece;
      tokens.push({ separator: index === 0 ? separator : '-', text });
    }
  }
  return withoutNulls(tokens);
}

// Null values at the end and before each hyphen mean nothing, so they are dropped: 1.0.0-foo is 1-foo.
function withoutNulls(tokens: Token[]): Token[] {
  const kept: Token[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.separator === '-') dropTrailingNulls(kept);
    kept.push(token);
    if (index === tokens.length - 1) dropTrailingNulls(kept);
  }
  return kept;
}

// The first token stays, so that the version still begins with a number.
function dropTrailingNulls(tokens: Token[]): void {
  while (tokens.length > 1 && isNull(tokens.at(-1)?.text ?? '')) tokens.pop();
}

function isNull(text: string): boolean {
  return /^0*$/.test(text);
}

function nullFor(other: Token | undefined): Token {
  return { separator: other?.separator ?? '.', text: isDigits(other?.text ?? '') ? '0' : '' };
}

function compareToken(a: Token, b: Token): number {
  const order = rankOf(a) - rankOf(b);
  if (order !== 0) return order;
  return isDigits(a.text) ? compareDigits(a.text, b.text) : compareQualifier(a.text, b.text);
}

// A qualifier comes before a number after a hyphen, which comes before a number after a dot.
function rankOf(token: Token): number {
  if (!isDigits(token.text)) return 0;
  return token.separator === '-' ? 1 : 2;
}

const qualifiers = ['alpha', 'beta', 'milestone', 'rc', 'snapshot', '', 'sp'];

function compareQualifier(a: string, b: string): number {
  const rank = (text: string): number => {
    const index = qualifiers.indexOf(text);
    return index < 0 ? qualifiers.length : index;
  };
  return rank(a) - rank(b) || compareText(a, b);
}

/** The order of versions of Debian and its descendants, as in deb-version(7). */
import { compareDigits } from './digits.ts';

export function compareDebian(a: string, b: string): number {
  const left = parseDebian(a);
  const right = parseDebian(b);
  return (
    compareDigits(left.epoch, right.epoch) ||
    comparePart(left.upstream, right.upstream) ||
    comparePart(left.revision, right.revision)
  );
}

function parseDebian(version: string): { epoch: string; upstream: string; revision: string } {
  const [, epoch = '0', rest = ''] = /^(?:([0-9]+):)?(.*)$/s.exec(version.trim()) ?? [];
  const dash = rest.lastIndexOf('-');
  return dash < 0
    ? { epoch, upstream: rest, revision: '' }
    : { epoch, upstream: rest.slice(0, dash), revision: rest.slice(dash + 1) };
}

// Texts and numbers alternate; the first is a text, which may be empty.
function comparePart(a: string, b: string): number {
  const left = a.match(/[0-9]+|[^0-9]+/g) ?? [];
  const right = b.match(/[0-9]+|[^0-9]+/g) ?? [];
  for (let i = 0, j = 0; i < left.length || j < right.length; ) {
    const leftText = /^[^0-9]/.test(left[i] ?? '') ? (left[i++] ?? '') : '';
    const rightText = /^[^0-9]/.test(right[j] ?? '') ? (right[j++] ?? '') : '';
    const order = compareNonDigits(leftText, rightText) || compareDigits(left[i] ?? '', right[j] ?? '');
    if (order !== 0) return order;
    i++;
    j++;
  }
  return 0;
}

function compareNonDigits(a: string, b: string): number {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const order = rankOf(a[index]) - rankOf(b[index]);
    if (order !== 0) return order;
  }
  return 0;
}

// A tilde comes before the end of the text, letters before all other characters.
function rankOf(character: string | undefined): number {
  if (character === undefined) return 0;
  if (character === '~') return -1;
  const code = character.charCodeAt(0);
  return /[A-Za-z]/.test(character) ? code : code + 0x10000;
}

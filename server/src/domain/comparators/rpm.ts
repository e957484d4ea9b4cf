/** The order of versions of RPM packages: epoch, version and release, each compared as rpmvercmp does. */
import { compareDigits, compareParts, compareText, isDigits } from './digits.ts';

export function compareRpm(a: string, b: string): number {
  const left = parseRpm(a);
  const right = parseRpm(b);
  return (
    compareSegments(left.epoch, right.epoch) ||
    compareSegments(left.version, right.version) ||
    compareReleases(left.release, right.release)
  );
}

function parseRpm(text: string): { epoch: string; version: string; release: string | null } {
  const colon = text.indexOf(':');
  const epoch = colon < 0 ? '0' : text.slice(0, colon);
  const rest = text.slice(colon + 1);
  const dash = rest.lastIndexOf('-');
  return dash < 0
    ? { epoch, version: rest, release: null }
    : { epoch, version: rest.slice(0, dash), release: rest.slice(dash + 1) };
}

// A version without a release comes before the same version with one.
function compareReleases(a: string | null, b: string | null): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  return compareSegments(a, b);
}

// Segments consist of ASCII letters, digits, tildes or carets; all other characters only separate them.
function compareSegments(a: string, b: string): number {
  const segmentsOf = (text: string): string[] => text.match(/[0-9]+|[A-Za-z]+|[~^]/g) ?? [];
  return compareParts(segmentsOf(a), segmentsOf(b), compareSegment);
}

function compareSegment(a: string | undefined, b: string | undefined): number {
  const order = rankOf(a) - rankOf(b);
  if (order !== 0 || a === undefined || b === undefined) return order;
  return isDigits(a) ? compareDigits(a, b) : compareText(a, b);
}

// A tilde comes before the end (1.0~rc1 < 1.0), a caret right after it (1.0 < 1.0^git1 < 1.0.1).
function rankOf(segment: string | undefined): number {
  if (segment === '~') return 0;
  if (segment === undefined) return 1;
  if (segment === '^') return 2;
  return isDigits(segment) ? 4 : 3;
}

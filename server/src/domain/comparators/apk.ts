/**
 * Orders versions of Alpine's packages by a walk over their tokens, as apk-tools 2 does. It also orders texts that are
 * no version of Alpine, but not always as apk-tools does.
 */

// The kinds of tokens, in the order in which they may follow each other. Invalid tokens come last, so that 1-beta,
// which apk rejects, comes before 1.
const kinds = {
  digitOrZero: 0,
  digit: 1,
  letter: 2,
  suffix: 3,
  suffixNumber: 4,
  revision: 5,
  end: 6,
  invalid: 7,
};

const preSuffixes = ['alpha', 'beta', 'pre', 'rc'];
const postSuffixes = ['cvs', 'svn', 'git', 'hg', 'p'];

export function compareApk(a: string, b: string): number {
  const left = new ApkReader(a);
  const right = new ApkReader(b);
  let x = 0n;
  let y = 0n;
  while (left.kind === right.kind && left.kind !== kinds.end && left.kind !== kinds.invalid && x === y) {
    x = left.next();
    y = right.next();
  }
  if (x !== y) return x < y ? -1 : 1;
  const [leftKind, rightKind] = [left.kind, right.kind];
  if (leftKind === rightKind) return 0;
  // The longer version is newer, unless the rest begins with a pre-release suffix.
  if (leftKind === kinds.suffix && left.next() < 0n) return -1;
  if (rightKind === kinds.suffix && right.next() < 0n) return 1;
  return rightKind - leftKind;
}

class ApkReader {
  /** The kind of the next token. */
  kind = kinds.digit;
  #rest: string;

  constructor(version: string) {
    this.#rest = version;
  }

  /** Returns the value of the next token and moves on to the one after it. */
  next(): bigint {
    if (this.#rest === '') {
      this.kind = kinds.end;
      return 0n;
    }
    const zeros = this.kind === kinds.digitOrZero ? (/^0+/.exec(this.#rest)?.[0].length ?? 0) : 0;
    if (zeros > 0) {
      // Zeros count as after a decimal point: 1.01 comes before 1.1.
      this.#skip(zeros);
      this.kind = this.#rest === '' ? kinds.end : kinds.digit;
      return BigInt(-zeros);
    }
    const token = this.#token();
    if (token === null) {
      this.kind = kinds.invalid;
      return -1n;
    }
    this.#skip(token.length);
    if (this.#rest === '') this.kind = kinds.end;
    else this.#enter();
    return token.value;
  }

  #skip(length: number): void {
    this.#rest = this.#rest.slice(length);
  }

  #token(): { length: number; value: bigint } | null {
    switch (this.kind) {
      case kinds.digitOrZero:
      case kinds.digit:
      case kinds.suffixNumber:
      case kinds.revision: {
        const digits = /^[0-9]*/.exec(this.#rest)?.[0] ?? '';
        return { length: digits.length, value: BigInt(digits) };
      }
      case kinds.letter:
        return { length: 1, value: BigInt(this.#rest.charCodeAt(0)) };
      case kinds.suffix: {
        const pre = preSuffixes.findIndex((suffix) => this.#rest.startsWith(suffix));
        if (pre >= 0)
          return { length: preSuffixes[pre]?.length ?? 0, value: BigInt(pre - preSuffixes.length) };
        const post = postSuffixes.findIndex((suffix) => this.#rest.startsWith(suffix));
        return post < 0 ? null : { length: postSuffixes[post]?.length ?? 0, value: BigInt(post) };
      }
      default:
        return null;
    }
  }

  // Takes the separator of the next token and says what that token is.
  #enter(): void {
    const before = this.kind;
    const [first = ''] = this.#rest;
    if ((before === kinds.digit || before === kinds.digitOrZero) && /[a-z]/.test(first)) {
      this.kind = kinds.letter;
      return;
    }
    if (/[0-9]/.test(first) && (before === kinds.letter || before === kinds.suffix)) {
      this.kind = before === kinds.letter ? kinds.digit : kinds.suffixNumber;
      return;
    }
    const isRevision = /^-r(?![a-z])/.test(this.#rest);
    this.#skip(isRevision ? 2 : 1);
    const kind =
      first === '.'
        ? kinds.digitOrZero
        : first === '_'
          ? kinds.suffix
          : isRevision
            ? kinds.revision
            : kinds.invalid;
    const mayGoBack =
      (kind === kinds.digitOrZero && before === kinds.digit) ||
      (kind === kinds.suffix && before === kinds.suffixNumber);
    this.kind = kind < before && !mayGoBack ? kinds.invalid : kind;
  }
}

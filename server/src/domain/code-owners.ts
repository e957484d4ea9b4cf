/**
 * CODEOWNERS files of GitHub and GitLab: who owns which paths of a repository. The file and the paths come from
 * outside, so patterns are compared without regular expressions, whose time can grow beyond all bounds, and within a
 * budget. Sources: docs.github.com "About code owners"; docs.gitlab.com "Code Owners syntax and error handling".
 */
import { parseEmail } from './email.ts';
import { isPlainName } from './plain-name.ts';

/**
 * The forges differ in what a pattern with a slash inside means. Only GitLab has sections, exclusions and default
 * owners.
 */
export const codeOwnersSyntaxes = ['github', 'gitlab'] as const;
export type CodeOwnersSyntax = (typeof codeOwnersSyntaxes)[number];

export interface OwnerRule {
  /** Number of its line, from 1. */
  line: number;
  pattern: string;
  /** In lower case, in the order of the file. It is empty if the file says that nobody owns the paths. */
  owners: string[];
}

export interface CodeOwnersProblem {
  line: number;
  text: string;
}

// GitHub reads files of up to 3 MB, but the largest that people maintain by hand have some ten thousand characters.
export const maxCodeOwnersBytes = 256 * 1024;
const maxRules = 2_000;
// A file name has at most 255 bytes on common file systems.
const maxPatternLength = 255;
const maxOwnersOfRule = 50;
const maxProblems = 50;
// They take about a second. A file with a hundred rules needs as many for some thirty thousand paths.
const stepsAllowed = 20_000_000;
/** An import runs in a worker, and nobody assigns later what it leaves out, so it may take ten times as long. */
export const stepsOfImport = 10 * stepsAllowed;
// All 2,000 rules need a fifth of it for a path of ten directories. A path that needs more has no owner.
const stepsOfPath = 500_000;
const maxRemembered = 10_000;

const wildcard = /[*?]/;
const fitsLetter = (one: string, letter: string): boolean => one === '?' || one === letter;
type Segment = string | typeof anyDepth;
const anyDepth = Symbol('any number of directories');

interface Rule extends OwnerRule {
  segments: Segment[];
  /** The first name that a path must have; null if the pattern does not name one. */
  root: string | null;
  excludes: boolean;
}

/** A parsed file. The last rule that matches a path counts, in each section. */
export class CodeOwners {
  readonly problems: CodeOwnersProblem[] = [];
  readonly #sections: Rule[][];
  /** The first names of paths that rules name. */
  readonly #roots = new Set<string>();
  /** First name of a path → the sections with the rules that may match it. All names that no rule names are one. */
  readonly #ofRoots = new Map<string | null, Rule[][]>();
  readonly #remembered = new Map<string, OwnerRule[]>();
  readonly #maxSteps: number;
  #steps = 0;
  /** The steps at which the comparison of the present path ends. */
  #lastStep = 0;

  /** Never throws: what cannot be read is in `problems`. */
  constructor(text: string, syntax: CodeOwnersSyntax, maxSteps = stepsAllowed) {
    this.#maxSteps = maxSteps;
    this.#sections = this.#parse(text, syntax);
  }

  /** All owners that rules name, in lower case, each once. */
  get owners(): string[] {
    return [...new Set(this.#sections.flat().flatMap((rule) => rule.owners))];
  }

  get rules(): OwnerRule[] {
    return this.#sections.flat().toSorted((a, b) => a.line - b.line);
  }

  /** True if the budget is used up, also by the last path: the answers for it and for further paths say nothing. */
  get isExhausted(): boolean {
    return this.#steps > this.#maxSteps;
  }

  /**
   * The rules that say who owns the path, one of each section. A path that nobody owns has none. It is empty too when
   * the budget for the comparisons of the path, or of this object, is used up.
   */
  rulesOf(path: string): OwnerRule[] {
    const known = this.#remembered.get(path);
    if (known) return known;
    if (this.#remembered.size >= maxRemembered) this.#remembered.clear();
    const parts = path.split('/').filter((part) => part !== '');
    this.#lastStep = Math.min(this.#maxSteps, this.#steps + stepsOfPath);
    const found = this.#sectionsOf(parts[0] ?? '').flatMap((rules): OwnerRule[] => {
      // GitLab: what a section excludes has no owner there, wherever the exclusion stands.
      if (rules.some((rule) => rule.excludes && this.#matches(rule, parts))) return [];
      const rule = rules.findLast((one) => !one.excludes && this.#matches(one, parts));
      return rule === undefined || rule.owners.length === 0 ? [] : [rule];
    });
    // A comparison that was cut off says nothing.
    const owned = this.#steps > this.#lastStep ? [] : found;
    this.#remembered.set(path, owned);
    return owned;
  }

  /** Without this index, each path would be compared with all rules, which costs more than the steps. */
  #sectionsOf(name: string): Rule[][] {
    const root = this.#roots.has(name) ? name : null;
    const known = this.#ofRoots.get(root);
    if (known !== undefined) return known;
    const sections = this.#sections
      .map((rules) => rules.filter((rule) => rule.root === null || rule.root === root))
      .filter((rules) => rules.length > 0);
    this.#ofRoots.set(root, sections);
    return sections;
  }

  #parse(text: string, syntax: CodeOwnersSyntax): Rule[][] {
    const sections = new Map<string, Rule[]>();
    let section: Rule[] = [];
    sections.set('', section);
    let defaults: string[] = [];
    let count = 0;
    for (const [index, raw] of text.split(/\r?\n/).entries()) {
      const line = index + 1;
      const written = raw.trim();
      if (written === '' || written.startsWith('#')) continue;
      const header = syntax === 'gitlab' ? sectionHeader(written) : null;
      if (header !== null) {
        const name = header.name.toLowerCase();
        section = sections.get(name) ?? [];
        sections.set(name, section);
        defaults = this.#ownersIn(header.owners, line);
        continue;
      }
      if (++count > maxRules) {
        this.#problem(line, `The file has more than ${maxRules} rules; the others are left out.`);
        break;
      }
      const rule = this.#ruleOf(written, line, syntax, defaults);
      if (rule !== null) section.push(rule);
    }
    return [...sections.values()].filter((rules) => rules.length > 0);
  }

  #ruleOf(written: string, line: number, syntax: CodeOwnersSyntax, defaults: string[]): Rule | null {
    const [first = '', ...rest] = words(written);
    const excludes = syntax === 'gitlab' && first.startsWith('!');
    // The paths of findings are in NFC.
    const pattern = (excludes ? first.slice(1) : first).normalize('NFC');
    const segments = segmentsOf(pattern, syntax);
    if (segments === null || !isPlainName(pattern)) {
      this.#problem(line, 'The pattern is not supported, so the line is left out.');
      return null;
    }
    const owners = this.#ownersIn(rest, line);
    const named = rest.length === 0 || rest[0]?.startsWith('#') ? defaults : owners;
    const [start] = segments;
    const root = typeof start === 'string' && !wildcard.test(start) ? start : null;
    if (root !== null) this.#roots.add(root);
    return { line, pattern, owners: named, segments, root, excludes };
  }

  #ownersIn(texts: string[], line: number): string[] {
    const comment = texts.findIndex((text) => text.startsWith('#'));
    const written = comment < 0 ? texts : texts.slice(0, comment);
    const owners = new Set<string>();
    for (const text of written) {
      const owner = ownerOf(text);
      if (owner === null) this.#problem(line, `${text.slice(0, maxPatternLength)} is no owner.`);
      else if (owners.size < maxOwnersOfRule) owners.add(owner);
    }
    return [...owners];
  }

  #problem(line: number, text: string): void {
    if (this.problems.length < maxProblems) this.problems.push({ line, text });
  }

  #matches({ segments }: Rule, parts: string[]): boolean {
    if (this.#steps > this.#lastStep) return false;
    return this.#glob(segments, parts, anyDepth, this.#fits);
  }

  readonly #fits = (segment: Segment, part: string): boolean => {
    if (segment === part) return true;
    if (typeof segment !== 'string' || !wildcard.test(segment)) return false;
    return this.#glob(segment, part, '*', fitsLetter);
  };

  /** Compares item by item. `any` stands for any number of items. At most pattern × text steps. */
  #glob<P, T>(
    pattern: ArrayLike<P>,
    text: ArrayLike<T>,
    any: P,
    fits: (one: P, item: T) => boolean,
  ): boolean {
    let at = 0;
    let star = -1;
    let next = 0;
    for (let i = 0; i < text.length; ) {
      if (this.#steps++ > this.#lastStep) return false;
      const one = pattern[at];
      if (at < pattern.length && one === any) {
        star = at++;
        next = i;
      } else if (at < pattern.length && fits(one as P, text[i] as T)) {
        at++;
        i++;
      } else if (star >= 0) {
        at = star + 1;
        i = ++next;
      } else {
        return false;
      }
    }
    while (at < pattern.length && pattern[at] === any) at++;
    return at === pattern.length;
  }
}

/** `[Name][2] @owner`, optional with `^` before it. Null for any other line. */
function sectionHeader(line: string): { name: string; owners: string[] } | null {
  const [, name, rest = ''] = /^\^?\[([^\]]{1,255})\](?:\[\d{1,4}\])?(?:\s+(.*))?$/.exec(line) ?? [];
  return name === undefined ? null : { name: name.trim(), owners: words(rest) };
}

/**
 * The words of a line. `\` before a blank makes the blank part of a word, and before `#` a `#` that begins no comment.
 */
function words(line: string): string[] {
  return Array.from(line.matchAll(/(?:\\[ \t]|[^ \t])+/g), ([word]) => word.replaceAll(/\\([ \t])/g, '$1'));
}

/** Returns the owner in the form in which names are compared; null for a text that names nobody. */
function ownerOf(text: string): string | null {
  const folded = text.toLowerCase();
  if (text.length > maxPatternLength || !isPlainName(text)) return null;
  // The address is parsed as written, because some letters become other ones in lower case (`parseEmail`).
  return folded.startsWith('@') && folded.length > 1 ? folded : (parseEmail(text) ?? null);
}

/**
 * The parts of a pattern between its slashes, from the root. Null for a pattern that is not supported: those that
 * GitHub leaves out, and for GitLab sets of letters and `\` before other letters than a blank or `#`.
 *
 * Without a slash a pattern matches at any depth. With one inside, it begins at the root for GitHub, as in .gitignore,
 * and at any depth for GitLab. GitHub: a pattern that matches a directory matches all in it, except `docs/*` and `/*`.
 * GitLab compares with Ruby's `File.fnmatch`: only a pattern that ends with a slash matches all in a directory, and
 * `**` without a slash after it is `*`.
 */
function segmentsOf(pattern: string, syntax: CodeOwnersSyntax): Segment[] | null {
  const plain = pattern.replace(/^\\#/, '#');
  if (plain === '' || plain === '/' || plain.length > maxPatternLength) return null;
  if (plain.startsWith('!') || /[[\]\\]/.test(plain)) return null;
  const isDirectory = plain.endsWith('/');
  const inner = plain.replace(/^\//, '').replace(/\/$/, '');
  const isAnchored = plain.startsWith('/') || (syntax === 'github' && inner.includes('/'));
  const parts = inner.split('/').filter((part) => part !== '');
  const isGitLabFile = syntax === 'gitlab' && !isDirectory;
  const segments = parts.map(
    (part, at): Segment => (part === '**' && !(isGitLabFile && at === parts.length - 1) ? anyDepth : part),
  );
  if (!isAnchored) segments.unshift(anyDepth);
  if (isDirectory || segments.at(-1) === anyDepth) return [...segments, '*', anyDepth];
  const endsHere = isGitLabFile || (plain.includes('/') && parts.at(-1) === '*');
  return endsHere ? segments : [...segments, anyDepth];
}

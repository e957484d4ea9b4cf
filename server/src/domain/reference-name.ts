/**
 * Names of references. The database stores the full name, which is unambiguous (`refs/heads/main`); people write and
 * read the short one (`main`). A pull request always has its full name, `refs/pull/7/head`.
 */

import { invalidInput } from './errors.ts';
import {
  countCharacters,
  hasUnseenCharacter,
  isPlainName,
  maxNameLength,
  plainNameRule,
  seenNameRule,
} from './plain-name.ts';
import type { Sentence } from './sentence.ts';

export const referenceTypes = ['branch', 'tag', 'pull_request'] as const;
export type ReferenceType = (typeof referenceTypes)[number];

export interface ReferenceName {
  fullRef: string;
  type: ReferenceType;
}

const branchPrefix = 'refs/heads/';
const tagPrefix = 'refs/tags/';
const pullRequest = /^refs\/(pull|merge-requests|pull-requests)\/([0-9]+)\/(?:head|merge|from)$/;

/**
 * Parses the reference that a report or a person names; `type` is the type of a short name. A pull request may be given
 * by its number. Throws DomainError on `field` for a name that git does not allow, for `HEAD`, and for any other kind
 * of reference, such as `refs/remotes/origin/main`.
 */
export function parseReference(text: string, type: ReferenceType = 'branch', field = 'ref'): ReferenceName {
  const name = text.trim();
  const invalid = (message: Sentence) => invalidInput(message, field);
  if (/^head$/i.test(name)) {
    throw invalid(`The name ${name} means whatever is checked out. Give the name of the branch or tag.`);
  }
  if (name.startsWith(branchPrefix)) return checked(name, 'branch', field);
  if (name.startsWith(tagPrefix)) return checked(name, 'tag', field);
  const pull = pullRequest.exec(name);
  if (pull) return { fullRef: `refs/${pull[1]}/${pull[2]}/head`, type: 'pull_request' };
  if (name.startsWith('refs/')) {
    throw invalid(
      `Must be a branch, tag or pull request (refs/heads/…, refs/tags/… or refs/pull/N/head), not "${name}".`,
    );
  }
  if (type === 'pull_request') {
    const number = /^#?([0-9]+)$/.exec(name)?.[1];
    if (number === undefined) {
      throw invalid(`Must be the number of a pull request, or refs/pull/N/head, not "${text}".`);
    }
    return { fullRef: `refs/pull/${number}/head`, type };
  }
  return checked((type === 'tag' ? tagPrefix : branchPrefix) + name, type, field);
}

/** Does the same as `parseReference`, but also throws DomainError for a tag or a pull request. */
export function parseBranch(text: string, field = 'ref'): ReferenceName {
  const name = parseReference(text, 'branch', field);
  if (name.type !== 'branch') {
    throw invalidInput(`Must be a branch, not "${text.trim()}".`, field);
  }
  return name;
}

/** Full names that the text of a filter may mean, the most likely one first. */
export function referenceCandidates(text: string): string[] {
  if (text.startsWith('refs/')) {
    const pull = pullRequest.exec(text);
    return [pull ? `refs/${pull[1]}/${pull[2]}/head` : text];
  }
  return [branchPrefix + text, tagPrefix + text, `refs/${text}`];
}

export function shortRef(fullRef: string): string {
  if (fullRef.startsWith(branchPrefix)) return fullRef.slice(branchPrefix.length);
  if (fullRef.startsWith(tagPrefix)) return fullRef.slice(tagPrefix.length);
  return fullRef;
}

// The rules of git-check-ref-format that matter here: no empty part, no control or glob characters, no "..".
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused here
const forbidden = /[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\/\/|\/$|\.$|\.lock$/;

function checked(fullRef: string, type: ReferenceType, field: string): ReferenceName {
  const short = shortRef(fullRef);
  const invalid = (message: Sentence) => invalidInput(message, field);
  if (countCharacters(fullRef) > maxNameLength) {
    throw invalid(
      `Must not be longer than ${maxNameLength} characters, counted with ${fullRef.slice(0, -short.length)} before it.`,
    );
  }
  // Git allows them, but the name would look like another one wherever it is read.
  if (!isPlainName(short)) throw invalid(plainNameRule);
  if (hasUnseenCharacter(short)) throw invalid(seenNameRule);
  if (short.startsWith('refs/')) {
    throw invalid(`Must be a name without refs/ after ${fullRef.slice(0, -short.length)}, not "${fullRef}".`);
  }
  if (
    short === '' ||
    short.startsWith('/') ||
    short.startsWith('-') ||
    short === 'HEAD' ||
    forbidden.test(short)
  ) {
    throw invalid(`Must be a name that git allows for a ${type}, not "${short}".`);
  }
  return { fullRef, type };
}

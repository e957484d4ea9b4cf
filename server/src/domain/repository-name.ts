/** The form of the full name of a repository. */
import { hasUnseenCharacter } from './plain-name.ts';

/** True for `org/name`, and for names with nested groups. */
export function isRepositoryName(text: string): boolean {
  return /^[^/\s]+(?:\/[^/\s]+)+$/.test(text) && !hasUnseenCharacter(text);
}

/**
 * Leaves out what differs from run to run: times, commits, random ids, and the number of a run as the last part. A
 * category with them would begin a new series with each scan, and nothing would ever be closed. Other numbers stay,
 * because two series that become one would close each other's findings.
 */
export function stableCategory(category: string): string {
  return category
    .slice(0, maxLength)
    .replace(runNumber, '')
    .split('/')
    .map((part) => part.replace(varying, '').replace(/^[\s_.:@#-]+|[\s_.:@#-]+$/g, ''))
    .filter((part) => part !== '')
    .join('/');
}

/** Says whether the text has something that differs from run to run. */
export function hasVaryingPart(text: string): boolean {
  return runNumber.test(text) || text.search(varying) !== -1;
}

/** As long as a name may be, because the work grows with the square of the length. */
const maxLength = 500;

// `build 17`, `#48213`, or a time in seconds or milliseconds.
const runNumber =
  /(?:^|\/)(?:(?:run|build|job|pipeline|attempt)[ _#-]{0,2}[0-9]+|#[0-9]+|[0-9]{10}|[0-9]{13})\/?$/i;

// Each stands between the ends of a part or signs. A version such as 3.12 stays, because it may tell two runs apart.
const varying = new RegExp(
  `(?<![A-Za-z0-9])(?:${[
    '[0-9]{4}-[0-9]{2}-[0-9]{2}(?:[T _-][0-9]{2}[:_.-]?[0-9]{2}(?:[:_.-]?[0-9]{2})?(?:[.,][0-9]{1,9})?)?(?: ?(?:Z|[+-][0-9]{2}:?[0-9]{2}|UTC))?',
    '[0-9]{8}T?[0-9]{6}Z?',
    '[0-9]{2}:[0-9]{2}:[0-9]{2}(?:[.,][0-9]{1,9})?Z?',
    '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}',
    '[0-9a-f]{40}(?:[0-9a-f]{24})?',
  ].join('|')})(?![A-Za-z0-9])`,
  'gi',
);

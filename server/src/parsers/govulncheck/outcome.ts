/**
 * The outcome of a run of govulncheck, by the messages of its stream. A run that stops with an error writes no message
 * about it, so its stream only ends early.
 */
import { field, recordAt, stringAt } from '../reading/json.ts';
import type { JsonValue } from '../reading/json-lines.ts';
import type { ParseContext } from '../reading/limits.ts';
import type { RunOutcome } from '../report.ts';

/**
 * `begun`: the messages before the search. `fetching`: the database is read. `checking`: the last message before the
 * findings, or a version without such messages. `nothing`: there is nothing to check.
 */
type Step = 'begun' | 'fetching' | 'checking' | 'nothing';

/** Versions since 1.1.1 report these steps. A query lists advisories and examines no code. */
const stepsByProgress: readonly [RegExp, Step][] = [
  [/^Fetching vulnerabilities/, 'fetching'],
  [/^Checking the (?:code|binary) against/, 'checking'],
  [
    /^(?:No packages matching|Looking up vulnerabilities|Scanning your code and 0 packages across 0 )/,
    'nothing',
  ],
];

/** A stream may be that of several scans, one after the other. If one of them has failed, so has the whole. */
export function outcomeOfStream(values: readonly JsonValue[], context: ParseContext): RunOutcome {
  const outcomes = scansOf(values).map(outcomeOfScan);
  if (outcomes.includes('failed')) {
    context.warn('A scan in the report ends before govulncheck began the check, so this run closes nothing.');
    return 'failed';
  }
  if (outcomes.includes('succeeded')) return 'succeeded';
  context.warn('govulncheck scanned no package: this run has no results, so it closes nothing.');
  return 'scanned_nothing';
}

/** Each scan begins with its `config`. */
function scansOf(values: readonly JsonValue[]): unknown[][] {
  const scans: unknown[][] = [];
  for (const { value } of values) {
    if (scans.length === 0 || recordAt(value, 'config') !== null) scans.push([]);
    scans.at(-1)?.push(value);
  }
  return scans;
}

function outcomeOfScan(messages: readonly unknown[]): RunOutcome {
  // The messages of a stream without `config` are not judged.
  let step: Step = 'checking';
  for (const message of messages) {
    if (field(message, 'finding') !== undefined) return 'succeeded';
    step = stepAfter(step, message);
  }
  if (step === 'checking') return 'succeeded';
  return step === 'nothing' ? 'scanned_nothing' : 'failed';
}

function stepAfter(step: Step, message: unknown): Step {
  if (recordAt(message, 'config') !== null || recordAt(message, 'SBOM') !== null) return 'begun';
  // Progress is optional in the protocol, and advisories come after the database was read.
  if (recordAt(message, 'osv') !== null) return step === 'begun' ? 'checking' : step;
  const progress = stringAt(recordAt(message, 'progress'), 'message');
  if (progress === null) return step;
  const [, reported] = stepsByProgress.find(([pattern]) => pattern.test(progress)) ?? [];
  // Versions before 1.1.1 have one message about the whole scan.
  return reported ?? (step === 'begun' ? 'checking' : step);
}

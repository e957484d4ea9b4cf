/**
 * The outcome of a run of govulncheck, by the messages of its stream. A run that stops with an error writes no message
 * about it, so its stream only ends early.
 */
import { field, recordAt, stringAt } from '../reading/json.ts';
import type { JsonValue } from '../reading/json-lines.ts';
import type { ParseContext } from '../reading/limits.ts';
import type { RunOutcome } from '../report.ts';

/** `begun`: the messages before the search. `fetching`: the database is read. `nothing`: there is nothing to check. */
type Step = 'begun' | 'fetching' | 'checked' | 'nothing';

/** Versions since 1.1.1 report the second and third step. A query lists advisories and examines no code. */
const stepsByProgress: readonly [RegExp, Step][] = [
  [/^Fetching vulnerabilities/, 'fetching'],
  [/^Checking the (?:code|binary) against/, 'checked'],
  [
    /^(?:No packages matching|Looking up vulnerabilities|Scanning your code and 0 packages across 0 )/,
    'nothing',
  ],
];

export function outcomeOfStream(values: readonly JsonValue[], context: ParseContext): RunOutcome {
  let step: Step = 'checked';
  for (const { value } of values) {
    if (field(value, 'finding') !== undefined) return 'succeeded';
    step = stepAfter(step, value);
  }
  if (step === 'checked') return 'succeeded';
  if (step === 'nothing') {
    context.warn('govulncheck scanned no package: this run has no results, so it closes nothing.');
    return 'scanned_nothing';
  }
  context.warn('The report ends before govulncheck has checked anything, so this run closes nothing.');
  return 'failed';
}

function stepAfter(step: Step, message: unknown): Step {
  if (recordAt(message, 'config') !== null || recordAt(message, 'SBOM') !== null) return 'begun';
  // Progress is optional in the protocol, and advisories come after the database was read.
  if (recordAt(message, 'osv') !== null) return step === 'begun' ? 'checked' : step;
  const progress = stringAt(recordAt(message, 'progress'), 'message');
  if (progress === null) return step;
  const [, reported] = stepsByProgress.find(([pattern]) => pattern.test(progress)) ?? [];
  // Versions before 1.1.1 have one message about the whole scan.
  return reported ?? (step === 'begun' ? 'checked' : step);
}

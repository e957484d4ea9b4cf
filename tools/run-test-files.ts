/**
 * Runs test files in groups, some groups at a time. The files of a group share a process (`test-group.ts`): a process
 * for each file took twice the processor time, because each loaded and compiled the whole server.
 */
import { availableParallelism } from 'node:os';
import { finished } from 'node:stream/promises';
import { run } from 'node:test';
import { spec, type TestEvent } from 'node:test/reporters';
import { fileURLToPath } from 'node:url';
import { batches } from '../server/src/domain/batches.ts';

const groupRunner = fileURLToPath(new URL('test-group.ts', import.meta.url));
// A group waits for timers, commits and pages for a sixth of its time, so that one more than there are processors keeps
// these busy: on two, three groups took 0.76 to 0.82 of the time of two, and four 0.92.
const atOnce = availableParallelism() + 1;
// In a larger group the compiled code hardly saves more, and a process that ends takes more tests with it.
const maxFiles = 10;

/** Files that need a process of their own, each with the reason. */
const alone: Record<string, string> = {
  'server/test/mutations/mutations.test.ts':
    'it changes sources while they are loaded, so none may be loaded before',
};

interface Totals {
  passed: number;
  failed: number;
  skipped: number;
}

/**
 * Prints each file when it is done, and at the end `N passed, N failed`. `timeoutMs` is the limit of each file. Returns
 * the exit code.
 */
export async function runTestFiles(
  files: string[],
  { env, timeoutMs }: { env: NodeJS.ProcessEnv; timeoutMs: number },
): Promise<number> {
  const report = new spec();
  report.pipe(process.stdout);
  const totals: Totals = { passed: 0, failed: 0, skipped: 0 };
  const groups = groupsOf(files);
  const runGroups = async (): Promise<void> => {
    for (let group = groups.shift(); group !== undefined; group = groups.shift()) {
      let events: TestEvent[] = [];
      const unfinished = new Set(group);
      for await (const event of run({ files: [groupRunner], argv: [String(timeoutMs), ...group], env })) {
        events.push(event);
        count(event, totals);
        if (!endsFile(event)) continue;
        for (const each of events) if (reported.has(each.type)) report.write(each);
        if (!unfinished.delete(event.data.name)) {
          process.stdout.write(`the process ended before: ${[...unfinished].join(', ')}\n`);
        }
        events = [];
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, runGroups));
  report.end();
  await finished(report);
  const { passed, skipped } = totals;
  // A run without any test counts as failed.
  const failed = passed + skipped === 0 ? Math.max(1, totals.failed) : totals.failed;
  process.stdout.write(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`);
  return failed === 0 ? 0 : 1;
}

function groupsOf(files: string[]): string[][] {
  const together = files.filter((file) => alone[file] === undefined);
  return [
    ...files.filter((file) => alone[file] !== undefined).map((file) => [file]),
    ...batches(together, Math.min(maxFiles, Math.ceil(together.length / atOnce))),
  ];
}

const reported = new Set<TestEvent['type']>([
  'test:start',
  'test:pass',
  'test:fail',
  'test:diagnostic',
  'test:stdout',
  'test:stderr',
]);

/** A file is a test of its process, and the tests of the file are within it. */
function endsFile(event: TestEvent): event is Extract<TestEvent, { type: 'test:pass' | 'test:fail' }> {
  return (event.type === 'test:pass' || event.type === 'test:fail') && event.data.nesting === 0;
}

/**
 * Counts the tests within files. A file counts if it fails by itself, such as by a hook or by the end of its process.
 */
function count({ type, data }: TestEvent, totals: Totals): void {
  if (type === 'test:fail') {
    const { failureType } = data.details.error as { failureType?: string };
    if (failureType !== 'subtestsFailed') totals.failed += 1;
  }
  if (type !== 'test:pass' || data.nesting === 0 || data.details.type === 'suite') return;
  if (data.skip !== undefined && data.skip !== false) totals.skipped += 1;
  else totals.passed += 1;
}

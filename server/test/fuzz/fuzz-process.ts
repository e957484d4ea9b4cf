/** A process of `npm run fuzz`: takes one job after the other from `tools/fuzz.ts`, and ends when that has no more. */
import type { FuzzJob } from './fuzz-job.ts';
import { runJob } from './run-job.ts';

process.on('message', async ({ job, milliseconds }: { job: FuzzJob; milliseconds: number }) => {
  process.send?.(await runJob(job, milliseconds));
});

// Its databases go with the PostgreSQL of the run.
process.on('disconnect', () => process.exit());

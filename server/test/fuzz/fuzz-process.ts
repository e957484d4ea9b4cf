/**
 * A process of `npm run fuzz`. It runs one job after the other from `tools/fuzz.ts`, and ends when there are no more.
 */
import type { FuzzJob } from './fuzz-job.ts';
import { runJob } from './run-job.ts';

process.on('message', async ({ job, milliseconds }: { job: FuzzJob; milliseconds: number }) => {
  process.send?.(await runJob(job, milliseconds));
});

// Its databases are removed with the PostgreSQL of the run.
process.on('disconnect', () => process.exit());

/** Measures the memory of an idle `serve`: all its processes, without PostgreSQL. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bench, mainWorkspace, withServer } from '../bench.ts';
import { processTree, pssMb, rssMb } from '../process-memory.ts';
import { plainRow, type Row } from '../row.ts';

export async function memoryRows(bench: Bench): Promise<Row[]> {
  const tenant = await mainWorkspace(bench);
  return withServer(bench, tenant, { workers: null }, async ({ pid, client, at }) => {
    await client.get(at('/vulnerabilities'));
    await sleep(bench.size.seconds * 1000);
    const pids = processTree(pid);
    return [
      plainRow({
        work: 'memory, idle serve',
        measured: { value: pssMb(pids), unit: 'MB' },
        aim: { atMost: 150 },
        details: { processes: pids.length, pssMb: pids.map((each) => pssMb([each])), rssMb: rssMb(pids) },
      }),
    ];
  });
}

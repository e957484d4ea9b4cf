/** The machine and the versions of a measurement, without names of hosts. */
import { availableParallelism, totalmem } from 'node:os';
import type { OpenDatabase } from '../server/src/open.ts';
import { asOwner } from './workspace.ts';

export interface Machine {
  cores: number;
  memoryGb: number;
  node: string;
  postgresql: string;
}

export async function machineOf(open: OpenDatabase): Promise<Machine> {
  const { rows } = await asOwner(open, (client) => client.query('show server_version'));
  return {
    cores: availableParallelism(),
    memoryGb: Math.round(totalmem() / 1024 ** 3),
    node: process.versions.node,
    postgresql: rows[0]?.server_version,
  };
}

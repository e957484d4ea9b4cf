/** The log and the port of a process that answers requests. */
import { pino } from 'pino';
import type { Config } from '../config.ts';
import { logSerializers } from '../http/request-context.ts';
import type { Server } from '../http/server.ts';
import { CommandError } from './command-error.ts';

// Log lines beyond this are dropped while the output accepts nothing, for example because a disk is full.
const maxUnwrittenBytes = 1024 * 1024;

/** A log to standard output. An output that is closed or full loses lines and stops nothing. */
export function logger(config: Config) {
  const output = pino.destination({ fd: 1, sync: true, maxLength: maxUnwrittenBytes });
  output.on('error', () => {});
  return pino({ level: config.logLevel, serializers: logSerializers }, output);
}

/** Returns the address that people open. Throws CommandError if the port is not available. */
export async function listen(app: Server, config: Config): Promise<string> {
  try {
    const url = await app.listen({ port: config.port, host: config.host });
    return config.publicUrl ?? url;
  } catch (error) {
    throw refusedPort(error, config, 'MERLON_PORT or --port');
  }
}

/** Says what to set if the port is not available. Any other error stays unchanged. */
export function refusedPort(
  error: unknown,
  { port, host }: { port: number; host: string },
  settings: string,
): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code !== 'EADDRINUSE' && code !== 'EACCES') return error;
  const state = code === 'EACCES' ? 'is not allowed' : 'is used by another program';
  return new CommandError(`Port ${port} on ${host} ${state}: set ${settings}.`);
}

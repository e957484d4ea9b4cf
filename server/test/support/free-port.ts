/**
 * A port of loopback that nothing listens on, for a program that cannot pick one itself. It is below those that the
 * system gives to connections and to listeners on port 0, so that none of them takes it before the program does.
 */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

export async function freePort(): Promise<number> {
  const port = randomInt(20_000, 32_000);
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
  });
  if (!isFree) return freePort();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

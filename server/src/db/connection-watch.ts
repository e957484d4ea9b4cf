/**
 * Ends connections that a silent network has cut: no packet comes back, so no error tells that the database is gone. A
 * statement may take minutes, so silence alone does not end a connection. After some seconds of silence a new
 * connection is opened first. If that one gets no answer either, the database is gone.
 *
 * Time is counted in turns of the event loop that are a second apart. While this process is busy, no turn passes, so an
 * answer that it has not read yet does not count as silence.
 */
import type { Socket } from 'node:net';
import pg from 'pg';

const turnMs = 1_000;
const silentTurns = 3;
const probeTurns = 3;

interface Watched {
  stream: Socket;
  /** True while this connection waits for no answer of the database. */
  isIdle(): boolean;
  bytesRead: number;
  turns: number;
  mostTurns: number;
}

interface Probe {
  client: pg.Client;
  turns: number;
}

export interface ConnectionWatch {
  /**
   * Watches the connections of the pool. A connection that is silent for `mostSeconds` is ended, whatever a probe says.
   */
  add(pool: pg.Pool, mostSeconds?: number): void;
  stop(): void;
}

/** `config` is how to connect to the database of the pools. */
export function watchConnections(config: pg.ClientConfig): ConnectionWatch {
  const watched = new Map<pg.PoolClient, Watched>();
  let probe: Probe | null = null;

  const endSilent = (turns: (each: Watched) => number): void => {
    for (const each of watched.values()) {
      if (each.turns < turns(each)) continue;
      each.stream.destroy(Object.assign(new Error('the database is silent'), { code: 'ETIMEDOUT' }));
    }
  };
  const endProbe = (): void => {
    if (probe !== null) streamOf(probe.client).destroy();
    probe = null;
  };
  const timer = setInterval(() => {
    for (const each of watched.values()) {
      const { bytesRead } = each.stream;
      each.turns = each.isIdle() || bytesRead !== each.bytesRead ? 0 : each.turns + 1;
      each.bytesRead = bytesRead;
    }
    endSilent(({ mostTurns }) => mostTurns);
    if (probe === null) {
      if ([...watched.values()].some(({ turns }) => turns >= silentTurns)) probe = startProbe(config);
    } else if (hasAnswer(probe)) {
      endProbe();
    } else if (++probe.turns >= probeTurns) {
      endSilent(() => silentTurns + probeTurns - 1);
      endProbe();
    }
  }, turnMs);
  timer.unref();

  return {
    add: (pool, mostSeconds = Number.POSITIVE_INFINITY) => {
      pool.on('connect', (client) => {
        const inner = client as unknown as { connection: { stream: Socket }; readyForQuery: boolean };
        watched.set(client, {
          stream: inner.connection.stream,
          isIdle: () => inner.readyForQuery,
          bytesRead: 0,
          turns: 0,
          mostTurns: (mostSeconds * 1_000) / turnMs,
        });
      });
      pool.on('remove', (client) => watched.delete(client));
    },
    stop: () => {
      clearInterval(timer);
      endProbe();
    },
  };
}

function startProbe(config: pg.ClientConfig): Probe {
  const client = new pg.Client(config);
  client.on('error', () => {});
  client.connect().catch(() => {});
  return { client, turns: 0 };
}

/**
 * Any byte is an answer: a server or a pooler that delays the probe, or refuses it, is alive. An address that refuses
 * connections or has no name also counts as an answer, because its own connections end by themselves.
 */
function hasAnswer({ client }: Probe): boolean {
  const { bytesRead, destroyed } = streamOf(client);
  return bytesRead > 0 || destroyed;
}

function streamOf(client: pg.Client): Socket {
  return (client as unknown as { connection: { stream: Socket } }).connection.stream;
}

/**
 * The common shares over messages: the supervisor keeps them, and a process asks for them. A process that ends gives
 * back all its shares.
 */
import {
  type CommonShare,
  commonShares,
  currentContext,
  inRequest,
  type Share,
  tooMany,
} from '../../db/connection-share.ts';
import type { FromProcess, ShareMessage, ToProcess } from './messages.ts';

/** The shares as a process sees them. */
export interface RemoteShares {
  shares: Record<CommonShare, Share>;
  receive(message: ToProcess): void;
}

export function remoteShares(tell: (message: FromProcess) => void): RemoteShares {
  const asked = new Map<number, (taken: boolean) => void>();
  let lastId = 0;
  const share = (name: CommonShare): Share => ({
    take: async (holder) => {
      const { signal, ofWorker } = currentContext();
      if (ofWorker) return () => {};
      if (signal?.aborted) throw tooMany();
      const id = ++lastId;
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const giveBack = (): void => tell({ type: 'give share back', id });
      const leave = (): void => {
        giveBack();
        resolve(false);
      };
      asked.set(id, resolve);
      signal?.addEventListener('abort', leave);
      tell({ type: 'take share', id, share: name, holder });
      try {
        if (!(await promise)) throw tooMany();
        return giveBack;
      } finally {
        signal?.removeEventListener('abort', leave);
        asked.delete(id);
      }
    },
  });
  return {
    shares: { search: share('search'), dryRun: share('dryRun'), piece: share('piece') },
    receive: (message) => {
      if (message.type === 'share') asked.get(message.id)?.(message.taken);
    },
  };
}

/** The shares in the supervisor, with a keeper for each process. */
export interface ShareKeeper {
  receive(message: ShareMessage): void;
  /** Called when the process has ended. */
  end(): void;
}

/** Returns a function that creates the keeper of a process. */
export function shareKeepers(): (tell: (message: ToProcess) => void) => ShareKeeper {
  const shares = commonShares();
  return (tell) => {
    const holds = new Map<number, AbortController>();
    const take = async (id: number, share: CommonShare, holder: string): Promise<void> => {
      const given = new AbortController();
      holds.set(id, given);
      try {
        const giveBack = await inRequest(given.signal, () => shares[share].take(holder));
        given.signal.addEventListener('abort', giveBack);
        // It may have been given back between the grant and this line.
        if (given.signal.aborted) giveBack();
        else tell({ type: 'share', id, taken: true });
      } catch {
        holds.delete(id);
        tell({ type: 'share', id, taken: false });
      }
    };
    return {
      receive: (message) => {
        if (message.type === 'take share') void take(message.id, message.share, message.holder);
        else {
          holds.get(message.id)?.abort();
          holds.delete(message.id);
        }
      },
      end: () => {
        for (const given of holds.values()) given.abort();
        holds.clear();
      },
    };
  };
}

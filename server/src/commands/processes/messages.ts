/** The messages between the supervisor of `serve` and its processes. */
import type { Config } from '../../config.ts';
import type { CommonShare } from '../../db/connection-share.ts';
import type { Sentence } from '../../domain/sentence.ts';
import type { Snapshot } from '../../metrics/snapshot.ts';

/** `requests` answers requests, and `imports` works on reports. */
export type ProcessRole = 'requests' | 'imports';

/** The first message to a process. */
export interface StartMessage {
  type: 'start';
  /** The version of the supervisor. A process of another version does not start. */
  version: string;
  role: ProcessRole;
  config: Config;
  appUrl: string;
  /** True for the process that creates the link for the first person of an install. */
  makesSetupToken: boolean;
}

/** `stand in` says whether a process that answers requests must look for work and sweep. */
export type ToProcess =
  | StartMessage
  // The process reports from now on that it is not ready.
  | { type: 'drain' }
  | { type: 'stop' }
  | { type: 'stand in'; isOn: boolean }
  // One process also reads the metrics that are the same for all.
  | { type: 'metrics'; withDatabase: boolean }
  | { type: 'share'; id: number; taken: boolean };

export type FromProcess =
  | { type: 'ready'; url: string | null; setupToken: string | null }
  | { type: 'failed'; message: Sentence; exitCode: number }
  | { type: 'failed'; message: string; exitCode: null; code: string | null }
  // Work waits for the process for imports, or will soon.
  | { type: 'work' }
  // The process for imports has had no work for so long that it may end.
  | { type: 'idle' }
  | MetricsMessage
  | ShareMessage;

/** The answer to `metrics`, and the last message of a process. */
export interface MetricsMessage {
  type: 'metrics';
  snapshot: Snapshot;
}

/** `give back` also leaves the queue. */
export type ShareMessage =
  | { type: 'take share'; id: number; share: CommonShare; holder: string }
  | { type: 'give share back'; id: number };

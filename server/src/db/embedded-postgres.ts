/** Merlon's embedded PostgreSQL: `@merlon/embedded-postgres` with the names, settings and hints of this service. */
import {
  type EmbeddedPostgres,
  type ErrorCode,
  keepRunning,
  openPostgres,
  type Setting,
} from '@merlon/embedded-postgres';
import { defaultConnections } from './database.ts';

/** Settings with their reasons, for a laptop (8 GB, SSD) with a million vulnerabilities, about 2 GB of data. */
const settingsFor = (processes: number, connections: number): readonly Setting[] => [
  [
    'max_connections',
    String(Math.max(60, 30 + 8 * processes) + Math.max(0, connections - defaultConnections)),
    'the pools of all processes of the server, the queue, and operator commands; each costs memory',
  ],
  [
    'shared_buffers',
    '256MB',
    'a guess at the hot part of the indexes; more would take from the page cache, which serves the rest',
  ],
  [
    'effective_cache_size',
    '2GB',
    'what a laptop keeps of these files in memory: makes index scans look as cheap as they are',
  ],
  [
    'work_mem',
    '16MB',
    'a sort of one page of results or a hash of one scan stays in memory; 60 x 16MB is bearable',
  ],
  [
    'maintenance_work_mem',
    '256MB',
    'index builds of a migration over a million rows without a merge on disk',
  ],
  ['max_wal_size', '2GB', 'a large import without forced checkpoints; bounds what a recovery has to replay'],
  ['min_wal_size', '160MB', 'an idle install stays small on disk'],
  ['wal_compression', 'on', 'page images after a checkpoint take less disk, for a little processor'],
];

const dataDirHint = 'MERLON_DATA_DIR sets the data directory, for example to /var/lib/merlon.';

const hints: Partial<Record<ErrorCode, string>> = {
  no_programs: 'Or use a PostgreSQL server, 15 or newer: set MERLON_DATABASE_URL.',
  data_dir_unreachable: dataDirHint,
  data_dir_unusable: dataDirHint,
  disk_full: 'Or set MERLON_DATA_DIR to a directory on a larger disk.',
  in_use: 'Processes that use the data directory are called merlond.',
  other_version:
    'Write a backup by the release of Merlon that made it, and restore it into an empty directory (MERLON_DATA_DIR): docs/backup.md.',
};

interface Options {
  dataDir: string;
  /** The number of processes that answer requests, each with its own connections. */
  processes?: number;
  /** MERLON_DATABASE_CONNECTIONS. */
  connections?: number;
  log?: (message: string) => void;
}

/**
 * Opens the PostgreSQL of Merlon's data directory. Its database is `merlon`; migrations create the role `merlon_app`.
 */
export function openEmbeddedPostgres(options: Options): Promise<EmbeddedPostgres> {
  return openPostgres(postgresOptions(options));
}

/** Restarts PostgreSQL if it is killed. Call `stop` of the result before `stop` of PostgreSQL. */
export function keepEmbeddedPostgresRunning(
  postgres: EmbeddedPostgres,
  options: Options,
): { stop(): Promise<void> } {
  return keepRunning(postgres, postgresOptions(options));
}

function postgresOptions({ processes = 1, connections = defaultConnections, ...options }: Options) {
  return { ...options, name: 'merlon', settings: settingsFor(processes, connections), hints };
}

/** Advisories of OSV for tests: records, their import like by the operator, and the match that follows. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TenantId } from '../../src/domain/ids.ts';
import { importOsv, type OsvImport } from '../../src/ingest/advisories/import-osv.ts';
import { matchWorkspace, type WorkspaceMatch } from '../../src/ingest/matching/match-workspace.ts';
import type { TestDatabase } from './database.ts';
import { createDirectory } from './process.ts';

export interface OsvOptions {
  aliases?: string[];
  ecosystem?: string;
  package?: string;
  /** Pairs of an introduced and a fixed version; without a fixed one the range has no end. */
  ranges?: [string, string?][];
  versions?: string[];
  modified?: string;
  withdrawn?: unknown;
  severity?: string;
  summary?: string;
  upstream?: string[];
  related?: string[];
  /** The record's own list, in place of the one package above. */
  affected?: object[];
}

/** An element of `affected`, as for the releases of a distribution: without a fixed version the range has no end. */
export function affectedPackage(ecosystem: string, name: string, fixed?: string, more: object = {}): object {
  const events = [{ introduced: '0' }, ...(fixed === undefined ? [] : [{ fixed }])];
  return { package: { ecosystem, name }, ranges: [{ type: 'ECOSYSTEM', events }], ...more };
}

export function osvRecord(id: string, options: OsvOptions = {}): Record<string, unknown> {
  const { ecosystem = 'npm', package: name = 'left', ranges = [], versions = [] } = options;
  const events = ranges.flatMap(([introduced, fixed]) => [
    { introduced },
    ...(fixed === undefined ? [] : [{ fixed }]),
  ]);
  return {
    schema_version: '1.7.3',
    id,
    modified: options.modified ?? '2026-01-01T00:00:00Z',
    aliases: options.aliases ?? [],
    upstream: options.upstream ?? [],
    related: options.related ?? [],
    summary: options.summary ?? `The summary of ${id}`,
    details: `The details of ${id}.`,
    ...(options.withdrawn === undefined ? {} : { withdrawn: options.withdrawn }),
    database_specific: { severity: options.severity ?? 'HIGH' },
    affected: options.affected ?? [
      {
        package: { name, ecosystem },
        ...(events.length === 0 ? {} : { ranges: [{ type: 'SEMVER', events }] }),
        ...(versions.length === 0 ? {} : { versions }),
      },
    ],
  };
}

const directory = createDirectory();
let folders = 0;

/** Writes each record as a file of its own. Returns the folder. */
function osvFolder(records: { id?: unknown }[]): string {
  const folder = join(directory, `osv-${folders++}`);
  mkdirSync(folder);
  for (const [i, record] of records.entries()) {
    writeFileSync(join(folder, `${i}.json`), JSON.stringify(record));
  }
  return folder;
}

/** Imports the records and matches the workspace. */
export async function loadOsv(
  { db }: TestDatabase,
  tenantId: TenantId,
  records: { id?: unknown }[],
  { force = false, now = new Date() }: { force?: boolean; now?: Date } = {},
): Promise<OsvImport & { match: WorkspaceMatch }> {
  const imported = await importOsv(db, { paths: [osvFolder(records)], force }, now);
  return { ...imported, match: await matchWorkspace(db, tenantId, () => now) };
}

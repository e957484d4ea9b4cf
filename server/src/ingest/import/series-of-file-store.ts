/**
 * SQL of the files in which the reports of a tool and category came, on the reference of a scan and on the default
 * branch.
 */

import type { Tx } from '../../db/database.ts';
import type { SeriesId } from '../../domain/ids.ts';
import type { Source } from '../../domain/packed-state.ts';
import type { ImportContext } from './import-context.ts';
import type { RunInSeries } from './runs-in-series.ts';

/** SQL of the references `r`. `$2` is the repository and `$3` the reference of the scan. */
const sqlReferences = `(select $3::uuid as id, true as is_here
             union all select id, false from reference where tenant_id = $1 and repository_id = $2 and is_default and id <> $3) r`;

interface SeriesOfCategory {
  id: SeriesId;
  is_here: boolean;
  category: string;
  file_name: string;
  last_scanned_at: Date | null;
}

/** Lists the series of the run's category without its number, and of the category that one more run would have. */
export async function listSeriesOfCategory(
  tx: Tx,
  { repositoryId, reference }: ImportContext,
  { tool, unnumbered, nextCategory }: RunInSeries,
  source: Source,
): Promise<SeriesOfCategory[]> {
  return tx.query<SeriesOfCategory>(
    `select t.id, r.is_here, t.category, t.file_name, t.last_scanned_at from ${sqlReferences}
       join scan_series t on t.tenant_id = $1 and t.reference_id = r.id and t.tool = $4 and t.category = any($5::text[])
      where t.source = $6 and t.retired_at is null`,
    [tx.tenantId, repositoryId, reference.id, tool, [unnumbered, nextCategory], source],
  );
}

/** A commit that a shared series has seen. */
export interface CommitOfFiles {
  is_here: boolean;
  /** The first seven digits; null for scans without a commit, and for a commit with partial reports alone. */
  commit: string | null;
  /** Those with a complete report. */
  files: string[];
  /** One of the newest scans on the reference of the scan was of its file. It is the same in all rows. */
  is_known: boolean;
}

// A file that came beside others came with one of the newest scans of their series.
const newestScans = 200;

/**
 * Lists the newest three commits that the shared series of the run has seen on each reference, the newest first, and
 * those for which its file came beside others.
 */
export async function listCommitsOfFiles(
  tx: Tx,
  { repositoryId, reference, fileName }: ImportContext,
  { tool, category }: RunInSeries,
  source: Source,
): Promise<CommitOfFiles[]> {
  return tx.query<CommitOfFiles>(
    `select is_here, commit, files, is_known
       from (select c.*, bool_or(c.is_here and c.has_file) over () as is_known,
                    row_number() over (partition by c.series_id order by c.commit is null, c.newest desc) as place
               from (select t.id as series_id, r.is_here, max(b.seq) as newest, bool_or(o.file_name = $7) is true as has_file,
                            case when bool_or(not o.partial) then left(o.sha, 7) end as commit,
                            coalesce(array_agg(distinct o.file_name) filter (where not o.partial and o.file_name is not null),
                                     '{}') as files
                       from ${sqlReferences}
                       join scan_series t on t.tenant_id = $1 and t.reference_id = r.id and t.tool = $4 and t.category = $5
                        and t.source = $6 and t.file_name = '' and t.retired_at is null
                      cross join lateral (select scan_id, seq from series_scan
                                           where tenant_id = $1 and series_id = t.id and not late
                                           order by seq desc limit ${newestScans}) b
                       join scan o on o.tenant_id = $1 and o.id = b.scan_id
                      group by t.id, r.is_here, left(o.sha, 7)) c) d
      where place <= 3 or ($7 = any(files) and cardinality(files) > 1)
      order by place`,
    [tx.tenantId, repositoryId, reference.id, tool, category, source, fileName],
  );
}

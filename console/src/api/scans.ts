/** Scans: the list, one scan in full, its changes, and uploads by hand. */
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import { type Answer, api, type Query, requestOf } from './client.ts';
import { send } from './http.ts';

export type ScanPage = Answer<'listScans'>;
export type Scan = ScanPage['items'][number];
export type ScanDetail = Answer<'getScan'>;
export type ScanCounts = NonNullable<Scan['counts']>;
export type CountName = Exclude<keyof ScanCounts, 'statements'>;

const subject = 'scans';

export const scanKeys = {
  all: (slug: string) => [subject, slug],
  lists: (slug: string) => [subject, slug, 'list'],
  one: (slug: string, id: string) => [subject, slug, 'one', id],
};

/** True if the scan can no longer change. */
export function isFinal({ status }: Pick<Scan, 'status'>): boolean {
  return status !== 'queued' && status !== 'running';
}

/** A dry run has no verdict. */
export function hasVerdict({
  status,
  dry_run,
  verdict,
}: Pick<Scan, 'status' | 'dry_run' | 'verdict'>): boolean {
  return status === 'completed' && !dry_run && verdict !== null;
}

/** Reads the scans, the newest first. */
export function scansQuery(slug: string, request: Query<'listScans'>) {
  return queryOptions({
    queryKey: [...scanKeys.lists(slug), request],
    queryFn: ({ signal }) => api.listScans({ path: { tenant_slug: slug }, query: request, signal }),
    placeholderData: keepPreviousData,
  });
}

export function scanQuery(slug: string, id: string) {
  return queryOptions({
    queryKey: scanKeys.one(slug, id),
    queryFn: ({ signal }) => api.getScan({ path: { tenant_slug: slug, scan: id }, signal }),
  });
}

export type ScanChange = Query<'listScanVulnerabilities'>['change'];

/** The changed vulnerabilities in their present state, with their total number. */
export type ChangedPage = Answer<'listScanVulnerabilities'>;
export type ChangedVulnerability = ChangedPage['items'][number];

/** Reads the vulnerabilities that the scan was the first to find, or that it fixed; the most severe first. */
export function changedQuery(slug: string, id: string, change: ScanChange, cursor: string | undefined) {
  return queryOptions({
    queryKey: [subject, slug, 'changed', id, change, cursor],
    queryFn: ({ signal }) =>
      api.listScanVulnerabilities({
        path: { tenant_slug: slug, scan: id },
        query: { change, cursor },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}

/** The target that the person names for the reports. */
export interface UploadTarget {
  repo: string;
  ref: string;
  sha: string;
  category: string;
  partial: boolean;
  dryRun: boolean;
}

/** `repeated` says that the same report was uploaded a moment ago, and this is its scan. */
export type UploadedScan = Answer<'uploadScanByHand'>;

interface UploadOptions {
  onProgress: (sent: number) => void;
  signal: AbortSignal;
}

/** Resolves once the report is accepted, before the server parses it. */
export async function uploadReport(
  slug: string,
  target: UploadTarget,
  file: File,
  { onProgress, signal }: UploadOptions,
): Promise<UploadedScan> {
  const { repo, ref, sha, category, partial, dryRun } = target;
  const encoding = await encodingOf(file);
  const request = requestOf('uploadScanByHand', {
    path: { tenant_slug: slug },
    query: {
      repo: repo.trim(),
      ref: ref.trim() || null,
      sha: sha.trim() || null,
      category: category.trim() || null,
      partial: partial ? 'true' : null,
      dry_run: dryRun ? 'true' : null,
      file_name: plainName(file.name),
    },
    signal,
  });
  const headers = {
    ...request.headers,
    'content-type': 'application/octet-stream',
    ...(encoding === null ? {} : { 'content-encoding': encoding }),
  };
  const response = await send({ ...request, headers, body: file, onProgress });
  return (await response.json()) as UploadedScan;
}

// The first bytes decide, since the file name may be wrong.
async function encodingOf(file: File): Promise<'gzip' | 'zstd' | null> {
  const start = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  const startsWith = (...bytes: number[]) => bytes.every((byte, index) => start[index] === byte);
  if (startsWith(0x1f, 0x8b)) return 'gzip';
  return startsWith(0x28, 0xb5, 0x2f, 0xfd) ? 'zstd' : null;
}

const maxNameLength = 255;

// The server refuses names with invisible characters or characters that change the text direction.
function plainName(name: string): string {
  return name.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '').slice(0, maxNameLength);
}

/** A scan or a series has changed vulnerabilities. All data of the workspace is read again when a page shows it. */
export async function scansChanged(queryClient: QueryClient, slug: string): Promise<void> {
  await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === slug });
}

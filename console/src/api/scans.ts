/** Scans: the list, one in full, what one has changed, and uploads by hand. */
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Answer } from './client.ts';
import { call } from './http.ts';
import type { Vulnerability } from './vulnerabilities.ts';

export type Scan = Answer<'listScans'>['items'][number] & { warning_count: number };
export type ScanDetail = Scan & Pick<Answer<'getScan'>, 'warnings' | 'unreadable'>;
export type ScanCounts = NonNullable<Scan['counts']>;

export interface ScanPage {
  items: Scan[];
  next_cursor: string | null;
}

export const scanStatuses = ['queued', 'running', 'completed', 'failed', 'canceled'] as const;

export interface ScanListRequest {
  repo?: string | undefined;
  ref?: string | undefined;
  sha?: string | undefined;
  status?: string[] | undefined;
  tool?: string | undefined;
  cursor?: string | undefined;
}

const subject = 'scans';

function pathOf(slug: string, rest = ''): string {
  return `/console/api/v1/${slug}/scans${rest}`;
}

export const scanKeys = {
  all: (slug: string) => [subject, slug],
  lists: (slug: string) => [subject, slug, 'list'],
  one: (slug: string, id: string) => [subject, slug, 'one', id],
};

/** Nothing of it changes any more. */
export function isFinal({ status }: Pick<Scan, 'status'>): boolean {
  return status !== 'queued' && status !== 'running';
}

/** Of a rehearsal nothing is asked. */
export function hasVerdict({
  status,
  dry_run,
  verdict,
}: Pick<Scan, 'status' | 'dry_run' | 'verdict'>): boolean {
  return status === 'completed' && !dry_run && verdict !== null;
}

/** Newest first. */
export function scansQuery(slug: string, request: ScanListRequest) {
  return queryOptions({
    queryKey: [...scanKeys.lists(slug), request],
    queryFn: ({ signal }) => call<ScanPage>('GET', pathOf(slug), { query: { ...request }, signal }),
    placeholderData: keepPreviousData,
  });
}

export function scanQuery(slug: string, id: string) {
  return queryOptions({
    queryKey: scanKeys.one(slug, id),
    queryFn: ({ signal }) => call<ScanDetail>('GET', pathOf(slug, `/${encodeURIComponent(id)}`), { signal }),
  });
}

export const scanChanges = ['new', 'fixed'] as const;
export type ScanChange = (typeof scanChanges)[number];

/** `identifiers`: what advisories call it. */
export type ChangedVulnerability = Vulnerability & { identifiers: string[] };

/** Vulnerabilities as they are now, with how many there are in all. */
export interface ChangedPage {
  summary: { total: number; by_severity: Record<string, number> };
  items: ChangedVulnerability[];
  next_cursor: string | null;
}

/** What the scan found first, or fixed; the worst first. */
export function changedQuery(slug: string, id: string, change: ScanChange, cursor: string | undefined) {
  return queryOptions({
    queryKey: [subject, slug, 'changed', id, change, cursor],
    queryFn: ({ signal }) => {
      const path = pathOf(slug, `/${encodeURIComponent(id)}/vulnerabilities`);
      return call<ChangedPage>('GET', path, { query: { change, cursor }, signal });
    },
    placeholderData: keepPreviousData,
  });
}

/** What the person says of the reports. */
export interface UploadTarget {
  repo: string;
  ref: string;
  sha: string;
  category: string;
  partial: boolean;
  dryRun: boolean;
}

/** `repeated`: the same report was there a moment ago, and this is its scan. */
export type TakenScan = Scan & { repeated: boolean };

interface UploadOptions {
  onProgress: (sent: number) => void;
  signal: AbortSignal;
}

/** Resolves once the report is taken, before anything of it is read. */
export async function uploadReport(
  slug: string,
  target: UploadTarget,
  file: File,
  { onProgress, signal }: UploadOptions,
): Promise<TakenScan> {
  const { repo, ref, sha, category, partial, dryRun } = target;
  const encoding = await encodingOf(file);
  return call<TakenScan>('POST', `/manage/v1/${slug}/scans`, {
    query: {
      repo: repo.trim(),
      ref: ref.trim(),
      sha: sha.trim(),
      category: category.trim(),
      partial: partial || null,
      dry_run: dryRun || null,
      file_name: plainName(file.name),
    },
    headers: {
      'content-type': 'application/octet-stream',
      ...(encoding === null ? {} : { 'content-encoding': encoding }),
    },
    file,
    onProgress,
    signal,
  });
}

// By its first bytes, whatever its name.
async function encodingOf(file: File): Promise<'gzip' | 'zstd' | null> {
  const start = new Uint8Array(await file.slice(0, 4).arrayBuffer());
  const startsWith = (...bytes: number[]) => bytes.every((byte, index) => start[index] === byte);
  if (startsWith(0x1f, 0x8b)) return 'gzip';
  return startsWith(0x28, 0xb5, 0x2f, 0xfd) ? 'zstd' : null;
}

const maxNameLength = 255;

// The server refuses names with characters that are not seen, or turn the text around them.
function plainName(name: string): string {
  return name.replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '').slice(0, maxNameLength);
}

/** After a scan or a stream has changed vulnerabilities: all of the workspace is read again when it is looked at. */
export async function scansChanged(queryClient: QueryClient, slug: string): Promise<void> {
  await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === slug });
}

/**
 * The demo's scans: the time of each scan, its tool, its reference and its report.
 *
 * The same time and seed always give the same scans, byte for byte. It reads no clock and no file.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dayMs, minuteMs } from '@merlon/server/src/domain/time.ts';
import { repositories } from './company/company.ts';
import { type Branch, lastWeek, type Repository, type Tool } from './company/repository.ts';
import { commitSha, pickNumber } from './digest.ts';
import { writeCodeql, writeGitleaks, writeSemgrep } from './sarif-writer.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';
import { writeTrivyFilesystem, writeTrivyImage } from './trivy-writer.ts';

export interface DemoScan {
  /** `organization/name`. */
  repository: string;
  ref: string;
  refType: 'branch' | 'tag' | 'pull_request';
  defaultBranch: 'main';
  /** 40 hex digits. */
  sha: string;
  /** RFC 3339 in UTC, never after the given `now`. */
  scannedAt: string;
  /** Unique among the scans. */
  fileName: string;
  /** JSON text. */
  report: string;
}

interface Context {
  repository: Repository;
  branch: Branch | null;
  week: number;
  now: Date;
  seed: number;
}

/** All scans of the eight weeks that end at `now`, the oldest first. They are imported in this order. */
export function generateScans(options: { now: Date; seed: number }): DemoScan[] {
  return repositories
    .flatMap((repository) => [
      ...scansOfDefaultBranch(repository, options),
      ...repository.branches.flatMap((branch) => scansOfBranch(repository, branch, options)),
    ])
    .sort((a, b) => compareText(a.scannedAt, b.scannedAt) || compareText(a.fileName, b.fileName));
}

/** Writes each report into the directory under the scan's file name. The directory is created if it is missing. */
export async function writeScans(directory: string, scans: readonly DemoScan[]): Promise<void> {
  await mkdir(directory, { recursive: true });
  for (const scan of scans) await writeFile(join(directory, scan.fileName), scan.report);
}

function scansOfDefaultBranch(repository: Repository, options: { now: Date; seed: number }): DemoScan[] {
  const weeks = Array.from({ length: lastWeek + 1 }, (_, week) => week);
  return weeks.flatMap((week) =>
    Object.entries(repository.schedule)
      .filter(([, everyWeeks]) => week % everyWeeks === 0)
      .flatMap(([tool]) => scansOfTool({ repository, branch: null, week, ...options }, tool as Tool)),
  );
}

function scansOfBranch(
  repository: Repository,
  branch: Branch,
  options: { now: Date; seed: number },
): DemoScan[] {
  return branch.scanned.flatMap((week) =>
    branch.tools.flatMap((tool) => scansOfTool({ repository, branch, week, ...options }, tool)),
  );
}

function scansOfTool(context: Context, tool: Tool): DemoScan[] {
  const { repository, branch, week, seed } = context;
  const snapshot = takeSnapshot(repository, week, branch, seed);
  const names = tool === 'trivy-image' ? snapshot.images.map(({ image }) => image.name) : [''];
  return names.map((name, index) => {
    const ref = branch?.ref ?? 'main';
    const scannedAt = scanTime(context, tool, index);
    const subject = name === '' ? tool : `${tool}-${name.slice(name.lastIndexOf('/') + 1)}`;
    const extension = tool.startsWith('trivy') ? 'json' : 'sarif';
    return {
      repository: repository.name,
      ref,
      refType: branch?.refType ?? 'branch',
      defaultBranch: 'main',
      sha: headSha(context),
      scannedAt,
      fileName: `${scannedAt.slice(0, 10)}_${slug(repository.name)}_${slug(ref)}_${subject}.${extension}`,
      report: writeReport(context, tool, snapshot, index, scannedAt),
    };
  });
}

function writeReport(context: Context, tool: Tool, whole: Snapshot, index: number, at: string): string {
  const { repository, branch, week, seed } = context;
  const mishap = repository.mishaps?.find(
    (candidate) => candidate.week === week && candidate.tool === tool && branch === null,
  );
  const snapshot = mishap?.kind === 'half-run' ? halfOf(whole) : whole;
  switch (tool) {
    case 'trivy':
      return writeTrivyFilesystem(snapshot, at);
    case 'trivy-image':
      return writeTrivyImage(snapshot, index, at);
    case 'semgrep':
      return writeSemgrep(snapshot, { brokenRow: mishap?.kind === 'broken-row' });
    case 'codeql':
      return writeCodeql(snapshot, repository.codeqlLanguage ?? 'none');
    case 'gitleaks': {
      const weekStart = (past: number) => rfc3339(weekEnd({ ...context, week: past }) - 2 * dayMs);
      return writeGitleaks(snapshot, { history: repository.gitleaksScope === 'history', seed, weekStart });
    }
  }
}

/** A tag names a commit of the default branch; a branch has a new head whenever it is scanned. */
function headSha({ repository, branch, week, seed }: Context): string {
  if (branch?.refType === 'tag') return commitSha(seed, repository.name, 'main', branch.cut);
  return commitSha(seed, repository.name, branch?.ref ?? 'main', week);
}

/** The report of a run that stopped after one manifest: it lists no other manifest, no secret and no check. */
function halfOf(snapshot: Snapshot): Snapshot {
  return {
    ...snapshot,
    manifests: snapshot.manifests.slice(-1),
    misconfigurations: [],
    secrets: [],
    licenses: [],
  };
}

/**
 * Each repository has its own hour of the week, and its tools follow each other by minutes. A branch is scanned some
 * days later in the week, so a scan of one series is never older than the previous one.
 */
function scanTime(context: Context, tool: Tool, index: number): string {
  const tools: readonly Tool[] = ['trivy', 'trivy-image', 'semgrep', 'codeql', 'gitleaks'];
  const minutes = 4 * tools.indexOf(tool) + 2 * index;
  const days = context.branch?.daysLater ?? 0;
  return rfc3339(weekEnd(context) + days * dayMs + minutes * minuteMs);
}

/** The time of a repository's scan of the default branch in a week: up to a day and a half before the week's end. */
function weekEnd({ repository, week, now, seed }: Context): number {
  const beforeMinutes = 30 + pickNumber(36 * 60, seed, repository.name, 'hour');
  return now.getTime() - (lastWeek - week) * 7 * dayMs - beforeMinutes * minuteMs;
}

function rfc3339(timeMs: number): string {
  return `${new Date(timeMs).toISOString().slice(0, 19)}Z`;
}

function slug(text: string): string {
  return text.slice(text.startsWith('kestrel-') ? text.indexOf('/') + 1 : 0).replaceAll(/[^\w.-]+/g, '-');
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

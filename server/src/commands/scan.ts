/** `merlond scan import`: reports of scanners from files, through the same pipeline as uploads. */

import { constants, createReadStream } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { normalize } from 'node:path';
import type { Readable } from 'node:stream';
import { type Command, Option } from 'commander';
import type { Config } from '../config.ts';
import { commitPattern } from '../domain/commit.ts';
import { conflictingInput, invalidInput } from '../domain/errors.ts';
import { lengthRule } from '../domain/field-rules.ts';
import { formatId } from '../domain/ids.ts';
import { readPath } from '../domain/named-path.ts';
import { sources } from '../domain/packed-state.ts';
import { countCharacters, isPlainName, maxNameLength, plainNameRule } from '../domain/plain-name.ts';
import { parseBranch, parseReference, type ReferenceType, referenceTypes } from '../domain/reference-name.ts';
import { isRepositoryName } from '../domain/repository-name.ts';
import type { ScanDetailRow } from '../ingest/scans/store.ts';
import { importFiles, type ReportFile, reportFile } from '../ingest/upload/import-files.ts';
import { parseScanTime } from '../ingest/upload/scan-time.ts';
import { openQueue } from '../jobs/queue.ts';
import type { OpenDatabase } from '../open.ts';
import { exitCodes } from './command-error.ts';
import { printJson, say } from './output.ts';
import { readConfig } from './read-config.ts';
import { withDatabase } from './with-database.ts';

interface ImportOptions {
  workspace: string;
  repo: string;
  ref: string;
  refType: ReferenceType;
  defaultBranch?: string;
  sha?: string;
  scannedAt?: string;
  category?: string;
  format: string;
  source?: (typeof sources)[number];
  partial?: true;
  dryRun?: true;
  force?: true;
  json?: true;
}

export function addScanCommands(program: Command): void {
  program
    .command('scan')
    .description('Reports of scanners')
    .command('import <file...>')
    .description('Import reports, and update the vulnerabilities of the repository')
    .requiredOption('--workspace <slug>', 'workspace')
    .requiredOption('--repo <org/name>', 'repository; created if it is new')
    .option('--ref <name>', 'reference that was scanned', 'main')
    .addOption(
      new Option('--ref-type <type>', 'type of the reference').choices(referenceTypes).default('branch'),
    )
    .option('--default-branch <name>', 'default branch of the repository; default: the first one seen')
    .option('--sha <hex>', 'commit that was scanned')
    .option('--scanned-at <time>', 'time of the scan, RFC 3339; default: now')
    .option(
      '--category <name>',
      'separates several reports of one tool; stands before the category of the report',
    )
    .option('--format <format>', 'format of the report; default: recognised from the content', 'auto')
    .addOption(new Option('--source <source>', 'scanned content; default: as in the report').choices(sources))
    .option('--partial', 'the report is partial, so it closes nothing')
    .option('--dry-run', 'show what would change; change nothing')
    .option('--force', 'close even if the mass-closure check would hold it')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      '\nExample:\n  merlond scan import trivy.json semgrep.sarif --workspace acme --repo acme/shop --sha $(git rev-parse HEAD)',
    )
    .action(async (files: string[], options: ImportOptions) => {
      const inputs = await Promise.all(files.map((file) => inputOf(file, options)));
      const config = readConfig();
      const scans = await withDatabase((open) => importReports(open, config, options.workspace, inputs));
      const shown = scans.map(shownScan);
      if (options.json) printJson({ scans: shown });
      else for (const scan of shown) say(describe(scan));
      if (shown.some((scan) => scan.status !== 'completed')) process.exitCode = exitCodes.scanFailed;
    });
}

/** Accepts the reports in their order and imports them. Returns their scans. */
export async function importReports(
  open: OpenDatabase,
  config: Config,
  slug: string,
  files: ReportFile[],
): Promise<ScanDetailRow[]> {
  const boss = await openQueue(open.db, { supervise: false });
  try {
    return await importFiles({ ...open, boss, config, log: say }, slug, files);
  } finally {
    await boss.stop({ graceful: false });
  }
}

async function inputOf(file: string, options: ImportOptions): Promise<ReportFile> {
  if (!isRepositoryName(options.repo)) throw invalidInput('Must be org/name.', 'repo');
  if (countCharacters(options.repo) > maxNameLength) throw invalidInput(lengthRule(maxNameLength), 'repo');
  if (options.sha !== undefined && !new RegExp(commitPattern).test(options.sha)) {
    throw invalidInput('Must be 7 to 64 hexadecimal characters.', 'sha');
  }
  for (const [option, name] of [
    ['repo', options.repo],
    ['category', options.category],
  ] as const) {
    if (!isPlainName(name ?? '')) throw invalidInput(plainNameRule, option);
  }
  const { defaultBranch, scannedAt } = options;
  return reportFile({
    repository: { fullName: options.repo },
    reference: parseReference(options.ref, options.refType),
    defaultBranch: defaultBranch === undefined ? null : parseBranch(defaultBranch, 'default-branch'),
    sha: options.sha ?? null,
    scannedAt: scannedAt === undefined ? null : parseScanTime(scannedAt, 'scanned-at'),
    category: options.category ?? null,
    format: options.format,
    source: options.source ?? null,
    partial: options.partial ?? false,
    dryRun: options.dryRun ?? false,
    force: options.force ?? false,
    fileName: normalize(file).slice(-255),
    open: await fileOpener(file),
  });
}

// All files must exist before any report is accepted.
async function fileOpener(file: string): Promise<() => Readable> {
  return readPath(file, async () => {
    await access(file, constants.R_OK);
    if ((await stat(file)).isDirectory()) {
      throw conflictingInput('It is a folder. Name a file.');
    }
    return () => createReadStream(file);
  });
}

function shownScan(scan: ScanDetailRow) {
  return {
    id: formatId('scan', scan.id),
    file: scan.file_name,
    format: scan.format,
    tool: scan.tools.join(','),
    status: scan.status,
    counts: scan.counts,
    warnings: scan.warnings,
    unreadable: scan.unreadable,
    error: scan.error,
  };
}

function describe(scan: ReturnType<typeof shownScan>): string {
  if (scan.error) {
    const location = [scan.error.pointer, scan.error.line === null ? null : `line ${scan.error.line}`].filter(
      (p) => p !== null,
    );
    return `${scan.file}: failed: ${scan.error.message}${location.length > 0 ? ` (${location.join(', ')})` : ''}`;
  }
  const { counts } = scan;
  const numbers = counts
    ? Object.entries(counts)
        .filter(([name, n]) => n > 0 || ['read', 'new', 'fixed'].includes(name))
        .map(([name, n]) => `${n} ${name.replace('_', ' ')}`)
        .join(', ')
    : 'waiting';
  const warnings = scan.warnings.map((warning) => `\n  warning: ${warning}`).join('');
  return `${scan.file}: ${scan.tool || scan.format}: ${numbers}${warnings}`;
}

/** `merlon scan upload`: reports of scanners to the server, and what became of them. */
import { type Command, Option } from 'commander';
import type { Checkout } from '../checkout/checkout.ts';
import { detectCheckout, surroundingsHere } from '../checkout/detect.ts';
import { CommandError, exitCodeOf, exitCodes, messageOf } from '../failures.ts';
import { print, printJson, say } from '../output.ts';
import { clearProgress, showProgress } from '../progress.ts';
import { patience } from '../requests.ts';
import { type GlobalOptions, openSession, type Session } from '../session.ts';
import { describeOutcome, type Outcome } from '../upload/outcome.ts';
import { describeParameters, type UploadOptions, uploadParameters } from '../upload/parameters.ts';
import { openReportFile, type ReportFile } from '../upload/report-file.ts';
import { sendReport } from '../upload/send-report.ts';
import { isFinal, type Scan, waitForScan } from '../upload/wait-for-scan.ts';

const defaultWaitSeconds = 300;

type Options = UploadOptions & GlobalOptions & { wait?: number };

export function addScanCommands(program: Command): void {
  program
    .command('scan')
    .description('Reports of scanners')
    .command('upload <file...>')
    .description(
      'Upload reports; in a checkout, what was scanned is found out by itself. - is standard input',
    )
    .option('--repo <org/name>', 'repository')
    .option('--ref <name>', 'reference that was scanned: main, refs/tags/v1, refs/pull/7/head')
    .addOption(
      new Option('--ref-type <type>', 'what a short --ref is').choices(['branch', 'tag', 'pull_request']),
    )
    .option('--sha <hex>', 'commit that was scanned')
    .option('--base-ref <name>', 'of a pull request: the branch it goes to')
    .option('--base-sha <hex>', 'of a pull request: where it left its base')
    .option('--default-branch <name>', 'default branch of the repository')
    .option('--category <name>', 'tells several runs of one tool apart; else what the report says')
    .option('--scanned-at <time>', 'when, RFC 3339; else now')
    .addOption(
      new Option('--source <source>', 'what was scanned; else as the report says').choices([
        'current',
        'git_history',
      ]),
    )
    .option('--format <format>', 'else recognised from the content')
    .option('--environment <name>', 'where the reference is deployed, such as production')
    .option('--partial', 'the report shows a part: close nothing')
    .option('--dry-run', 'say what would change, change nothing')
    .option('--force', 'close even what the guard would hold; for admins')
    .option(
      '--wait <seconds>',
      `wait for the result, ${defaultWaitSeconds} s unless given: --wait or --wait=SECONDS`,
      secondsOf,
    )
    .addHelpText(
      'after',
      '\nExamples:\n  merlon scan upload trivy.json semgrep.sarif --wait\n' +
        '  grype dir:. -o json | merlon scan upload - --repo acme/shop --ref main',
    )
    .action(async (files: string[], _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<Options>();
      if (files.filter((file) => file === '-').length > 1) {
        throw new CommandError('standard input is one report: give - once', exitCodes.usage);
      }
      const checkout = detectCheckout(surroundingsHere());
      const parameters = uploadParameters(options, checkout);
      const reports = await openAll(files);
      try {
        const session = await openSession(options, { persistent: true });
        say(describeParameters(parameters, checkout));
        const outcomes = await upload(session, reports, parameters, options.wait ?? null);
        show(outcomes, checkout, parameters, options.json ?? false);
        process.exitCode = exitCodeOfAll(outcomes, options.wait !== undefined);
      } finally {
        for (const report of reports) await report.close();
      }
    });
}

/** `--wait` may stand alone, and what follows it is a file: a bare one is given its seconds. */
export function withSecondsToWait(argv: string[]): string[] {
  const end = argv.indexOf('--');
  return argv.map((argument, i) =>
    argument === '--wait' && (end < 0 || i < end) && !/^\d+$/.test(argv[i + 1] ?? '')
      ? `--wait=${defaultWaitSeconds}`
      : argument,
  );
}

function secondsOf(text: string): number {
  if (!/^\d{1,5}$/.test(text)) throw new CommandError(`--wait=${text}: must be seconds`, exitCodes.usage);
  return Number(text);
}

// Before anything is sent, all files are known to be there.
async function openAll(files: string[]): Promise<ReportFile[]> {
  const reports: ReportFile[] = [];
  try {
    for (const file of files) reports.push(await openReportFile(file));
    return reports;
  } catch (error) {
    for (const report of reports) await report.close();
    throw error;
  }
}

async function upload(
  session: Session,
  reports: ReportFile[],
  parameters: Record<string, string>,
  waitSeconds: number | null,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let stopped = false;
  for (const report of reports) {
    const outcome: Outcome = { file: report.file, scan: null, url: null, error: null };
    outcomes.push(outcome);
    if (stopped) {
      outcome.error = new CommandError('not sent');
      continue;
    }
    try {
      const scan = await sendReport(session, report, parameters, patience, (bytes) =>
        showProgress(`sending ${report.file}`, bytes, report.bytes, 'bytes'),
      );
      outcome.scan = scan;
      outcome.url = `${session.baseUrl}/api/v1/${session.workspace}/scans/${scan.id}`;
    } catch (error) {
      outcome.error = error;
      // Another report may be readable; another attempt with a key that is refused is not.
      stopped = !isAboutReport(error);
    }
    clearProgress();
  }
  if (waitSeconds !== null) await waitForAll(session, outcomes, Date.now() + waitSeconds * 1000);
  return outcomes;
}

function isAboutReport(error: unknown): boolean {
  const { status } = error as { status?: number };
  return status === 413 || status === 415 || (status === 422 && exitCodeOf(error) === exitCodes.refused);
}

async function waitForAll(session: Session, outcomes: Outcome[], deadline: number): Promise<void> {
  for (const outcome of outcomes) {
    if (outcome.scan === null) continue;
    const label = (scan: Scan): string => `${outcome.file}: ${scan.progress?.step ?? scan.status}`;
    try {
      outcome.scan = await waitForScan(session, outcome.scan.id, deadline, patience, (scan) =>
        showProgress(label(scan), scan.progress?.done ?? 0, scan.progress?.total ?? 0, 'findings'),
      );
    } catch (error) {
      // It was taken all the same, and is shown with its id.
      outcome.error = error;
    }
    clearProgress();
  }
}

function show(
  outcomes: Outcome[],
  checkout: Checkout | null,
  parameters: Record<string, string>,
  json: boolean,
): void {
  if (!json) {
    for (const outcome of outcomes) print(describeOutcome(outcome));
    return;
  }
  printJson({
    found_by: checkout?.foundBy ?? null,
    parameters,
    scans: outcomes.map(({ file, scan, url, error }) => ({
      file,
      id: scan?.id ?? null,
      url,
      status: scan?.status ?? 'refused',
      ...(scan === null
        ? {}
        : {
            tools: scan.tools,
            format: scan.format,
            counts: scan.counts,
            warnings: scan.warnings ?? [],
            unreadable: scan.unreadable ?? [],
          }),
      error: error === null ? (scan?.error ?? null) : { message: messageOf(error) },
    })),
  });
}

function exitCodeOfAll(outcomes: Outcome[], waited: boolean): number {
  const refused = outcomes.find(({ error }) => error !== null);
  if (refused) return exitCodeOf(refused.error);
  if (outcomes.some(({ scan }) => scan?.status === 'failed' || scan?.status === 'canceled')) {
    return exitCodes.scanFailed;
  }
  const late = outcomes.some(({ scan }) => scan !== null && !isFinal(scan));
  return waited && late ? exitCodes.noResult : exitCodes.ok;
}

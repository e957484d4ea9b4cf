/** `merlon scan upload` sends reports of scanners, and shows their results and the verdict. */
import { addressOf, queryValues } from '@merlon/client';
import { type Command, Option } from 'commander';
import type { Checkout } from '../checkout/checkout.ts';
import { currentEnvironment, detectCheckout } from '../checkout/detect.ts';
import { findRoot, isUnreadable } from '../checkout/git.ts';
import { CommandError, exitCodeOf, exitCodes, messageOf } from '../failures.ts';
import { fetchGate } from '../gate/fetch-gate.ts';
import { queryAfterUpload, refuseAnyVerdict, refuseVerdictOfEarlierRun } from '../gate/gate-after-upload.ts';
import type { GateResult } from '../gate/gate-answer.ts';
import { addGateOptions, type GateOutputs, outputGate, removeOldFiles } from '../gate/gate-outputs.ts';
import type { GateOptions, GateQuery } from '../gate/gate-query.ts';
import { print, printJson, say } from '../output.ts';
import { defaultWaitSeconds, secondsOf } from '../parse-duration.ts';
import { clearProgress, showProgress } from '../progress.ts';
import { retryClock } from '../requests.ts';
import { type GlobalOptions, openSession, type Session } from '../session.ts';
import { type CodeOwnersFile, findCodeOwners, sendCodeOwners } from '../upload/code-owners.ts';
import { isCommitted } from '../upload/committed-file.ts';
import { describeOutcome, type Outcome } from '../upload/outcome.ts';
import {
  describeParameters,
  type UploadOptions,
  type UploadQuery,
  uploadParameters,
} from '../upload/parameters.ts';
import { openReportFile, type ReportFile } from '../upload/report-file.ts';
import { sendReport } from '../upload/send-report.ts';
import { isFinal, type Scan, waitForScan } from '../upload/wait-for-scan.ts';

type Options = UploadOptions &
  GateOptions &
  GateOutputs &
  GlobalOptions & { wait?: number; gate?: true; allowCommitted?: true };

export function addScanCommands(program: Command): void {
  const upload = program
    .command('scan')
    .description('Reports of scanners')
    .command('upload <file...>')
    .description(
      'Upload reports; in a checkout, repository, reference and commit are detected. - is standard input',
    )
    .option('--repo <org/name>', 'repository')
    .option('--ref <name>', 'reference that was scanned: main, refs/tags/v1, refs/pull/7/head')
    .addOption(
      new Option('--ref-type <type>', 'type of a short --ref').choices(queryValues.uploadScan.ref_type),
    )
    .option('--sha <hex>', 'commit that was scanned')
    .option('--base-ref <name>', 'for a pull request: its target branch')
    .option('--base-sha <hex>', 'for a pull request: the commit where it left its base')
    .option('--default-branch <name>', 'default branch of the repository')
    .option(
      '--category <name>',
      'separates several reports of one tool; stands before the category of the report',
    )
    .option('--scanned-at <time>', 'time of the scan, RFC 3339; default: now')
    .addOption(
      new Option('--source <source>', 'scanned content; default: as in the report').choices(
        queryValues.uploadScan.source,
      ),
    )
    .option('--format <format>', 'format of the report; default: recognised from the content')
    .option('--environment <name>', 'where the reference is deployed, such as production')
    .option('--partial', 'the report is partial, so it closes nothing')
    .option('--dry-run', 'show what would change; change nothing')
    .option('--force', 'close even if the mass-closure check would hold it; for admins')
    .option('--allow-committed', 'send also reports that are in the commit itself')
    .option(
      '--wait <seconds>',
      `wait for the result, by default ${defaultWaitSeconds} s: --wait or --wait=SECONDS`,
      secondsOf('--wait'),
    )
    .option('--gate', 'wait for the verdict and exit with 0 for pass or warn, 1 for block');
  addGateOptions(upload)
    .addHelpText(
      'after',
      '\nThe options from --all on need --gate.' +
        '\n\nExamples:\n  merlon scan upload trivy.json semgrep.sarif --wait\n' +
        '  merlon scan upload trivy.json --gate --comment\n' +
        '  grype dir:. -o json | merlon scan upload - --repo acme/shop --ref main',
    )
    .action(async (files: string[], _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<Options>();
      if (files.filter((file) => file === '-').length > 1) {
        throw new CommandError('Standard input is one report: give - only once.', exitCodes.usage);
      }
      checkGateOptions(options);
      const checkout = detectCheckout(currentEnvironment());
      const parameters = uploadParameters(options, checkout);
      const codeOwners = options.dryRun ? null : findCodeOwners(options, checkout, currentEnvironment().git);
      const reports = await openAll(files, options.allowCommitted ?? false);
      try {
        const session = await openSession(options, { persistent: true });
        if (options.gate) await removeOldFiles(options, files);
        say(describeParameters(parameters, checkout));
        const code = await run(session, reports, parameters, codeOwners, checkout, options);
        process.exitCode ||= code;
      } finally {
        for (const report of reports) await report.close();
      }
    });
}

/** Returns the exit code. */
async function run(
  session: Session,
  reports: ReportFile[],
  parameters: UploadQuery,
  codeOwners: CodeOwnersFile | null,
  checkout: Checkout | null,
  options: Options,
): Promise<number> {
  // They come first, so that what the reports open has its owners.
  const isKnown = codeOwners === null || (await sendCodeOwners(session, codeOwners, parameters));
  const waitSeconds = options.wait ?? (options.gate ? defaultWaitSeconds : null);
  const outcomes = await uploadAll(session, reports, parameters);
  const deadline = Date.now() + (waitSeconds ?? 0) * 1000;
  if (waitSeconds !== null) await waitForAll(session, outcomes, deadline);
  // The first report makes the repository, and says which branch is its default branch.
  if (codeOwners && !isKnown && waitSeconds !== null) await sendCodeOwners(session, codeOwners, parameters);
  if (!options.json) for (const outcome of outcomes) print(...describeOutcome(outcome));
  const code = exitCodeOfAll(outcomes, waitSeconds !== null);
  const asked = options.gate ? await gateOf(session, outcomes, parameters, options, code, deadline) : null;
  if (options.json) printJson(jsonOf(outcomes, checkout, parameters, options.gate ? asked : undefined));
  const verdict = asked === null ? null : await outputVerdict(session, asked, parameters, options);
  return code === exitCodes.ok && verdict !== null ? verdict : code;
}

/**
 * `--wait` may have no value, and the next argument may be a file. A bare `--wait` therefore gets its default seconds.
 */
export function withSecondsToWait(argv: string[]): string[] {
  const end = argv.indexOf('--');
  return argv.map((argument, i) =>
    argument === '--wait' && (end < 0 || i < end) && !/^\d+$/.test(argv[i + 1] ?? '')
      ? `--wait=${defaultWaitSeconds}`
      : argument,
  );
}

function checkGateOptions(options: Options): void {
  if (options.gate) {
    if (options.dryRun)
      throw new CommandError(
        'With --dry-run nothing changes, so it cannot be combined with --gate.',
        exitCodes.usage,
      );
    return;
  }
  const needing = ['all', 'expect', 'sarif', 'junit', 'comment'] as const;
  const given = needing.find((name) => options[name] !== undefined);
  if (given) throw new CommandError(`The option --${given} needs --gate.`, exitCodes.usage);
}

// All files are opened before anything is sent. Whoever writes the code could commit an empty report, which a pattern
// such as *.sarif then finds beside the one of the scanner.
async function openAll(files: string[], allowCommitted: boolean): Promise<ReportFile[]> {
  const reports: ReportFile[] = [];
  const root = findRoot(process.cwd());
  if (root === null && !allowCommitted && isUnreadable(process.cwd())) say(unreadableCheckout);
  try {
    for (const file of files) {
      reports.push(await openReportFile(file, root, files));
      if (file === '-' || root === null || allowCommitted) continue;
      if (isCommitted(file, root)) throw committedReport(file);
    }
    return reports;
  } catch (error) {
    for (const report of reports) await report.close();
    throw error;
  }
}

const unreadableCheckout =
  'git cannot read this checkout, so reports that were committed are not refused: install git, or run git config --global --add safe.directory with the directory of the checkout.';

const committedReport = (file: string): CommandError =>
  new CommandError(
    `The report ${file} is in the commit itself, so it may not come from a scanner. Remove it from the repository, name the reports without a pattern, or give --allow-committed.`,
    exitCodes.usage,
  );

async function uploadAll(
  session: Session,
  reports: ReportFile[],
  parameters: UploadQuery,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let stopped = false;
  for (const report of reports) {
    const outcome: Outcome = { file: report.file, scan: null, url: null, page: null, error: null };
    outcomes.push(outcome);
    if (stopped) {
      outcome.error = new CommandError('The report was not sent.');
      continue;
    }
    try {
      const scan = await sendReport(session, report, parameters, retryClock, (bytes) =>
        showProgress(`sending ${report.file}`, bytes, report.bytes, 'bytes'),
      );
      outcome.scan = scan;
      const path = { tenant_slug: session.workspace, scan: scan.id };
      outcome.url = session.baseUrl + addressOf('getScan', { path });
      outcome.page = `${session.baseUrl}/w/${session.workspace}/scans/${scan.id}`;
    } catch (error) {
      outcome.error = error;
      // Another report may be readable, but a refused key stays refused.
      stopped = !isAboutReport(error);
    }
    clearProgress();
  }
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
      outcome.scan = await waitForScan(session, outcome.scan.id, deadline, retryClock, (scan) =>
        showProgress(label(scan), scan.progress?.done ?? 0, scan.progress?.total ?? 0, 'findings'),
      );
    } catch (error) {
      // The server has accepted the report, so its scan is shown with its id.
      outcome.error = error;
    }
    clearProgress();
  }
}

type Asked = GateResult & { query: GateQuery };

/** Returns null if no report was accepted, or if the gate of a partly failed upload cannot be read. */
async function gateOf(
  session: Session,
  outcomes: Outcome[],
  parameters: UploadQuery,
  options: Options,
  code: number,
  deadline: number,
): Promise<Asked | null> {
  const scan = outcomes.find((outcome) => outcome.scan !== null)?.scan;
  if (!scan) return null;
  const query = queryAfterUpload(scan, parameters, options);
  if (code === exitCodes.ok) {
    const scanIds = outcomes.flatMap((outcome) => outcome.scan?.id ?? []);
    const check = refuseVerdictOfEarlierRun(scanIds, options);
    return { query, ...(await fetchGate(session, query, deadline, retryClock, check)) };
  }
  // The failed upload decides the exit code, even if this request fails too.
  const result = await fetchGate(session, query, Date.now(), retryClock, refuseAnyVerdict).catch(() => null);
  return result && { query, ...result };
}

function outputVerdict(
  { workspace }: Session,
  { query, ...result }: Asked,
  { repo }: UploadQuery,
  options: Options,
): Promise<number> {
  return outputGate(result, options, { workspace, repo, ref: query.ref }, { shown: !options.json });
}

function jsonOf(
  outcomes: Outcome[],
  checkout: Checkout | null,
  parameters: UploadQuery,
  asked: Asked | null | undefined,
): object {
  return {
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
    // A partly failed upload must never show a pass.
    ...(asked === undefined ? {} : { gate: asked?.noVerdict === null ? asked.gate : null }),
  };
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

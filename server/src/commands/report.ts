/** `merlond report`: the status report as a file that prints, for people who do not use the console. */
import { writeFile } from 'node:fs/promises';
import { jsonText, writeWhole } from '@merlon/terminal';
import { type Command, Option } from 'commander';
import { tenantReadTx } from '../db/database.ts';
import { readStatusReport } from '../reports/overview/status-report.ts';
import { type PartKind, partKinds } from '../reports/overview/status-report-store.ts';
import { statusReportHtml } from '../reports/printed/status-report-html.ts';
import { CommandError, exitCodes } from './command-error.ts';
import { say } from './output.ts';
import { withWorkspace } from './with-database.ts';

interface ReportOptions {
  workspace: string;
  organization?: string;
  application?: string;
  by: PartKind;
  out?: string;
  json?: true;
}

export function addReportCommands(program: Command): void {
  program
    .command('report')
    .description('Write the status report as one HTML file, which a browser can print or save as PDF')
    .requiredOption('--workspace <slug>', 'workspace')
    .option('--organization <name>', 'only this organization: full path or id')
    .option('--application <name>', 'only this application: name or id')
    .addOption(
      new Option('--by <kind>', 'the parts of the workspace').choices(partKinds).default('organization'),
    )
    .option('--out <file>', 'file to write; default: standard output')
    .option('--json', 'print the numbers as JSON, as in the API')
    .addHelpText(
      'after',
      '\nExamples:\n  merlond report --workspace acme --out report.html' +
        '\n  merlond report --workspace acme --application Shop --out shop.html',
    )
    .action(async (options: ReportOptions) => {
      const text = await reportText(options);
      if (options.out === undefined) process.stdout.write(text);
      else {
        await writeWhole(options.out, (path, flag) => writeFile(path, text, { flag }));
        say(`wrote ${options.out}`);
      }
    });
}

async function reportText({
  workspace,
  organization,
  application,
  by,
  json,
}: ReportOptions): Promise<string> {
  if (organization !== undefined && application !== undefined) {
    throw new CommandError('Give --organization or --application, and not both.', exitCodes.usage);
  }
  return withWorkspace(workspace, async ({ db }, tenant) => {
    const report = await tenantReadTx(db, tenant.id, (tx) =>
      readStatusReport(
        tx,
        {
          by,
          ...(organization !== undefined && { organization }),
          ...(application !== undefined && { application }),
        },
        new Date(),
      ),
    );
    return json ? jsonText(report) : statusReportHtml(report, tenant.name, by);
  });
}

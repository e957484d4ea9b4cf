/** `merlon vex` writes what is decided about a repository, an application or a reference as a VEX document. */
import { writeFile } from 'node:fs/promises';
import { addressOf, MerlonError, queryValues } from '@merlon/client';
import { writeWhole } from '@merlon/terminal';
import { type Command, Option } from 'commander';
import { CommandError, exitCodes, fieldErrors } from '../failures.ts';
import { printJson, say } from '../output.ts';
import { checkAnswer, retryClock, withRetries } from '../requests.ts';
import { type GlobalOptions, openSession } from '../session.ts';

// The address that a server without a public URL writes in place of its own. It must not reach customers.
const unnamedPublisher = 'https://merlon.invalid';

interface VexOptions extends GlobalOptions {
  format: (typeof queryValues.exportVex.format)[number];
  repo?: string;
  ref?: string;
  application?: string;
  out?: string;
}

export function addVexCommand(program: Command): void {
  program
    .command('vex')
    .description('Write a VEX document of a repository, an application or a reference from its decisions')
    .addOption(
      new Option('--format <format>', 'format').choices(queryValues.exportVex.format).default('openvex'),
    )
    .option('--repo <name>', 'repository: full name or id')
    .option('--ref <name>', 'with --repo: only this reference; default: the tracked references')
    .option('--application <name>', 'application: name or id')
    .option('--out <file>', 'file to write; default: standard output')
    .addHelpText(
      'after',
      '\nExamples:\n  merlon vex --repo acme/shop --out shop.openvex.json\n  merlon vex --application Shop --format csaf\n\nIf nothing is open or decided, there is no OpenVEX document, and the exit code is 3. Give another format then.',
    )
    .action(async (_options: unknown, command: Command) => {
      const options = command.optsWithGlobals<VexOptions>();
      if ((options.repo === undefined) === (options.application === undefined)) {
        throw new CommandError('Give --repo, or --application.', exitCodes.usage);
      }
      const session = await openSession(options);
      const { format, repo, ref, application, out } = options;
      const address = addressOf('exportVex', {
        path: { tenant_slug: session.workspace },
        query: { format, repo, ref, application },
      });
      const response = await checkAnswer(
        await withRetries(session.baseUrl, { failures: true, connections: true }, retryClock, () =>
          session.request(address),
        ),
        null,
      ).catch((error: unknown) => {
        throw isEmptyDocument(error) ? emptyDocument() : error;
      });
      const document: unknown = await response.json();
      if (JSON.stringify(document).includes(`"${unnamedPublisher}`)) {
        say(
          `MERLON_PUBLIC_URL is not set on the server, so the document is published by ${unnamedPublisher}.`,
        );
      }
      if (out === undefined) {
        printJson(document);
        return;
      }
      await writeWhole(out, (path, flag) =>
        writeFile(path, `${JSON.stringify(document, null, 2)}\n`, { flag }),
      );
      if (options.json) printJson({ out, format });
    });
}

// The command has checked the name of the format, so the server refuses it only for its document.
function isEmptyDocument(error: unknown): boolean {
  return error instanceof MerlonError && 'format' in fieldErrors(error);
}

function emptyDocument(): CommandError {
  return new CommandError(
    'Nothing here is open or decided, and OpenVEX has no document without a statement: give --format csaf or cyclonedx.',
  );
}

/** `merlon triage` records people's decisions about vulnerabilities from a script. */
import type { RequestBody } from '@merlon/client';
import { Argument, type Command, Option } from 'commander';
import { CommandError, exitCodes } from '../failures.ts';
import { colour, print, printJson } from '../output.ts';
import { endOf } from '../parse-end-date.ts';
import { type GlobalOptions, openSession } from '../session.ts';

type Action = RequestBody<'decideVulnerabilities'>['action'];

// True for an action that needs a reason.
const needsReason: Record<Action, boolean> = {
  accept: true,
  ignore: true,
  reject: true,
  confirm: false,
  reopen: false,
};
const resolutions = ['risk_accepted', 'wont_fix', 'test_code', 'false_positive', 'not_affected'] as const;

interface TriageOptions extends GlobalOptions {
  reason?: string;
  resolution?: (typeof resolutions)[number];
  until?: string;
}

export function addTriageCommand(program: Command): void {
  program
    .command('triage')
    .description('Decide about vulnerabilities: all named ones, or none')
    .addArgument(new Argument('<action>', 'decision').choices(Object.keys(needsReason)))
    .argument('<vulnerability...>', 'ids, vc_…')
    .option('--reason <text>', 'reason; required to accept, ignore and reject')
    .addOption(
      new Option('--resolution <resolution>', 'default: the usual one of the action').choices(resolutions),
    )
    .option(
      '--until <time>',
      'end of an acceptance: a date (until the end of the day, UTC), days such as 30d, or RFC 3339',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  merlon triage reject vc_… --reason "constant input"\n' +
        '  merlon triage accept vc_… vc_… --reason "until the gateway is replaced" --until 2027-03-31',
    )
    .action(async (action: Action, ids: string[], _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<TriageOptions>();
      if (needsReason[action] && !options.reason) {
        throw new CommandError(`The decision ${action} needs a reason: give --reason.`, exitCodes.usage);
      }
      const { client, workspace } = await openSession(options);
      const answer = await client.decideVulnerabilities({
        path: { tenant_slug: workspace },
        body: {
          action,
          vulnerabilities: ids.map((id) => ({ id })),
          reason: options.reason,
          resolution: options.resolution,
          until: options.until === undefined ? undefined : endOf(options.until),
        },
      });
      if (options.json) {
        printJson(answer);
        return;
      }
      for (const item of answer.items) {
        const resolution = item.resolution === null ? '' : ` (${item.resolution})`;
        const until = item.accepted_until === null ? '' : ` until ${item.accepted_until}`;
        const confirmed = item.confirmed ? ', confirmed' : '';
        print(`${item.id}: ${item.status}${resolution}${until}${confirmed}`);
        if (item.exceptions.length > 0) print(`  ${colour('yellow', askedFor(item.exceptions))}`);
      }
    });
}

function askedFor(exceptions: string[]): string {
  const what = exceptions.length === 1 ? 'an exception' : `${exceptions.length} exceptions`;
  return `not decided: a policy blocks, so it requested ${what}: ${exceptions.join(', ')}; it blocks until another admin approves`;
}

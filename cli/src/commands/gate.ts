/** `merlon gate` reads the verdict of a commit and writes all outputs that CI uses. */
import type { Command } from 'commander';
import { currentEnvironment, detectCheckout } from '../checkout/detect.ts';
import { fetchGate } from '../gate/fetch-gate.ts';
import { addGateOptions, type GateOutputs, outputGate, removeOldFiles } from '../gate/gate-outputs.ts';
import { describeQuery, type GateOptions, gateQuery } from '../gate/gate-query.ts';
import { printJson, say } from '../output.ts';
import { defaultWaitSeconds, secondsOf } from '../parse-duration.ts';
import { retryClock } from '../requests.ts';
import { type GlobalOptions, openSession } from '../session.ts';

type Options = GateOptions & GateOutputs & GlobalOptions & { timeout: number };

export function addGateCommand(program: Command): void {
  const command = program
    .command('gate')
    .description('Show whether a commit may be merged; in a checkout, the commit is detected')
    .option('--repo <org/name>', 'repository')
    .option('--ref <name>', 'reference: main, refs/pull/7/head; HEAD is the default branch')
    .option('--sha <hex>', 'commit')
    .option('--base-ref <name>', 'compare with this branch instead of the one in the reports')
    .option(
      '--timeout <seconds>',
      'how long to wait for the verdict',
      secondsOf('--timeout'),
      defaultWaitSeconds,
    );
  addGateOptions(command)
    .addHelpText(
      'after',
      '\nExit codes: 0 pass or warn, 1 block, 5 a scan failed, 6 no verdict in time, 7 a scanner did not succeed or scanned nothing.' +
        '\n\nExamples:\n  merlon gate --expect trivy,semgrep --comment\n' +
        '  merlon gate --repo acme/shop --ref main --json\n' +
        '  merlon gate --sarif gate.sarif --junit gate.xml',
    )
    .action(async (_options: unknown, self: Command) => {
      const options = self.optsWithGlobals<Options>();
      const checkout = detectCheckout(currentEnvironment());
      const query = gateQuery(options, checkout);
      const session = await openSession(options, { persistent: true });
      await removeOldFiles(options);
      say(describeQuery(query, options.repo === undefined ? (checkout?.foundBy ?? null) : null));
      const result = await fetchGate(session, query, Date.now() + options.timeout * 1000, retryClock);
      if (options.json) printJson(result.gate);
      const code = await outputGate(
        result,
        options,
        { workspace: session.workspace, repo: query.repo, ref: query.ref },
        { shown: !options.json },
      );
      process.exitCode ||= code;
    });
}

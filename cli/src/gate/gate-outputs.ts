/**
 * Prints a verdict, writes it into files for CI, and comments on the pull request. An existing output file is always
 * complete and from this run.
 */
import { rm, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isWrittenDirectly, writeWhole } from '@merlon/terminal';
import { type Command, InvalidArgumentError } from 'commander';
import { currentEnvironment } from '../checkout/detect.ts';
import { CommandError, exitCodes, messagesOf } from '../failures.ts';
import { print, say } from '../output.ts';
import { retryClock } from '../requests.ts';
import { type CommentSubject, commentOn } from './comment.ts';
import { exitCodeOfGate } from './fetch-gate.ts';
import type { GateResult } from './gate-answer.ts';
import { junitOf } from './junit.ts';
import { describeGate } from './print-gate.ts';
import { sarifOf } from './sarif.ts';

export interface GateOutputs {
  sarif?: string;
  junit?: string;
  comment?: true;
}

/** Adds the options that `merlon gate` and `merlon scan upload --gate` share. */
export function addGateOptions(command: Command): Command {
  return command
    .option('--all', 'all violations count, not only those that the base does not have')
    .option('--expect <tools>', 'wait for scans of these tools, such as trivy,semgrep', toolsOf)
    .option('--sarif <file>', 'write the violations as SARIF 2.1.0')
    .option('--junit <file>', 'write the violations as JUnit XML')
    .option('--comment', 'keep one comment in the pull request up to date (GitHub Actions, GitLab CI)');
}

function toolsOf(text: string, before: string[] = []): string[] {
  const tools = text
    .split(',')
    .map((tool) => tool.trim())
    .filter((tool) => tool !== '');
  // An empty variable of CI must not turn the waiting off.
  if (tools.length === 0) throw new InvalidArgumentError('Must name a tool.');
  return [...before, ...tools];
}

/**
 * Runs before any request, so that files of an earlier run are not taken for this run's. `inputs` are the reports,
 * which must not be removed. Throws CommandError.
 */
export async function removeOldFiles({ sarif, junit }: GateOutputs, inputs: string[] = []): Promise<void> {
  const taken = new Set(inputs.map((file) => resolve(file)));
  for (const file of [sarif, junit]) {
    if (file === undefined) continue;
    if (file === '')
      throw new CommandError('The options --sarif and --junit need the name of a file.', exitCodes.usage);
    if (taken.has(resolve(file)))
      throw new CommandError(
        `The file ${file} is named twice: give each output a file of its own.`,
        exitCodes.usage,
      );
    taken.add(resolve(file));
    if (await isWrittenDirectly(file)) continue;
    await rm(file, { force: true }).catch((error) => {
      throw new CommandError(
        `The file ${file} cannot be removed: ${(error as Error).message}.`,
        exitCodes.usage,
      );
    });
  }
}

/** Returns the exit code. `shown` is false if standard output is used for something else. */
export async function outputGate(
  result: GateResult,
  outputs: GateOutputs,
  subject: CommentSubject,
  { shown }: { shown: boolean },
): Promise<number> {
  if (shown) print(...describeGate(result));
  const code = exitCodeOfGate(result);
  const written = await writeFiles(result, outputs);
  if (outputs.comment) await commentOn(currentEnvironment(), subject, result, retryClock);
  return code === exitCodes.ok && !written ? exitCodes.refused : code;
}

/** Returns false if a file could not be written, and reports it. */
async function writeFiles(result: GateResult, { sarif, junit }: GateOutputs): Promise<boolean> {
  try {
    if (junit !== undefined)
      await writeWhole(junit, (path, flag) => writeFile(path, junitOf(result), { flag }));
    if (sarif !== undefined) {
      // A SARIF file without results would mean that all is well, and would close the alerts of code scanning.
      if (result.noVerdict === null)
        await writeWhole(sarif, (path, flag) => writeFile(path, sarifOf(result.gate), { flag }));
      else say(`${sarif} is not written: there is no verdict`);
    }
    return true;
  } catch (error) {
    say(...messagesOf(error));
    return false;
  }
}

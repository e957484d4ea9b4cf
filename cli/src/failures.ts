/** Defines how a failed command ends: exit codes, and error texts for people. */

import { MerlonError } from '@merlon/client';
import type { Sentence } from '@merlon/terminal';
import type { Command } from 'commander';

export const exitCodes = {
  ok: 0,
  blocked: 1,
  usage: 2,
  refused: 3,
  unreachable: 4,
  scanFailed: 5,
  noResult: 6,
  unsuccessful: 7,
} as const;

/** Ends the command with a message on standard error, or with a line for each mistake in a file. */
export class CommandError extends Error {
  readonly lines: string[];
  readonly exitCode: number;

  constructor(message: Sentence | readonly string[], exitCode: number = exitCodes.refused) {
    const lines = [message].flat();
    super(lines.join('\n'));
    this.lines = lines;
    this.name = 'CommandError';
    this.exitCode = exitCode;
  }
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof CommandError) return error.exitCode;
  if (!(error instanceof MerlonError)) return exitCodes.refused;
  if (error.status >= 500) return exitCodes.unreachable;
  // The server refuses the report itself, although the command was called correctly.
  if (error.status === 422) return 'report' in fieldErrors(error) ? exitCodes.refused : exitCodes.usage;
  return exitCodes.refused;
}

export function messageOf(error: unknown): string {
  return messagesOf(error).join('\n');
}

/** Returns the lines for a person. No message holds the key. */
export function messagesOf(error: unknown): string[] {
  if (error instanceof CommandError) return error.lines;
  if (!(error instanceof MerlonError)) return [(error as Error).message];
  const fields = Object.entries(fieldErrors(error));
  if (fields.length > 0) {
    return fields.map(([field, problems]) => `${labelOf(field)}${problems.join(' ')}`);
  }
  const request = error.status >= 500 && error.requestId !== null ? ` (request ${error.requestId})` : '';
  return [`${explanations[error.code] ?? error.message}${neededOf(error)}${request}`];
}

// The API's fixed text would leave a person without the next step, so these texts replace it.
const explanations: Record<string, Sentence> = {
  AUTHENTICATION_REQUIRED: 'The key in MERLON_TOKEN is not valid: it is wrong, expired or revoked.',
  TOKEN_INVALID_FOR_TENANT: 'The key in MERLON_TOKEN has no access to this workspace.',
  TOKEN_ABILITY_DENIED: 'The key in MERLON_TOKEN may not do this.',
  TENANT_NOT_FOUND: 'There is no such workspace: see MERLON_WORKSPACE.',
};

const optionsThatName = ['repo', 'ref', 'sha', 'application', 'policy', 'tracker'];

/** Returns the lines for a person who has called `command`: what was not found is among its arguments and options. */
export function messagesAbout(command: Command | null, error: unknown): string[] {
  const isMissing = error instanceof MerlonError && error.code === 'RESOURCE_NOT_FOUND';
  if (!isMissing || command === null) return messagesOf(error);
  const options: Record<string, unknown> = command.optsWithGlobals();
  const [argument = ''] = command.registeredArguments.map((each) => each.name());
  const names = [
    ...(/^(?:file|path|report)/.test(argument) ? [] : command.args),
    ...optionsThatName.flatMap((name) => (options[name] === undefined ? [] : [`--${name} ${options[name]}`])),
  ];
  // The arguments of some commands are of another kind than their group.
  const group = command.parent?.name();
  const list = argument === group ? ` See "merlon ${group} list".` : '';
  return names.length === 0 ? messagesOf(error) : [`Nothing was found for ${names.join(', ')}.${list}`];
}

function neededOf({ code, details }: MerlonError): string {
  return code === 'TOKEN_ABILITY_DENIED' && typeof details.needed === 'string' ? ` ${details.needed}.` : '';
}

/** Returns the problems of a request by the field that they are about. */
export function fieldErrors({ details }: MerlonError): Record<string, string[]> {
  return (details.errors ?? {}) as Record<string, string[]>;
}

// These fields come from arguments, not from options.
const argumentNames = new Set(['report', 'violations', 'vulnerabilities', 'assignee']);

// The command itself sets these fields.
const ownFields = new Set(['deleted']);

function labelOf(field: string): string {
  if (ownFields.has(field)) return '';
  return argumentNames.has(field) ? `${field}: ` : `--${field.replaceAll('_', '-')}: `;
}

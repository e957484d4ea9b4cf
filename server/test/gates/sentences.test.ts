/**
 * Tests that the public text of each error is a sentence. The compiler refuses any other text: it reports each line
 * below `@ts-expect-error` that it would allow. No cast goes around it.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { CommandError as ClientCommandError } from '../../../cli/src/failures.ts';
import { CommandError } from '../../src/commands/command-error.ts';
import { ConfigError } from '../../src/config.ts';
import { describeMistakes, withContext } from '../../src/domain/domain-error.ts';
import {
  conflictingInput,
  invalidInput,
  invalidTransition,
  resourceNotFound,
  validationFailed,
} from '../../src/domain/errors.ts';
import type { Sentence } from '../../src/domain/sentence.ts';
import { ReportError } from '../../src/parsers/report.ts';

const name: string = 'acme';

test('the compiler takes whole sentences alone', () => {
  const taken = [
    resourceNotFound('Must be a branch.'),
    resourceNotFound(`There is no workspace ${name}.`),
    invalidInput(`Must not be ${name}. ${describeMistakes([name])}`),
  ];
  const refused = [
    // @ts-expect-error A sentence begins with a capital letter.
    resourceNotFound('must be a branch.'),
    // @ts-expect-error A sentence ends with a full stop or a question mark.
    resourceNotFound(`There is no workspace ${name}`),
    // @ts-expect-error A value may begin with any character.
    resourceNotFound(`${name} is not a workspace.`),
    // @ts-expect-error Any text may be a part of a sentence.
    resourceNotFound(name),
    // @ts-expect-error The text of an error of another type may be a part of a sentence.
    resourceNotFound(new RangeError('x').message),
    // @ts-expect-error An error of the API has a sentence.
    invalidTransition('is closed'),
    // @ts-expect-error A mistake of a field is a sentence.
    validationFailed({ name: ['is empty'] }),
    // @ts-expect-error The reason why a report is refused is a sentence.
    new ReportError('MALFORMED_REPORT', 'not JSON'),
    // @ts-expect-error The command line prints a sentence.
    new CommandError('no token was given'),
    // @ts-expect-error So does the command line for people and CI.
    new ClientCommandError('give a person, or --none'),
    // @ts-expect-error The text about a setting is a sentence.
    new ConfigError(`must be set with ${name}`),
  ];
  assert.equal(taken.length + refused.length, 14);
});

test('no source casts a text to a sentence', () => {
  const folder = fileURLToPath(new URL('../../../', import.meta.url));
  const files = globSync('{server,cli}/src/**/*.ts', { cwd: folder });
  assert.ok(files.some((file) => file.startsWith('cli/')) && files.length > 100);
  const casting = files.filter((file) => /\bas Sentence\b/.test(readFileSync(folder + file, 'utf8')));
  assert.deepEqual(casting, []);
});

test('a context comes before the text of a domain error, and other errors stay as they are', async () => {
  const context: Sentence = 'Nothing was loaded from a.yaml.';
  const during = (error: Error) => withContext(context, () => Promise.reject(error));
  await assert.rejects(during(conflictingInput('It has no entries.')), {
    name: 'DomainError',
    code: 'VALIDATION_FAILED',
    data: { isConflict: true },
    message: 'Nothing was loaded from a.yaml. It has no entries.',
  });
  const other = new Error('a fault');
  await assert.rejects(during(other), other);
});

/** Policies from files in YAML or JSON. The server checks them; this file knows the position of each of them. */
import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { MerlonError, type RequestBody } from '@merlon/client';
import { type ReadYaml, readYaml, YamlError } from '@merlon/yaml';
import { CommandError, exitCodes } from './failures.ts';

type PolicyDocument = RequestBody<'planPolicies'>['policies'][number];

export interface PolicyFiles {
  policies: PolicyDocument[];
  /** Runs a request with these policies. The mistakes that the server finds become errors with file and line. */
  locateMistakes<T>(request: Promise<T>): Promise<T>;
}

/** A policy in a file: `path` is '' if it is the whole file. */
interface Source {
  file: string;
  path: string;
  lineOf: ReadYaml['lineOf'];
}

const extensions = ['.yaml', '.yml', '.json'];

/** Reads files, and the files of directories but not of directories inside. Throws CommandError with all mistakes. */
export async function readPolicyFiles(paths: string[]): Promise<PolicyFiles> {
  const mistakes: string[] = [];
  const policies: unknown[] = [];
  const sources: Source[] = [];
  for (const file of (await Promise.all(paths.map(listFiles))).flat()) {
    try {
      const { value, lineOf } = readYaml(await readFile(file, 'utf8'));
      const inFile = policiesOf(value);
      for (const name of inFile.unknown)
        mistakes.push(`${file}:${lineOf(name)}: ${name}: a file has policies`);
      policies.push(...inFile.policies);
      sources.push(...inFile.paths.map((path) => ({ file, path, lineOf })));
    } catch (error) {
      if (!(error instanceof YamlError)) throw unreadable(file, error);
      mistakes.push(...error.mistakes.map(({ message, at }) => `${file}:${at?.line ?? 1}: ${message}`));
    }
  }
  if (mistakes.length > 0) throw new CommandError(mistakes, exitCodes.usage);
  if (policies.length === 0)
    throw new CommandError(
      `There are no policies in ${paths.join(', ')}: name files or directories that have some.`,
      exitCodes.usage,
    );
  return {
    policies: policies as PolicyDocument[],
    locateMistakes: async (request) => {
      try {
        return await request;
      } catch (error) {
        const errors = error instanceof MerlonError && error.status === 422 ? error.details.errors : null;
        if (!errors) throw error;
        const lines = Object.entries(errors as Record<string, string[]>).map(
          ([path, problems]) => `${placeOf(path, sources)}${problems.join(' ')}`,
        );
        throw new CommandError(lines, exitCodes.usage);
      }
    },
  };
}

function policiesOf(value: unknown): { policies: unknown[]; paths: string[]; unknown: string[] } {
  const { policies, ...others } = (value ?? {}) as { policies?: unknown };
  if (!Array.isArray(policies)) return { policies: [value], paths: [''], unknown: [] };
  return { policies, paths: policies.map((_, i) => `policies[${i}]`), unknown: Object.keys(others) };
}

/** `policies[3].name` of the request → `file:line: policies[0].name: `. */
function placeOf(path: string, sources: Source[]): string {
  const [whole = '', index = '', rest = ''] = /^policies\[(\d+)\]\.?(.*)$/.exec(path) ?? [];
  const source = whole === '' ? undefined : sources[Number(index)];
  if (!source) return `${path}: `;
  const inFile = [source.path, rest].filter((part) => part !== '').join('.');
  return `${source.file}:${source.lineOf(inFile)}: ${inFile === '' ? '' : `${inFile}: `}`;
}

async function listFiles(path: string): Promise<string[]> {
  try {
    if (!(await stat(path)).isDirectory()) return [path];
    const names = await readdir(path);
    return names
      .filter((name) => !name.startsWith('.') && extensions.includes(extname(name)))
      .sort()
      .map((name) => join(path, name));
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(path: string, error: unknown): CommandError {
  const { code, message } = error as NodeJS.ErrnoException;
  return new CommandError(
    `The path ${path} cannot be read: ${code === 'ENOENT' ? 'it does not exist' : message}.`,
  );
}

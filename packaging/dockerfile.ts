/** Parses a Dockerfile: its stages, each with its base image and its instructions in order. */
import { readFileSync } from 'node:fs';

export interface Stage {
  from: string;
  name: string | null;
  steps: { instruction: string; text: string }[];
}

export function readDockerfile(path: string): Stage[] {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages: Stage[] = [];
  for (const line of lines) {
    const [, instruction = '', text = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (instruction === 'FROM') {
      const [from = '', , name = null] = text.split(/\s+/);
      stages.push({ from, name, steps: [] });
    } else if (instruction === '' || stages.length === 0) {
      throw new Error(`${path}: ${line}`);
    } else stages.at(-1)?.steps.push({ instruction, text });
  }
  return stages;
}

/** `KEY=value …` of ENV and LABEL; a value may be quoted. */
export function pairsOf({ steps }: Stage, instruction: 'ENV' | 'LABEL'): Record<string, string> {
  const text = steps.flatMap((step) => (step.instruction === instruction ? [step.text] : [])).join(' ');
  return Object.fromEntries(
    [...text.matchAll(/([\w.]+)=(?:"([^"]*)"|(\S*))/g)].map(([, key, quoted, plain]) => [
      key,
      quoted ?? plain,
    ]),
  );
}

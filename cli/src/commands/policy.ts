/** `merlon policy`: policies as code, over the API. */
import type { Answer } from '@merlon/client';
import type { Command } from 'commander';
import { exitCodes } from '../failures.ts';
import { colour, print, printJson, say } from '../output.ts';
import { readPolicyFiles } from '../policy-files.ts';
import { type GlobalOptions, openSession } from '../session.ts';

type Difference = Answer<'planPolicies'>['items'][number];
type DryRun = Answer<'dryRunPolicy'>;
type Rule = Answer<'getPolicy'>['rules'][number];

interface PlanOptions extends GlobalOptions {
  counts: boolean;
  exitCode?: true;
}

export function addPolicyCommands(program: Command): void {
  const policy = program.command('policy').description('Policies as code, from files in YAML or JSON');
  policy
    .command('plan <path...>')
    .description('Show what apply would change, and the matches of each changed policy; change nothing')
    .option('--no-counts', 'do not count the matches of changed policies, which takes a while')
    .option('--exit-code', 'exit with 1 if something would change')
    .addHelpText(
      'after',
      '\nExamples:\n  merlon policy plan policies.yaml\n  merlon policy plan policies/ --exit-code',
    )
    .action(async (paths: string[], _options: unknown, command: Command) => {
      await plan(paths, command.optsWithGlobals<PlanOptions>());
    });
  policy
    .command('apply <path...>')
    .description('Create or update policies from files, all or none; those that they do not mention stay')
    .addHelpText(
      'after',
      '\nExamples:\n  merlon policy apply policies.yaml\n  merlon policy apply policies/\nThe form of a file: docs/policies.md',
    )
    .action(async (paths: string[], _options: unknown, command: Command) => {
      await apply(paths, command.optsWithGlobals<GlobalOptions>());
    });
}

async function plan(paths: string[], options: PlanOptions): Promise<void> {
  const { policies, locateMistakes } = await readPolicyFiles(paths);
  const { client, workspace } = await openSession(options);
  const path = { tenant_slug: workspace };
  const { items } = await locateMistakes(client.planPolicies({ path, body: { policies } }));
  const shown: (Difference & Partial<DryRun>)[] = [];
  for (const [i, difference] of items.entries()) {
    const body = policies[i];
    // Only an active policy has violations, and an unchanged one keeps its violations.
    const isCounted =
      options.counts && difference.change !== 'same' && (body?.status ?? 'active') === 'active';
    const counts = isCounted && body ? await client.dryRunPolicy({ path, body }) : undefined;
    shown.push({ ...difference, ...counts });
    if (!options.json) printDifference(difference, counts);
  }
  if (options.json) printJson({ applied: false, policies: shown });
  else say(summaryOf(items, 'to create', 'to change'));
  if (options.exitCode && items.some(({ change }) => change !== 'same')) process.exitCode = exitCodes.blocked;
}

async function apply(paths: string[], options: GlobalOptions): Promise<void> {
  const { policies, locateMistakes } = await readPolicyFiles(paths);
  const { client, workspace } = await openSession(options);
  const { items } = await locateMistakes(
    client.applyPolicies({ path: { tenant_slug: workspace }, body: { policies } }),
  );
  if (options.json) {
    printJson({ applied: true, policies: items });
    return;
  }
  for (const difference of items) printDifference(difference);
  const follows = items.some(({ change }) => change !== 'same')
    ? '; violations are updated in the background'
    : '';
  say(`${summaryOf(items, 'created', 'changed')}${follows}`);
}

const marks: Record<string, [mark: string, style: 'green' | 'yellow' | 'dim']> = {
  created: ['+', 'green'],
  changed: ['~', 'yellow'],
  same: ['=', 'dim'],
};

function printDifference({ key, change, fields }: Difference, counts?: DryRun): void {
  const [mark, style] = marks[change] ?? ['?', 'dim'];
  print(`${colour(style, mark)} ${key}`);
  for (const [name, { from, to }] of Object.entries(fields)) {
    print(`    ${name}: ${textOf(name, from)} -> ${textOf(name, to)}`);
  }
  if (!counts) return;
  const { matches, repositories, blocked_references: blocked, complete } = counts;
  const atLeast = complete ? '' : 'at least ';
  print(
    `    would have ${atLeast}${matches} violations in ${repositories} repositories, and block ${blocked} references`,
  );
}

function textOf(field: string, value: unknown): string {
  if (field !== 'rules') return JSON.stringify(value);
  const written = (value as Rule[]).map(({ type, id, name, action, enforcement_mode: mode }) => ({
    type,
    ...(type === 'workspace' ? {} : { id: name ?? id }),
    ...(action === 'include' ? {} : { action }),
    ...(mode === null ? {} : { enforcement_mode: mode }),
  }));
  return JSON.stringify(written);
}

function summaryOf(items: Difference[], created: string, changed: string): string {
  const count = (change: Difference['change']) => items.filter((item) => item.change === change).length;
  return `${count('created')} ${created}, ${count('changed')} ${changed}, ${count('same')} the same`;
}

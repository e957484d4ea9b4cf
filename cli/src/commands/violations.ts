/** `merlon violations` lists policy violations, snoozes them and ends a snooze. */
import { type Answer, type Query, queryValues } from '@merlon/client';
import type { Command } from 'commander';
import { currentEnvironment, detectCheckout } from '../checkout/detect.ts';
import { findSubject } from '../checkout/subject.ts';
import { exceptionMode } from '../exception-mode.ts';
import { type FiltersOf, limitOf, readUpTo, splitList } from '../list.ts';
import { colour, print, printJson, printList, severityColour } from '../output.ts';
import { endOf } from '../parse-end-date.ts';
import { type GlobalOptions, openSession } from '../session.ts';

type List = Answer<'listPolicyViolations'>;
type Item = List['items'][number];
type Detail = Answer<'getPolicyViolation'>;

interface Filters {
  repo?: string;
  ref?: string;
  status?: string;
  enforcement?: string;
  policy?: string;
  targetType?: string;
}

const defaultLimit = 50;

const values = queryValues.listPolicyViolations;

export function addViolationsCommands(program: Command): void {
  const violations = program
    .command('violations')
    .description('List the policy violations of a repository, soonest due first')
    .option('--repo <name>', 'repository: id or full name; default: that of the checkout')
    .option('--ref <name>', 'only on this reference; HEAD is the default branch')
    .option('--status <list>', values.status.join())
    .option('--enforcement <list>', `mode in force: ${values.enforcement.join()}`)
    .option('--policy <list>', 'policies: ids or keys')
    .option('--target-type <list>', values.target_type.join())
    .option('--limit <rows>', 'maximum number of rows', limitOf, defaultLimit)
    .addHelpText(
      'after',
      '\nExamples:\n  merlon violations --repo acme/shop --status open --enforcement block\n' +
        '  merlon violations show pvl_…\n' +
        '  merlon violations snooze pvl_… --until 14d --reason "fixed with the next release"',
    )
    .action(async (_options: unknown, command: Command) => {
      await list(command.optsWithGlobals<GlobalOptions & Filters & { limit: number }>());
    });

  violations
    .command('show <violation>')
    .description('Show one violation with its policy, its exception and its location')
    .addHelpText('after', '\nExample:\n  merlon violations show pvl_…')
    .action(async (violation: string, _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>();
      const { client, workspace } = await openSession(options);
      const detail = await client.getPolicyViolation({ path: { tenant_slug: workspace, violation } });
      if (options.json) printJson(detail);
      else print(...describe(detail));
    });

  violations
    .command('snooze <violation...>')
    .description(
      'Snooze violations, so that they do not block for a while: all named ones, or none. Their due dates stay',
    )
    .requiredOption('--until <time>', 'a date (until the end of the day, UTC), days such as 14d, or RFC 3339')
    .requiredOption('--reason <text>', 'why')
    .addHelpText(
      'after',
      '\nExample:\n  merlon violations snooze pvl_… pvl_… --until 14d --reason "fixed with the next release"',
    )
    .action(async (ids: string[], _options: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { until: string; reason: string }>();
      await decide('snooze', ids, options);
    });

  violations
    .command('wake <violation...>')
    .description('End the snooze of violations')
    .requiredOption('--reason <text>', 'why')
    .addHelpText('after', '\nExample:\n  merlon violations wake pvl_… --reason "the release is out"')
    .action(async (ids: string[], _options: unknown, command: Command) => {
      await decide('wake', ids, command.optsWithGlobals<GlobalOptions & { reason: string }>());
    });
}

async function list(options: GlobalOptions & Filters & { limit: number }): Promise<void> {
  const { repo } =
    options.repo === undefined ? findSubject({}, detectCheckout(currentEnvironment())) : options;
  const { client, workspace } = await openSession(options);
  const { ref, status, enforcement, policy, targetType } = options;
  const filters: FiltersOf<Query<'listPolicyViolations'>> = {
    repo: repo ?? '',
    ref,
    status: splitList(status),
    enforcement: splitList(enforcement),
    policy: splitList(policy),
    target_type: splitList(targetType),
  };
  const found = await readUpTo<List>(options.limit, (page) =>
    client.listPolicyViolations({
      path: { tenant_slug: workspace },
      query: { ...filters, ...page },
    }),
  );
  printList(options, found, [
    { title: 'SEVERITY', text: (row) => row.metadata.severity ?? '-', colour: severityColour },
    { title: 'STATUS', text: statusOf },
    { title: 'MODE', text: (row) => row.enforcement_mode ?? '-' },
    { title: 'DUE', text: (row) => row.due_at.slice(0, 10) },
    { title: 'POLICY', text: (row) => row.policy.key },
    { title: 'TARGET', text: targetOf, gives: true },
    { title: 'REF', text: (row) => row.metadata.reference_ref ?? '-' },
    { title: 'ID', text: (row) => row.id },
  ]);
}

function statusOf({ status, blocking, snoozed }: Item): string {
  if (snoozed) return 'snoozed';
  return blocking && status === 'open' ? 'blocking' : status.replaceAll('_', ' ');
}

/** Describes the target of a violation in a few words. */
function targetOf({ target, scope }: Item): string {
  if (Array.isArray(target)) return scope.name;
  switch (target.type) {
    case 'vulnerability':
      return target.title;
    case 'analysis':
      return `${target.analysis_type}: ${(target.vulnerable_reason ?? 'current').replaceAll('_', ' ')}`;
    case 'package':
    case 'package_version':
      return target.purl;
    case 'manifest':
      return target.display_name;
    case 'asset':
      return target.name;
    default:
      return target.provider;
  }
}

function describe({ violation, policy, override, rule, scope, scan }: Detail): string[] {
  const { metadata, snoozed_until: snoozed } = violation;
  const exception = override === null ? null : `${override.id}: ${exceptionMode(override)}`;
  const rows: [string, string | null][] = [
    ['target', targetOf(violation)],
    ['severity', metadata.severity ?? null],
    ['status', `${violation.status.replaceAll('_', ' ')}${violation.blocking ? ', blocks' : ''}`],
    ['mode', violation.enforcement_mode ?? 'none: exempt'],
    ['snoozed', snoozed === null ? null : `until ${snoozed}, snoozes so far: ${violation.snooze_count}`],
    ['policy', `${policy.name} (${policy.key})`],
    ['exception', exception],
    ['rule', rule === null ? null : `${rule.action ?? 'include'} ${rule.type} ${rule.id}`],
    ['repository', scope.name],
    ['reference', metadata.reference_ref ?? null],
    ['due', violation.due_at],
    ['first seen', violation.first_seen_at],
    ['last seen', violation.last_seen_at],
    ['resolved', violation.resolved_at],
    ['scan', scan === null ? null : `${scan.id} of ${scan.ref}${scan.sha === null ? '' : ` at ${scan.sha}`}`],
    ['id', violation.id],
  ];
  return rows.flatMap(([name, value]) =>
    value === null ? [] : [`${colour('bold', name.padEnd(10))} ${value}`],
  );
}

async function decide(
  action: 'snooze' | 'wake',
  ids: string[],
  options: GlobalOptions & { reason: string; until?: string },
): Promise<void> {
  const { client, workspace } = await openSession(options);
  const answer = await client.decideViolations({
    path: { tenant_slug: workspace },
    body: {
      action,
      violations: ids.map((id) => ({ id })),
      reason: options.reason,
      until: options.until === undefined ? undefined : endOf(options.until),
    },
  });
  if (options.json) {
    printJson(answer);
    return;
  }
  for (const { id, status, blocking, snoozed_until: until, snooze_count: count, exception } of answer.items) {
    const snooze = until === null ? '' : `, snoozed until ${until} (snoozes so far: ${count})`;
    print(`${id}: ${status.replaceAll('_', ' ')}${snooze}${blocking ? ', blocks' : ''}`);
    if (exception === null) continue;
    const message = `not snoozed: its policy blocks, so it requested an exception: ${exception.id}; it blocks until another admin approves`;
    print(`  ${colour('yellow', message)}`);
  }
}

/**
 * Writes a verdict as SARIF 2.1.0: one rule per policy, one result per violation. Every result has a location, because
 * GitHub refuses a whole file if one result has none.
 */

import { jsonText, plain, relativeUri } from '@merlon/terminal';
import type { Notification, ReportingDescriptor, Result, Run } from 'sarif';
import type { Gate, GateViolation } from './gate-answer.ts';
import {
  advisoryLabel,
  dueLabel,
  hiddenCounts,
  packageLabel,
  shorten,
  stateLabel,
  subjectLabel,
  unshownBlock,
} from './labels.ts';

const schema = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

// GitHub shows this much of a message.
const longestMessage = 1_000;
const shownSteps = 20;

/** Returns the text of a file. The gate must have a verdict, because an empty file would mean that all is well. */
export function sarifOf(gate: Gate): string {
  const rules = new Map<string, GateViolation[]>();
  for (const violation of gate.violations) {
    rules.set(violation.policy.key, [...(rules.get(violation.policy.key) ?? []), violation]);
  }
  const keys = [...rules.keys()];
  const block = unshownBlock(gate);
  const hidden = hiddenCounts(gate);
  const left = hidden.blocking + hidden.warning;
  const notification: Notification = {
    level: 'warning',
    message: { text: textOf(`${left} more violations of ${subjectLabel(gate)} are not shown.`) },
  };
  const run: Run = {
    tool: {
      driver: {
        name: 'Merlon',
        rules: [
          ...keys.map((key) => ruleOf(key, rules.get(key) ?? [], gate)),
          ...(block === null ? [] : [verdictRule]),
        ],
      },
    },
    automationDetails: { id: 'merlon-gate/' },
    columnKind: 'utf16CodeUnits',
    invocations: [
      {
        executionSuccessful: true,
        ...(left > 0 ? { toolExecutionNotifications: [notification] } : {}),
      },
    ],
    results: [
      ...gate.violations.map((violation) => resultOf(violation, keys.indexOf(violation.policy.key))),
      ...(block === null ? [] : [verdictResult(block, keys.length)]),
    ],
  };
  return jsonText({ $schema: schema, version: '2.1.0', runs: [run] });
}

// No key of a policy has a slash, so no policy has this id.
const verdictRule: ReportingDescriptor = {
  id: 'merlon/verdict',
  shortDescription: { text: 'Verdict of the commit' },
  help: { text: 'The commit is blocked, although no violation of it blocks now.' },
  defaultConfiguration: { level: 'error' },
  properties: { tags: ['security'] },
};

function verdictResult(message: string, ruleIndex: number): Result {
  return {
    ruleId: verdictRule.id,
    ruleIndex,
    level: 'error',
    message: { text: shorten(textOf(message), longestMessage) },
    locations: [{ physicalLocation: { artifactLocation: { uri: '.' }, region: { startLine: 1 } } }],
    partialFingerprints: { primaryLocationLineHash: 'verdict' },
  };
}

function ruleOf(key: string, violations: GateViolation[], gate: Gate): ReportingDescriptor {
  const name = textOf(violations[0]?.policy.name ?? key);
  const ids = new Set(violations.map(({ id }) => id));
  const steps = gate.unblock.filter(({ resolves }) => resolves.some((id) => ids.has(id)));
  const text = [
    `Policy of the workspace: ${name}.`,
    ...steps.slice(0, shownSteps).map((step) => textOf(step.text)),
    ...(steps.length > shownSteps ? [`And ${steps.length - shownSteps} more changes.`] : []),
  ].join('\n');
  const blocks = violations.some(({ blocking }) => blocking);
  return {
    id: plain(key),
    shortDescription: { text: name },
    help: { text },
    defaultConfiguration: { level: blocks ? 'error' : 'warning' },
    properties: { tags: ['security'] },
  };
}

function resultOf(violation: GateViolation, ruleIndex: number): Result {
  const { id, page, policy, blocking, location, severity, owner, package: used } = violation;
  const details = [
    advisoryLabel(violation),
    packageLabel(violation),
    stateLabel(violation),
    dueLabel(violation),
  ].filter((text) => text !== null);
  return {
    ruleId: plain(policy.key),
    ruleIndex,
    level: blocking ? 'error' : 'warning',
    message: { text: shorten(textOf(`${violation.title} (${details.join('; ')})`), longestMessage) },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: relativeUri(location?.path ?? '.') },
          region: { startLine: Math.max(1, location?.line ?? 1) },
        },
        ...(used === null ? {} : { logicalLocations: [{ fullyQualifiedName: plain(used.purl) }] }),
      },
    ],
    ...(URL.canParse(page) ? { hostedViewerUri: new URL(page).href } : {}),
    partialFingerprints: { 'merlonViolation/v1': id, primaryLocationLineHash: id },
    properties: {
      severity,
      blocking,
      policy: plain(policy.key),
      dueAt: violation.due_at,
      advisory: violation.advisory === null ? null : plain(violation.advisory),
      rule: violation.rule === null ? null : plain(violation.rule),
      fix: violation.fix_version === null ? null : plain(violation.fix_version),
      owner: owner === null ? null : plain(owner.display_name),
    },
  };
}

/** Writes text on one line, without characters that SARIF reads as a link or a placeholder. */
function textOf(text: string): string {
  return plain(text)
    .replaceAll('](', '] (')
    .replace(/\{(\d+)\}/g, '{ $1 }');
}

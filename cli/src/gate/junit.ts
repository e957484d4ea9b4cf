/**
 * Writes a verdict as JUnit XML for the test reports of CI: one case per violation, failed if it blocks. It has no
 * document type and no CDATA: all content is escaped text.
 */
import { plain } from '@merlon/terminal';
import type { Gate, GateResult, GateViolation } from './gate-answer.ts';
import {
  advisoryLabel,
  dueLabel,
  hiddenCounts,
  locationLabel,
  nothingCheckedLabel,
  packageLabel,
  shorten,
  stateLabel,
  stepLabel,
  subjectLabel,
  unshownBlock,
} from './labels.ts';

const longestName = 300;

/** Returns the text of a file. Without a verdict, the file has one case with an error. */
export function junitOf({ gate, noVerdict }: GateResult): string {
  const cases =
    noVerdict === null ? casesOf(gate) : [caseOf('verdict', {}, tag('error', { message: noVerdict.text }))];
  const counts = {
    tests: String(cases.length),
    failures: String(noVerdict === null ? countFailures(gate) : 0),
    errors: String(noVerdict === null ? 0 : 1),
  };
  const unchecked = noVerdict === null ? nothingCheckedLabel(gate) : null;
  const output = unchecked === null ? '' : `<system-out>${escapeXml(unchecked)}</system-out>\n`;
  const suite = element(
    'testsuite',
    { name: `merlon gate ${subjectLabel(gate)}`, ...counts },
    cases.join('') + output,
  );
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', { name: 'merlon', ...counts }, suite)}`;
}

function casesOf(gate: Gate): string[] {
  const { violations } = gate;
  const steps = new Map(gate.unblock.flatMap((step) => step.resolves.map((id) => [id, step] as const)));
  const cases = violations.map((violation) => {
    const step = steps.get(violation.id);
    const fix = step === undefined ? [] : [`To unblock: ${step.text} (${stepLabel(step)})`];
    return violationCase(violation, fix);
  });
  const hidden = hiddenCounts(gate);
  if (hidden.blocking > 0) {
    const message = `${hidden.blocking} more violations that block are not shown`;
    cases.push(caseOf('more that block', {}, tag('failure', { message })));
  }
  if (hidden.warning > 0) {
    const message = `${hidden.warning} more violations that warn are not shown`;
    cases.push(caseOf('more that warn', {}, `<system-out>${escapeXml(message)}</system-out>\n`));
  }
  const block = unshownBlock(gate);
  if (block !== null) cases.push(caseOf('verdict', {}, tag('failure', { message: block })));
  return cases.length === 0 ? [caseOf('verdict', {}, '')] : cases;
}

function countFailures(gate: Gate): number {
  const shown = gate.violations.filter(({ blocking }) => blocking).length;
  return shown + (hiddenCounts(gate).blocking > 0 || unshownBlock(gate) !== null ? 1 : 0);
}

function violationCase(violation: GateViolation, fix: string[]): string {
  const { id, page, policy, severity, title, location, owner, blocking } = violation;
  const details = [
    `${severity ?? 'no severity'}, policy ${policy.name} (${policy.key})`,
    advisoryLabel(violation),
    packageLabel(violation),
    locationLabel(violation),
    `${dueLabel(violation)}${owner === null ? '' : `, owner ${owner.display_name}`}`,
    stateLabel(violation),
    ...fix,
    page,
  ].filter((text) => text !== null);
  const text = escapeXml(details.map((line) => plain(line)).join('\n'));
  return caseOf(
    `${shorten(plain(title), longestName)} (${id})`,
    {
      classname: policy.key,
      ...(location === null
        ? {}
        : { file: location.path, ...(location.line === null ? {} : { line: String(location.line) }) }),
    },
    blocking
      ? element('failure', { message: shorten(plain(title), longestName), type: policy.key }, text)
      : `<system-out>${text}</system-out>\n`,
  );
}

function caseOf(name: string, attributes: Record<string, string>, body: string): string {
  const shown = { classname: 'merlon', ...attributes, name, time: '0' };
  return body === '' ? tag('testcase', shown) : element('testcase', shown, body);
}

function tag(name: string, attributes: Record<string, string>): string {
  return `<${name}${attributesOf(attributes)}/>\n`;
}

function element(name: string, attributes: Record<string, string>, body: string): string {
  return `<${name}${attributesOf(attributes)}>\n${body}</${name}>\n`;
}

function attributesOf(attributes: Record<string, string>): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escapeXml(plain(value))}"`)
    .join('');
}

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  // Two `#` or two `:` begin a workflow command if CI prints the file.
  '#': '&#35;',
  ':': '&#58;',
};

/** Escapes text for elements and attributes. Characters that XML 1.0 does not allow are removed. */
export function escapeXml(text: string): string {
  return (
    text
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out here
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .replace(/[&<>"']|#(?=#)|:(?=:)/g, (character) => entities[character] ?? '')
  );
}

/**
 * The condition of a policy in words. A policy may hold any value, so a value that is no condition is shown unchanged.
 */
import { isObject } from './is-object.ts';
import './condition-labels.css';

/** The words for each operator. */
export const operatorLabels: Record<string, string> = {
  '==': 'is',
  '!=': 'is not',
  '>': 'is above',
  '>=': 'is at least',
  '<': 'is below',
  '<=': 'is at most',
  in: 'is one of',
  not_in: 'is none of',
  not_all_in: 'is not only',
  contains: 'contains',
  matches: 'matches',
};

export function ConditionText({ condition }: { condition: unknown }) {
  return (
    <div className="condition">
      <ConditionPart condition={condition} />
    </div>
  );
}

function ConditionPart({ condition }: { condition: unknown }) {
  const node = isObject(condition) ? condition : {};
  if (Array.isArray(node.all)) return <Group title="all of these hold:" parts={node.all} />;
  if (Array.isArray(node.any)) return <Group title="at least one of these holds:" parts={node.any} />;
  if ('not' in node) return <Group title="this does not hold:" parts={[node.not]} />;
  if (typeof node.fact !== 'string') return <code className="mono">{JSON.stringify(condition)}</code>;
  return (
    <>
      <code className="mono">{node.fact}</code>{' '}
      {operatorLabels[String(node.operator)] ?? String(node.operator)}{' '}
      <span className="condition-value">{valueLabel(node.value)}</span>
    </>
  );
}

function Group({ title, parts }: { title: string; parts: unknown[] }) {
  // A single part needs no frame around it.
  if (parts.length === 1 && title.startsWith('all')) return <ConditionPart condition={parts[0]} />;
  return (
    <>
      <span className="condition-group">{title}</span>
      <ul>
        {parts.map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no name, and are not moved while they are shown
          <li key={index}>
            <ConditionPart condition={part} />
          </li>
        ))}
      </ul>
    </>
  );
}

function valueLabel(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueLabel).join(', ');
  return typeof value === 'string' ? value || '(empty)' : JSON.stringify(value ?? null);
}

/**
 * A condition as fields: groups inside groups, each row one clause. A part that only YAML can express is named and not
 * changed.
 */
import { ActionIcon, Button, Group, NativeSelect, Text } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useId } from 'react';
import type { Fact } from '../../api/policies.ts';
import { choicesOf } from '../../components/choices.ts';
import { ClauseRow } from './clause-row.tsx';
import { maxDepth, newClause, nodeOf } from './condition-nodes.ts';
import './condition-builder.css';

interface PartProps {
  written: unknown;
  /** Undefined removes the part. */
  onChange: (written: unknown) => void;
  facts: Fact[];
  problems: ReadonlyMap<string, string>;
  /** The document path: `condition.all[0]`. */
  path: string;
  /** The number for people: `2.1`. */
  number: string;
  depth: number;
}

type ConditionBuilderProps = Pick<PartProps, 'onChange' | 'facts' | 'problems'> & { condition: unknown };

export function ConditionBuilder({ condition, ...rest }: ConditionBuilderProps) {
  const node = nodeOf(condition);
  const onChange = (written: unknown) => rest.onChange(written ?? { all: [] });
  if (node.kind === 'clause') {
    return (
      <Button variant="default" onClick={() => onChange({ all: [condition] })}>
        Put the clause into a group
      </Button>
    );
  }
  return (
    <ConditionPart {...rest} written={condition} onChange={onChange} path="condition" number="" depth={1} />
  );
}

function ConditionPart(props: PartProps) {
  const { written, onChange, path, number, depth } = props;
  const node = nodeOf(written);
  switch (node.kind) {
    case 'clause':
      return <ClauseRow {...props} clause={node} />;
    case 'not':
      return (
        <ConditionBox
          {...props}
          kind="not"
          // The negated part stays when the negation is removed.
          onKind={(kind) => onChange(kind === 'not' ? written : regrouped(kind, [node.part]))}
          isFull
        >
          <ConditionPart
            {...props}
            written={node.part}
            onChange={(part) => onChange(part === undefined ? undefined : { not: part })}
            path={`${path}.not`}
            number={numberIn(number, 0)}
            depth={depth + 1}
          />
        </ConditionBox>
      );
    case 'other':
      return <OtherPart {...props} />;
    default:
      return (
        <ConditionBox
          {...props}
          kind={node.kind}
          onKind={(kind) => onChange(kind === 'not' ? { not: written } : regrouped(kind, node.parts))}
          onAdd={(part) => onChange({ [node.kind]: [...node.parts, part] })}
        >
          {node.parts.map((part, index) => (
            <ConditionPart
              // biome-ignore lint/suspicious/noArrayIndexKey: parts have no name of their own
              key={index}
              {...props}
              written={part}
              onChange={(changed) =>
                onChange({
                  [node.kind]: node.parts.flatMap((other, i) =>
                    i !== index ? [other] : changed === undefined ? [] : [changed],
                  ),
                })
              }
              path={`${path}.${node.kind}[${index}]`}
              number={numberIn(number, index)}
              depth={depth + 1}
            />
          ))}
        </ConditionBox>
      );
  }
}

function numberIn(number: string, index: number): string {
  return number === '' ? String(index + 1) : `${number}.${index + 1}`;
}

/** A group that holds only one group becomes that group, with the other kind. */
function regrouped(kind: 'all' | 'any', parts: unknown[]): object {
  const [only] = parts;
  const inner = nodeOf(only);
  if (parts.length === 1 && (inner.kind === 'all' || inner.kind === 'any')) return { [kind]: inner.parts };
  return { [kind]: parts };
}

interface ConditionBoxProps extends PartProps {
  kind: 'all' | 'any' | 'not';
  onKind: (kind: 'all' | 'any' | 'not') => void;
  onAdd?: (part: unknown) => void;
  /** The group takes no more parts. */
  isFull?: boolean;
  children: React.ReactNode;
}

function ConditionBox(props: ConditionBoxProps) {
  const {
    kind,
    onKind,
    onAdd,
    isFull = false,
    onChange,
    children,
    number,
    depth,
    facts,
    problems,
    path,
  } = props;
  const noteId = useId();
  const name = number === '' ? 'Condition' : `Group ${number}`;
  const problem = problems.get(path) ?? problems.get(`${path}.${kind}`);
  return (
    <fieldset className="condition-box" aria-label={name} aria-describedby={problem && noteId}>
      <Group gap={8} wrap="nowrap" justify="space-between">
        <NativeSelect
          size="xs"
          aria-label={`${name}: how its parts count`}
          value={kind}
          onChange={(event) => onKind(event.currentTarget.value as typeof kind)}
          data={choicesOf({ all: 'All of these hold', any: 'At least one holds', not: 'This does not hold' })}
        />
        {number !== '' && (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Remove ${name.toLowerCase()}`}
            onClick={() => onChange(undefined)}
          >
            <IconTrash size={16} stroke={1.6} />
          </ActionIcon>
        )}
      </Group>
      <div className="condition-parts">{children}</div>
      {problem && (
        <Text id={noteId} size="xs" c="red" component="p" m={0}>
          {problem}
        </Text>
      )}
      {!isFull && onAdd && (
        <Group gap={6}>
          <Button
            size="compact-xs"
            variant="default"
            leftSection={<IconPlus size={13} />}
            onClick={() => onAdd(newClause(facts))}
          >
            Add a clause
          </Button>
          {depth < maxDepth && (
            <Button
              size="compact-xs"
              variant="default"
              leftSection={<IconPlus size={13} />}
              onClick={() => onAdd({ any: [newClause(facts)] })}
            >
              Add a group
            </Button>
          )}
        </Group>
      )}
    </fieldset>
  );
}

function OtherPart({ number, onChange, problems, path }: PartProps) {
  return (
    <Group gap={8} wrap="nowrap" className="condition-other">
      <div>
        <Text size="sm">This part cannot be shown as fields. Fix it in the YAML, or remove it.</Text>
        {problems.get(path) && (
          <Text size="xs" c="red">
            {problems.get(path)}
          </Text>
        )}
      </div>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`Remove part ${number || 'of the condition'}`}
        onClick={() => onChange(undefined)}
      >
        <IconTrash size={16} stroke={1.6} />
      </ActionIcon>
    </Group>
  );
}

/** The rule scopes of a policy, one rule each. Without rules the policy applies in the whole workspace. */
import { ActionIcon, Button, NativeSelect, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { repositoryNamesQuery } from '../../api/repository-names.ts';
import { scopeNamesQuery } from '../../api/scope-names.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { choicesOf } from '../../components/choices.ts';
import { isObject } from '../../components/is-object.ts';
import { Note } from '../../components/note.tsx';
import type { FieldsProps } from './fields.ts';
import { getIn, setIn, textIn } from './policy-document.ts';

export const ruleTypes = choicesOf({
  workspace: 'Workspace',
  org: 'Organization',
  application: 'Application',
  repo: 'Repository',
});

// The fields share one list of names per kind.
const listIds: Record<string, string> = {
  org: 'rule-organizations',
  application: 'rule-applications',
  repo: 'rule-repositories',
};

export function RuleFields({ document, change, problems }: FieldsProps) {
  const written = getIn(document, ['rules']);
  const rules: unknown[] = Array.isArray(written) ? written : [];
  const set = (next: unknown[]) => change(setIn(document, ['rules'], next.length === 0 ? undefined : next));
  return (
    <>
      {rules.length === 0 && <Note>No rule: it applies in the whole workspace.</Note>}
      {rules.map((rule, index) => (
        <RuleRow
          // biome-ignore lint/suspicious/noArrayIndexKey: rules have no name of their own
          key={index}
          number={index + 1}
          rule={isObject(rule) ? rule : {}}
          problem={
            problems.get(`rules[${index}]`) ??
            [...problems].find(([path]) => path.startsWith(`rules[${index}].`))?.[1]
          }
          onChange={(next) => set(rules.with(index, next))}
          onRemove={() => set(rules.toSpliced(index, 1))}
        />
      ))}
      <ScopeLists />
      <Button
        size="compact-xs"
        variant="default"
        mt={8}
        leftSection={<IconPlus size={13} />}
        onClick={() => set([...rules, { type: 'repo', id: '' }])}
      >
        Add a rule
      </Button>
    </>
  );
}

interface RuleRowProps {
  number: number;
  rule: Record<string, unknown>;
  problem: string | undefined;
  onChange: (rule: Record<string, unknown>) => void;
  onRemove: () => void;
}

function RuleRow({ number, rule, problem, onChange, onRemove }: RuleRowProps) {
  const noteId = useId();
  const type = textIn(rule, ['type']);
  const set = (name: string, value: string | undefined) => onChange(setIn(rule, [name], value));
  return (
    <fieldset className="rule-row" aria-label={`Rule ${number}`} aria-describedby={problem && noteId}>
      <NativeSelect
        size="xs"
        aria-label="Scope"
        value={type}
        onChange={(event) => {
          const next = event.currentTarget.value;
          const { id: _, ...others } = rule;
          onChange({ ...others, type: next, ...(next === 'workspace' ? {} : { id: '' }) });
        }}
        data={ruleTypes}
      />
      <TextInput
        size="xs"
        aria-label="Name"
        placeholder={type === 'workspace' ? 'all of it' : type === 'repo' ? 'org/repository' : 'name'}
        disabled={type === 'workspace'}
        list={listIds[type]}
        value={textIn(rule, ['id'])}
        onChange={(event) => set('id', event.currentTarget.value)}
        error={problem !== undefined}
      />
      <ActionIcon variant="subtle" color="gray" aria-label={`Remove rule ${number}`} onClick={onRemove}>
        <IconTrash size={16} stroke={1.6} />
      </ActionIcon>
      <div className="rule-effect">
        <NativeSelect
          size="xs"
          aria-label="Effect"
          value={textIn(rule, ['action']) || 'include'}
          onChange={(event) =>
            set('action', event.currentTarget.value === 'include' ? undefined : event.currentTarget.value)
          }
          data={choicesOf({ include: 'applies there', exclude: 'does not apply' })}
        />
        <NativeSelect
          size="xs"
          aria-label="Mode there"
          value={textIn(rule, ['enforcement_mode'])}
          disabled={textIn(rule, ['action']) === 'exclude'}
          onChange={(event) => set('enforcement_mode', event.currentTarget.value || undefined)}
          data={choicesOf({
            '': 'with its own mode',
            block: 'and blocks',
            warn: 'and warns',
            monitor: 'and is recorded',
          })}
        />
      </div>
      {problem !== undefined && (
        <Text id={noteId} size="xs" c="red" className="rule-note">
          {problem}
        </Text>
      )}
    </fieldset>
  );
}

function ScopeLists() {
  const { slug } = useWorkspace();
  const { data: organizations } = useQuery(scopeNamesQuery(slug, 'organizations'));
  const { data: applications } = useQuery(scopeNamesQuery(slug, 'applications'));
  const { data: repositories } = useQuery(repositoryNamesQuery(slug));
  const lists = { org: organizations, application: applications, repo: repositories };
  return Object.entries(lists).map(([type, names]) => (
    <datalist key={type} id={listIds[type]}>
      {(names ?? []).map((name) => (
        <option key={name} value={name} />
      ))}
    </datalist>
  ));
}

/**
 * The editor of a policy: fields and YAML side by side. It runs a dry run while the person types, and shows the
 * difference before saving.
 */
import { Button, Group, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { factsQuery, type Policy, type PolicyDocument, policiesKey } from '../../api/policies.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { LeaveGuard } from '../../components/leave-guard.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Section } from '../../components/section.tsx';
import { ConditionBuilder } from './condition-builder.tsx';
import { factsOf } from './condition-nodes.ts';
import { DryRunMatches } from './dry-run-matches.tsx';
import { DryRunNote } from './dry-run-note.tsx';
import { GeneralFields } from './general-fields.tsx';
import { documentOf, getIn, setIn, textIn } from './policy-document.ts';
import { RuleFields } from './rule-fields.tsx';
import { SaveDialog } from './save-dialog.tsx';
import { SwitchPolicy, switchLabel } from './switch-policy.tsx';
import { TimeFields } from './time-fields.tsx';
import { type Draft, useDraft } from './use-draft.ts';
import { useDryRun } from './use-dry-run.ts';
import { type LineProblem, YamlPane } from './yaml-pane.tsx';
import { writeYaml } from './yaml-text.ts';

interface PolicyEditorProps {
  /** The policy as stored now; null for a new one. */
  stored: Policy | null;
  initial: PolicyDocument;
  /** True if somebody else has stored another version since the editor opened. */
  isOvertaken?: boolean;
  /** The keys of the other policies. */
  takenKeys: string[];
  onSaved: (policy: Policy) => void;
}

export function PolicyEditor(props: PolicyEditorProps) {
  const { stored, initial, isOvertaken = false, takenKeys, onSaved } = props;
  const { slug } = useWorkspace();
  const queryClient = useQueryClient();
  const draft = useDraft(initial);
  const [isSaving, setIsSaving] = useState(false);
  const [switching, setSwitching] = useState<Policy | null>(null);
  const [hasTried, setHasTried] = useState(false);
  const { document, read } = draft;
  const key = textIn(document, ['key']);
  const isNameless = key === '';
  // Without a key, the server could only answer that the key is missing.
  const dryRun = useDryRun(slug, read.document === null || isNameless ? null : document);
  const keyProblem = keyProblemOf(key, stored, takenKeys);
  const problems = new Map(dryRun.problems);
  if (keyProblem !== null) problems.set('key', keyProblem);
  const isDirty = draft.text !== writeYaml(initial);
  const lineProblems = linesOf(draft, problems);
  const targetType = textIn(document, ['target_type']);
  const isActive = (textIn(document, ['status']) || 'active') === 'active';
  const obstacle = obstacleOf({ isDirty, isNameless, mistakes: lineProblems.length });
  const review = () => {
    setHasTried(obstacle !== null);
    if (obstacle !== null) return;
    // The difference compares with the version that is stored now.
    queryClient.invalidateQueries({ queryKey: policiesKey(slug) });
    setIsSaving(true);
  };
  return (
    <>
      <div className="policy-bar">
        <DryRunNote
          dryRun={isNameless ? null : dryRun}
          targetType={targetType}
          mistakes={lineProblems.length}
          isActive={isActive}
        />
        <Group gap={8}>
          {stored !== null && isDirty && (
            <Button variant="default" onClick={() => draft.change(initial)}>
              Discard changes
            </Button>
          )}
          {/* This switch acts on the stored policy. With unsaved changes, the status field and saving do the same. */}
          {stored !== null && !isDirty && (
            <Button variant="default" onClick={() => setSwitching(stored)}>
              {switchLabel(stored)}
            </Button>
          )}
          <Button onClick={review}>{stored ? 'Save…' : 'Create policy…'}</Button>
        </Group>
      </div>
      {!isNameless && lineProblems.length === 0 && <DryRunMatches dryRun={dryRun} targetType={targetType} />}
      {hasTried && obstacle !== null && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert" mb="sm">
          {obstacle}
        </Text>
      )}
      <div className="policy-editor">
        <Fields draft={draft} problems={problems} isNew={stored === null} />
        <div className="policy-yaml">
          <YamlPane text={draft.text} onChange={draft.setText} problems={lineProblems} />
          <Text size="xs" c="dimmed" mt={6}>
            Comments are not stored.
          </Text>
        </div>
      </div>
      <SaveDialog
        opened={isSaving}
        onClose={() => setIsSaving(false)}
        stored={stored && { policy: stored, document: documentOf(stored) }}
        document={document}
        isKeyTaken={keyProblem !== null}
        dryRun={dryRun}
        isOvertaken={isOvertaken}
        onSaved={onSaved}
      />
      <SwitchPolicy policy={switching} onClose={() => setSwitching(null)} onSwitched={onSaved} />
      <LeaveGuard active={isDirty} title="Leave without saving">
        <Text size="sm">Your changes to this policy will be lost.</Text>
      </LeaveGuard>
    </>
  );
}

interface FieldsOfPolicyProps {
  draft: Draft;
  problems: ReadonlyMap<string, string>;
  isNew: boolean;
}

function Fields({ draft: { document, change, read }, problems, isNew }: FieldsOfPolicyProps) {
  const { slug } = useWorkspace();
  const facts = useQuery(factsQuery(slug));
  const fields = { document, change, problems };
  return (
    <fieldset className="policy-fields" disabled={read.document === null} aria-label="Fields">
      {read.document === null && (
        <Text size="sm" role="note">
          The YAML is invalid. Fix it to use the fields.
        </Text>
      )}
      <Section title="Policy">
        <GeneralFields {...fields} isNew={isNew} />
      </Section>
      <Section
        title="Condition"
        description="Each match is a violation. The condition is tested on open findings of each branch, tag and pull request that counts."
      >
        <Loaded query={facts} noun="the facts" lines={2}>
          {({ items }) => (
            <ConditionBuilder
              condition={getIn(document, ['condition'])}
              onChange={(condition) => change(setIn(document, ['condition'], condition))}
              facts={factsOf(items, textIn(document, ['target_type']))}
              problems={problems}
            />
          )}
        </Loaded>
      </Section>
      <Section title="Time">
        <TimeFields {...fields} />
      </Section>
      <Section
        title="Where it applies"
        description="The nearest rule decides: repository, application, organization, workspace."
      >
        <RuleFields {...fields} />
      </Section>
    </fieldset>
  );
}

/** Returns the reason why the policy cannot be saved now, with the next step; null if it can. */
function obstacleOf(now: { isDirty: boolean; isNameless: boolean; mistakes: number }): string | null {
  if (now.isNameless) return 'Enter a name or a key first.';
  if (now.mistakes > 0)
    return `${now.mistakes === 1 ? 'Fix the mistake' : 'Fix the mistakes'} first: it is shown at its field and at its line of the YAML.`;
  return now.isDirty ? null : 'There are no changes yet.';
}

/**
 * Finds a problem that the server cannot know: saving would overwrite the policy of that key, or create another one.
 */
function keyProblemOf(key: string, stored: Policy | null, takenKeys: string[]): string | null {
  if (stored)
    return key === stored.key ? null : `Must stay ${stored.key}, because the key of a policy cannot change.`;
  return takenKeys.includes(key) ? 'A policy with this key already exists.' : null;
}

function linesOf({ read }: Draft, problems: ReadonlyMap<string, string>): LineProblem[] {
  if (read.document === null) return read.mistakes.map((mistake) => ({ ...mistake, path: '' }));
  return [...problems].map(([path, message]) => ({ path, message, line: read.lineOf(path) }));
}

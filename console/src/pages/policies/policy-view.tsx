/** A read-only policy, for people who may not change it. */

import type { Policy } from '../../api/policies.ts';
import { enumLabel, SeverityBadge } from '../../components/badges.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { ConditionText } from '../../components/condition-labels.tsx';
import { Fact } from '../../components/fact.tsx';
import { modeMeanings, windowLabel } from '../../components/policy-labels.ts';
import { Section } from '../../components/section.tsx';
import { targetTypeLabel } from '../../components/target-labels.ts';
import { documentOf } from './policy-document.ts';
import { ruleTypes } from './rule-fields.tsx';
import { writeYaml } from './yaml-text.ts';

export function PolicyView({ policy }: { policy: Policy }) {
  return (
    <div className="policy-sections">
      <Section title="Policy">
        <dl className="facts">
          <Fact name="Key">
            <span className="mono">{policy.key}</span>
          </Fact>
          <Fact name="Target">{targetTypeLabel(policy.target_type)}</Fact>
          <Fact name="Mode">
            {modeMeanings[policy.enforcement_mode] ?? enumLabel(policy.enforcement_mode)}
          </Fact>
          {policy.severity && (
            <Fact name="Severity">
              <SeverityBadge severity={policy.severity} />
            </Fact>
          )}
          <Fact name="Time to fix">{windowLabel(policy.actions)}</Fact>
          <Fact name="Condition">
            <ConditionText condition={policy.condition} />
          </Fact>
          <Fact name="Applies">
            {policy.rules.length === 0
              ? 'In the whole workspace'
              : policy.rules.map((rule) => (
                  <div key={`${rule.type} ${rule.id}`} className="break">
                    {ruleLabel(rule)}
                  </div>
                ))}
          </Fact>
        </dl>
      </Section>
      <Section title="As YAML">
        <CodeBlock code={writeYaml(documentOf(policy))} label="Policy as YAML" />
      </Section>
    </div>
  );
}

function ruleLabel({ type, name, action, enforcement_mode: mode }: Policy['rules'][number]): string {
  const label = ruleTypes.find(({ value }) => value === type)?.label ?? type;
  const scope = type === 'workspace' ? label : `${label} ${name ?? 'that no longer exists'}`;
  if (action === 'exclude') return `Not in: ${scope}`;
  return mode === null ? `In: ${scope}` : `In: ${scope}, with mode ${mode}`;
}

/** A read-only policy, for people who may not change it. */

import type { Policy } from '../../api/policies.ts';
import { SeverityBadge, wordsOf } from '../../components/badges.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { ConditionWords } from '../../components/condition-labels.tsx';
import { Fact } from '../../components/fact.tsx';
import { modeMeanings, windowWords } from '../../components/policy-labels.ts';
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
          <Fact name="About">{targetTypeLabel(policy.target_type)}</Fact>
          <Fact name="Mode">{modeMeanings[policy.enforcement_mode] ?? wordsOf(policy.enforcement_mode)}</Fact>
          {policy.severity && (
            <Fact name="Severity">
              <SeverityBadge severity={policy.severity} />
            </Fact>
          )}
          <Fact name="Time to fix">{windowWords(policy.actions)}</Fact>
          <Fact name="Condition">
            <ConditionWords condition={policy.condition} />
          </Fact>
          <Fact name="Applies">
            {policy.rules.length === 0
              ? 'In the whole workspace'
              : policy.rules.map((rule) => (
                  <div key={`${rule.type} ${rule.id}`} className="break">
                    {ruleWords(rule)}
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

function ruleWords({ type, name, action, enforcement_mode: mode }: Policy['rules'][number]): string {
  const label = ruleTypes.find(({ value }) => value === type)?.label ?? type;
  const scope = type === 'workspace' ? label : `${label} ${name ?? 'that is there no more'}`;
  if (action === 'exclude') return `Not in: ${scope}`;
  return mode === null ? `In: ${scope}` : `In: ${scope}, with mode ${mode}`;
}

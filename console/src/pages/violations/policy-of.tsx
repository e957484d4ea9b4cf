/** The policy of a violation: its condition in words, its time to fix, and the rule that makes it apply. */
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { policyQuery } from '../../api/policies.ts';
import type { ViolationDetail } from '../../api/violations.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { ConditionText } from '../../components/condition-labels.tsx';
import { Fact } from '../../components/fact.tsx';
import { windowLabel } from '../../components/policy-labels.ts';
import { ViolationPart } from './violation-part.tsx';

export function PolicyOf({ detail: { policy, rule } }: { detail: ViolationDetail }) {
  const { slug } = useWorkspace();
  return (
    <ViolationPart title="Policy">
      <dl className="facts">
        <Fact name="Name">
          <Link to="/w/$slug/policies/$policy" params={{ slug, policy: policy.id }} className="break">
            {policy.name}
          </Link>
        </Fact>
        <Fact name="Condition">
          <ConditionText condition={policy.condition} />
        </Fact>
        <Fact name="Time to fix">{windowLabel(policy.actions)}</Fact>
        <Fact name="Applies here">
          {rule === null ? 'In the whole workspace' : <RuleName policyId={policy.id} rule={rule} />}
        </Fact>
      </dl>
    </ViolationPart>
  );
}

interface RuleNameProps {
  policyId: string;
  rule: NonNullable<ViolationDetail['rule']>;
}

const ruleLabels: Record<string, string> = {
  workspace: 'By the rule for the workspace',
  org: 'By the rule for the organization',
  application: 'By the rule for the application',
  repo: 'By the rule for the repository',
};

// The violation has only the id of the rule's scope. The policy has its name.
function RuleName({ policyId, rule }: RuleNameProps) {
  const { slug } = useWorkspace();
  const { data } = useQuery(policyQuery(slug, policyId));
  const name = data?.rules.find(({ type, id }) => type === rule.type && id === rule.id)?.name;
  return (
    <span className="break">
      {ruleLabels[rule.type] ?? rule.type} {name ?? ''}
    </span>
  );
}

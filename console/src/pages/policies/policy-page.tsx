/** One policy, editable for people who may change it and read-only for the others; or a new one. */
import { Alert, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { type Policy, policiesQuery, policyCountsQuery, policyQuery } from '../../api/policies.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { StatusBadge, ToneBadge } from '../../components/badges.tsx';
import { Forbidden } from '../../components/error-state.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { EvaluationNote } from './evaluation-note.tsx';
import { FindsNow } from './finds-now.tsx';
import { documentOf, newDocument } from './policy-document.ts';
import { PolicyEditor } from './policy-editor.tsx';
import { PolicyExceptions } from './policy-exceptions.tsx';
import { newPolicy, policyParam } from './policy-param.ts';
import { PolicyView } from './policy-view.tsx';
import './policies.css';

const route = getRouteApi('/w/$slug/policies/$policy');

export function PolicyPage() {
  const { policy } = route.useParams();
  return policy === newPolicy ? <NewPolicyPage /> : <KnownPolicyPage policy={policy} />;
}

const back = { to: '/w/$slug/policies', label: 'Policies' } as const;

function NewPolicyPage() {
  const { slug, may } = useWorkspace();
  const navigate = useNavigate();
  const query = useQuery(policiesQuery(slug));
  return (
    <>
      <PageHeader
        title="New policy"
        back={back}
        description="Describe what is not acceptable, with fields or in YAML. The matches are shown while you type."
      />
      {may('admin') ? (
        <Loaded query={query} noun="the policies">
          {({ items }) => (
            <PolicyEditor
              stored={null}
              initial={newDocument}
              takenKeys={items.map(({ key }) => key)}
              onSaved={(policy) =>
                navigate({
                  to: '/w/$slug/policies/$policy',
                  params: { slug, policy: policyParam(policy) },
                  replace: true,
                  ignoreBlocker: true,
                })
              }
            />
          )}
        </Loaded>
      ) : (
        <Forbidden>Only administrators of the workspace can create policies.</Forbidden>
      )}
    </>
  );
}

function KnownPolicyPage({ policy }: { policy: string }) {
  const { slug } = useWorkspace();
  const query = useQuery(policyQuery(slug, policy));
  const shown = query.data;
  const findings = useFindings(shown);
  return (
    <>
      <PageHeader
        title={shown?.name ?? policy}
        back={back}
        description={findings}
        aside={
          shown && (
            <>
              <StatusBadge status={shown.status} />
              {shown.type === 'builtin' && <ToneBadge tone="plain">Built-in</ToneBadge>}
            </>
          )
        }
      />
      <Loaded query={query} noun="the policy" lines={10}>
        {(known) => (
          <>
            <EvaluationNote policy={known} />
            <KnownPolicy known={known} />
            <PolicyExceptions policy={known} />
          </>
        )}
      </Loaded>
    </>
  );
}

/**
 * Returns the present violations of the policy. It returns nothing while an evaluation runs, because a note below shows
 * that.
 */
function useFindings(policy: Policy | undefined): ReactNode {
  const { slug } = useWorkspace();
  const isKnown = policy?.status === 'active' && !policy.evaluation.pending;
  const { data } = useQuery({ ...policyCountsQuery(slug, false), enabled: isKnown });
  if (!isKnown || !data) return null;
  return (
    <>
      Violations: <FindsNow policy={policy} counts={data.items.find((one) => one.policy === policy.id)} />
    </>
  );
}

/**
 * The editor keeps the version that it has loaded or saved. If others save meanwhile, a note says so and nothing is
 * overwritten.
 */
function KnownPolicy({ known }: { known: Policy }) {
  const { may } = useWorkspace();
  const [base, setBase] = useState(known);
  const isOvertaken =
    known.updated_at > base.updated_at &&
    JSON.stringify(documentOf(base)) !== JSON.stringify(documentOf(known));
  if (!may('admin')) return <PolicyView policy={known} />;
  return (
    <>
      {isOvertaken && (
        <Alert color="yellow" role="status" mb="md">
          Somebody has changed this policy in the meantime.{' '}
          <Button size="compact-xs" variant="default" onClick={() => setBase(known)}>
            Load the stored version
          </Button>
        </Alert>
      )}
      <PolicyEditor
        key={`${base.id} ${JSON.stringify(documentOf(base))}`}
        stored={known}
        initial={documentOf(base)}
        isOvertaken={isOvertaken}
        takenKeys={[]}
        onSaved={setBase}
      />
    </>
  );
}

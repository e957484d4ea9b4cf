/** One violation on a page of its own, which CI and the comments in pull requests link to. */
import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { violationQuery } from '../../api/violations.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { StatusBadge } from '../../components/badges.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { PageHeader } from '../../components/page-header.tsx';
import { visibleText } from '../../components/report-text.tsx';
import { Section } from '../../components/section.tsx';
import { StateBadges, titleOf } from './columns.tsx';
import { ExceptionsOf } from './exceptions-of.tsx';
import { PolicyOf } from './policy-of.tsx';
import { TargetOf } from './target-of.tsx';
import { ViolationActions } from './violation-actions.tsx';
import { OnPage } from './violation-part.tsx';
import { ViolationStatus } from './violation-status.tsx';
import './violations.css';

export function ViolationPage() {
  const { slug } = useWorkspace();
  const { violation: id } = useParams({ from: '/w/$slug/violations/$violation' });
  const query = useQuery(violationQuery(slug, id));
  const detail = query.data;
  return (
    <>
      <PageHeader
        title={detail ? visibleText(titleOf(detail.violation)) : 'Violation'}
        description={detail && `What the policy “${detail.policy.name}” does not accept`}
        back={{ to: '/w/$slug/violations', label: 'Policy violations' }}
        aside={
          detail && (
            <span className="violation-badges" role="status">
              <StatusBadge status={detail.violation.status} />
              <StateBadges violation={detail.violation} />
            </span>
          )
        }
        actions={detail && <ViolationActions detail={detail} />}
      />
      <Loaded query={query} noun="the violation" lines={10}>
        {(shown) => (
          <OnPage value>
            <Stack gap="md">
              <ExceptionsOf violationId={shown.violation.id} />
              <TargetOf detail={shown} />
              <Section title="State">
                <ViolationStatus detail={shown} />
              </Section>
              <PolicyOf detail={shown} />
            </Stack>
          </OnPage>
        )}
      </Loaded>
    </>
  );
}

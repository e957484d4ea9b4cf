/** One application: its repositories with the open vulnerabilities in each, and the policies with rules for it. */
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ApplicationDetail, applicationQuery } from '../../api/applications.ts';
import { policiesQuery } from '../../api/policies.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { enumLabel } from '../../components/badges.tsx';
import { Fact } from '../../components/fact.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { ReportText } from '../../components/report-text.tsx';
import { SidePanel } from '../../components/side-panel.tsx';
import { ApplicationForm } from './application-form.tsx';
import { ApplicationRepositories } from './application-repositories.tsx';
import { DeleteApplication } from './delete-application.tsx';
import { GroupRepositories } from './group-repositories.tsx';

interface ApplicationPanelProps {
  id: string | undefined;
  onClose: () => void;
}

export function ApplicationPanel({ id, onClose }: ApplicationPanelProps) {
  const { slug, may } = useWorkspace();
  const query = useQuery({ ...applicationQuery(slug, id ?? ''), enabled: id !== undefined });
  const [isEditing, editing] = useDisclosure(false);
  const [isGrouping, grouping] = useDisclosure(false);
  const [isDeleting, deleting] = useDisclosure(false);
  const application = id === undefined ? undefined : query.data;
  return (
    <>
      <SidePanel
        opened={id !== undefined}
        onClose={onClose}
        size={560}
        title={application?.name ?? 'Application'}
        toolbar={
          application &&
          may('admin') && (
            <>
              <Button size="xs" onClick={grouping.open}>
                Choose repositories
              </Button>
              <Button size="xs" variant="default" onClick={editing.open}>
                Edit
              </Button>
              <Button size="xs" variant="default" onClick={deleting.open}>
                Delete
              </Button>
            </>
          )
        }
      >
        <Loaded query={query} noun="the application">
          {(shown) => <Content slug={slug} application={shown} />}
        </Loaded>
      </SidePanel>
      {application && (
        <>
          <ApplicationForm
            key={`form ${application.id}`}
            opened={isEditing}
            onClose={editing.close}
            application={application}
          />
          <GroupRepositories application={application} opened={isGrouping} onClose={grouping.close} />
          <DeleteApplication
            application={application}
            opened={isDeleting}
            onClose={deleting.close}
            onDone={onClose}
          />
        </>
      )}
    </>
  );
}

function Content({ slug, application }: { slug: string; application: ApplicationDetail }) {
  return (
    <>
      {application.description !== null && (
        <p className="application-description">{application.description}</p>
      )}
      {(application.owner !== null || application.is_product) && (
        <dl className="facts">
          {application.owner !== null && (
            <Fact name="Owner">
              <ReportText>{application.owner.display_name}</ReportText>
            </Fact>
          )}
          {application.is_product && (
            <Fact name="Product in the European Union">
              <Link to="/w/$slug/cra" params={{ slug }} search={{ application: application.id }}>
                CRA notifications
              </Link>
            </Fact>
          )}
        </dl>
      )}
      <ApplicationRepositories slug={slug} application={application} />
      <PoliciesWithRules slug={slug} id={application.id} />
    </>
  );
}

function PoliciesWithRules({ slug, id }: { slug: string; id: string }) {
  const query = useQuery(policiesQuery(slug));
  return (
    <section className="application-part">
      <h3>Policies with a rule for it</h3>
      <Loaded query={query} noun="the policies" lines={2}>
        {({ items }) => {
          const found = items.flatMap((policy) =>
            policy.rules
              .filter((rule) => rule.type === 'application' && rule.id === id)
              .map((rule) => ({ policy, rule })),
          );
          return found.length === 0 ? (
            <p className="application-none">None.</p>
          ) : (
            <ul>
              {found.map(({ policy, rule }) => (
                <li key={policy.id}>
                  <Link to="/w/$slug/policies/$policy" params={{ slug, policy: policy.id }} className="break">
                    {policy.name}
                  </Link>
                  <span>
                    {rule.action === 'exclude'
                      ? 'Does not apply'
                      : enumLabel(rule.enforcement_mode ?? policy.enforcement_mode)}
                    {policy.status !== 'active' && `, ${policy.status}`}
                  </span>
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </section>
  );
}

/** The issues of the vulnerability in trackers, and the button that makes one. */
import { Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../../api/client.ts';
import { issuesQuery, type LinkedIssue, type TrackerChoice } from '../../../api/issues.ts';
import type { VulnerabilityDetail } from '../../../api/vulnerabilities.ts';
import { useWorkspace } from '../../../api/workspaces.ts';
import { ToneBadge } from '../../../components/badges.tsx';
import { ConfirmedButton } from '../../../components/confirmed-button.tsx';
import { Loaded } from '../../../components/loaded.tsx';
import { Note } from '../../../components/note.tsx';
import { OuterLink } from '../../../components/outer-link.tsx';
import { ReportText } from '../../../components/report-text.tsx';
import { TimeText } from '../../../components/time-text.tsx';
import { useAction } from '../../../components/use-action.ts';
import { PanelSection } from './panel-section.tsx';

export function Issues({ detail }: { detail: VulnerabilityDetail }) {
  const { slug, may } = useWorkspace();
  const query = useQuery(issuesQuery(slug, detail.id));
  const { items = [], trackers = [] } = query.data ?? {};
  // A workspace without a tracker has nothing to show here.
  if (query.data !== undefined && items.length === 0 && trackers.length === 0) return null;
  return (
    <PanelSection
      title="Issues"
      actions={
        may('member') &&
        detail.status === 'open' &&
        trackers.length > 0 && <CreateIssue detail={detail} trackers={trackers} />
      }
    >
      <Loaded query={query} noun="its issues" lines={1}>
        {() =>
          items.length === 0 ? (
            <Note>It has no issue.</Note>
          ) : (
            <ul className="vuln-violations">
              {items.map((issue) => (
                <li key={issue.id}>
                  <IssueLine id={detail.id} issue={issue} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </PanelSection>
  );
}

function CreateIssue({ detail, trackers }: { detail: VulnerabilityDetail; trackers: TrackerChoice[] }) {
  const { slug } = useWorkspace();
  const { mutate, isPending } = useAction({
    act: ({ tracker, group }: { tracker: string; group: boolean }) =>
      api.createVulnerabilityIssue({
        path: { tenant_slug: slug, vulnerability: detail.id },
        body: { tracker, group },
      }),
    done: 'The issue is made within seconds.',
    changed: [issuesQuery(slug, detail.id).queryKey],
  });
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button size="compact-xs" variant="default" loading={isPending}>
          Create issue
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {trackers.map(({ id, name }) => (
          <Menu.Item key={id} onClick={() => mutate({ tracker: id, group: false })}>
            In {name}
          </Menu.Item>
        ))}
        {detail.package !== null &&
          trackers.map(({ id, name }) => (
            <Menu.Item key={`${id} group`} onClick={() => mutate({ tracker: id, group: true })}>
              For the whole package in {name}
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  );
}

function IssueLine({ id, issue }: { id: string; issue: LinkedIssue }) {
  const { slug, may } = useWorkspace();
  return (
    <>
      <span className="vuln-violation-name break">
        {issue.url === null ? (
          <span>{issue.tracker.name}</span>
        ) : (
          <OuterLink href={issue.url}>
            {issue.tracker.name} {issue.tracker.kind === 'jira' ? issue.key : `#${issue.key}`}
          </OuterLink>
        )}
        <span className="vuln-violation-when">
          {issue.group && `${issue.open} of ${issue.vulnerabilities} of the package are open`}
          {issue.assignee !== null && (
            <>
              {issue.group && ' · '}
              <ReportText>{issue.assignee}</ReportText>
            </>
          )}
          {issue.changed_at !== null && (
            <>
              {(issue.group || issue.assignee !== null) && ' · '}changed <TimeText value={issue.changed_at} />
            </>
          )}
          {issue.error !== null && ` · not written: ${issue.error}`}
        </span>
      </span>
      <span className="vuln-violation-badges">
        <ToneBadge tone="plain">
          <ReportText>{stateOf(issue)}</ReportText>
        </ToneBadge>
        {may('member') && (
          <ConfirmedButton
            variant="subtle"
            aria-label={`Unlink the issue in ${issue.tracker.name}`}
            title="Unlink the issue"
            consequences={`The issue stays in ${issue.tracker.name}. Merlon does not close it any more, and a new one can be made.`}
            confirm="Unlink"
            act={() => api.unlinkIssue({ path: { tenant_slug: slug, vulnerability: id, issue: issue.id } })}
            done="The issue is unlinked."
            changed={[issuesQuery(slug, id).queryKey]}
          >
            Unlink
          </ConfirmedButton>
        )}
      </span>
    </>
  );
}

function stateOf({ state, status }: LinkedIssue): string {
  if (state === 'waiting') return 'Waiting';
  return state === 'deleted' ? 'Deleted there' : (status ?? 'Linked');
}

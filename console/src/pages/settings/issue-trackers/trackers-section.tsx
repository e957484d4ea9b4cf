/** The projects in which issues are created, with their state and an admin's actions on each. */
import { Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { changeTracker, type IssueTracker, trackersKey, trackersQuery } from '../../../api/issues.ts';
import { useWorkspace } from '../../../api/workspaces.ts';
import type { Column } from '../../../components/column.ts';
import { leastSeverityLabel } from '../../../components/least-severity.tsx';
import { SmallNote } from '../../../components/note.tsx';
import { TimeText } from '../../../components/time-text.tsx';
import { ReceiverActions, ReceiversSection } from '../receivers-section.tsx';
import { scopeText } from '../scope-fields.tsx';
import { TrackerDialog } from './tracker-dialog.tsx';
import { kindLabels } from './tracker-fields.tsx';

const columns: Column<IssueTracker>[] = [
  { id: 'tracker', label: 'Tracker', wrap: true, cell: (tracker) => <Project tracker={tracker} /> },
  { id: 'rule', label: 'Makes issues', wrap: true, cell: (tracker) => <Rule tracker={tracker} /> },
  { id: 'state', label: 'State', wrap: true, cell: (tracker) => <State tracker={tracker} /> },
  { id: 'action', label: 'Action', cell: (tracker) => <Actions tracker={tracker} /> },
];

export function TrackersSection() {
  const { slug } = useWorkspace();
  return (
    <ReceiversSection
      title="Issue trackers"
      description="Issues about vulnerabilities are made in these projects, closed when all is fixed, and opened when something is back."
      one="issue tracker"
      newLabel="New tracker"
      query={useQuery(trackersQuery(slug))}
      columns={columns}
      create={(dialog) => <TrackerDialog {...dialog} />}
    />
  );
}

function Project({ tracker: { name, kind, project, url } }: { tracker: IssueTracker }) {
  return (
    <>
      <span className="break">{name}</span>
      <SmallNote isBreakable>
        {kindLabels[kind]}: {project}
      </SmallNote>
      <SmallNote isBreakable>{url}</SmallNote>
    </>
  );
}

function Rule({ tracker: { rule } }: { tracker: IssueTracker }) {
  if (rule === null) return 'By hand';
  const notes = [
    rule.least_severity === 'unknown' ? null : leastSeverityLabel(rule.least_severity),
    rule.blocking_only ? 'only what a policy blocks' : null,
    scopeText(rule),
  ].filter((note) => note !== null);
  return (
    <>
      By itself
      <SmallNote>
        since <TimeText value={rule.since} />
      </SmallNote>
      {notes.map((note) => (
        <SmallNote isBreakable key={note}>
          {note}
        </SmallNote>
      ))}
    </>
  );
}

function State({ tracker }: { tracker: IssueTracker }) {
  const { enabled, disabled_reason: reason, retry_at: retryAt, error, issues } = tracker;
  const notes = [
    enabled ? error : reason,
    `${issues.linked.toLocaleString()} linked`,
    issues.waiting === 0 ? null : `${issues.waiting.toLocaleString()} waiting`,
    issues.failed === 0 ? null : `${issues.failed.toLocaleString()} failed`,
    issues.deleted === 0 ? null : `${issues.deleted.toLocaleString()} deleted there`,
  ].filter((note) => note !== null);
  return (
    <>
      {!enabled ? 'Disabled' : retryAt !== null ? 'Away' : 'Active'}
      {enabled && retryAt !== null && (
        <SmallNote>
          Tried again <TimeText value={retryAt} />
        </SmallNote>
      )}
      {notes.map((note) => (
        <SmallNote isBreakable key={note}>
          {note}
        </SmallNote>
      ))}
    </>
  );
}

function Actions({ tracker }: { tracker: IssueTracker }) {
  const { slug } = useWorkspace();
  const [isChanging, setIsChanging] = useState(false);
  return (
    <>
      <ReceiverActions
        receiver={tracker}
        one="issue tracker"
        queryKey={trackersKey(slug)}
        setEnabled={(enabled) => changeTracker(slug, tracker.id, { enabled })}
        remove={() => api.deleteIssueTracker({ path: { tenant_slug: slug, tracker: tracker.id } })}
        removalNote={`The issues in ${tracker.project} stay as they are. Merlon forgets them, and does not close them any more.`}
      >
        <Menu.Item onClick={() => setIsChanging(true)}>Change</Menu.Item>
      </ReceiverActions>
      <TrackerDialog tracker={tracker} opened={isChanging} onClose={() => setIsChanging(false)} />
    </>
  );
}

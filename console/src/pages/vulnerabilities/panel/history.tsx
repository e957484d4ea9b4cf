/** The history of the vulnerability, the newest event first. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { membersQuery } from '../../../api/members.ts';
import type { HistoryEvent, VulnerabilityDetail } from '../../../api/vulnerabilities.ts';
import { useWorkspace } from '../../../api/workspaces.ts';
import { ReportText, visibleText } from '../../../components/report-text.tsx';
import { TimeText } from '../../../components/time-text.tsx';
import { eventLabel } from './event-labels.ts';

interface HistoryProps {
  detail: VulnerabilityDetail;
  onShow: (id: string) => void;
}

export function History({ detail, onShow }: HistoryProps) {
  const workspace = useWorkspace();
  const namesSomebody = detail.history.some(({ event }) => event === 'assigned');
  const { data } = useQuery({
    ...membersQuery(workspace.slug),
    enabled: namesSomebody && workspace.may('member'),
  });
  const nameOf = (userId: string) => {
    if (userId === detail.assignee?.id) return detail.assignee.display_name;
    return data?.items.find((member) => member.id === userId)?.name ?? 'somebody';
  };
  return (
    <ol className="vuln-history">
      {detail.history.map((event) => (
        <li key={event.id}>
          <HistoryLines event={event} nameOf={nameOf} onShow={onShow} />
        </li>
      ))}
    </ol>
  );
}

interface HistoryLinesProps {
  event: HistoryEvent;
  nameOf: (userId: string) => string;
  onShow: (id: string) => void;
}

function HistoryLines({ event, nameOf, onShow }: HistoryLinesProps) {
  const other = otherOf(event);
  return (
    <>
      <div className="vuln-history-head">
        <span className="break">
          <ReportText>{eventLabel(event, nameOf)}</ReportText>{' '}
          {other !== null && (
            <Button size="compact-xs" variant="subtle" className="mono" onClick={() => onShow(other)}>
              {other}
            </Button>
          )}
        </span>
        <span className="vuln-note">
          {event.actor ? (
            <ReportText>{event.actor.display_name}</ReportText>
          ) : event.scan_id ? (
            'a scan'
          ) : (
            'Merlon'
          )}
          {' · '}
          <TimeText value={event.at} />
        </span>
      </div>
      {event.reason !== null && event.reason !== '' && (
        <p className="vuln-description vuln-reason break" dir="auto">
          {visibleText(event.reason)}
        </p>
      )}
    </>
  );
}

/**
 * Returns the other vulnerability of a split. A merge has no link, because the merged vulnerability has this id now.
 */
function otherOf({ event, data }: HistoryEvent): string | null {
  if (event !== 'split') return null;
  const other = data.into ?? data.from;
  return typeof other === 'string' ? other : null;
}

/** The exceptions that cover a violation, also those for everything that its policy finds in the repository. */
import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Exception, exceptionsQuery } from '../../api/exceptions.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { StatusBadge } from '../../components/badges.tsx';
import { ExceptionActions } from '../../components/exception-actions.tsx';
import { ExceptionLabel } from '../../components/exception-labels.tsx';
import { ReportText, visibleText } from '../../components/report-text.tsx';
import { TimeText } from '../../components/time-text.tsx';
import { ViolationPart } from './violation-part.tsx';

export function ExceptionsOf({ violationId }: { violationId: string }) {
  const { slug } = useWorkspace();
  const { data } = useQuery(exceptionsQuery(slug, { violation: violationId }));
  if (!data || data.items.length === 0) return null;
  return (
    <ViolationPart title="Exceptions">
      {data.items.map((exception) => (
        <ExceptionOf key={exception.id} exception={exception} />
      ))}
    </ViolationPart>
  );
}

function ExceptionOf({ exception }: { exception: Exception }) {
  return (
    <div className="violation-exception">
      <Group gap={8}>
        <StatusBadge status={exception.status} />
        <span>
          <ExceptionLabel exception={exception} />
          {exception.violation_id === null && ', for all of this policy in the repository'}
        </span>
      </Group>
      <p className="break">{visibleText(exception.reason)}</p>
      <Text size="xs" c="dimmed" component="p">
        <ReportText>{exception.requested_by?.display_name ?? 'Somebody'}</ReportText>,{' '}
        <TimeText value={exception.requested_at} />
        {exception.reviewed_by && exception.reviewed_at && (
          <>
            ; {exception.status} by <ReportText>{exception.reviewed_by.display_name}</ReportText>,{' '}
            <TimeText value={exception.reviewed_at} />
          </>
        )}
        {exception.review_reason && <>: {visibleText(exception.review_reason)}</>}
      </Text>
      <ExceptionActions exception={exception} />
    </div>
  );
}

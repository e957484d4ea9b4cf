/** Claims of documents and ignore files that may not decide. A person can turn one into a decision. */
import { Alert, Button, Stack, Text } from '@mantine/core';
import type { Resolution, TriageAction } from '../../../api/triage.ts';
import type { Suggestion } from '../../../api/vulnerabilities.ts';
import { useWorkspace } from '../../../api/workspaces.ts';
import { enumLabel } from '../../../components/badges.tsx';
import { ReportText } from '../../../components/report-text.tsx';
import { TimeText } from '../../../components/time-text.tsx';
import type { TriageRequest } from '../triage-dialog.tsx';

interface SuggestionsProps {
  suggestions: Suggestion[];
  onDecide: (more: Partial<TriageRequest>) => void;
}

export function Suggestions({ suggestions, onDecide }: SuggestionsProps) {
  const mayAct = useWorkspace().may('member');
  if (suggestions.length === 0) return null;
  return (
    <Alert color="petrol" mb="md" title="Suggested, not decided">
      <Stack gap="sm">
        {suggestions.map((suggestion) => (
          <div key={JSON.stringify(suggestion)}>
            <Text size="sm" className="break">
              {suggestion.by === 'vex' ? 'A VEX document' : 'An ignore file'} on{' '}
              <ReportText className="mono">{suggestion.ref}</ReportText> says{' '}
              <b>{enumLabel(suggestion.says).toLowerCase()}</b>
              {suggestion.version !== null && (
                <>
                  {' '}
                  of version <ReportText className="mono">{suggestion.version}</ReportText>
                </>
              )}
              {suggestion.until !== null && (
                <>
                  {' '}
                  until <TimeText value={suggestion.until} as="end" />
                </>
              )}
              {suggestion.reason !== null && (
                <>
                  : <ReportText>{suggestion.reason}</ReportText>
                </>
              )}
            </Text>
            {mayAct && decisionFor(suggestion) && (
              <Button
                size="compact-xs"
                variant="default"
                mt={4}
                onClick={() => onDecide(decisionFor(suggestion) ?? {})}
              >
                Apply
              </Button>
            )}
          </div>
        ))}
      </Stack>
    </Alert>
  );
}

const decisions: Record<string, { action: TriageAction; resolution?: Resolution }> = {
  not_affected: { action: 'reject', resolution: 'not_affected' },
  false_positive: { action: 'reject', resolution: 'false_positive' },
  ignored: { action: 'ignore', resolution: 'wont_fix' },
  accepted: { action: 'accept' },
  affected: { action: 'confirm' },
  exploitable: { action: 'confirm' },
};

function decisionFor({ says, reason, until }: Suggestion): Partial<TriageRequest> | null {
  const decision = decisions[says];
  if (!decision) return null;
  return {
    ...decision,
    ...(reason === null ? {} : { reason }),
    ...(until === null ? {} : { until: until.slice(0, 10) }),
  };
}

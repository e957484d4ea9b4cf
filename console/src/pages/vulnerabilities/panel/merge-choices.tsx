/** The vulnerabilities of the repository that can be merged. The person chooses one. */
import { Group, Radio, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Vulnerability, VulnerabilityPage } from '../../../api/vulnerabilities.ts';
import { SeverityBadge } from '../../../components/badges.tsx';
import { Loaded } from '../../../components/loaded.tsx';
import { Note } from '../../../components/note.tsx';
import { ReportText } from '../../../components/report-text.tsx';
import { useRequired } from '../../../components/use-required.ts';
import { VulnerabilityStatus } from '../../../components/vulnerability-status.tsx';
import { locationLabel } from '../labels.ts';

interface MergeChoicesProps {
  query: UseQueryResult<VulnerabilityPage>;
  /** The shown part of what the query found. */
  choices: Vulnerability[];
  value: string | null;
  onChange: (id: string) => void;
}

export const chooseOne = 'Choose the one to merge.';

export function MergeChoices({ query, choices, value, onChange }: MergeChoicesProps) {
  const { error, ...field } = useRequired({ message: chooseOne });
  return (
    <Loaded query={query} noun="the vulnerabilities of the repository" lines={3}>
      {({ summary }) => {
        if (choices.length === 0) {
          return <Note>No other vulnerability of this type and name in the repository.</Note>;
        }
        return (
          <Radio.Group label="Merge this one" withAsterisk error={error} value={value} onChange={onChange}>
            <Stack gap={8} mt={6} className="vuln-choices">
              {choices.map((item) => (
                <Radio
                  key={item.id}
                  value={item.id}
                  {...field}
                  label={
                    <Group gap={6}>
                      <SeverityBadge severity={item.severity} />
                      <VulnerabilityStatus status={item.status} />
                      <ReportText className="break">{item.title}</ReportText>
                    </Group>
                  }
                  description={<ReportText className="mono break">{locationLabel(item.location)}</ReportText>}
                />
              ))}
            </Stack>
            {summary.total > choices.length + 1 && (
              <Text size="xs" c="dimmed" mt={6}>
                There are more. Type more words of the title.
              </Text>
            )}
          </Radio.Group>
        );
      }}
    </Loaded>
  );
}

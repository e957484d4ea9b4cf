/** Says that somebody else was faster and nothing was changed. A second attempt uses the present version. */
import { Alert, List } from '@mantine/core';
import { ReportText } from '../../components/report-text.tsx';
import type { Target } from './targets.ts';

// A longer list of ids does not help more than the number.
const shown = 5;

export function ConflictAlert({ changed }: { changed: Target[] }) {
  return (
    <Alert color="yellow" role="alert" title="Changed by somebody else in the meantime">
      Nothing was done. The list shows how it is now; do it again if you still want to.
      <List size="sm" mt={6}>
        {changed.slice(0, shown).map(({ id, title }) => (
          <List.Item key={id} className="break">
            <ReportText>{title}</ReportText>
          </List.Item>
        ))}
        {changed.length > shown && <List.Item>and {changed.length - shown} more</List.Item>}
      </List>
    </Alert>
  );
}

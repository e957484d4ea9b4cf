/** The rows of a report that could not be parsed: their document paths, and why. */
import type { ScanDetail } from '../../api/scans.ts';
import type { Column } from '../../components/column.ts';
import { DataTable } from '../../components/data-table.tsx';
import { ReportText } from '../../components/report-text.tsx';
import { Section } from '../../components/section.tsx';
import { countOf } from '../../components/target-labels.ts';

type Row = ScanDetail['unreadable'][number];

const columns: Column<Row>[] = [
  {
    id: 'location',
    label: 'Location',
    cell: (row) => <ReportText className="mono break">{row.pointer || '/'}</ReportText>,
  },
  {
    id: 'problem',
    label: 'Problem',
    wrap: true,
    cell: (row) => <ReportText className="break">{row.reason}</ReportText>,
  },
];

export function Unreadable({ scan }: { scan: ScanDetail }) {
  const { unreadable, counts } = scan;
  if (unreadable.length === 0) return null;
  const all = counts?.unreadable ?? unreadable.length;
  return (
    <div id="unreadable">
      <Section
        title="Could not be read"
        description={`${countOf(all, 'row')} of the report ${all === 1 ? 'was' : 'were'} skipped; the others count. The location is a JSON pointer or a line.`}
      >
        <DataTable
          label="Rows that could not be read"
          fixedColumns
          columns={columns}
          rows={unreadable}
          keyOf={(row) => `${row.pointer} ${row.reason}`}
          nameOf={(row) => row.pointer}
        />
      </Section>
    </div>
  );
}

/** A small table within a section: text in its first column, and mostly numbers in the others. */
import type { ReactNode } from 'react';
import './plain-table.css';

interface PlainTableProps<Row> {
  /** The heading of each column; null for a column without one. */
  headings: (string | { label: string; className: string } | null)[];
  rows: readonly Row[];
  /** Shown in place of a table without rows. */
  none?: ReactNode;
  className?: string;
  /** Returns the `tr` of a row. */
  children: (row: Row) => ReactNode;
}

export function PlainTable<Row>({ headings, rows, none, className = '', children }: PlainTableProps<Row>) {
  if (rows.length === 0 && none !== undefined) return <p className="plain-table-none">{none}</p>;
  return (
    <table className={`plain-table ${className}`}>
      <thead>
        <tr>{headings.map(headingOf)}</tr>
      </thead>
      <tbody>{rows.map(children)}</tbody>
    </table>
  );
}

function headingOf(heading: PlainTableProps<unknown>['headings'][number], index: number) {
  if (heading === null) return <td key={index} />;
  const { label, className } = typeof heading === 'string' ? { label: heading, className: '' } : heading;
  return (
    <th key={label} scope="col" className={className}>
      {label}
    </th>
  );
}

/** Scrolls a table sideways that is wider than its section. */
export function PlainTableRegion({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by the keyboard
    <section className="plain-table-region" aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}

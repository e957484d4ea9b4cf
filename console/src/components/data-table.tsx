/**
 * The table of every list. The link in the row header opens a row: a click anywhere in the row and Enter follow that
 * link. Arrow keys move between rows, and `x` selects. This browser remembers the chosen columns. The page scrolls and
 * the headings stay in sight; a table that is wider than the page scrolls sideways in its own region.
 */
import { Checkbox } from '@mantine/core';
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react';
import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
} from 'react';
import { type Column, headerAt } from './column.ts';
import { ColumnMenu } from './column-menu.tsx';
import { type Selection, useRange } from './selection.ts';
import { isTurnedOff } from './single-keys.ts';
import { useChosenColumns } from './use-chosen-columns.ts';
import { useSameFunction } from './use-same-function.ts';
import './data-table.css';

export interface DataTableProps<Row> {
  /** Names the rows: `Vulnerabilities`. It is the name of the table and the storage key of its columns. */
  label: string;
  /** The row's header holds the link that opens the row. It and the columns before it are always shown. */
  columns: Column<Row>[];
  rows: Row[];
  keyOf: (row: Row) => string;
  /** Names a row for its tick box. */
  nameOf: (row: Row) => string;
  selection?: Selection;
  /** The key of the row that is open in the panel. */
  openKey?: string | undefined;
  /** The next page is loading, and these rows are still those of the last page. */
  stale?: boolean;
  /** Tables with few columns set this, so that no column can be hidden. */
  fixedColumns?: boolean;
  /** The order of the rows, for columns with `orders`. */
  order?: { value: string; change: (value: string) => void };
  /**
   * On a phone, each row is a card whose cells are clear without their heading. The rows of other tables with a menu of
   * columns are cards with the headings.
   */
  isCards?: boolean;
  /** Shown beside the menu of columns: totals, bulk actions. */
  toolbar?: ReactNode;
}

export function DataTable<Row>(props: DataTableProps<Row>) {
  const {
    label,
    rows,
    keyOf,
    nameOf,
    selection,
    openKey,
    stale = false,
    fixedColumns = false,
    isCards = false,
    order,
    toolbar,
  } = props;
  const [region, fits] = useFits();
  const chosen = useChosenColumns(label, props.columns);
  const keys = rows.map(keyOf);
  const range = useRange(keys, selection);
  const tick = useSameFunction(range.toggle);
  return (
    <div className="data-table">
      {(toolbar || !fixedColumns) && (
        <div className="data-table-toolbar">
          <div className="data-table-toolbar-own">{toolbar}</div>
          {!fixedColumns && <ColumnMenu chosen={chosen} />}
        </div>
      )}
      <section
        ref={region}
        className="data-table-region"
        data-fits={fits || undefined}
        data-cards={isCards ? 'plain' : fixedColumns ? undefined : 'labelled'}
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by the keyboard
        tabIndex={0}
        aria-busy={stale}
      >
        <table onKeyDown={(event) => onTableKey(event, range.toggle)}>
          <thead>
            <tr>
              {selection && (
                <th scope="col" className="data-table-tick">
                  <Checkbox
                    size="xs"
                    aria-label={`Select all ${rows.length} on this page`}
                    checked={range.isAll}
                    indeterminate={range.isSome}
                    onChange={range.toggleAll}
                  />
                </th>
              )}
              {chosen.shown.map((column) => (
                <Heading key={column.id} column={column} order={order} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => {
              const key = keys[index] ?? '';
              return (
                <TableRow
                  key={key}
                  rowKey={key}
                  row={row}
                  index={index}
                  columns={chosen.shown}
                  isOpen={key === openKey}
                  name={selection && nameOf(row)}
                  isTicked={selection?.selected.has(key) ?? false}
                  onTick={tick}
                />
              );
            })}
          </tbody>
        </table>
      </section>
    </div>
  );
}

/** For buttons above the table that go away with the selection. */
export function focusTable(): void {
  document.querySelector<HTMLElement>('.data-table-region')?.focus({ preventScroll: true });
}

/** True if the region is as wide as its table, so that nothing must scroll sideways. */
function useFits(): [RefObject<HTMLElement | null>, boolean] {
  const region = useRef<HTMLElement>(null);
  const [fits, setFits] = useState(false);
  useEffect(() => {
    const element = region.current;
    const table = element?.querySelector('table');
    if (!element || !table) return;
    const observer = new ResizeObserver(() => setFits(table.offsetWidth <= element.clientWidth));
    observer.observe(element);
    observer.observe(table);
    return () => observer.disconnect();
  }, []);
  return [region, fits];
}

interface HeadingProps<Row> {
  column: Column<Row>;
  order: DataTableProps<Row>['order'];
}

function Heading<Row>({ column, order }: HeadingProps<Row>) {
  const { label, align, width, orders = [] } = column;
  const at = orders.findIndex(({ value }) => value === order?.value);
  const next = orders[(at + 1) % orders.length];
  return (
    <th scope="col" className={align} style={{ width }} aria-sort={orders[at]?.direction}>
      {order && next ? (
        <button type="button" className="data-table-order" onClick={() => order.change(next.value)}>
          {label}
          {at >= 0 && <OrderMark direction={orders[at]?.direction} />}
        </button>
      ) : (
        label
      )}
    </th>
  );
}

function OrderMark({ direction }: { direction: 'ascending' | 'descending' | undefined }) {
  const Mark = direction === 'ascending' ? IconArrowUp : IconArrowDown;
  return <Mark size={13} aria-hidden="true" />;
}

interface TableRowProps<Row> {
  rowKey: string;
  row: Row;
  index: number;
  columns: Column<Row>[];
  isOpen: boolean;
  /** Undefined means that the row cannot be selected. */
  name: string | undefined;
  isTicked: boolean;
  onTick: (index: number, upToHere: boolean) => void;
}

// Among many rows, only those that change are drawn again.
const TableRow = memo(PlainRow) as typeof PlainRow;

function PlainRow<Row>(props: TableRowProps<Row>) {
  const { rowKey, row, index, columns, isOpen, name, isTicked, onTick } = props;
  const header = headerAt(columns);
  return (
    <tr
      data-row={index}
      data-key={rowKey}
      data-open={isOpen || undefined}
      data-selected={isTicked || undefined}
      onClick={openRow}
    >
      {name !== undefined && (
        <td className="data-table-tick">
          <Checkbox
            size="xs"
            aria-label={`Select ${name}`}
            checked={isTicked}
            onClick={(event) => onTick(index, event.shiftKey)}
            onChange={() => {}}
          />
        </td>
      )}
      {columns.map((column, at) =>
        at === header ? (
          <th key={column.id} scope="row" className={column.align}>
            {column.cell(row)}
          </th>
        ) : (
          <td key={column.id} data-column={column.id} data-label={column.label} className={classOf(column)}>
            {column.cell(row)}
          </td>
        ),
      )}
    </tr>
  );
}

function classOf<Row>({ align, wrap = false }: Column<Row>): string {
  return [align, wrap && 'wrap'].filter(Boolean).join(' ');
}

const controls = 'a, button, input, label, select, textarea, [role="button"], [role="menuitem"]';

function openRow(event: MouseEvent<HTMLTableRowElement>): void {
  const target = event.target as Element;
  // React counts content of a row's menu as a child of the row, but the page does not.
  if (!event.currentTarget.contains(target) || target.closest(controls)) return;
  if (getSelection()?.isCollapsed === false) return;
  const link = mainControl(event.currentTarget);
  // A panel later gives the focus back to the element that had it.
  link?.focus({ preventScroll: true });
  // With the modifier keys that open a link in a new tab, the row opens in a new tab too.
  const { ctrlKey, metaKey, shiftKey } = event;
  link?.dispatchEvent(
    new window.MouseEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }),
  );
}

function mainControl(row: Element): HTMLElement | null {
  return row.querySelector<HTMLElement>('th[scope="row"] :is(a, button)');
}

function onTableKey(event: KeyboardEvent, toggle: (index: number, upToHere: boolean) => void): void {
  const target = event.target as HTMLElement;
  const row = target.closest<HTMLElement>('tbody tr');
  if (!row || event.ctrlKey || event.metaKey || event.altKey || isTurnedOff(event)) return;
  const index = Number(row.dataset.row);
  if (event.key === 'x') {
    toggle(index, false);
  } else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    const next = event.key === 'ArrowDown' ? row.nextElementSibling : row.previousElementSibling;
    if (!next) return;
    // The focus stays on the tick boxes if it was on one. With Shift, the rows on the way are selected too.
    const tick = target instanceof HTMLInputElement && next.querySelector<HTMLInputElement>('input');
    (tick || mainControl(next))?.focus();
    if (event.shiftKey) toggle(Number((next as HTMLElement).dataset.row), true);
  } else {
    return;
  }
  event.preventDefault();
}

/** The keys of the list: `j` and `k` move between rows; `a` and `t` act on the selection, or else on the row. */
import { useEffect, useEffectEvent } from 'react';
import { isForPage, type PageShortcuts, usePageShortcuts } from '../../layout/page-shortcuts.ts';

interface ListKeys {
  /** Null for a person who may only read. */
  acts: { assign: (rowId: string | null) => void; triage: (rowId: string | null) => void } | null;
}

const looking: PageShortcuts['rows'] = [
  [['j', 'k'], 'Next, previous: in the list and in the panel'],
  [['Enter'], 'Open the panel'],
];
const shortcuts: PageShortcuts = {
  title: 'Vulnerabilities',
  rows: [...looking, [['x'], 'Select'], [['a'], 'Assign'], [['t'], 'Triage']],
};
const viewerShortcuts: PageShortcuts = { title: 'Vulnerabilities', rows: looking };

export function useListKeys({ acts }: ListKeys): void {
  usePageShortcuts(acts ? shortcuts : viewerShortcuts);
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!isForPage(event)) return;
    const row = focusedRow();
    if (event.key === 'j' || event.key === 'k') goTo(event.key === 'j' ? nextOf(row) : previousOf(row));
    else if (event.key === 'a' && acts) acts.assign(row?.dataset.key ?? null);
    else if (event.key === 't' && acts) acts.triage(row?.dataset.key ?? null);
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    // This listener runs after those of the document, so that the second key of `g a` is already taken.
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

function rows(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('tr[data-key^="vc_"]')];
}

function focusedRow(): HTMLElement | null {
  return document.activeElement?.closest<HTMLElement>('tr[data-key^="vc_"]') ?? null;
}

function nextOf(row: HTMLElement | null): Element | null {
  return row ? row.nextElementSibling : (rows()[0] ?? null);
}

function previousOf(row: HTMLElement | null): Element | null {
  return row ? row.previousElementSibling : (rows().at(-1) ?? null);
}

function goTo(row: Element | null): void {
  row?.querySelector<HTMLElement>('th[scope="row"] a')?.focus();
}

/** Returns the link of a row, which gets the focus back. */
export function rowLink(id: string | undefined): HTMLElement | null {
  const row = rows().find((each) => each.dataset.key === id);
  return row?.querySelector<HTMLElement>('th[scope="row"] a') ?? null;
}

/** The shortcuts that a page has of its own: it handles them itself, and tells them here for the dialog that lists all. */
import { useEffect, useSyncExternalStore } from 'react';

export interface PageShortcuts {
  /** `In the list of vulnerabilities`. */
  title: string;
  /** Keys, and what they do. */
  rows: [string[], string][];
}

let current: PageShortcuts | null = null;
const listeners = new Set<() => void>();

function change(to: PageShortcuts | null): void {
  current = to;
  for (const listener of listeners) listener();
}

/** For a page: `shortcuts` must be the same object each time. */
export function usePageShortcuts(shortcuts: PageShortcuts): void {
  useEffect(() => {
    change(shortcuts);
    return () => change(null);
  }, [shortcuts]);
}

/** For the dialog that shows them. */
export function useShortcutsOfPage(): PageShortcuts | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
  );
}

/** Whether the key is meant as a shortcut at all: not while somebody types, or goes through a menu. */
export function isForKeys(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  const { target } = event;
  if (!(target instanceof HTMLElement)) return true;
  // A tick box takes no text.
  if (target instanceof HTMLInputElement && target.type === 'checkbox') return true;
  return (
    target.closest('input, textarea, select, [contenteditable], [role="menu"], [role="listbox"]') === null
  );
}

/** The same, and no dialog, menu or panel is open. */
export function isForPage(event: KeyboardEvent): boolean {
  return isForKeys(event) && document.querySelector('[role="dialog"]') === null;
}

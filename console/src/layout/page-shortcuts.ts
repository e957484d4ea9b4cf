/**
 * The shortcuts of the current page. The page handles them itself and registers them here for the dialog that lists
 * all.
 */
import { useEffect } from 'react';
import { isTurnedOff } from '../components/single-keys.ts';
import { createStore } from '../external-store.ts';

export interface PageShortcuts {
  /** The title of the group: `In the list of vulnerabilities`. */
  title: string;
  /** The keys, and what they do. */
  rows: [string[], string][];
}

const current = createStore<PageShortcuts | null>(null);

/** Registers the shortcuts of a page. `shortcuts` must be the same object at each render. */
export function usePageShortcuts(shortcuts: PageShortcuts): void {
  useEffect(() => {
    current.set(shortcuts);
    return () => current.set(null);
  }, [shortcuts]);
}

/** Returns the shortcuts of the page to the dialog that shows them. */
export const useShortcutsOfPage = current.useValue;

/** True if a key may be a shortcut: not while the person types or is in a menu, or has turned shortcuts off. */
export function isForKeys(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return false;
  return !isTyping(event) && !isTurnedOff(event);
}

/** True under the same condition, and if no dialog, menu or panel is open. */
export function isForPage(event: KeyboardEvent): boolean {
  return isForKeys(event) && document.querySelector('[role="dialog"]') === null;
}

/** True if the person types or is in a menu. */
export function isTyping({ target }: Event): boolean {
  if (!(target instanceof HTMLElement)) return false;
  // A tick box takes no text.
  if (target instanceof HTMLInputElement && target.type === 'checkbox') return false;
  return (
    target.closest('input, textarea, select, [contenteditable], [role="menu"], [role="listbox"]') !== null
  );
}

/** True if a dialog or menu is open, alone or above a side panel. */
export function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"]:not(:has(.side-panel-top))') !== null;
}

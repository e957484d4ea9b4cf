/** The keys of the panel. They work while no dialog is above it. */
import { useEffect, useEffectEvent } from 'react';
import { isDialogOpen, isForKeys } from '../../../layout/page-shortcuts.ts';

interface PanelActs {
  next: (() => void) | undefined;
  previous: (() => void) | undefined;
  assign: (() => void) | undefined;
  triage: (() => void) | undefined;
}

const keyOf: Record<string, keyof PanelActs> = {
  j: 'next',
  ArrowRight: 'next',
  k: 'previous',
  ArrowLeft: 'previous',
  a: 'assign',
  t: 'triage',
};

// In these elements the arrow keys move between tabs or choices, or they scroll.
const ownArrows = '[role="tablist"], [role="radiogroup"], [role="menu"], section[tabindex="0"]';

export function usePanelKeys(isOpen: boolean, acts: PanelActs): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const name = keyOf[event.key];
    if (name === undefined || !isForKeys(event) || isDialogOpen()) return;
    if (event.key.startsWith('Arrow') && (event.target as Element).closest(ownArrows)) return;
    acts[name]?.();
    event.preventDefault();
  });
  useEffect(() => {
    if (!isOpen) return;
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [isOpen]);
}

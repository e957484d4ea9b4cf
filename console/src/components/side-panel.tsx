/**
 * A panel at the side, over the page it belongs to. What it shows stands in the address, so that it can be linked to
 * and left with the browser's back button; Escape closes it, and the focus returns to where it was, unless the page
 * knows better.
 */
import { Drawer } from '@mantine/core';
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { useAnySearch } from '../search.ts';
import './side-panel.css';

/** The panel of the parameter: what it shows, and how to change that. */
export function usePanel(parameter: string): {
  shown: string | undefined;
  show: (id: string) => void;
  close: () => void;
} {
  const { search, set } = useAnySearch();
  const value = search[parameter];
  const shown = typeof value === 'string' ? value : undefined;
  const keepPage = { cursor: search.cursor };
  return {
    shown,
    // From one to the next is one step back in the history, not one each.
    show: (id) => set({ ...keepPage, [parameter]: id }, { replace: shown !== undefined }),
    close: () => set({ ...keepPage, [parameter]: undefined }, { replace: true }),
  };
}

interface SidePanelProps {
  opened: boolean;
  onClose: () => void;
  title: ReactNode;
  /** Below the title, always in sight: the actions. */
  toolbar?: ReactNode;
  size?: number;
  /** Where the focus goes when it has closed, such as the row of what was shown last. */
  focusAfter?: () => HTMLElement | null;
  children: ReactNode;
}

export function SidePanel(props: SidePanelProps) {
  const { opened, onClose, title, toolbar, size = 680, focusAfter, children } = props;
  const content = useRef<HTMLDivElement>(null);
  useEscape(opened, content, onClose);
  return (
    <Drawer.Root
      opened={opened}
      onClose={onClose}
      position="right"
      size={size}
      padding={0}
      closeOnEscape={false}
      returnFocus={focusAfter === undefined}
      onExitTransitionEnd={() => focusAfter?.()?.focus({ preventScroll: true })}
    >
      <Drawer.Overlay backgroundOpacity={0.25} />
      <Drawer.Content ref={content}>
        <div className="side-panel-top">
          <div className="side-panel-header">
            <Drawer.Title className="side-panel-title break">{title}</Drawer.Title>
            <Drawer.CloseButton aria-label="Close the panel" />
          </div>
          {toolbar && <div className="side-panel-toolbar">{toolbar}</div>}
        </div>
        <Drawer.Body className="side-panel-body">{children}</Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}

// The drawer's own would close it together with the dialog or menu that stands over it.
function useEscape(opened: boolean, content: React.RefObject<HTMLElement | null>, close: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.isComposing || !(event.target instanceof Element)) return;
    const dialog = event.target.closest('[role="dialog"]');
    const own = content.current?.closest('[role="dialog"]') ?? null;
    // Where nothing has the focus, what stands last is on top.
    const top = dialog ?? [...document.querySelectorAll('[role="dialog"]')].at(-1);
    if (top !== own) return;
    if (event.target.closest('[data-mantine-stop-propagation="true"]')) return;
    close();
  });
  useEffect(() => {
    if (!opened) return;
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  }, [opened]);
}

/**
 * A panel at the side, over its page. The address names its content, so people can link to it and leave it with the
 * browser's back button. Escape closes it. The focus then returns to its old element, unless the page names another.
 */
import { Drawer } from '@mantine/core';
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { useAnySearch } from '../use-any-search.ts';
import './side-panel.css';

/** Returns the content of the panel of the parameter, and the functions that change it. */
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
    // Moving from one object to the next replaces the history entry, so one step back closes the panel.
    show: (id) => set({ ...keepPage, [parameter]: id }, { replace: shown !== undefined }),
    close: () => set({ ...keepPage, [parameter]: undefined }, { replace: true }),
  };
}

interface SidePanelProps {
  opened: boolean;
  onClose: () => void;
  title: ReactNode;
  /** Shown below the title, and in sight while the window is high enough: the actions. */
  toolbar?: ReactNode;
  size?: number;
  /** The element that gets the focus after closing, such as the row that was shown last. */
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

// The drawer's own handler would close it together with the dialog or menu on top of it.
function useEscape(opened: boolean, content: React.RefObject<HTMLElement | null>, close: () => void): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.isComposing || !(event.target instanceof Element)) return;
    const dialog = event.target.closest('[role="dialog"]');
    const own = content.current?.closest('[role="dialog"]') ?? null;
    // If no element has the focus, the last dialog of the page is on top.
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

/** Copies a text, and confirms it. */
import { ActionIcon, Tooltip, VisuallyHidden } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';

interface CopyButtonProps {
  value: string;
  /** Names what the button copies: `Copy the slug`. */
  label: string;
  size?: 'xs' | 'sm';
}

const iconSizes = { xs: 13, sm: 15 };

export function CopyButton({ value, label, size = 'sm' }: CopyButtonProps) {
  const { copied, outcome, copy } = useCopy();
  const Icon = copied ? IconCheck : IconCopy;
  return (
    <>
      <Tooltip label={outcome || label}>
        <ActionIcon variant="subtle" color="gray" size={size} aria-label={label} onClick={() => copy(value)}>
          <Icon size={iconSizes[size]} stroke={1.7} color={copied ? 'var(--tone-good)' : undefined} />
        </ActionIcon>
      </Tooltip>
      <VisuallyHidden role="status">{outcome}</VisuallyHidden>
    </>
  );
}

// The message stays this long.
const saidMs = 2_000;

interface Copying {
  copied: boolean;
  /** Shown and read out for a moment: whether the copy has succeeded. Empty before and after. */
  outcome: string;
  copy: (text: string) => void;
}

export function useCopy(): Copying {
  const [copied, setCopied] = useState<boolean | null>(null);
  useEffect(() => {
    if (copied === null) return;
    const timer = setTimeout(setCopied, saidMs, null);
    return () => clearTimeout(timer);
  }, [copied]);
  return {
    copied: copied === true,
    outcome: copied === null ? '' : copied ? 'Copied' : 'Could not copy',
    copy: (text) => void copyText(text).then(setCopied),
  };
}

// Browsers give no clipboard to pages that were loaded by plain HTTP from another machine. The older command works
// there.
async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard) {
    const written = await navigator.clipboard.writeText(text).then(
      () => true,
      () => false,
    );
    if (written) return true;
  }
  const before = document.activeElement;
  const area = document.createElement('textarea');
  area.value = text;
  // The focus trap of an open dialog keeps the focus inside, so the text area must be inside too.
  (before?.closest('[role="dialog"]') ?? document.body).append(area);
  area.select();
  const written = document.execCommand('copy');
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  return written;
}

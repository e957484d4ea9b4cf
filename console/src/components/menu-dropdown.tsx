/**
 * The dropdown of a menu whose items open dialogs. A dialog returns the focus to the element that had it. An item is
 * gone by then, so the button of the menu gets the focus before the dialog opens.
 */
import { Menu, type MenuDropdownProps } from '@mantine/core';
import type { MouseEvent } from 'react';

export function MenuDropdown(props: MenuDropdownProps) {
  return <Menu.Dropdown onClickCapture={focusTarget} {...props} />;
}

function focusTarget({ currentTarget }: MouseEvent): void {
  document.getElementById(currentTarget.getAttribute('aria-labelledby') ?? '')?.focus();
}

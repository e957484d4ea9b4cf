/**
 * The look of the console: warm stone greys, one petrol accent, dense text. Colours with a meaning (severity, status,
 * verdict) are custom properties of `theme.css`. Nothing else may define a colour.
 */
import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';
import { queryValues } from '@merlon/client';
import type { KeyboardEvent } from 'react';

const petrol: MantineColorsTuple = [
  '#e9f5f5',
  '#d0e8e9',
  '#a3d2d5',
  '#72b9be',
  '#469fa6',
  '#2a8790',
  '#17717b',
  '#0f5c66',
  '#0c4a52',
  '#08353b',
];

const stone: MantineColorsTuple = [
  '#faf9f7',
  '#f4f2ee',
  '#e9e6e0',
  '#dbd7cf',
  '#c4bfb5',
  '#969085',
  '#6f695f',
  '#58534a',
  '#3d3933',
  '#272420',
];

const night: MantineColorsTuple = [
  '#e8e6e1',
  '#cfccc5',
  '#b3afa7',
  '#938e86',
  '#56524c',
  '#3e3b37',
  '#2b2927',
  '#1d1c1a',
  '#161513',
  '#0f0e0d',
];

const red: MantineColorsTuple = [
  '#fdecea',
  '#fad4d0',
  '#f4aaa4',
  '#ee8278',
  '#e35f54',
  '#d4473c',
  '#c2352b',
  '#b3261e',
  '#8c1d17',
  '#651510',
];

const orange: MantineColorsTuple = [
  '#fdf3e0',
  '#fcebcb',
  '#f8d692',
  '#f2b84b',
  '#d99a1f',
  '#bf8010',
  '#a86700',
  '#8a5300',
  '#6d4200',
  '#4d2f00',
];

const fontFamily =
  'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Helvetica Neue", Arial, sans-serif, "Apple Color Emoji", "Segoe UI Emoji"';
const fontFamilyMonospace =
  'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", "Noto Sans Mono", monospace';

export const theme = createTheme({
  primaryColor: 'petrol',
  primaryShade: { light: 7, dark: 6 },
  colors: { petrol, red, orange, gray: stone, dark: night },
  black: '#1f1c18',
  white: '#ffffff',
  fontFamily,
  fontFamilyMonospace,
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  lineHeights: { xs: '1.4', sm: '1.45', md: '1.5', lg: '1.55', xl: '1.6' },
  headings: {
    fontFamily,
    fontWeight: '650',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.3' },
      h2: { fontSize: '1.0625rem', lineHeight: '1.4' },
      h3: { fontSize: '0.9375rem', lineHeight: '1.45' },
      h4: { fontSize: '0.875rem', lineHeight: '1.5' },
    },
  },
  defaultRadius: 'sm',
  radius: { xs: '3px', sm: '6px', md: '8px', lg: '12px', xl: '16px' },
  cursorType: 'pointer',
  respectReducedMotion: true,
  autoContrast: true,
  components: {
    Button: { defaultProps: { size: 'sm' } },
    Tooltip: {
      defaultProps: { openDelay: 300, withArrow: true, events: { hover: true, focus: true, touch: true } },
    },
    Select: { defaultProps: { onKeyDown: keepOpenListFromSubmitting } },
    MultiSelect: { defaultProps: { onKeyDown: keepOpenListFromSubmitting } },
    Modal: { defaultProps: { centered: true, closeButtonProps: { 'aria-label': 'Close' } } },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    Checkbox: { defaultProps: { radius: 'xs' } },
    // The keyboard reaches the button that shows the password.
    PasswordInput: { defaultProps: { visibilityToggleFocusable: true } },
    // Mantine's placeholder for the first focus is an element that a menu may not contain.
    Menu: { defaultProps: { shadow: 'md', position: 'bottom-end', withInitialFocusPlaceholder: false } },
    Popover: { defaultProps: { shadow: 'md' } },
    Paper: { defaultProps: { withBorder: true } },
    Anchor: { defaultProps: { underline: 'hover' } },
  },
});

// An alert looks like a badge with the same meaning.
const alertColors = {
  '--mantine-color-yellow-light': 'var(--tone-warn-bg)',
  '--mantine-color-yellow-light-color': 'var(--tone-warn-text)',
  '--mantine-color-orange-light': 'var(--tone-warn-bg)',
  '--mantine-color-orange-light-color': 'var(--tone-warn-text)',
  '--mantine-color-red-light': 'var(--tone-bad-bg)',
  '--mantine-color-red-light-color': 'var(--tone-bad-text)',
};

/** Mantine's own greys miss the contrast of 4.5 to 1 against the page, so these replace them. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...alertColors,
    '--mantine-color-body': '#ffffff',
    '--mantine-color-dimmed': 'var(--mantine-color-gray-6)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-6)',
    '--mantine-color-error': '#b3261e',
    '--mantine-color-default-border': 'var(--mantine-color-gray-4)',
    '--mantine-color-disabled-color': 'var(--mantine-color-gray-6)',
  },
  dark: {
    ...alertColors,
    '--mantine-color-dimmed': 'var(--mantine-color-dark-2)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-2)',
    '--mantine-color-error': '#ff9b8f',
    '--mantine-color-anchor': 'var(--mantine-color-petrol-3)',
    '--mantine-color-default-border': 'var(--mantine-color-dark-4)',
  },
});

/** The severities, the highest first. */
export const severities = queryValues.listVulnerabilities.severity.toReversed();

/** The colour of a severity in charts and marks; badges have backgrounds of their own in `theme.css`. */
export function severityColor(severity: string): string {
  const known = (severities as readonly string[]).includes(severity);
  return `var(--severity-${known ? severity : 'unknown'})`;
}

/** The colours of charts that count something else than severities. */
export const seriesColors = {
  open: 'var(--series-open)',
  new: 'var(--series-new)',
  fixed: 'var(--series-fixed)',
};

/**
 * The Enter key takes an option of an open list. While none is marked it does nothing, instead of sending the form
 * without the choice that the person has begun.
 */
function keepOpenListFromSubmitting(event: KeyboardEvent<HTMLInputElement>): void {
  if (event.key === 'Enter' && event.currentTarget.ariaExpanded === 'true') event.preventDefault();
}

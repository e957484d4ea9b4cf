/**
 * Turns Markdown into React elements, and never into HTML: an element exists only if this file names its tag, no
 * attribute of the text becomes one of the page, and HTML in the text is shown as text. No image loads, and only web
 * addresses become links. The parser is markdown-it, because it takes linear time for hostile text too.
 */
import MarkdownIt, { type Token } from 'markdown-it';
import { createElement, Fragment, type ReactNode } from 'react';
import { isWeb, OuterLink } from './outer-link.tsx';
import { visibleText } from './report-text.tsx';

// Line breaks stay, and indented lines are no code, because most tools write plain text.
const parser = new MarkdownIt({ html: false, breaks: true, linkify: true }).disable('code');
// Only a whole address becomes a link: `index.js` is none.
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false });

/** Tag of Markdown → tag on the page. The panel's own headings are of level 3. */
const tags: Record<string, string> = {
  ...Object.fromEntries(
    ['p', 'ul', 'ol', 'li', 'blockquote', 'strong', 'em', 's', 'thead', 'tbody', 'tr', 'th', 'td'].map(
      (tag) => [tag, tag],
    ),
  ),
  h1: 'h4',
  h2: 'h4',
  h3: 'h5',
  h4: 'h5',
  h5: 'h6',
  h6: 'h6',
};

export function MarkdownText({ text }: { text: string }) {
  return <>{nodesOf(parser.parse(text, {}))}</>;
}

interface OpenElement {
  token: Token | null;
  children: ReactNode[];
}

function nodesOf(tokens: Token[]): ReactNode[] {
  const root: OpenElement = { token: null, children: [] };
  const open = [root];
  for (const token of tokens) {
    const parent = open.at(-1) ?? root;
    if (token.nesting === 1) open.push({ token, children: [] });
    else if (token.nesting === 0) parent.children.push(leafOf(token, parent.children.length));
    else if (open.length > 1) {
      open.pop();
      const around = open.at(-1) ?? root;
      around.children.push(elementOf(parent, around.children.length));
    }
  }
  return root.children;
}

function elementOf({ token, children }: OpenElement, key: number): ReactNode {
  const tag = token?.tag ?? '';
  if (tag === 'a') {
    const href = String(token?.attrGet('href') ?? '');
    if (!isWeb(href)) return <Fragment key={key}>{children}</Fragment>;
    return (
      <OuterLink key={key} href={href}>
        {children}
      </OuterLink>
    );
  }
  if (tag === 'table') {
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by the keyboard
      <section key={key} className="markdown-table" tabIndex={0} aria-label="Table">
        <table>{children}</table>
      </section>
    );
  }
  const shown = tags[tag];
  // The paragraph of an item in a dense list is hidden.
  if (shown === undefined || token?.hidden) return <Fragment key={key}>{children}</Fragment>;
  return createElement(shown, { key }, ...children);
}

function leafOf(token: Token, key: number): ReactNode {
  switch (token.type) {
    case 'inline':
      return <Fragment key={key}>{nodesOf(token.children ?? [])}</Fragment>;
    case 'softbreak':
    case 'hardbreak':
      return <br key={key} />;
    case 'hr':
      return <hr key={key} />;
    case 'code_inline':
      return <code key={key}>{visibleText(token.content)}</code>;
    case 'fence':
      return (
        <pre key={key}>
          <code>{visibleText(token.content)}</code>
        </pre>
      );
    // The content of an image is its description.
    default:
      return visibleText(token.content);
  }
}

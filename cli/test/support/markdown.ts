/**
 * A part of Markdown that matters for foreign text: the code spans of CommonMark 0.31, 6.1. GitHub and GitLab read no
 * markup inside a span, but all of it outside.
 */

export interface Spans {
  /** Line by line, with `•` for each code span. */
  outside: string;
  inside: string[];
}

/** Renders text whose lines are separate blocks, such as the items of a list. */
export function codeSpans(markdown: string): Spans {
  const inside: string[] = [];
  const outside = markdown
    .split('\n')
    .map((line) => {
      let left = '';
      let rest = line;
      for (;;) {
        const open = /`+/.exec(rest);
        if (!open) return left + rest;
        const after = rest.slice(open.index + open[0].length);
        const close = [...after.matchAll(/`+/g)].find((run) => run[0].length === open[0].length);
        // A backslash has no meaning inside a span. Before a span it would make the backtick an ordinary character.
        if (!close || rest[open.index - 1] === '\\') {
          left += rest.slice(0, open.index + open[0].length);
          rest = after;
          continue;
        }
        inside.push(after.slice(0, close.index));
        left += `${rest.slice(0, open.index)}•`;
        rest = after.slice(close.index + close[0].length);
      }
    })
    .join('\n');
  return { outside, inside };
}

/** The pages of the console that an answer names. */
import type { Gate } from './gate-answer.ts';

/** Completes the pages. A server that does not know its public name gives paths. */
export function completePages(gate: Gate, baseUrl: string): Gate {
  const complete = (page: string): string => (page.startsWith('/') ? baseUrl + page : page);
  return {
    ...gate,
    page: gate.page === null ? null : complete(gate.page),
    violations: gate.violations.map((item) => ({ ...item, page: complete(item.page) })),
  };
}

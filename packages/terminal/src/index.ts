/** The public interface of the package. */
export { surviveOutputErrors } from './output-errors.ts';
export { relativeUri } from './relative-uri.ts';
export { jsonLine, jsonText, ownEscape, plain, safeLine, safeStream } from './safe-text.ts';
export type { Sentence } from './sentence.ts';
export { type Column, tableLines } from './table.ts';
export { isWrittenDirectly, writeWhole } from './write-whole.ts';

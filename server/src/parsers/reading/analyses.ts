/**
 * Returns the analysis types that a run looked for, found or not: from the tool, from the report itself, and from its
 * findings. It must never guess from missing findings.
 */
import { types, type VulnerabilityType } from '../../domain/packed-state.ts';
import type { Run } from '../report.ts';
import { isMultiPurpose, typeOfFamily } from './tools.ts';

/** `declared` are the types that the report itself names, or null. The types of the findings are always added. */
export function analysisTypesOf(
  { tool, findings, image }: Pick<Run, 'tool' | 'findings' | 'image'>,
  declared: readonly VulnerabilityType[] | null,
): VulnerabilityType[] {
  const looked = new Set(declared);
  for (const { type } of findings) looked.add(type);
  if (declared === null && (looked.size === 0 || !isMultiPurpose(tool))) looked.add(typeOfFamily(tool));
  // A tool that checks the packages of an image also checks those of its operating system.
  if (image !== null && looked.has('dependency')) looked.add('container');
  return types.filter((type) => looked.has(type));
}

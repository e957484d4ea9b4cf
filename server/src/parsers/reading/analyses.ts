/**
 * Owns what a run looked for, found or not: from the tool, from what the report says of it, from its findings. Must
 * never guess from what is missing.
 */
import { types, type VulnerabilityType } from '../../domain/packed-state.ts';
import type { Run } from '../report.ts';
import { isMultiPurpose, typeOfFamily } from './tools.ts';

/** `told` is what the report itself says, null where it says nothing; the findings count either way. */
export function analysisTypesOf(
  { tool, findings, image }: Pick<Run, 'tool' | 'findings' | 'image'>,
  told: readonly VulnerabilityType[] | null,
): VulnerabilityType[] {
  const looked = new Set(told);
  for (const { type } of findings) looked.add(type);
  if (told === null && (looked.size === 0 || !isMultiPurpose(tool))) looked.add(typeOfFamily(tool));
  // Who looks through the packages of an image begins with those of its operating system.
  if (image !== null && looked.has('dependency')) looked.add('container');
  return types.filter((type) => looked.has(type));
}

/** The statements of VEX in an SPDX 3 graph, and which of several about one package counts. */
import { stringAt } from '../reading/json.ts';
import type { ParseContext } from '../reading/limits.ts';
import { readTimestamp, safeText } from '../reading/text.ts';
import type { VexStatement } from '../report.ts';
import { type Element, lastName, propertyAt } from './elements.ts';

export interface Vex extends Pick<VexStatement, 'pointer' | 'status' | 'reason' | 'at'> {
  action: string | null;
}

const statusesByKind: ReadonlyMap<string, VexStatement['status']> = new Map([
  ['VexAffectedVulnAssessmentRelationship', 'affected'],
  ['VexFixedVulnAssessmentRelationship', 'fixed'],
  ['VexNotAffectedVulnAssessmentRelationship', 'not_affected'],
  ['VexUnderInvestigationVulnAssessmentRelationship', 'under_investigation'],
]);

const statusesByType: ReadonlyMap<string, VexStatement['status']> = new Map([
  ['affects', 'affected'],
  ['fixedIn', 'fixed'],
  ['doesNotAffect', 'not_affected'],
  ['underInvestigationFor', 'under_investigation'],
]);

/** Returns null for an element that is no statement. */
export function vexStatusOf({ kind, record }: Element): VexStatement['status'] | null {
  const type = lastName(stringAt(record, 'relationshipType') ?? '');
  return statusesByKind.get(kind) ?? statusesByType.get(type) ?? null;
}

/** Returns null for a statement that was withdrawn. */
export function vexOf(
  { record, pointer }: Element,
  status: VexStatement['status'],
  createdAt: string | null,
  context: ParseContext,
): Vex | null {
  const said = (name: string): string | null => propertyAt(record, 'security', name);
  if (said('withdrawnTime') !== null) {
    context.warn('Statements that were withdrawn were ignored.');
    return null;
  }
  const justification = said('justificationType');
  const texts = [
    justification === null ? null : wordOf(lastName(justification)),
    said('impactStatement'),
    said('actionStatement'),
    said('statusNotes'),
  ];
  return {
    pointer,
    status,
    reason: safeText(texts.filter((text) => text !== null).join(': '), context),
    at: readTimestamp(said('modifiedTime')) ?? readTimestamp(said('publishedTime')) ?? createdAt,
    action: said('actionStatement'),
  };
}

/** `vulnerableCodeNotPresent` → `vulnerable_code_not_present`, as the other formats of VEX write it. */
function wordOf(justification: string): string {
  return justification.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** The worst status comes first. */
const byWorry: readonly VexStatement['status'][] = [
  'affected',
  'under_investigation',
  'fixed',
  'not_affected',
];

/** Returns the newer statement, and of those of one time the worse. */
export function newerVex(a: Vex | null, b: Vex | null): Vex | null {
  if (a === null || b === null) return a ?? b;
  const [timeOfA, timeOfB] = [a.at ?? '', b.at ?? ''];
  if (timeOfA !== timeOfB) return timeOfA > timeOfB ? a : b;
  return byWorry.indexOf(a.status) <= byWorry.indexOf(b.status) ? a : b;
}

/** The decisions of people in Fortify about single issues: `audit.xml` of a project archive. */
import type { ParseContext } from '../reading/limits.ts';
import { safeText } from '../reading/text.ts';
import { attributeOf, childOf, childrenOf, readXml, textOf, type XmlElement } from '../reading/xml.ts';
import type { ReportFinding } from '../report.ts';

export interface AuditDecision {
  suppression: ReportFinding['suppression'];
  exploitable: boolean;
}

/** Maps the id of an instance to what people decided about it. */
export type Audit = ReadonlyMap<string, AuditDecision>;

export const noAudit: Audit = new Map();

/** The id of the tag "Analysis", which every template of issues has. */
const analysisTag = '87f2364f-dcd4-49e6-861d-f8d3f351686b';

export function readAudit(text: string, context: ParseContext): Audit {
  const audit = new Map<string, AuditDecision>();
  readXml(text, context, {
    row: 'Issue',
    onRow: (issue) => {
      const id = attributeOf(issue, 'instanceId');
      if (id === null || audit.has(id)) return;
      const tag = childrenOf(issue, 'Tag').find(
        (candidate) => attributeOf(candidate, 'id')?.toLowerCase() === analysisTag,
      );
      const isSuppressed = attributeOf(issue, 'suppressed')?.toLowerCase() === 'true';
      audit.set(id, auditDecisionOf(textOf(tag ?? null, 'Value'), isSuppressed, lastComment(issue), context));
    },
  });
  return audit;
}

/** `analysis` is the value of the tag "Analysis". A suppressed issue has been dismissed whatever its analysis says. */
export function auditDecisionOf(
  analysis: string | null,
  isSuppressed: boolean,
  comment: string | null,
  context: ParseContext,
): AuditDecision {
  const isNoIssue = /^not an issue$/i.test(analysis ?? '');
  const fallback = isNoIssue ? 'Not an issue, by the audit in Fortify.' : 'Suppressed in Fortify.';
  return {
    suppression:
      isSuppressed || isNoIssue
        ? { by: 'file', reason: safeText(comment ?? fallback, context), expiresAt: null }
        : null,
    exploitable: /^exploitable$/i.test(analysis ?? ''),
  };
}

/** Comments are in the order of their time. */
function lastComment(issue: XmlElement): string | null {
  const comments = childrenOf(childOf(issue, 'ThreadedComments'), 'Comment');
  return comments.map((comment) => textOf(comment, 'Content')).findLast((text) => text !== null) ?? null;
}

/** Links an exception to its subject: its violation, or everything that its policy finds in the repository. */
import { Link } from '@tanstack/react-router';
import type { Exception } from '../../api/exceptions.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { ReportText } from '../../components/report-text.tsx';
import { targetTitle } from '../../components/target-labels.ts';

export function ExceptionAbout({ exception }: { exception: Exception }) {
  const { slug } = useWorkspace();
  const { policy, repository, violation_id: violation, target } = exception;
  if (violation === null) {
    return (
      <Link
        to="/w/$slug/violations"
        params={{ slug }}
        search={{ policy: [policy.key], repo: repository.full_name, status: ['any'] }}
      >
        All of <ReportText>{policy.name}</ReportText> in <ReportText>{repository.full_name}</ReportText>
      </Link>
    );
  }
  return (
    <Link to="/w/$slug/violations" params={{ slug }} search={{ v: violation, status: ['any'] }}>
      <ReportText>
        {target === null ? 'A target that no longer exists' : targetTitle(target, repository.full_name)}
      </ReportText>
    </Link>
  );
}

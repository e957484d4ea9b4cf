/** Replaces an empty list of packages or licenses: nothing matches, or no report has listed packages yet. */
import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { EmptyState } from '../../components/empty-state.tsx';
import { uploadCommand } from '../../components/upload-command.ts';

export function NoPackage({ slug, isFiltered = false }: { slug: string; isFiltered?: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState
        title="No package matches these filters"
        action={
          <Button
            variant="default"
            renderRoot={(props) => <Link to="/w/$slug/packages" params={{ slug }} search={{}} {...props} />}
          >
            Clear the filters
          </Button>
        }
      >
        A search finds names, and parts of names, that begin with the text. Reports that name only vulnerable
        packages, such as those of npm audit, add no packages to this list.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="No report has listed packages yet"
      command={`trivy fs --format cyclonedx --output sbom.json .\n${uploadCommand(slug, { report: 'sbom.json' })}`}
    >
      Upload an SBOM (CycloneDX or SPDX), or a report with a list of packages, such as one of Trivy with
      --list-all-pkgs. A report that names vulnerable packages alone, as npm audit does, does not say what
      else is there.
    </EmptyState>
  );
}

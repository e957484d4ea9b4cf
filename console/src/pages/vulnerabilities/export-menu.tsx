/** The menu that saves the whole list in its order, and not only its page, as a file. */
import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconDownload } from '@tabler/icons-react';
import {
  type ExportRequest,
  type VexRequest,
  vexUrl,
  vulnerabilityExportUrl,
} from '../../api/vulnerabilities.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { filtersOf, sorts, type VulnerabilitySearch } from './search.ts';

const formats: { format: NonNullable<ExportRequest['format']>; label: string; purpose: string }[] = [
  { format: 'csv', label: 'CSV', purpose: 'for spreadsheets' },
  { format: 'ndjson', label: 'NDJSON', purpose: 'every field, for scripts' },
  { format: 'sarif', label: 'SARIF', purpose: 'for other tools' },
];

const vexFormats: { format: VexRequest['format']; label: string }[] = [
  { format: 'openvex', label: 'OpenVEX, if anything is open or decided' },
  { format: 'csaf', label: 'CSAF 2.0' },
  { format: 'cyclonedx', label: 'CycloneDX' },
];

/** A VEX document is about one repository, a reference of it, or one application. */
function vexSubjectOf({ repo, ref, application }: VulnerabilitySearch): Omit<VexRequest, 'format'> | null {
  if (repo !== undefined) return { repo, ...(ref === undefined ? {} : { ref }) };
  return application === undefined ? null : { application };
}

export function ExportMenu({ search }: { search: VulnerabilitySearch }) {
  const { slug } = useWorkspace();
  // With an order, the server treats an address without filters as a list too.
  const request = { ...filtersOf(search), sort: search.sort ?? sorts[0] };
  const vexSubject = vexSubjectOf(search);
  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} />}
          rightSection={<IconChevronDown size={16} />}
        >
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {formats.map(({ format, label, purpose }) => (
          <Menu.Item
            key={format}
            component="a"
            href={vulnerabilityExportUrl(slug, { ...request, format })}
            download={`vulnerabilities-${slug}.${format}`}
          >
            {label}, {purpose}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Label>
          {vexSubject === null ? 'VEX: choose a repository or an application' : 'VEX, for those who use it'}
        </Menu.Label>
        {vexSubject !== null &&
          vexFormats.map(({ format, label }) => (
            <Menu.Item
              key={format}
              component="a"
              href={vexUrl(slug, { ...vexSubject, format })}
              download={`vex-${slug}.${format}.json`}
            >
              {label}
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  );
}

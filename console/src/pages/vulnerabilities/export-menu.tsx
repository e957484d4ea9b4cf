/** The menu that saves the whole list in its order, and not only its page, as a file. */
import { Button, Menu } from '@mantine/core';
import { IconChevronDown, IconDownload } from '@tabler/icons-react';
import { type ExportRequest, vulnerabilityExportUrl } from '../../api/vulnerabilities.ts';
import { useWorkspace } from '../../api/workspaces.ts';
import { filtersOf, sorts, type VulnerabilitySearch } from './search.ts';

const formats: { format: NonNullable<ExportRequest['format']>; label: string; purpose: string }[] = [
  { format: 'csv', label: 'CSV', purpose: 'for spreadsheets' },
  { format: 'ndjson', label: 'NDJSON', purpose: 'every field, for scripts' },
  { format: 'sarif', label: 'SARIF', purpose: 'for other tools' },
];

export function ExportMenu({ search }: { search: VulnerabilitySearch }) {
  const { slug } = useWorkspace();
  // With an order, the server treats an address without filters as a list too.
  const request = { ...filtersOf(search), sort: search.sort ?? sorts[0] };
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
      </Menu.Dropdown>
    </Menu>
  );
}

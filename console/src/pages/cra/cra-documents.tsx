/** The menu of the documents about an actively exploited vulnerability. */
import { Button, Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { type CraNotification, type CraStep, craDocumentUrl } from '../../api/cra.ts';

const documents: { step: CraStep; label: string }[] = [
  { step: 'early_warning', label: 'Early warning' },
  { step: 'notification', label: 'Notification' },
  { step: 'final_report', label: 'Final report' },
];

interface CraDocumentsProps {
  slug: string;
  notification: CraNotification;
}

export function CraDocuments({ slug, notification: { application, cve } }: CraDocumentsProps) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button
          size="compact-xs"
          variant="default"
          rightSection={<IconChevronDown size={12} />}
          aria-label={`Documents about ${cve} in ${application.name}`}
        >
          Documents
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {documents.map(({ step, label }) => (
          <Menu.Item
            key={step}
            component="a"
            href={craDocumentUrl(slug, { application: application.id, cve, step })}
            download={`${cve}-${step}.html`}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

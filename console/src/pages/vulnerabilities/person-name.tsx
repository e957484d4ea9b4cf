/** A member by name, with the e-mail in the tooltip. */
import { Avatar } from '@mantine/core';
import type { Person } from '../../api/vulnerabilities.ts';
import { initials } from '../../components/initials.ts';
import { ReportText } from '../../components/report-text.tsx';

export function PersonName({ person }: { person: Person }) {
  return (
    <span className="vuln-person" title={person.email}>
      <Avatar size={20} radius="xl" color="petrol" aria-hidden="true">
        {initials(person.display_name)}
      </Avatar>
      <ReportText className="vuln-cut">{person.display_name}</ReportText>
    </span>
  );
}

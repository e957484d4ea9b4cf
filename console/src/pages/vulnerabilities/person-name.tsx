/** A member by name, with the e-mail in the tooltip if it is known. */
import { Avatar } from '@mantine/core';
import { initials } from '../../components/initials.ts';
import { ReportText } from '../../components/report-text.tsx';

interface PersonNameProps {
  name: string;
  email?: string;
  className?: string;
}

export function PersonName({ name, email, className = '' }: PersonNameProps) {
  return (
    <span className={`vuln-person ${className}`} title={email ?? name}>
      <Avatar size={20} radius="xl" color="petrol" aria-hidden="true">
        {initials(name)}
      </Avatar>
      <ReportText className="vuln-cut">{name}</ReportText>
    </span>
  );
}

/** Addresses that tools name for further reading. Only web addresses become links; the rest is text. */
import { isWeb, OuterLink } from '../../../components/outer-link.tsx';
import { visibleText } from '../../../components/report-text.tsx';
import { PanelSection } from './panel-section.tsx';

export function OuterLinks({ links }: { links: string[] }) {
  if (links.length === 0) return null;
  return (
    <PanelSection title="References">
      <ul className="vuln-links">
        {[...new Set(links)].map((link) => (
          <li key={link} className="break">
            {isWeb(link) ? <OuterLink href={link}>{visibleText(link)}</OuterLink> : visibleText(link)}
          </li>
        ))}
      </ul>
    </PanelSection>
  );
}

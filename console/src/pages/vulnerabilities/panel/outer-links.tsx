/** Addresses that tools name for further reading. Only web addresses become links; the rest is text. */
import { PanelSection } from './panel-section.tsx';

export function OuterLinks({ links }: { links: string[] }) {
  if (links.length === 0) return null;
  return (
    <PanelSection title="References">
      <ul className="vuln-links">
        {[...new Set(links)].map((link) => (
          <li key={link} className="break">
            {isWeb(link) ? (
              <a href={link} target="_blank" rel="noreferrer noopener">
                {link}
              </a>
            ) : (
              link
            )}
          </li>
        ))}
      </ul>
    </PanelSection>
  );
}

function isWeb(link: string): boolean {
  const url = URL.parse(link);
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:');
}

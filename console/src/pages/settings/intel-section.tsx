/** Shows the age of the exploit data and of the advisories, and how to load newer releases if it is old. */
import { Text } from '@mantine/core';
import type { Feed, Settings } from '../../api/settings.ts';
import { ToneBadge } from '../../components/badges.tsx';
import { CodeBlock } from '../../components/code-block.tsx';
import { Fact } from '../../components/fact.tsx';
import { Section } from '../../components/section.tsx';
import { dayMs } from '../../components/time-lengths.ts';
import { TimeText, useNow } from '../../components/time-text.tsx';

// The feeds appear every working day or more often. After a week, new entries are missing.
const oldMs = 7 * dayMs;

// The server makes no outgoing requests, so its operator downloads the files.
const command = `curl -sSfO https://www.cisa.gov/sites/default/files/feeds/known_exploited_vulnerabilities.json
curl -sSfLO https://epss.empiricalsecurity.com/epss_scores-current.csv.gz
curl -sSfO https://osv-vulnerabilities.storage.googleapis.com/npm/all.zip
merlond intel import --kev known_exploited_vulnerabilities.json --epss epss_scores-current.csv.gz --osv all.zip`;

export function IntelSection({ kev, epss, osv, ssvc }: Settings['intel']) {
  const now = useNow();
  const isOld = (feed: Feed | null) => feed === null || now - Date.parse(feed.published_at) > oldMs;
  return (
    <Section
      title="Intelligence"
      description="Data about exploits and advisories that is added to vulnerabilities and packages, for the whole server."
    >
      <dl className="facts">
        <FeedFact name="CISA KEV" unit="known exploited" feed={kev} isOld={isOld(kev)} />
        <FeedFact name="FIRST EPSS" unit="scores" feed={epss} isOld={isOld(epss)} />
        <FeedFact name="OSV" unit="advisories" feed={osv} isOld={isOld(osv)} />
        <FeedFact name="CISA SSVC" unit="assessments" feed={ssvc} isOld={isOld(ssvc)} />
      </dl>
      {[kev, epss, osv].some(isOld) && (
        <>
          <Text size="sm" mt="md" mb={6}>
            Merlon downloads nothing by itself. Run on the server:
          </Text>
          <CodeBlock code={command} label="Commands" />
        </>
      )}
    </Section>
  );
}

interface FeedFactProps {
  name: string;
  unit: string;
  feed: Feed | null;
  isOld: boolean;
}

function FeedFact({ name, unit, feed, isOld }: FeedFactProps) {
  return (
    <Fact name={name}>
      {feed === null ? (
        <ToneBadge tone="warn">Never loaded</ToneBadge>
      ) : (
        <>
          {isOld && <ToneBadge tone="warn">Old</ToneBadge>} published <TimeText value={feed.published_at} />,
          loaded <TimeText value={feed.imported_at} />: {feed.entries.toLocaleString()} {unit}, version{' '}
          {feed.version}
        </>
      )}
    </Fact>
  );
}

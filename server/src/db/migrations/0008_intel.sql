-- Intel by CVE, of the install: CISA's catalogue of known exploited vulnerabilities, FIRST's exploit predictions.

create table kev (
  cve text collate "C" primary key,
  added_on date not null,
  due_on date,
  vendor text not null,
  product text not null,
  name text not null,
  ransomware boolean not null default false,
  updated_at timestamptz not null default now()
);

create table epss (
  cve text collate "C" primary key,
  score real not null check (score between 0 and 1),
  percentile real not null check (percentile between 0 and 1)
);

-- One row a feed: which release is loaded, and since when.
create table intel_feed (
  name text primary key check (name in ('kev', 'epss')),
  version text not null,
  published_at timestamptz not null,
  rows integer not null,
  sha256 bytea not null, -- of the file as it was given: the same again changes nothing
  imported_at timestamptz not null
);

-- CVEs that entered or left the catalogue, until every workspace has been brought in line.
create table intel_change (
  tenant_id uuid not null references tenant (id) on delete cascade,
  cve text collate "C" not null,
  created_at timestamptz not null,
  settled boolean not null default false, -- once; again when no import runs that may have read the catalogue before
  primary key (tenant_id, cve)
);

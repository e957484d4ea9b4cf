-- Packages that repositories bring, per reference: from SBOMs and from the package lists inside reports.

create table manifest (
  tenant_id uuid not null references tenant (id),
  id uuid not null,
  repository_id uuid not null,
  path text not null,
  path_key uuid not null, -- digest of type and path
  type text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, repository_id, path_key)
);

create table package (
  tenant_id uuid not null references tenant (id),
  id uuid not null,
  purl text collate "C" not null, -- without version
  package_type text not null,
  namespace text,
  name text not null,
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, purl)
);

create table package_version (
  tenant_id uuid not null references tenant (id),
  id uuid not null,
  package_id uuid not null,
  version text collate "C" not null, -- '' where it is not known
  purl text not null,
  licenses text[] not null default '{}',
  created_at timestamptz not null default now(),
  primary key (tenant_id, id),
  unique (tenant_id, package_id, version)
);

-- What the stream's newest complete report shows in a manifest on a reference.
create table manifest_package (
  tenant_id uuid not null,
  reference_id uuid not null,
  stream_id uuid not null,
  manifest_id uuid not null,
  package_version_id uuid not null,
  repository_id uuid not null,
  direct boolean,
  since_scan_id uuid not null,
  primary key (tenant_id, reference_id, stream_id, manifest_id, package_version_id)
);
create index manifest_package_version on manifest_package (tenant_id, package_version_id);

-- Digest of the inventory that a stream showed last: the same again writes nothing.
alter table stream add column inventory_digest uuid;

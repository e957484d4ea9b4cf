-- The order of the export's "what has changed since".
create index vulnerability_updated on vulnerability (tenant_id, updated_at, id);
create index vulnerability_redirect_created on vulnerability_redirect (tenant_id, created_at, id);

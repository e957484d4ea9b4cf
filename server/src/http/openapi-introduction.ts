/** The introduction of the OpenAPI document: rules of all operations. */
export const introduction = `
Every answer is JSON, but for exports. \`docs/api.md\` in Merlon's repository says more.

## Authentication

Send an API key with every request: \`Authorization: Bearer mrl_pat_…\` (a person's) or \`mrl_wsk_…\` (a workspace's). People make
keys in the console, the operator with \`merlond key create\`.

\`\`\`sh
curl -H "Authorization: Bearer $MERLON_TOKEN" $MERLON_URL/api/v1/acme/vulnerabilities
\`\`\`

\`tenant_slug\` is the short name of the workspace: \`GET /api/v1/tenants\` lists those that a key opens. A key does what its scopes
say and what the role of its user allows now: *viewer*, *member*, *admin*. Every operation says what it needs.

## Errors

An error is \`{code, message, details?}\`; programs compare \`code\`. An operation with the answer \`4XX\` may refuse with each status that
its examples name.

- **401** \`AUTHENTICATION_REQUIRED\`: the key is missing, wrong, expired or revoked
- **403** \`TOKEN_INVALID_FOR_TENANT\`: the key does not open this workspace
- **403** \`TOKEN_ABILITY_DENIED\`: \`WWW-Authenticate\` names the scope or role that is missing
- **404** \`TENANT_NOT_FOUND\`, \`RESOURCE_NOT_FOUND\`: there is no such thing, or it belongs to another workspace
- **409** \`STATUS_VERSION_CONFLICT\`, \`INVALID_TRANSITION\`, \`CURSOR_EXPIRED\`: read it again, then decide
- **422** \`VALIDATION_FAILED\`: \`details.errors\` has the mistakes of each field
- **422** \`INVALID_FILTER_VALUE\`: \`details.invalid_values\` has the refused values
- **429** \`RATE_LIMIT_EXCEEDED\`: wait for \`Retry-After\` seconds
- **5XX** \`INTERNAL_ERROR\`, \`SERVICE_UNAVAILABLE\`: try again later; \`X-Request-Id\` names the request in the server's log

An unknown parameter or field is refused (422), so that a typing error never widens a result.

## Lists of values

A parameter that is an array takes a comma list, or is repeated, with or without \`[]\` after its name.

## Pages

A list answers \`items\` and \`next_cursor\`. Send that back as \`cursor\`, with the same filters, for the next page; it is null on the
last one. \`per_page\` is 1 to 200, 50 by default.

## Limits

A key may send 60 requests a minute unless the operator has set another limit. \`RateLimit\` and \`X-RateLimit-Remaining\` say what
is left. Users and workspaces have limits of their own, and uploads of reports have one beside it.
`.trim();

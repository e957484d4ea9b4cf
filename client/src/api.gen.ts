// Generated from the routes of the server by "npm run openapi": do not edit.
export interface paths {
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Says that the process runs
         * @description Needs no key.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Says whether requests can be answered
         * @description Needs no key.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show who is signed in, and how one can sign in
         * @description Needs no key.
         */
        get: operations["getSession"];
        put?: never;
        /**
         * Sign in with a password
         * @description Needs no key.
         */
        post: operations["signIn"];
        /**
         * Sign out
         * @description Needs a person at the console, not a key.
         */
        delete: operations["signOut"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Sign out everywhere
         * @description Needs a person at the console, not a key.
         */
        delete: operations["signOutEverywhere"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change the password; sessions elsewhere end
         * @description Needs a person at the console, not a key.
         */
        put: operations["changePassword"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/session/oidc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin to sign in at the provider
         * @description Needs no key.
         */
        post: operations["beginOidc"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make the first person, by the link that the server printed
         * @description Needs no key.
         */
        post: operations["setUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/invitations/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show what the link of an invitation opens
         * @description Needs no key.
         */
        post: operations["previewInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Join the workspace, with the account that is signed in or with a new one
         * @description Needs no key.
         */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tenants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the workspaces that the key opens
         * @description Needs the scope `tenants:read`.
         */
        get: operations["listTenants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/{tenant_slug}/whoami": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the key, its workspace and its scopes
         * @description Needs any valid key.
         */
        get: operations["getWhoami"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/{tenant_slug}/organizations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List organizations
         * @description Needs the scope `organizations:read`.
         */
        get: operations["listOrganizations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/{tenant_slug}/organization-parents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show what each of some organizations is part of
         * @description Needs the scope `organizations:read`.
         */
        get: operations["listOrganizationParents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/{tenant_slug}/organizations/{org}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show an organization, by id or by full path
         * @description Needs the scope `organizations:read`.
         */
        get: operations["getOrganization"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/{tenant_slug}/repositories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List repositories
         * @description Needs the scope `repositories:read`.
         */
        get: operations["listRepositories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/{tenant_slug}/repositories/{repo}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a repository, by id or by org/name
         * @description Needs the scope `repositories:read`.
         */
        get: operations["getRepository"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/{tenant_slug}/repository-scans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show when each of some repositories was last scanned, and the verdict of its default branch
         * @description Needs the scope `repositories:read`.
         */
        get: operations["listRepositoryScans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/{tenant_slug}/references": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the references of a repository: the default branch, then the newest scanned
         * @description Needs the scope `repositories:read`.
         */
        get: operations["listReferences"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/{tenant_slug}/applications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List applications
         * @description Needs the scope `applications:read`.
         */
        get: operations["listApplications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/{tenant_slug}/application-counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show how many repositories each of some applications groups, and who owns it
         * @description Needs the scope `applications:read`.
         */
        get: operations["listApplicationCounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/{tenant_slug}/applications/{application}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show an application and its repositories
         * @description Needs the scope `applications:read`.
         */
        get: operations["getApplication"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/{tenant_slug}/packages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the packages in use, with their licenses and open vulnerabilities
         * @description Needs the scopes `repositories:read` and `vulnerabilities:read`.
         */
        get: operations["listPackages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/{tenant_slug}/packages/{package}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a package with its versions and advisories
         * @description Needs the scopes `repositories:read` and `vulnerabilities:read`.
         */
        get: operations["getPackage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/{tenant_slug}/packages/{package}/usages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the repositories and references that use a package
         * @description Needs the scopes `repositories:read` and `vulnerabilities:read`.
         */
        get: operations["listPackageUsages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/{tenant_slug}/licenses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the licenses of packages in use
         * @description Needs the scope `repositories:read`.
         */
        get: operations["listLicenses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/{tenant_slug}/ecosystems": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the types of package URLs that reports have named
         * @description Needs the scope `repositories:read`.
         */
        get: operations["listEcosystems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/{tenant_slug}/vulnerabilities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List vulnerabilities, with an exact summary of the whole list
         * @description Needs the scope `vulnerabilities:read`.
         */
        get: operations["listVulnerabilities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/{tenant_slug}/vulnerabilities/facets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the values of each filter, with all the other filters
         * @description Needs the scope `vulnerabilities:read`.
         */
        get: operations["getVulnerabilityFacets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/{tenant_slug}/vulnerabilities/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Group what a list finds by package, rule or repository, the worst first
         * @description Needs the scope `vulnerabilities:read`.
         */
        get: operations["listVulnerabilityGroups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/{tenant_slug}/vulnerabilities/signals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show what a list leaves out: exploits, fixes, who is on it, what is due
         * @description Needs the scopes `vulnerabilities:read` and `policy-violations:read`.
         */
        get: operations["listVulnerabilitySignals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/{tenant_slug}/vulnerabilities/{vulnerability}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show all that is known of a vulnerability
         * @description Needs the scope `vulnerabilities:read`.
         */
        get: operations["getVulnerability"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/{tenant_slug}/vulnerabilities/{vulnerability}/locations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the locations of a vulnerability
         * @description Needs the scope `vulnerabilities:read`.
         */
        get: operations["listVulnerabilityLocations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/{tenant_slug}/vulnerabilities/{vulnerability}/assignment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Assign a vulnerability, or clear its assignment
         * @description Needs the scopes `vulnerabilities:read` and `vulnerabilities:write`, and the role `member` or a higher one.
         */
        patch: operations["assignVulnerability"];
        trace?: never;
    };
    "/api/v1/{tenant_slug}/vulnerabilities/{vulnerability}/comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the comments on a vulnerability, newest last
         * @description Needs the scope `vulnerabilities:read`.
         */
        get: operations["listComments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/{tenant_slug}/policy-violations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the policy violations of a repository, soonest due first
         * @description Needs the scope `policy-violations:read`.
         */
        get: operations["listPolicyViolations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/{tenant_slug}/policy-violations/{violation}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a policy violation with its policy, exception, rule, reference, target and scan
         * @description Needs the scope `policy-violations:read`.
         */
        get: operations["getPolicyViolation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/{tenant_slug}/policy-violations/all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the policy violations of all repositories, soonest due first
         * @description Needs the scope `policy-violations:read`.
         */
        get: operations["listAllPolicyViolations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/{tenant_slug}/vulnerabilities/{vulnerability}/violations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the policy violations of a vulnerability, active ones first
         * @description Needs the scopes `vulnerabilities:read` and `policy-violations:read`.
         */
        get: operations["listVulnerabilityViolations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/{tenant_slug}/gate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Say pass, warn or block for a reference or commit, why, and what would unblock
         * @description Needs the scope `scans:read`.
         */
        get: operations["getGate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/{tenant_slug}/intel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show which releases of KEV, EPSS, OSV and SSVC vulnerabilities are joined with
         * @description Needs any valid key.
         */
        get: operations["getIntel"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/{tenant_slug}/scans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List scans, newest first
         * @description Needs the scope `scans:read`.
         */
        get: operations["listScans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/{tenant_slug}/scans/{scan}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a scan: counts, warnings, what could not be read
         * @description Needs the scope `scans:read`.
         */
        get: operations["getScan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/{tenant_slug}/scans/{scan}/vulnerabilities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what a scan found first, or what it fixed, as it is now; the worst first
         * @description Needs the scopes `scans:read` and `vulnerabilities:read`.
         */
        get: operations["listScanVulnerabilities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/{tenant_slug}/scans/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Say how far the scans of a reference or commit are
         * @description Needs the scope `scans:read`.
         */
        get: operations["getScanStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/{tenant_slug}/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show what is open, overdue, most at risk, how fast it is fixed, and how scans do
         * @description Needs the scopes `vulnerabilities:read` and `policy-violations:read` and `scans:read`.
         */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/{tenant_slug}/status-report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the figures of a workspace, an organization or an application, for a report
         * @description Needs the scopes `vulnerabilities:read` and `policy-violations:read` and `organizations:read` and `applications:read`.
         */
        get: operations["getStatusReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/{tenant_slug}/repository-counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show how many vulnerabilities are open in each of some repositories
         * @description Needs the scope `vulnerabilities:read`.
         */
        get: operations["listRepositoryCounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/{tenant_slug}/application-open": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show what is open in all repositories of each of some applications, their last scan and verdict
         * @description Needs the scopes `applications:read` and `repositories:read` and `vulnerabilities:read`.
         */
        get: operations["listApplicationOpen"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/{tenant_slug}/organization-open": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show what is open in all repositories of each of some organizations, their last scan and verdict
         * @description Needs the scopes `organizations:read` and `repositories:read` and `vulnerabilities:read`.
         */
        get: operations["listOrganizationOpen"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/{tenant_slug}/trend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show day by day how many vulnerabilities were open, new and fixed
         * @description Needs the scope `vulnerabilities:read`.
         */
        get: operations["getTrend"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/export/v1/{tenant_slug}/vulnerabilities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream every vulnerability once, what has changed since a cursor, or what a list shows
         * @description Needs the scope `vulnerabilities:read`.
         */
        get: operations["exportVulnerabilities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/export/v1/{tenant_slug}/vex": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Say as a VEX document what the vulnerabilities of a repository, application or reference mean
         * @description Needs the scope `vulnerabilities:read`.
         */
        get: operations["exportVex"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/export/v1/{tenant_slug}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read what has happened since a cursor, in order, each event once
         * @description Shows the types that the scopes of the key open: `vulnerabilities:read` those of vulnerabilities and advisories, `policy-violations:read` those of violations and exceptions, `scans:read` those of scans, `workspace:admin` those of keys.
         *
         *     Needs any valid key.
         */
        get: operations["readEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ingest/v1/{tenant_slug}/key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange the token of a run of CI for a key of fifteen minutes
         * @description The token is what GitHub Actions or GitLab CI signs for the run (OpenID Connect). A trust rule of the workspace says which runs get a key.
         *
         *     Needs no key.
         */
        post: operations["exchangeCiToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/vulnerabilities/decisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept, ignore, reject, confirm or reopen vulnerabilities: all of them, or none
         * @description Needs the scope `vulnerabilities:write`, and the role `member` or a higher one.
         */
        post: operations["decideVulnerabilities"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/vulnerabilities/assignments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Assign vulnerabilities, or clear their assignments: all of them, or none
         * @description Needs the scope `vulnerabilities:write`, and the role `member` or a higher one.
         */
        post: operations["assignVulnerabilities"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/vulnerabilities/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Take back your own last decision or assignment of each, at most 15 minutes old: all or none
         * @description Needs the scope `vulnerabilities:write`, and the role `member` or a higher one.
         */
        post: operations["undoVulnerabilities"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/vulnerabilities/{vulnerability}/comments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Comment on a vulnerability
         * @description Needs the scope `vulnerabilities:write`, and the role `member` or a higher one.
         */
        post: operations["addComment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/vulnerabilities/{vulnerability}/comments/{comment}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a comment: your own; an admin anybody’s
         * @description Needs the scope `vulnerabilities:write`, and the role `member` or a higher one.
         */
        delete: operations["deleteComment"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/vulnerabilities/{vulnerability}/merge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Merge other vulnerabilities of the repository into this one; their ids answer with it from now on
         * @description Needs the scope `vulnerabilities:write`, and the role `admin`.
         */
        post: operations["mergeVulnerabilities"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/vulnerabilities/{vulnerability}/split": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make locations of this vulnerability, and their like on other references, one of their own
         * @description Needs the scope `vulnerabilities:write`, and the role `admin`.
         */
        post: operations["splitVulnerability"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/policies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the policies, by key
         * @description Needs the scope `policy-violations:read`.
         */
        get: operations["listPolicies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/policy-facts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the facts that a condition may ask about
         * @description Needs the scope `policy-violations:read`.
         */
        get: operations["listPolicyFacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/policies/{policy}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a policy
         * @description Needs the scope `policy-violations:read`.
         */
        get: operations["getPolicy"];
        /**
         * Make a policy, or bring it to what the body says; the workspace is asked afterwards
         * @description Needs the scope `policies:write`, and the role `admin`.
         */
        put: operations["putPolicy"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/policies/dry-run": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say what a policy would match and block, and change nothing
         * @description Needs the scope `policies:write`, and the role `admin`.
         */
        post: operations["dryRunPolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/policies/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say what applying these policies would change, and change nothing
         * @description Needs the scope `policies:write`, and the role `admin`.
         */
        post: operations["planPolicies"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/policies/apply": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make all policies of a document, or bring them to what it says; all or none
         * @description Needs the scope `policies:write`, and the role `admin`.
         */
        post: operations["applyPolicies"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/policy-counts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the violations of each policy; one that finds nothing is left out
         * @description Needs the scope `policy-violations:read`.
         */
        get: operations["listPolicyCounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/repository-policies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the active policies that apply to a repository, with what each finds there
         * @description Needs the scope `policy-violations:read`.
         */
        get: operations["listRepositoryPolicies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/policy-violations/decisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Snooze or wake violations, or take that back, all of them or none. Where a policy blocks, a member asks for an exception by a snooze
         * @description Needs the scope `policy-violations:write`, and the role `member` or a higher one.
         */
        post: operations["decideViolations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/exceptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List exceptions, newest first
         * @description Needs the scope `policy-violations:read`.
         */
        get: operations["listExceptions"];
        put?: never;
        /**
         * Ask for an exception: of violations, or of a policy in a repository
         * @description Needs the scope `policy-violations:write`, and the role `member` or a higher one.
         */
        post: operations["requestExceptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/exceptions/{exception}/review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve or refuse an exception that another person has requested
         * @description Needs the scope `policy-violations:write`, and the role `admin`.
         */
        post: operations["reviewException"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/exceptions/{exception}/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Withdraw a request of one’s own; an admin withdraws any, and what is approved
         * @description Needs the scope `policy-violations:write`, and the role `member` or a higher one.
         */
        post: operations["withdrawException"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/scan-series": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List series: which tool looks at which reference, and what is held
         * @description Needs the scope `scans:read`.
         */
        get: operations["listScanSeries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/scan-series/{series}/held-closing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what a release would fix, the worst first, and how much the series sees in all
         * @description Needs the scopes `scans:read` and `vulnerabilities:read`.
         */
        get: operations["listHeldClosing"];
        put?: never;
        /**
         * Release a closing that the guard holds, or discard it
         * @description Needs the scope `scans:write`, and the role `admin`.
         */
        post: operations["decideHeldClosing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/scan-series/{series}/retire": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retire a series that is no longer used: vulnerabilities that only it reported are fixed
         * @description Needs the scope `scans:write`, and the role `admin`.
         */
        post: operations["retireSeries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/api/v1/{tenant_slug}/scans/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream the changes of scans as server-sent events, without an end
         * @description Needs the scope `scans:read`.
         */
        get: operations["listenToScans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/workspaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the workspaces of who is signed in, by name
         * @description Needs a person at the console, not a key.
         */
        get: operations["listWorkspaces"];
        put?: never;
        /**
         * Make a workspace; its maker, an operator, is the first admin
         * @description Needs a person at the console, not a key.
         */
        post: operations["createWorkspace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show how the workspace and the server are set up
         * @description Needs the scope `workspace:admin`, and the role `admin`.
         */
        get: operations["getSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Rename the workspace, set the names of tracked branches, its forges, which repositories a report may make, or whether packages are matched with advisories
         * @description Needs the scope `workspace:admin`, and the role `admin`.
         */
        patch: operations["changeSettings"];
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/forges": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the forges that hold repositories of the workspace
         * @description Needs the scope `repositories:read`.
         */
        get: operations["listForges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/saved-views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your own saved views, and those that others share, by name
         * @description Needs a person at the console, not a key.
         */
        get: operations["listSavedViews"];
        put?: never;
        /**
         * Save a view under a name
         * @description Needs a person at the console, not a key.
         */
        post: operations["createSavedView"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/saved-views/{view}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a view: your own; an admin any that is shared
         * @description Needs a person at the console, not a key.
         */
        delete: operations["deleteSavedView"];
        options?: never;
        head?: never;
        /**
         * Change name, query or sharing of your own view
         * @description Needs a person at the console, not a key.
         */
        patch: operations["changeSavedView"];
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/waiting": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count what waits for the person at the console
         * @description Needs a person at the console, not a key.
         */
        get: operations["getWaiting"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the members, by name
         * @description Needs the scope `vulnerabilities:write`, and the role `member` or a higher one.
         */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/members/{user}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member: access, and what is assigned to them, end at once
         * @description Needs the scope `workspace:admin`, and the role `admin`. A session must come from a sign-in of the last hour.
         */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /**
         * Change the role of a member
         * @description Needs the scope `workspace:admin`, and the role `admin`. A session must come from a sign-in of the last hour.
         */
        patch: operations["changeRole"];
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the invitations that are not accepted yet, newest first
         * @description Needs the scope `workspace:admin`, and the role `admin`.
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Invite a person by a link that is shown once
         * @description Needs the scope `workspace:admin`, and the role `admin`. A session must come from a sign-in of the last hour.
         */
        post: operations["invite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/invitations/{invitation}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Withdraw an invitation
         * @description Needs the scope `workspace:admin`, and the role `admin`.
         */
        delete: operations["withdrawInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/key-scopes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what a key may be given: scopes and what each opens, usual sets, expiries
         * @description Needs a person at the console, not a key.
         */
        get: operations["listKeyScopes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List one’s personal keys, newest first
         * @description Needs a person at the console, not a key.
         */
        get: operations["listOwnKeys"];
        put?: never;
        /**
         * Make a personal key; its value is shown this once
         * @description Needs a person at the console, not a key. A session must come from a sign-in of the last hour.
         */
        post: operations["createOwnKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/console/keys/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a personal key, for ever
         * @description Needs a person at the console, not a key.
         */
        delete: operations["revokeOwnKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the keys of the workspace, newest first
         * @description Needs a person at the console, not a key, and the role `admin`.
         */
        get: operations["listWorkspaceKeys"];
        put?: never;
        /**
         * Make a key of the workspace; its value is shown this once
         * @description Needs a person at the console, not a key, and the role `admin`. A session must come from a sign-in of the last hour.
         */
        post: operations["createWorkspaceKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/keys/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a key of the workspace, for ever
         * @description Needs a person at the console, not a key, and the role `admin`.
         */
        delete: operations["revokeWorkspaceKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/trust-rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the rules by which runs of CI get keys, newest first
         * @description Needs a person at the console, not a key, and the role `admin`.
         */
        get: operations["listTrustRules"];
        put?: never;
        /**
         * Let runs of a CI provider exchange their token for a key of fifteen minutes
         * @description Needs a person at the console, not a key, and the role `admin`. A session must come from a sign-in of the last hour.
         */
        post: operations["createTrustRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/trust-rules/{rule}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a rule, and disable the keys that it gave
         * @description Needs a person at the console, not a key, and the role `admin`.
         */
        delete: operations["deleteTrustRule"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/applications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make an application
         * @description Needs the scope `workspace:admin`, and the role `admin`.
         */
        post: operations["createApplication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/applications/{application}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete an application; its repositories stay
         * @description Needs the scope `workspace:admin`, and the role `admin`.
         */
        delete: operations["deleteApplication"];
        options?: never;
        head?: never;
        /**
         * Change name, description or owner of an application
         * @description Needs the scope `workspace:admin`, and the role `admin`.
         */
        patch: operations["changeApplication"];
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/applications/{application}/repositories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set which repositories an application groups: exactly these
         * @description Needs the scope `workspace:admin`, and the role `admin`.
         */
        put: operations["setApplicationRepositories"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/repositories/{repository}/tracked-branches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show which branches of a repository count as the default branch does
         * @description Needs the scope `repositories:read`.
         */
        get: operations["getTrackedBranches"];
        /**
         * Set which branches of a repository count as the default branch does
         * @description Needs the scope `workspace:admin`, and the role `admin`.
         */
        put: operations["setTrackedBranches"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/repositories/{repository}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Set the default branch of a repository, the id by which its VCS knows it, or whether it is exposed
         * @description Needs the scope `workspace:admin`, and the role `admin`.
         */
        patch: operations["changeRepository"];
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/references/{reference}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Set what a reference is compared with, where it is deployed, or that it is gone
         * @description Needs the scope `workspace:admin`, and the role `admin`.
         */
        patch: operations["changeReference"];
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/advisory-names": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the names of advisories that reports have taught, and who taught them
         * @description Needs the scope `vulnerabilities:read`.
         */
        get: operations["listAdvisoryNames"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/advisory-names/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Have a name of an advisory forgotten, or take that back
         * @description A forgotten name joins no finding any more, and no report teaches it again. Decisions about what it has joined bind no policy that blocks until somebody decides again; a split sets the findings apart.
         *
         *     Needs the scope `vulnerabilities:write`, and the role `admin`.
         */
        patch: operations["changeAdvisoryName"];
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List who did what, newest first
         * @description Needs the scope `workspace:admin`, and the role `admin`.
         */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/audit/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what the audit log knows to be done
         * @description Needs the scope `workspace:admin`, and the role `admin`.
         */
        get: operations["listAuditActions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/audit/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream the audit log as CSV, newest first
         * @description Needs the scope `workspace:admin`, and the role `admin`.
         */
        get: operations["exportAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ingest/v1/{tenant_slug}/scans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a report: it is taken at once and processed afterwards
         * @description The body is the report as the scanner wrote it, plain, or compressed with Content-Encoding gzip or zstd. An Idempotency-Key makes a second attempt safe for 24 hours.
         *
         *     Needs the scope `scans:write`, and the role `member` or a higher one.
         */
        post: operations["uploadScan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/scans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload a report, as /ingest/v1 takes it, by session too
         * @description The body is the report as the scanner wrote it, plain, or compressed with Content-Encoding gzip or zstd. An Idempotency-Key makes a second attempt safe for 24 hours.
         *
         *     Needs the scope `scans:write`, and the role `member` or a higher one.
         */
        post: operations["uploadScanByHand"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "vulnerability.opened": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["VulnerabilityOpenedEvent"];
                };
            };
            responses: {
                /** @description Disables the webhook. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Taken. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "vulnerability.fixed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["VulnerabilityFixedEvent"];
                };
            };
            responses: {
                /** @description Disables the webhook. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Taken. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "vulnerability.reopened": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["VulnerabilityReopenedEvent"];
                };
            };
            responses: {
                /** @description Disables the webhook. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Taken. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "vulnerability.status_changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["VulnerabilityStatusChangedEvent"];
                };
            };
            responses: {
                /** @description Disables the webhook. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Taken. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "vulnerability.assigned": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["VulnerabilityAssignedEvent"];
                };
            };
            responses: {
                /** @description Disables the webhook. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Taken. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "violation.opened": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["ViolationOpenedEvent"];
                };
            };
            responses: {
                /** @description Disables the webhook. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Taken. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "violation.due_soon": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["ViolationDueSoonEvent"];
                };
            };
            responses: {
                /** @description Disables the webhook. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Taken. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "violation.overdue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["ViolationOverdueEvent"];
                };
            };
            responses: {
                /** @description Disables the webhook. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Taken. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "violation.resolved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["ViolationResolvedEvent"];
                };
            };
            responses: {
                /** @description Disables the webhook. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Taken. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "violation.snoozed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["ViolationSnoozedEvent"];
                };
            };
            responses: {
                /** @description Disables the webhook. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Taken. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "exception.requested": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["ExceptionRequestedEvent"];
                };
            };
            responses: {
                /** @description Disables the webhook. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Taken. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "exception.approved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["ExceptionApprovedEvent"];
                };
            };
            responses: {
                /** @description Disables the webhook. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Taken. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "exception.refused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["ExceptionRefusedEvent"];
                };
            };
            responses: {
                /** @description Disables the webhook. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Taken. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "exception.expiring": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["ExceptionExpiringEvent"];
                };
            };
            responses: {
                /** @description Disables the webhook. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Taken. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "scan.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["ScanCompletedEvent"];
                };
            };
            responses: {
                /** @description Disables the webhook. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Taken. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "scan.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["ScanFailedEvent"];
                };
            };
            responses: {
                /** @description Disables the webhook. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Taken. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "scan.closing_held": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["ScanClosingHeldEvent"];
                };
            };
            responses: {
                /** @description Disables the webhook. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Taken. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "key.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["KeyCreatedEvent"];
                };
            };
            responses: {
                /** @description Disables the webhook. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Taken. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "key.expiring": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["KeyExpiringEvent"];
                };
            };
            responses: {
                /** @description Disables the webhook. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Taken. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "key.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["KeyExpiredEvent"];
                };
            };
            responses: {
                /** @description Disables the webhook. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Taken. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "key.revoked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["KeyRevokedEvent"];
                };
            };
            responses: {
                /** @description Disables the webhook. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Taken. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "advisory.matched": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["AdvisoryMatchedEvent"];
                };
            };
            responses: {
                /** @description Disables the webhook. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Taken. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        Account: {
            id: string;
            name: string;
            email: string;
        };
        AdvisoryEventData: {
            /**
             * Format: date-time
             * @description The time of the report, of the act, or at which it became true.
             */
            occurred_at: string;
            repository: components["schemas"]["RepositoryBrief"] | null;
            cause: components["schemas"]["EventCause"];
            vulnerability: components["schemas"]["EventVulnerability"];
            /** @description The name of the advisory, such as GHSA-…. */
            advisory: string | null;
        };
        AdvisoryMatchedEvent: {
            /** @description The same in the feed and in each attempt of a webhook: know doubles by it. */
            id: string;
            /** @enum {string} */
            type: "advisory.matched";
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            timestamp: string;
            workspace: components["schemas"]["EventWorkspace"];
            data: components["schemas"]["AdvisoryEventData"];
        };
        AdvisoryName: {
            id: string;
            name: string;
            /** @description The CVE that the name stands for; empty where it was said of two at once. */
            advisory: string;
            /**
             * @description joins: findings under the name are findings of the CVE; ambiguous: it was said of two CVEs, and joins nothing; forgotten: an admin took it away.
             * @enum {string}
             */
            state: "joins" | "ambiguous" | "forgotten";
            repository: components["schemas"]["RepositoryBrief"] | null;
            taught_by: components["schemas"]["Person"] | null;
            scan_id: string | null;
            /** Format: date-time */
            learned_at: string;
        };
        AdvisoryNamePage: {
            items: components["schemas"]["AdvisoryName"][];
            next_cursor: string | null;
        };
        AnalysisTarget: {
            /** @enum {string} */
            type: "analysis";
            id: string;
            analysis_type: string;
            /** Format: date-time */
            vulnerable_at: string | null;
            vulnerable_reason: string | null;
        };
        ApiError: {
            code: string;
            message: string;
            details?: {
                [key: string]: unknown;
            };
            errors?: {
                [key: string]: string[];
            };
        };
        Application: {
            id: string;
            name: string;
            description: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        ApplicationCounts: {
            id: string;
            /** @description That it groups. */
            repositories: number;
            owner: components["schemas"]["Person"] | null;
        };
        ApplicationCountsList: {
            items: components["schemas"]["ApplicationCounts"][];
        };
        ApplicationDetail: {
            id: string;
            name: string;
            description: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            owner: components["schemas"]["Person"] | null;
            /** @description By name. */
            repositories: components["schemas"]["RepositoryBrief"][];
        };
        ApplicationPage: {
            items: components["schemas"]["Application"][];
            next_cursor: string | null;
        };
        AssetTarget: {
            /** @enum {string} */
            type: "asset";
            id: string;
            name: string;
            asset_type: string;
        };
        AssignedVulnerabilities: {
            items: {
                id: string;
                assignee: components["schemas"]["Person"] | null;
                status_version: string;
                /** Format: date-time */
                updated_at: string;
                /** @description False: it was assigned so before. Only what was changed can be undone. */
                changed: boolean;
            }[];
        };
        Assignment: {
            vulnerability: {
                id: string;
                assignee: components["schemas"]["Person"] | null;
                status_version: string;
                /** Format: date-time */
                updated_at: string;
            };
        };
        AuditActionList: {
            items: string[];
        };
        AuditEvent: {
            id: string;
            /** Format: date-time */
            at: string;
            actor: components["schemas"]["Account"] | null;
            key: components["schemas"]["IdAndName"] | null;
            action: string;
            target: {
                type: string;
                id: string | null;
                name: string | null;
            };
            data: {
                [key: string]: unknown;
            };
            /** @description Names by the ids in `data`; what no longer exists has none. */
            names: {
                [key: string]: string;
            };
            request_id: string | null;
        };
        AuditEventPage: {
            items: components["schemas"]["AuditEvent"][];
            next_cursor: string | null;
        };
        BranchHead: {
            ref: string | null;
            sha: string | null;
        };
        ChangedRepository: {
            id: string;
            name: string;
            full_name: string;
            /** @description local, ghc, ghe, gitlab, bitbucket, azure_devops */
            source: string;
            is_private: boolean;
            is_archived: boolean;
            is_enabled: boolean;
            /** @description never, active, stale, disabled */
            scan_state: string;
            external_id: string;
            org: components["schemas"]["OrganizationBrief"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            is_monorepo: boolean;
            default_branch: components["schemas"]["BranchHead"];
            /** @description An admin says that people outside can reach what is built from it. */
            is_exposed: boolean;
        };
        ChangedVulnerability: {
            id: string;
            title: string;
            repository: components["schemas"]["NamedRepository"];
            /** @description unknown, info, low, medium, high, critical */
            severity: string;
            /** @description other, dependency, sast, secret, iac, container, dast, license, malware */
            type: string;
            /** @description current, git_history */
            source: string;
            /** @description open, fixed, accepted, ignored, rejected */
            status: string;
            resolution: string | null;
            confirmed: boolean;
            triaged: boolean;
            /** Format: date-time */
            introduced_at: string;
            /** Format: date-time */
            vulnerable_at: string;
            /** Format: date-time */
            exploitable_at: string | null;
            location: components["schemas"]["Location"];
            identifiers: string[];
        };
        ChangedVulnerabilityPage: {
            summary: components["schemas"]["SeveritySummary"];
            items: components["schemas"]["ChangedVulnerability"][];
            next_cursor: string | null;
        };
        Comment: {
            id: string;
            author: components["schemas"]["Person"] | null;
            body: string;
            /** Format: date-time */
            created_at: string;
        };
        CommentPage: {
            items: components["schemas"]["Comment"][];
            next_cursor: string | null;
        };
        CreatedInvitation: {
            invitation: components["schemas"]["Invitation"];
            /** @description The link is the server’s address + /invite# + this. */
            link_token: string;
        };
        CreatedKey: {
            key: components["schemas"]["Key"];
            /** @description The key itself, shown this once. */
            value: string;
        };
        CvssScore: {
            score: number | null;
            vector: string | null;
        };
        DecidedViolations: {
            items: {
                id: string;
                status: string;
                blocking: boolean;
                snoozed: boolean;
                /** Format: date-time */
                snoozed_until: string | null;
                snooze_count: number;
                exception: {
                    id: string;
                    status: string;
                } | null;
            }[];
        };
        DecidedVulnerabilities: {
            items: {
                id: string;
                status: string;
                resolution: string | null;
                confirmed: boolean;
                triaged: boolean;
                /** Format: date-time */
                accepted_until: string | null;
                status_version: string;
                /** Format: date-time */
                updated_at: string;
                /** @description It was decided by this request: only such can be undone. */
                changed: boolean;
                exceptions: string[];
            }[];
        };
        Ecosystem: {
            /** @description Type of package URLs. */
            ecosystem: string;
        };
        EcosystemList: {
            items: components["schemas"]["Ecosystem"][];
        };
        EpssScore: {
            score: number;
            percentile: number;
        };
        EventCause: {
            scan: string | null;
            /** @description Null, as the scan, if the clock or the operator did it. */
            user: string | null;
        };
        EventCursor: {
            /** @description The last line: `since` of the next request. */
            cursor: string;
            /** @description More events wait: ask at once. */
            more: boolean;
        };
        EventException: {
            id: string;
            status: string;
            mode: string;
            enforcement_mode: string | null;
            /** Format: date-time */
            until: string | null;
            policy: components["schemas"]["PolicyName"] | null;
            violation: string | null;
            requested_by: string;
            reason: string | null;
        };
        EventKey: {
            id: string;
            kind: string;
            name: string;
            /** Format: date-time */
            expires_at: string | null;
        };
        EventLine: components["schemas"]["VulnerabilityOpenedEvent"] | components["schemas"]["VulnerabilityFixedEvent"] | components["schemas"]["VulnerabilityReopenedEvent"] | components["schemas"]["VulnerabilityStatusChangedEvent"] | components["schemas"]["VulnerabilityAssignedEvent"] | components["schemas"]["ViolationOpenedEvent"] | components["schemas"]["ViolationDueSoonEvent"] | components["schemas"]["ViolationOverdueEvent"] | components["schemas"]["ViolationResolvedEvent"] | components["schemas"]["ViolationSnoozedEvent"] | components["schemas"]["ExceptionRequestedEvent"] | components["schemas"]["ExceptionApprovedEvent"] | components["schemas"]["ExceptionRefusedEvent"] | components["schemas"]["ExceptionExpiringEvent"] | components["schemas"]["ScanCompletedEvent"] | components["schemas"]["ScanFailedEvent"] | components["schemas"]["ScanClosingHeldEvent"] | components["schemas"]["KeyCreatedEvent"] | components["schemas"]["KeyExpiringEvent"] | components["schemas"]["KeyExpiredEvent"] | components["schemas"]["KeyRevokedEvent"] | components["schemas"]["AdvisoryMatchedEvent"] | components["schemas"]["EventCursor"];
        EventScan: {
            id: string;
            status: string;
            verdict: string | null;
            dry_run: boolean;
            tools: string[];
            counts: {
                new: number;
                fixed: number;
                reopened: number;
                closing_held: number;
            } | null;
            /** @description The code of the error of a failed scan. */
            error: string | null;
        };
        EventViolation: {
            id: string;
            status: string;
            previous_status: string | null;
            severity: string;
            enforcement_mode: string;
            /** Format: date-time */
            due_at: string;
            /** Format: date-time */
            snoozed_until: string | null;
            policy: components["schemas"]["PolicyName"] | null;
            target: {
                type: string;
                id: string;
                /** @description Of a vulnerability, as it is now. */
                title: string | null;
            };
        };
        EventVulnerability: {
            id: string;
            /** @description As it is now; null once the vulnerability is part of another, or deleted. */
            title: string | null;
            /** @description After the event, as all fields here. */
            status: string;
            severity: string;
            type: string;
            confirmed: boolean;
            triaged: boolean;
            resolution: string | null;
            assignee: string | null;
            /** @description The fields that the event has changed, before it. */
            previous?: {
                /** @description After the event, as all fields here. */
                status?: string;
                severity?: string;
                type?: string;
                confirmed?: boolean;
                triaged?: boolean;
                resolution?: string | null;
                assignee?: string | null;
            };
            /** @description What the history calls it, such as accepted. */
            change?: string;
            reason?: string;
            /** @description The vulnerability that it is part of from now on. */
            merged_into?: string;
            /** @description The vulnerability that it was a part of. */
            split_from?: string;
        };
        EventWorkspace: {
            id: string;
            slug: string;
        };
        Evidence: {
            snippet: {
                /** @description Lines of code, without secrets. */
                text: string;
                first_line: number | null;
                marked_from: number | null;
                marked_to: number | null;
            } | null;
            /** @description From the source to the sink. */
            data_flow: {
                path: string | null;
                line: number | null;
                text: string;
            }[];
            /** @description What the tool says of the rule. Markdown by strangers: sanitize what is made of it. */
            help: string | null;
            /** @description What to do about it. Markdown by strangers, as `help`. */
            remediation: string | null;
            /** @description Chains of name@version, from the project's own dependency to the package. */
            dependency_paths: string[][];
        };
        Exception: {
            id: string;
            /** @description requested, approved, refused, withdrawn, ended */
            status: string;
            /** @description exempt, downgrade */
            mode: string;
            enforcement_mode: string | null;
            policy: components["schemas"]["PolicyName"];
            repository: components["schemas"]["RepositoryBrief"];
            /** @description Null: of the policy in the whole repository. */
            violation_id: string | null;
            /** @description Of the violation; null if it is about no single one, or if the target no longer exists. */
            target: components["schemas"]["ViolationTarget"] | null;
            reason: string;
            /** Format: date-time */
            until: string | null;
            requested_by: components["schemas"]["Person"] | null;
            /** Format: date-time */
            requested_at: string;
            reviewed_by: components["schemas"]["Person"] | null;
            /** Format: date-time */
            reviewed_at: string | null;
            review_reason: string | null;
        };
        ExceptionApprovedEvent: {
            /** @description The same in the feed and in each attempt of a webhook: know doubles by it. */
            id: string;
            /** @enum {string} */
            type: "exception.approved";
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            timestamp: string;
            workspace: components["schemas"]["EventWorkspace"];
            data: components["schemas"]["ExceptionEventData"];
        };
        ExceptionEventData: {
            /**
             * Format: date-time
             * @description The time of the report, of the act, or at which it became true.
             */
            occurred_at: string;
            repository: components["schemas"]["RepositoryBrief"] | null;
            cause: components["schemas"]["EventCause"];
            exception: components["schemas"]["EventException"];
        };
        ExceptionExpiringEvent: {
            /** @description The same in the feed and in each attempt of a webhook: know doubles by it. */
            id: string;
            /** @enum {string} */
            type: "exception.expiring";
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            timestamp: string;
            workspace: components["schemas"]["EventWorkspace"];
            data: components["schemas"]["ExceptionEventData"];
        };
        ExceptionList: {
            items: components["schemas"]["Exception"][];
        };
        ExceptionPage: {
            items: components["schemas"]["Exception"][];
            next_cursor: string | null;
        };
        ExceptionRefusedEvent: {
            /** @description The same in the feed and in each attempt of a webhook: know doubles by it. */
            id: string;
            /** @enum {string} */
            type: "exception.refused";
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            timestamp: string;
            workspace: components["schemas"]["EventWorkspace"];
            data: components["schemas"]["ExceptionEventData"];
        };
        ExceptionRequestedEvent: {
            /** @description The same in the feed and in each attempt of a webhook: know doubles by it. */
            id: string;
            /** @enum {string} */
            type: "exception.requested";
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            timestamp: string;
            workspace: components["schemas"]["EventWorkspace"];
            data: components["schemas"]["ExceptionEventData"];
        };
        ExportCursor: {
            /** @description The last line: `since` of the next export. */
            cursor: string;
        };
        ExportEnd: {
            /**
             * @description The last line of an export with filters or `sort`.
             * @enum {boolean}
             */
            complete: true;
            /** @description The vulnerabilities before it. */
            count: number;
        };
        ExportLine: components["schemas"]["ExportedVulnerability"] | components["schemas"]["MergedVulnerability"] | components["schemas"]["ExportCursor"] | components["schemas"]["ExportEnd"];
        ExportedVulnerability: {
            id: string;
            title: string;
            repository: components["schemas"]["NamedRepository"];
            /** @description unknown, info, low, medium, high, critical */
            severity: string;
            /** @description other, dependency, sast, secret, iac, container, dast, license, malware */
            type: string;
            /** @description current, git_history */
            source: string;
            /** @description open, fixed, accepted, ignored, rejected */
            status: string;
            resolution: string | null;
            confirmed: boolean;
            triaged: boolean;
            /** Format: date-time */
            introduced_at: string;
            /** Format: date-time */
            vulnerable_at: string;
            /** Format: date-time */
            exploitable_at: string | null;
            location: components["schemas"]["Location"];
            description: string | null;
            rule: string;
            identifiers: string[];
            cwes: string[];
            links: string[];
            package: string | null;
            fix_version: string | null;
            cvss: components["schemas"]["CvssScore"];
            kev: components["schemas"]["KevEntry"] | null;
            epss: components["schemas"]["EpssScore"] | null;
            assignee: components["schemas"]["Person"] | null;
            /** Format: date-time */
            accepted_until: string | null;
            /** @description The origin of the status: person, vex, suppression. Null: there is no decision. */
            decided_by: string | null;
            status_version: string;
            /** Format: date-time */
            updated_at: string;
            references: {
                ref: string;
                type: string;
                status: string;
                /** Format: date-time */
                first_seen_at: string;
                /** Format: date-time */
                fixed_at: string | null;
            }[];
            tools: {
                tool: string;
                /** @description It reports it now. */
                live: boolean;
            }[];
        };
        FixTime: {
            /** @description critical, high, medium, low, info, unknown */
            severity: string;
            /** @description Within 90 days. */
            fixed: number;
            mean_seconds: number | null;
        };
        FixedCount: {
            /** @description Vulnerabilities fixed by it. */
            fixed: number;
        };
        Forge: {
            /** @description Such as https://git.example.com. */
            url: string;
            /** @enum {string} */
            kind: "github" | "gitlab" | "bitbucket" | "bitbucket_data_center" | "azure_devops" | "gitea";
            /** @description The full path of the organization that it holds; null: any. */
            organization: string | null;
        };
        ForgeList: {
            items: components["schemas"]["Forge"][];
        };
        Gate: {
            repository: components["schemas"]["RepositoryBrief"];
            reference: components["schemas"]["ReferenceBrief"] | null;
            /** @description The commit asked about, else the reference's head. */
            sha: string | null;
            /** @description A later commit of the reference has been scanned since. */
            superseded: boolean;
            /** @description pass, warn, block; null: not yet. */
            verdict: string | null;
            status: string | null;
            /** @description A policy has changed, and the workspace is still being asked: the verdict may change. */
            policies_pending: boolean;
            scans: components["schemas"]["ScanRun"][];
            missing: string[];
            base: {
                /** @description compared: only what is added counts; none: there is no base; missing: it was never scanned, everything counts; untracked: a policy blocks, and the base is no tracked reference and was named by nobody who may decide, so that everything counts; ignored: everything was asked for. */
                state: string;
                ref: string | null;
                sha: string | null;
                /** Format: date-time */
                at: string | null;
            };
            summary: {
                blocking: number;
                /** @description Stand without blocking: warned of, or snoozed. */
                warning: number;
                /** @description Stand on the base too, and do not count. */
                on_base: number;
            };
            /** @description For people, the page in the console of the newest scan, which compares with the base that its report names. Where MERLON_PUBLIC_URL is not set it is a path on the server. Null: there is no scan. */
            page: string | null;
            violations: components["schemas"]["GateViolation"][];
            /** @description There are more violations than are shown. */
            truncated: boolean;
            unblock: components["schemas"]["UnblockStep"][];
        };
        GateViolation: {
            id: string;
            /** @description Its page in the console, for people. Where MERLON_PUBLIC_URL is not set it is a path on the server. */
            page: string;
            status: string;
            enforcement_mode: string;
            blocking: boolean;
            /** Format: date-time */
            snoozed_until: string | null;
            /** Format: date-time */
            due_at: string;
            remaining_seconds: number;
            policy: components["schemas"]["PolicyName"];
            /** @description Of the target, for people. */
            title: string;
            severity: string | null;
            target: components["schemas"]["ViolationTarget"];
            location: {
                path: string;
                line: number | null;
            } | null;
            package: {
                purl: string;
                name: string;
                versions: string[];
            } | null;
            /** @description Lowest version above the one in use that fixes it. */
            fix_version: string | null;
            owner: components["schemas"]["Person"] | null;
        };
        GroupCounts: {
            id: string;
            /** @description In all its repositories. */
            open: number;
            by_severity: components["schemas"]["NumbersBySeverity"];
            /** Format: date-time */
            last_scanned_at: string | null;
            /** @description pass, warn, block: the strongest of the default branches of its repositories. */
            verdict: string | null;
        };
        GroupCountsList: {
            items: components["schemas"]["GroupCounts"][];
        };
        HeldClosing: {
            /** @description Vulnerabilities that stand by the series, held ones too. */
            seen: number;
            summary: components["schemas"]["SeveritySummary"];
            items: components["schemas"]["ChangedVulnerability"][];
            next_cursor: string | null;
        };
        IdAndName: {
            id: string;
            name: string;
        };
        IntelFeed: {
            /** @description The catalogue's version; of EPSS, the model's; of OSV and SSVC, the day of the newest change. */
            version: string;
            /** Format: date-time */
            published_at: string;
            /** Format: date-time */
            imported_at: string;
            entries: number;
        };
        IntelFeeds: {
            kev: components["schemas"]["IntelFeed"] | null;
            epss: components["schemas"]["IntelFeed"] | null;
            osv: components["schemas"]["IntelFeed"] | null;
            ssvc: components["schemas"]["IntelFeed"] | null;
        };
        Invitation: {
            id: string;
            email: string;
            /** @enum {string} */
            role: "viewer" | "member" | "admin";
            invited_by: components["schemas"]["IdAndName"] | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
            /** @description Its link is no longer valid; invite again for a new one. */
            expired: boolean;
        };
        InvitationList: {
            items: components["schemas"]["Invitation"][];
        };
        InvitationPreview: {
            workspace: {
                slug: string;
                name: string;
            };
            email: string;
            /** @enum {string} */
            role: "viewer" | "member" | "admin";
            signed_in_as: string | null;
            /** @description Personal keys of who is signed in that open the workspace once it is joined; empty for everybody but the invited. */
            keys: components["schemas"]["Key"][];
        };
        JoinedWorkspace: {
            slug: string;
        };
        KeptVulnerability: {
            /** @description The vulnerability that stays, or came to be. */
            id: string;
        };
        KevEntry: {
            /** Format: date */
            added_on: string;
            due_on: string | null;
            /** @description Known to be used in ransomware campaigns. */
            ransomware: boolean;
        };
        Key: {
            id: string;
            /** @enum {string} */
            kind: "personal" | "workspace";
            name: string;
            /** @enum {string} */
            status: "Active" | "Expired" | "Disabled";
            /** @description Of a workspace key. */
            role: ("viewer" | "member" | "admin") | null;
            scopes: string[];
            /** @description Slugs that it is restricted to; null: wherever its user is a member. */
            workspaces: string[] | null;
            /** @description The last characters of its value. */
            last_four: string;
            /** Format: date-time */
            created_at: string;
            /** @description Null: the operator. */
            created_by: components["schemas"]["IdAndName"] | null;
            /** Format: date-time */
            last_used_at: string | null;
            /** Format: date-time */
            expires_at: string | null;
        };
        KeyCreatedEvent: {
            /** @description The same in the feed and in each attempt of a webhook: know doubles by it. */
            id: string;
            /** @enum {string} */
            type: "key.created";
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            timestamp: string;
            workspace: components["schemas"]["EventWorkspace"];
            data: components["schemas"]["KeyEventData"];
        };
        KeyEventData: {
            /**
             * Format: date-time
             * @description The time of the report, of the act, or at which it became true.
             */
            occurred_at: string;
            repository: components["schemas"]["RepositoryBrief"] | null;
            cause: components["schemas"]["EventCause"];
            key: components["schemas"]["EventKey"];
        };
        KeyExpiredEvent: {
            /** @description The same in the feed and in each attempt of a webhook: know doubles by it. */
            id: string;
            /** @enum {string} */
            type: "key.expired";
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            timestamp: string;
            workspace: components["schemas"]["EventWorkspace"];
            data: components["schemas"]["KeyEventData"];
        };
        KeyExpiringEvent: {
            /** @description The same in the feed and in each attempt of a webhook: know doubles by it. */
            id: string;
            /** @enum {string} */
            type: "key.expiring";
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            timestamp: string;
            workspace: components["schemas"]["EventWorkspace"];
            data: components["schemas"]["KeyEventData"];
        };
        KeyList: {
            items: components["schemas"]["Key"][];
        };
        KeyRevokedEvent: {
            /** @description The same in the feed and in each attempt of a webhook: know doubles by it. */
            id: string;
            /** @enum {string} */
            type: "key.revoked";
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            timestamp: string;
            workspace: components["schemas"]["EventWorkspace"];
            data: components["schemas"]["KeyEventData"];
        };
        KeyScopes: {
            scopes: {
                /** @enum {string} */
                name: "vulnerabilities:read" | "policy-violations:read" | "scans:read" | "organizations:read" | "repositories:read" | "applications:read" | "tenants:read" | "vulnerabilities:write" | "policy-violations:write" | "policies:write" | "scans:write" | "workspace:admin";
                /**
                 * @description The least that a user must be to give it.
                 * @enum {string}
                 */
                role: "viewer" | "member" | "admin";
                opens: string;
            }[];
            presets: {
                name: string;
                scopes: string[];
            }[];
            expiries: string[];
            default_expiry: string;
        };
        License: {
            name: string;
            /** @description In use, with this license in a version that is in use. */
            packages: number;
        };
        LicensePage: {
            items: components["schemas"]["License"][];
            next_cursor: string | null;
        };
        ListedDue: {
            /** Format: date-time */
            due_at: string;
        };
        ListedEpss: {
            score: number | null;
            /** @description In the catalogue of known exploited vulnerabilities. */
            kev: boolean;
        };
        ListedFix: {
            fix_version: string;
        };
        ListedPackage: {
            /** @description Without version. */
            purl: string;
            name: string;
            version: string | null;
        };
        ListedReach: {
            /** @description The reference of the location shown. */
            ref: string;
            is_default: boolean;
            /** @description tracked, branches, elsewhere */
            reach: string;
        };
        Location: {
            id: string;
            path: string;
            line: number | null;
            /** Format: date-time */
            fixed_at: string | null;
            /** Format: date-time */
            vulnerable_at: string;
            /** Format: date-time */
            exploitable_at: string | null;
            is_vulnerable: boolean;
            is_exploitable: boolean;
            reference: components["schemas"]["ReferenceBrief"];
        };
        LocationDetail: {
            id: string;
            path: string;
            line: number | null;
            /** Format: date-time */
            fixed_at: string | null;
            /** Format: date-time */
            vulnerable_at: string;
            /** Format: date-time */
            exploitable_at: string | null;
            is_vulnerable: boolean;
            is_exploitable: boolean;
            reference: components["schemas"]["ReferenceBrief"];
            artifact: {
                id: string;
                /** @description package_version, image, file */
                type: string;
                name: string;
                purl: string | null;
                digest: string | null;
            } | null;
        };
        LocationPage: {
            vulnerability: {
                id: string;
                title: string;
            };
            filters: {
                scope: string;
            };
            summary: {
                total: number;
                active: number;
                fixed: number;
            };
            items: components["schemas"]["LocationDetail"][];
            next_cursor: string | null;
        };
        ManifestTarget: {
            /** @enum {string} */
            type: "manifest";
            id: string;
            display_name: string;
            manifest_type: string;
            language: string | null;
            manifest_file: string | null;
            lock_file: string | null;
            group_key: string | null;
            uses_grouped_identity: boolean;
        };
        Member: {
            id: string;
            name: string;
            email: string;
            /** @enum {string} */
            role: "viewer" | "member" | "admin";
            /** Format: date-time */
            since: string;
            /** Format: date-time */
            last_seen_at: string | null;
        };
        MemberList: {
            items: components["schemas"]["Member"][];
        };
        MemberWorkspace: {
            id: string;
            slug: string;
            workspace: string;
            /** @enum {string} */
            role: "viewer" | "member" | "admin";
            repositories: number;
            /** @description Open vulnerabilities. */
            open: number;
        };
        MemberWorkspaceList: {
            items: components["schemas"]["MemberWorkspace"][];
            /** @description Is an operator: may make workspaces. */
            may_create: boolean;
        };
        MergedVulnerability: {
            id: string;
            merged_into: string;
        };
        NamedRepository: {
            id: string;
            name: string;
            full_name: string;
        };
        /** @description critical, high, medium, low, info, unknown: each of them, zero or not */
        NumbersBySeverity: {
            [key: string]: number;
        };
        Organization: {
            id: string;
            name: string;
            full_path: string;
            /** @description local, github_org, gitlab_group, bitbucket_workspace, azure_project */
            type: string;
            external_id: string;
            orphaned: boolean;
            repositories_count: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        OrganizationBrief: {
            id: string;
            name: string;
            full_path: string;
        };
        OrganizationDetail: {
            id: string;
            name: string;
            full_path: string;
            /** @description local, github_org, gitlab_group, bitbucket_workspace, azure_project */
            type: string;
            external_id: string;
            orphaned: boolean;
            repositories_count: number;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            description: string | null;
            parent: components["schemas"]["OrganizationBrief"] | null;
        };
        OrganizationPage: {
            items: components["schemas"]["Organization"][];
            next_cursor: string | null;
        };
        OrganizationParent: {
            id: string;
            parent: components["schemas"]["OrganizationBrief"] | null;
        };
        OrganizationParentList: {
            items: components["schemas"]["OrganizationParent"][];
        };
        Overview: {
            open: components["schemas"]["SeveritySummary"];
            violations: components["schemas"]["ViolationFigures"];
            /** @description The ten with the highest score. */
            repositories: components["schemas"]["RepositoryRisk"][];
            fix_time: components["schemas"]["FixTime"][];
            scans: {
                /** Format: date-time */
                last_finished_at: string | null;
                /** @description Sent within seven days, and failed. */
                failed_week: number;
                /** @description Series of which the guard holds a closing. */
                held_closings: number;
                /** @description Not seen for long on a reference that is active. */
                stale_series: number;
            };
            week: components["schemas"]["WeekFigures"];
            /** @description Open ones that are known to be exploitable, on tracked references; with the scope all on any. */
            exploitable: number;
            /** @description Wait for an admin. */
            exceptions_requested: number;
            sla: components["schemas"]["SlaFigures"];
        };
        Package: {
            id: string;
            /** @description Package URL, without version. */
            purl: string;
            /** @description Type of the package URL: npm, maven, deb and so on. */
            ecosystem: string;
            namespace: string | null;
            name: string;
            /** @description In use. */
            versions: number;
            /** @description That use it. */
            repositories: number;
            /** @description SPDX ids or expressions, or names as the reports have them. */
            licenses: string[];
            /** @description Vulnerabilities that are open on tracked references. */
            open: number;
            open_by_severity: components["schemas"]["NumbersBySeverity"];
        };
        PackageAdvisory: {
            advisory: string;
            title: string;
            /** @enum {string} */
            severity: "unknown" | "info" | "low" | "medium" | "high" | "critical";
            fix_version: string | null;
            /** @description Open vulnerabilities, one for each repository. */
            open: number;
        };
        PackageDetail: {
            id: string;
            /** @description Package URL, without version. */
            purl: string;
            /** @description Type of the package URL: npm, maven, deb and so on. */
            ecosystem: string;
            namespace: string | null;
            name: string;
            /** @description In use. */
            versions: number;
            /** @description That use it. */
            repositories: number;
            /** @description SPDX ids or expressions, or names as the reports have them. */
            licenses: string[];
            /** @description Vulnerabilities that are open on tracked references. */
            open: number;
            open_by_severity: components["schemas"]["NumbersBySeverity"];
            /** @description The versions in most repositories first, 200 at most. */
            used_versions: components["schemas"]["PackageVersion"][];
            /** @description Of the open vulnerabilities, the most severe first, 100 at most. */
            advisories: components["schemas"]["PackageAdvisory"][];
        };
        PackagePage: {
            items: components["schemas"]["Package"][];
            next_cursor: string | null;
        };
        PackageTarget: {
            /** @enum {string} */
            type: "package";
            id: string;
            purl: string;
            package_type: string;
            namespace: string | null;
            name: string;
        };
        PackageUsage: {
            repository: components["schemas"]["RepositoryBrief"];
            reference: components["schemas"]["UsageReference"];
            version_id: string;
            version: string | null;
            /** @description Path of the file, or name of the image, that lists the package. */
            manifest: string;
            /** @description Whether the manifest itself names it; null if no report says. */
            direct: boolean | null;
            /** @description Open vulnerabilities of the package in this repository. */
            open: number;
            open_by_severity: components["schemas"]["NumbersBySeverity"];
        };
        PackageUsagePage: {
            items: components["schemas"]["PackageUsage"][];
            next_cursor: string | null;
        };
        PackageVersion: {
            id: string;
            version: string | null;
            purl: string;
            repositories: number;
            /** @description SPDX ids or expressions, or names as the reports have them. */
            licenses: string[];
            /** @description Open vulnerabilities of the package that were found in this version. */
            open: number;
            open_by_severity: components["schemas"]["NumbersBySeverity"];
        };
        PackageVersionTarget: {
            /** @enum {string} */
            type: "package_version";
            id: string;
            purl: string;
            version: string;
            package_id: string;
        };
        Person: {
            id: string;
            display_name: string;
            email: string;
        };
        Policy: {
            id: string;
            key: string;
            name: string;
            /** @description custom, builtin */
            type: string;
            /** @description active, draft, disabled */
            status: string;
            /** @description vulnerability, package, package_version, manifest, analysis, provider, asset, repository */
            target_type: string;
            /** @description monitor, warn, block */
            enforcement_mode: string;
            severity: string | null;
            config: {
                [key: string]: unknown;
            } | null;
            condition: {
                [key: string]: unknown;
            };
            actions: {
                [key: string]: unknown;
            };
            rules: {
                /** @description workspace, org, application, repo */
                type: string;
                id: string;
                /** @description org/name of a repository, path of an organization, name of an application; null of the workspace. */
                name: string | null;
                action: string;
                enforcement_mode: string | null;
            }[];
            evaluation: {
                /** @description The workspace is still being asked. */
                pending: boolean;
                progress: {
                    done: number;
                    total: number;
                } | null;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        PolicyActions: {
            sla?: {
                window: string;
            };
        };
        PolicyChange: {
            policy: components["schemas"]["Policy"];
            /** @description created, changed, same */
            change: string;
        };
        PolicyConfig: {
            snooze?: {
                max_days?: number;
                max_count?: number;
            };
        };
        PolicyCountList: {
            items: {
                /** @description Its id. */
                policy: string;
                /** @description Open, or waiting for a review. */
                unresolved: number;
                /** @description Of the unresolved ones. */
                blocking: number;
                /** @description Of the unresolved ones. */
                snoozed: number;
                waived: number;
            }[];
        };
        PolicyDifference: {
            key: string;
            /** @enum {string} */
            change: "created" | "changed" | "same";
            /** @description Each field that differs, as it is and as it would be; empty for a new policy. */
            fields: {
                [key: string]: {
                    from: unknown;
                    to: unknown;
                };
            };
        };
        PolicyDifferenceList: {
            items: components["schemas"]["PolicyDifference"][];
        };
        PolicyDocument: {
            /** @description Unique in the workspace; lower case letters, digits and . _ - inside. */
            key: string;
            name?: string;
            /** @enum {unknown} */
            status?: "active" | "draft" | "disabled";
            /** @enum {unknown} */
            target_type: "vulnerability" | "package" | "package_version" | "manifest" | "analysis" | "provider" | "asset" | "repository";
            /** @enum {unknown} */
            enforcement_mode: "monitor" | "warn" | "block";
            severity?: ("unknown" | "info" | "low" | "medium" | "high" | "critical") | null;
            config?: components["schemas"]["PolicyConfig"] | null;
            /** @description {all: […]}, {any: […]} or {not: …} over clauses {fact, operator, value}. */
            condition: {
                [key: string]: unknown;
            };
            actions?: components["schemas"]["PolicyActions"];
            rules?: components["schemas"]["PolicyRule"][];
        };
        PolicyDocuments: {
            policies: components["schemas"]["PolicyDocument"][];
        };
        PolicyDryRun: {
            matches: number;
            repositories: number;
            blocked_references: number;
            /** @description False: the time was over before all repositories were asked. */
            complete: boolean;
            /** @description As many as `matches` of the query asks for. */
            items: components["schemas"]["PolicyDryRunMatch"][];
        };
        PolicyDryRunMatch: {
            target: components["schemas"]["ViolationTarget"];
            repository: components["schemas"]["RepositoryBrief"];
            ref: string | null;
            /** @description It would block the reference. */
            blocking: boolean;
        };
        PolicyFact: {
            name: string;
            target_types: string[];
            kind: string;
            operators: string[];
            values: string[] | null;
            meaning: string;
        };
        PolicyFactList: {
            items: components["schemas"]["PolicyFact"][];
        };
        PolicyList: {
            items: components["schemas"]["Policy"][];
        };
        PolicyName: {
            id: string;
            key: string;
            name: string;
        };
        PolicyRule: {
            /** @enum {unknown} */
            type: "workspace" | "org" | "application" | "repo";
            /** @description Id or name: org/name of a repository, path of an organization, name of an application. */
            id?: string;
            /** @enum {unknown} */
            action?: "include" | "exclude";
            enforcement_mode?: ("monitor" | "warn" | "block") | null;
        };
        PolicyViolation: {
            id: string;
            /** @description open, pending_review, waived, resolved */
            status: string;
            /** @description In force: block, warn, monitor; null where an exception exempts. */
            enforcement_mode: string | null;
            blocking: boolean;
            /** Format: date-time */
            due_at: string;
            /** @description Until due, negative after; of a resolved one as it stood then. */
            remaining_seconds: number;
            snoozed: boolean;
            /** Format: date-time */
            snoozed_until: string | null;
            snooze_count: number;
            /** Format: date-time */
            first_seen_at: string;
            /** Format: date-time */
            last_seen_at: string;
            /** Format: date-time */
            resolved_at: string | null;
            metadata: components["schemas"]["ViolationMetadata"];
            policy: components["schemas"]["ViolationPolicy"];
            scope: components["schemas"]["ViolationScope"];
            target: components["schemas"]["ViolationTarget"];
            rule: components["schemas"]["ViolationRule"] | null;
        };
        PolicyViolationDetail: {
            violation: components["schemas"]["PolicyViolation"];
            policy: components["schemas"]["ViolationPolicyDetail"];
            override: components["schemas"]["ViolationOverride"] | null;
            rule: components["schemas"]["ViolationRuleDetail"] | null;
            scope: components["schemas"]["ViolationScope"];
            target: components["schemas"]["ViolationTarget"];
            scan: components["schemas"]["ViolationScan"] | null;
        };
        PolicyViolationPage: {
            repository: components["schemas"]["RepositoryBrief"];
            reference: components["schemas"]["BranchHead"];
            filters: {
                status: string[];
                enforcement: string[];
                policy: string[];
                target_type: string[];
            };
            summary: components["schemas"]["PolicyViolationSummary"];
            items: components["schemas"]["PolicyViolation"][];
            next_cursor: string | null;
        };
        PolicyViolationSummary: {
            total: number;
            /** @description open, pending_review, waived, resolved */
            by_status: {
                [key: string]: number;
            };
            /** @description vulnerability, package, package_version, manifest, analysis, provider, asset, repository */
            by_target_type: {
                [key: string]: number;
            };
            /** @description block, warn, monitor, none */
            by_enforcement_mode: {
                [key: string]: number;
            };
        };
        ProviderTarget: {
            /** @enum {string} */
            type: "provider";
            id: string;
            provider: string;
            /** Format: date-time */
            exploitable_at: string | null;
            /** Format: date-time */
            vulnerable_at: string | null;
            manual_override: boolean;
        };
        Reference: {
            id: string;
            ref: string;
            /** @description branch, tag, pull_request */
            type: string;
            sha: string | null;
            is_default: boolean;
            /** @description What is open there is open, however long ago it was scanned. */
            tracked: boolean;
            /** @description Tracked, or scanned lately. */
            active: boolean;
            /** Format: date-time */
            last_scanned_at: string | null;
            base_ref: string | null;
            environment: string | null;
            open_by_severity: components["schemas"]["NumbersBySeverity"];
            /** @description pass, warn, block: of its newest scans; null without any. */
            verdict: string | null;
        };
        ReferenceBrief: {
            id: string;
            ref: string;
            sha: string | null;
            /** @description branch, tag, pull_request */
            type: string;
        };
        ReferencePage: {
            items: components["schemas"]["Reference"][];
            next_cursor: string | null;
        };
        ReferenceSettings: {
            id: string;
            ref: string;
            base_ref: string | null;
            environment: string | null;
        };
        Repository: {
            id: string;
            name: string;
            full_name: string;
            /** @description local, ghc, ghe, gitlab, bitbucket, azure_devops */
            source: string;
            is_private: boolean;
            is_archived: boolean;
            is_enabled: boolean;
            /** @description never, active, stale, disabled */
            scan_state: string;
            external_id: string;
            org: components["schemas"]["OrganizationBrief"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        RepositoryBrief: {
            id: string;
            full_name: string;
        };
        RepositoryCounts: {
            id: string;
            open: number;
            by_severity: components["schemas"]["NumbersBySeverity"];
        };
        RepositoryCountsList: {
            items: components["schemas"]["RepositoryCounts"][];
        };
        RepositoryDetail: {
            id: string;
            name: string;
            full_name: string;
            /** @description local, ghc, ghe, gitlab, bitbucket, azure_devops */
            source: string;
            is_private: boolean;
            is_archived: boolean;
            is_enabled: boolean;
            /** @description never, active, stale, disabled */
            scan_state: string;
            external_id: string;
            org: components["schemas"]["OrganizationBrief"];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            is_monorepo: boolean;
            default_branch: components["schemas"]["BranchHead"];
        };
        RepositoryPage: {
            items: components["schemas"]["Repository"][];
            next_cursor: string | null;
        };
        RepositoryPolicy: {
            policy: components["schemas"]["PolicyName"];
            /** @description vulnerability, package, package_version, manifest, analysis, provider, asset, repository */
            target_type: string;
            /** @description In force there: the rule's, else the policy's own. monitor, warn, block */
            enforcement_mode: string;
            /** @description The nearest; null: the policy applies everywhere but where a rule takes it out. */
            rule: {
                /** @description workspace, org, application, repo */
                type: string;
                id: string;
                name: string | null;
            } | null;
            /** @description Open, or waiting for a review. */
            unresolved: number;
            /** @description Of the unresolved ones. */
            blocking: number;
            /** @description Of the unresolved ones. */
            snoozed: number;
            waived: number;
        };
        RepositoryPolicyList: {
            items: components["schemas"]["RepositoryPolicy"][];
        };
        RepositoryPolicyViolation: {
            id: string;
            /** @description open, pending_review, waived, resolved */
            status: string;
            /** @description In force: block, warn, monitor; null where an exception exempts. */
            enforcement_mode: string | null;
            blocking: boolean;
            /** Format: date-time */
            due_at: string;
            /** @description Until due, negative after; of a resolved one as it stood then. */
            remaining_seconds: number;
            snoozed: boolean;
            /** Format: date-time */
            snoozed_until: string | null;
            snooze_count: number;
            /** Format: date-time */
            first_seen_at: string;
            /** Format: date-time */
            last_seen_at: string;
            /** Format: date-time */
            resolved_at: string | null;
            metadata: components["schemas"]["ViolationMetadata"];
            policy: components["schemas"]["ViolationPolicy"];
            scope: components["schemas"]["ViolationScope"];
            target: components["schemas"]["ViolationTarget"];
            rule: components["schemas"]["ViolationRule"] | null;
            repository: components["schemas"]["RepositoryBrief"];
        };
        RepositoryPolicyViolationList: {
            items: components["schemas"]["RepositoryPolicyViolation"][];
        };
        RepositoryPolicyViolationPage: {
            filters: {
                repo: string | null;
                status: string[];
                enforcement: string[];
                policy: string[];
                target_type: string[];
                due: string | null;
                snoozed: string | null;
                blocking: string | null;
            };
            summary: components["schemas"]["PolicyViolationSummary"];
            items: components["schemas"]["RepositoryPolicyViolation"][];
            next_cursor: string | null;
        };
        RepositoryRisk: {
            id: string;
            full_name: string;
            open: number;
            by_severity: components["schemas"]["NumbersBySeverity"];
            /** @description The open ones, each by the weight of its severity. */
            score: number;
        };
        RepositoryScans: {
            id: string;
            /** Format: date-time */
            last_scanned_at: string | null;
            /** @description pass, warn, block: of the newest scans of the default branch; null without any. */
            verdict: string | null;
        };
        RepositoryScansList: {
            items: components["schemas"]["RepositoryScans"][];
        };
        RunKey: {
            /** @description The key, for the Authorization header. */
            key: string;
            /** Format: date-time */
            expires_at: string;
            scopes: string[];
            /** @description The repository that the key is bound to. */
            repository: {
                id: string;
                full_name: string;
            };
            /** @description The reference about which the key takes reports, or `pull_requests` for all pull requests. */
            reference: string;
        };
        SavedView: {
            id: string;
            name: string;
            /** @enum {string} */
            page: "vulnerabilities";
            query: string;
            shared: boolean;
            owner: components["schemas"]["IdAndName"];
            /** @description The caller is its owner. */
            own: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        SavedViewList: {
            items: components["schemas"]["SavedView"][];
        };
        Scan: {
            id: string;
            repository: components["schemas"]["ScanRepository"];
            reference: components["schemas"]["ReferenceBrief"];
            sha: string | null;
            /** @description queued, running, completed, failed, canceled */
            status: string;
            format: string;
            tools: string[];
            category: string | null;
            /** @description current, git_history; null: as the report says. */
            source: string | null;
            partial: boolean;
            dry_run: boolean;
            file_name: string | null;
            /** Format: date-time */
            scanned_at: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            finished_at: string | null;
            progress: components["schemas"]["ScanProgress"] | null;
            counts: components["schemas"]["ScanCounts"] | null;
            /** @description How many the scan has when it is asked for by id. */
            warning_count: number;
            /** @description pass, warn, block */
            verdict: string | null;
            error: components["schemas"]["ScanError"] | null;
        };
        ScanClosingHeldEvent: {
            /** @description The same in the feed and in each attempt of a webhook: know doubles by it. */
            id: string;
            /** @enum {string} */
            type: "scan.closing_held";
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            timestamp: string;
            workspace: components["schemas"]["EventWorkspace"];
            data: components["schemas"]["ScanEventData"];
        };
        ScanCompletedEvent: {
            /** @description The same in the feed and in each attempt of a webhook: know doubles by it. */
            id: string;
            /** @enum {string} */
            type: "scan.completed";
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            timestamp: string;
            workspace: components["schemas"]["EventWorkspace"];
            data: components["schemas"]["ScanEventData"];
        };
        ScanCounts: {
            /** @description Rows of the report. */
            read: number;
            /** @description Vulnerabilities that nobody knew in this repository. */
            new: number;
            unchanged: number;
            /** @description Fixed on this reference before, there again now. */
            reopened: number;
            /** @description There on this reference before, gone now. */
            fixed: number;
            suppressed: number;
            /** @description Rows that could not be understood. */
            unreadable: number;
            /** @description Would be fixed, held for review. */
            closing_held: number;
        };
        ScanDetail: {
            id: string;
            repository: components["schemas"]["ScanRepository"];
            reference: components["schemas"]["ReferenceBrief"];
            sha: string | null;
            /** @description queued, running, completed, failed, canceled */
            status: string;
            format: string;
            tools: string[];
            category: string | null;
            /** @description current, git_history; null: as the report says. */
            source: string | null;
            partial: boolean;
            dry_run: boolean;
            file_name: string | null;
            /** Format: date-time */
            scanned_at: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            finished_at: string | null;
            progress: components["schemas"]["ScanProgress"] | null;
            counts: components["schemas"]["ScanCounts"] | null;
            /** @description How many the scan has when it is asked for by id. */
            warning_count: number;
            /** @description pass, warn, block */
            verdict: string | null;
            error: components["schemas"]["ScanError"] | null;
            warnings: string[];
            unreadable: {
                pointer: string;
                reason: string;
            }[];
        };
        ScanError: {
            code: string;
            message: string;
            pointer: string | null;
            line: number | null;
        };
        ScanEventData: {
            /**
             * Format: date-time
             * @description The time of the report, of the act, or at which it became true.
             */
            occurred_at: string;
            repository: components["schemas"]["RepositoryBrief"] | null;
            cause: components["schemas"]["EventCause"];
            scan: components["schemas"]["EventScan"];
        };
        ScanFailedEvent: {
            /** @description The same in the feed and in each attempt of a webhook: know doubles by it. */
            id: string;
            /** @enum {string} */
            type: "scan.failed";
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            timestamp: string;
            workspace: components["schemas"]["EventWorkspace"];
            data: components["schemas"]["ScanEventData"];
        };
        ScanPage: {
            items: components["schemas"]["Scan"][];
            next_cursor: string | null;
        };
        ScanProgress: {
            step: string;
            done: number;
            total: number;
        };
        ScanRepository: {
            id: string;
            full_name: string;
            /** @description local, ghc, ghe, gitlab, bitbucket, azure_devops */
            source: string;
            org: {
                full_path: string;
            };
        };
        ScanRun: {
            id: string;
            tool: string | null;
            category: string | null;
            status: string;
            /** @description How the tool's run ended: succeeded, failed, scanned_nothing; null until the scan is completed, and of a late report, which says nothing of the present. Only a run that succeeded satisfies `expect`. */
            outcome: string | null;
        };
        ScanStatus: {
            repository: components["schemas"]["RepositoryBrief"];
            reference: components["schemas"]["ReferenceBrief"] | null;
            status: string | null;
            /** @description pass, warn, block */
            verdict: string | null;
            counts: components["schemas"]["ScanCounts"] | null;
            scans: components["schemas"]["ScanRun"][];
            missing: string[];
        };
        Series: {
            id: string;
            repository: components["schemas"]["RepositoryBrief"];
            reference: components["schemas"]["ReferenceBrief"];
            tool: string;
            category: string;
            source: string;
            last_scan_id: string | null;
            /** Format: date-time */
            last_scanned_at: string | null;
            /** @description Not seen for long on a reference that is active. */
            stale: boolean;
            /** Format: date-time */
            retired_at: string | null;
            /** @description The newer series that sees most of the same. Retire this one if it gets no more reports. */
            replaced_by: string | null;
            held: {
                scan_id: string;
                vulnerabilities: number;
            } | null;
        };
        SeriesPage: {
            items: components["schemas"]["Series"][];
            next_cursor: string | null;
        };
        ServiceState: {
            status: string;
        };
        Session: {
            signed_in: boolean;
            methods: components["schemas"]["SignInMethods"];
            /** @description No account exists yet: the server printed a link. */
            setup: boolean;
            user: components["schemas"]["Account"] | null;
            /** @description May make workspaces. */
            operator: boolean;
            signed_in_at: string | null;
            expires_at: string | null;
            csrf_token: string | null;
        };
        Settings: {
            workspace: {
                id: string;
                slug: string;
                name: string;
                /** @description Which repositories a report may make. */
                new_repositories: string;
                /** @description Names of branches, with `*` for any characters, such as release/*. What is open there is open. */
                tracked_branches: string[];
                forges: components["schemas"]["Forge"][];
                /** @description Whether packages are matched with the advisories that the operator has loaded: on, off. */
                advisory_matching: string;
                /** Format: date-time */
                created_at: string;
            };
            retention: {
                /** @description After its scan is final; 0: not at all. */
                keep_reports_days: number;
                /** @description After its last scan, for which a reference that is not tracked counts. */
                active_days: number;
            };
            limits: {
                /** @description Of a key; 0: as many as come. */
                requests_per_minute: number;
                /** @description Of a key; 0: as many as come. */
                uploads_per_minute: number;
                max_upload_mb: number;
                max_inflated_mb: number;
                /** @description Of one report. */
                max_findings: number;
            };
            oidc: {
                name: string;
                issuer: string;
                client_id: string;
            } | null;
            intel: components["schemas"]["IntelFeeds"];
        };
        SeveritySummary: {
            total: number;
            by_severity: components["schemas"]["NumbersBySeverity"];
        };
        SignInAddress: {
            url: string;
        };
        SignInMethods: {
            password: boolean;
            oidc: {
                name: string;
            } | null;
        };
        SlaFigures: {
            /** @description Violations on tracked references, open or in review until then, that were resolved within 90 days. */
            resolved: number;
            /** @description Those of them that were resolved by their due date. */
            kept: number;
            /** @description Kept of resolved, rounded down; null where nothing was resolved. */
            percent: number | null;
        };
        StatusReport: {
            organization: components["schemas"]["OrganizationBrief"] | null;
            application: components["schemas"]["IdAndName"] | null;
            /** Format: date-time */
            at: string;
            /**
             * Format: date
             * @description The day of the first scan; null before it.
             */
            since: string | null;
            /** @description Of 90 days, as the trend has them. */
            weeks: components["schemas"]["TrendWeek"][];
            open: components["schemas"]["SeveritySummary"];
            week: components["schemas"]["WeekFigures"];
            /** @description Open ones that are known to be exploitable, on tracked references; with the scope all on any. */
            exploitable: number;
            violations: components["schemas"]["ViolationFigures"];
            sla: components["schemas"]["SlaFigures"];
            fix_time: components["schemas"]["FixTime"][];
            /** @description The ten with the highest score. */
            repositories: components["schemas"]["RepositoryRisk"][];
            /** @description Ten that are open and exploitable: the most severe first, of these the oldest. */
            risks: {
                id: string;
                title: string;
                severity: string;
                /** Format: date-time */
                introduced_at: string;
                repository: components["schemas"]["RepositoryBrief"];
            }[];
            /** @description Of the whole workspace: the twenty organizations or applications with the highest score. */
            parts: {
                id: string;
                /** @description The full path of an organization, the name of an application. */
                name: string;
                open: number;
                by_severity: components["schemas"]["NumbersBySeverity"];
                /** @description As that of repositories. */
                score: number;
                /** @description Within 90 days. */
                fixed: number;
                mean_seconds: number | null;
                sla: components["schemas"]["SlaFigures"];
            }[];
        };
        Suggestion: {
            /** @enum {string} */
            by: "vex" | "suppression";
            /** @description not_affected, false_positive, affected, exploitable, fixed, under_investigation; of a suppression: ignored, accepted. */
            says: string;
            /** @description Null: all versions. */
            version: string | null;
            ref: string;
            reason: string | null;
            /** Format: date-time */
            until: string | null;
        };
        TrackedBranches: {
            /** @description Null: those of the workspace count. */
            own: string[] | null;
            /** @description Names of branches, with `*` for any characters, such as release/*. What is open there is open. */
            workspace: string[];
        };
        Trend: {
            repository: components["schemas"]["RepositoryBrief"] | null;
            /**
             * Format: date
             * @description The day of the first scan; null before it.
             */
            since: string | null;
            days: {
                /** Format: date */
                date: string;
                /** @description At the end of the day (UTC); today: now. */
                open: number;
                new: number;
                fixed: number;
                open_by_severity: components["schemas"]["NumbersBySeverity"];
            }[];
            /** @description The same days since the first scan, by weeks that run back from today; the first may be shorter. */
            weeks: components["schemas"]["TrendWeek"][];
        };
        TrendWeek: {
            /** Format: date */
            from: string;
            /** Format: date */
            to: string;
            /** @description At the end of the week. */
            open: number;
            new: number;
            fixed: number;
        };
        TrustRule: {
            id: string;
            name: string;
            /** @enum {string} */
            provider: "github" | "gitlab";
            /** @description Address of the provider, as its tokens name it; one that the server allows. */
            issuer: string;
            /** @description The audience that a token must be made for, such as the address of this server. */
            audience: string;
            /** @description Claims and the value that each must have. One must be an id: repository_id or repository_owner_id of GitHub, project_id or namespace_id of GitLab. */
            claims: {
                [key: string]: string;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_used_at: string | null;
            /** Format: date-time */
            last_refused_at: string | null;
            last_refusal: string | null;
        };
        TrustRules: {
            items: components["schemas"]["TrustRule"][];
            /** @description Issuers that the server allows. */
            issuers: string[];
        };
        UnblockStep: {
            /** @description upgrade, remove, replace, revoke, fix, scan, change */
            action: string;
            /** @description The step in a sentence. */
            text: string;
            package: string | null;
            from: string[];
            to: string | null;
            paths: string[];
            resolves: string[];
        };
        UndoneVulnerabilities: {
            items: {
                id: string;
                status: string;
                resolution: string | null;
                confirmed: boolean;
                triaged: boolean;
                /** Format: date-time */
                accepted_until: string | null;
                assignee: components["schemas"]["Person"] | null;
                status_version: string;
                /** Format: date-time */
                updated_at: string;
                /** @description The event that was undone. Null: exceptions had been requested instead. */
                undone: string | null;
                exceptions: string[];
            }[];
        };
        UploadedScan: {
            id: string;
            repository: components["schemas"]["ScanRepository"];
            reference: components["schemas"]["ReferenceBrief"];
            sha: string | null;
            /** @description queued, running, completed, failed, canceled */
            status: string;
            format: string;
            tools: string[];
            category: string | null;
            /** @description current, git_history; null: as the report says. */
            source: string | null;
            partial: boolean;
            dry_run: boolean;
            file_name: string | null;
            /** Format: date-time */
            scanned_at: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            finished_at: string | null;
            progress: components["schemas"]["ScanProgress"] | null;
            counts: components["schemas"]["ScanCounts"] | null;
            /** @description How many the scan has when it is asked for by id. */
            warning_count: number;
            /** @description pass, warn, block */
            verdict: string | null;
            error: components["schemas"]["ScanError"] | null;
            /** @description The same report was there a moment ago: this is its scan. */
            repeated: boolean;
        };
        UsageReference: {
            id: string;
            full_ref: string;
            is_default: boolean;
        };
        /**
         * @example {
         *       "version": 1
         *     }
         */
        VexDocument: {
            [key: string]: unknown;
        };
        ViolationDueSoonEvent: {
            /** @description The same in the feed and in each attempt of a webhook: know doubles by it. */
            id: string;
            /** @enum {string} */
            type: "violation.due_soon";
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            timestamp: string;
            workspace: components["schemas"]["EventWorkspace"];
            data: components["schemas"]["ViolationEventData"];
        };
        ViolationEventData: {
            /**
             * Format: date-time
             * @description The time of the report, of the act, or at which it became true.
             */
            occurred_at: string;
            repository: components["schemas"]["RepositoryBrief"] | null;
            cause: components["schemas"]["EventCause"];
            violation: components["schemas"]["EventViolation"];
        };
        ViolationFigures: {
            /** @description Open or in review. */
            open: number;
            blocking: number;
            overdue: number;
            /** @description Due within seven days. */
            due_soon: number;
        };
        ViolationMetadata: {
            severity?: string | null;
            cvss_score?: number | null;
            epss_score?: number | null;
            reference_ref?: string | null;
            environment_key?: string | null;
        };
        ViolationOpenedEvent: {
            /** @description The same in the feed and in each attempt of a webhook: know doubles by it. */
            id: string;
            /** @enum {string} */
            type: "violation.opened";
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            timestamp: string;
            workspace: components["schemas"]["EventWorkspace"];
            data: components["schemas"]["ViolationEventData"];
        };
        ViolationOverdueEvent: {
            /** @description The same in the feed and in each attempt of a webhook: know doubles by it. */
            id: string;
            /** @enum {string} */
            type: "violation.overdue";
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            timestamp: string;
            workspace: components["schemas"]["EventWorkspace"];
            data: components["schemas"]["ViolationEventData"];
        };
        ViolationOverride: {
            id: string;
            mode: string;
            enforcement_mode: string | null;
        };
        ViolationPolicy: {
            id: string;
            key: string;
            name: string;
            /** @description custom, builtin */
            type: string;
            /** @description active, draft, disabled */
            status: string;
            /** @description vulnerability, package, package_version, manifest, analysis, provider, asset, repository */
            target_type: string;
            enforcement_mode: string;
            severity: string | null;
        };
        ViolationPolicyDetail: {
            id: string;
            key: string;
            name: string;
            /** @description custom, builtin */
            type: string;
            /** @description active, draft, disabled */
            status: string;
            /** @description vulnerability, package, package_version, manifest, analysis, provider, asset, repository */
            target_type: string;
            enforcement_mode: string;
            severity: string | null;
            config: {
                [key: string]: unknown;
            } | null;
            condition: {
                [key: string]: unknown;
            };
            actions: {
                [key: string]: unknown;
            };
        };
        ViolationResolvedEvent: {
            /** @description The same in the feed and in each attempt of a webhook: know doubles by it. */
            id: string;
            /** @enum {string} */
            type: "violation.resolved";
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            timestamp: string;
            workspace: components["schemas"]["EventWorkspace"];
            data: components["schemas"]["ViolationEventData"];
        };
        ViolationRule: {
            type: string;
            id: string;
        };
        ViolationRuleDetail: {
            type: string;
            id: string;
            action: string | null;
            enforcement_mode: string | null;
        };
        ViolationScan: {
            id: string;
            status: string;
            ref: string;
            sha: string | null;
            /** Format: date-time */
            started_at: string | null;
            /** Format: date-time */
            finished_at: string | null;
        };
        ViolationScope: {
            type: string;
            id: string;
            name: string;
        };
        ViolationSnoozedEvent: {
            /** @description The same in the feed and in each attempt of a webhook: know doubles by it. */
            id: string;
            /** @enum {string} */
            type: "violation.snoozed";
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            timestamp: string;
            workspace: components["schemas"]["EventWorkspace"];
            data: components["schemas"]["ViolationEventData"];
        };
        ViolationTarget: components["schemas"]["VulnerabilityTarget"] | components["schemas"]["AnalysisTarget"] | components["schemas"]["ProviderTarget"] | components["schemas"]["AssetTarget"] | components["schemas"]["ManifestTarget"] | components["schemas"]["PackageVersionTarget"] | components["schemas"]["PackageTarget"] | string[];
        Vulnerability: {
            id: string;
            title: string;
            repository: components["schemas"]["NamedRepository"];
            /** @description unknown, info, low, medium, high, critical */
            severity: string;
            /** @description other, dependency, sast, secret, iac, container, dast, license, malware */
            type: string;
            /** @description current, git_history */
            source: string;
            /** @description open, fixed, accepted, ignored, rejected */
            status: string;
            resolution: string | null;
            confirmed: boolean;
            triaged: boolean;
            /** Format: date-time */
            introduced_at: string;
            /** Format: date-time */
            vulnerable_at: string;
            /** Format: date-time */
            exploitable_at: string | null;
            location: components["schemas"]["Location"];
            /** @description The package, with the version that is installed at the location shown; null for what is no package. */
            package?: components["schemas"]["ListedPackage"] | null;
            /** @description The rule of the tool that found it; empty if the report names none. */
            rule?: string;
            advisory?: string | null;
            /** @description The version that fixes it; null where none is known. */
            fix?: components["schemas"]["ListedFix"] | null;
            /** @description The person who is assigned. */
            assignee?: components["schemas"]["IdAndName"] | null;
            /** @description Its policy violation that is due first, open or in review. */
            due?: components["schemas"]["ListedDue"] | null;
            epss?: components["schemas"]["ListedEpss"];
            open_on?: components["schemas"]["ListedReach"];
        };
        VulnerabilityAssignedEvent: {
            /** @description The same in the feed and in each attempt of a webhook: know doubles by it. */
            id: string;
            /** @enum {string} */
            type: "vulnerability.assigned";
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            timestamp: string;
            workspace: components["schemas"]["EventWorkspace"];
            data: components["schemas"]["VulnerabilityEventData"];
        };
        VulnerabilityDetail: {
            id: string;
            title: string;
            repository: components["schemas"]["NamedRepository"];
            /** @description unknown, info, low, medium, high, critical */
            severity: string;
            /** @description other, dependency, sast, secret, iac, container, dast, license, malware */
            type: string;
            /** @description current, git_history */
            source: string;
            /** @description open, fixed, accepted, ignored, rejected */
            status: string;
            resolution: string | null;
            confirmed: boolean;
            triaged: boolean;
            /** Format: date-time */
            introduced_at: string;
            /** Format: date-time */
            vulnerable_at: string;
            /** Format: date-time */
            exploitable_at: string | null;
            location: components["schemas"]["Location"];
            description: string | null;
            rule: string;
            identifiers: string[];
            cwes: string[];
            links: string[];
            package: string | null;
            fix_version: string | null;
            cvss: components["schemas"]["CvssScore"];
            kev: components["schemas"]["KevEntry"] | null;
            epss: components["schemas"]["EpssScore"] | null;
            assignee: components["schemas"]["Person"] | null;
            /** Format: date-time */
            accepted_until: string | null;
            /** @description The origin of the status: person, vex, suppression. Null: there is no decision. */
            decided_by: string | null;
            status_version: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Policies that block go by the decision too; without a decision true. */
            decision_overrides_policy: boolean;
            /** @description Other names of the advisory by which findings were joined to it, as reports had taught. */
            joined_names: {
                name: string;
                /** Format: date-time */
                joined_at: string;
            }[];
            /** @description What the tools show to prove and explain it. */
            evidence: components["schemas"]["Evidence"] | null;
            suggestions: components["schemas"]["Suggestion"][];
            reporters: {
                tool: string;
                category: string;
                ref: string;
                live: boolean;
                severity: string;
                title: string;
                fixed_versions: string[];
                cvss_score: number | null;
                verified: boolean;
                exploitable: boolean;
                /** Format: date-time */
                updated_at: string;
            }[];
            references: {
                id: string;
                ref: string;
                sha: string | null;
                /** @description branch, tag, pull_request */
                type: string;
                active: boolean;
                is_default: boolean;
                status: string;
                /** Format: date-time */
                first_seen_at: string;
                /** Format: date-time */
                fixed_at: string | null;
            }[];
            matches: {
                location_id: string;
                tool: string;
                /** @description new, advisory-and-package, secret, secret-masked, fingerprint, code, nearest-line, renamed-file, moved-folder, secret-place, same-result, pinned */
                why: string;
            }[];
            history: {
                id: string;
                /** @description opened, seen_on_reference, moved, fixed, reopened, accepted, ignored, rejected, confirmed, decision_removed, acceptance_ended, assigned, unassigned, severity_changed, merged, split, undone */
                event: string;
                /** Format: date-time */
                at: string;
                actor: {
                    id: string;
                    display_name: string;
                } | null;
                scan_id: string | null;
                reason: string | null;
                data: {
                    [key: string]: unknown;
                };
            }[];
        };
        VulnerabilityEventData: {
            /**
             * Format: date-time
             * @description The time of the report, of the act, or at which it became true.
             */
            occurred_at: string;
            repository: components["schemas"]["RepositoryBrief"] | null;
            cause: components["schemas"]["EventCause"];
            vulnerability: components["schemas"]["EventVulnerability"];
        };
        VulnerabilityFacets: {
            /** @description tracked, default_branches, all */
            scope: {
                [key: string]: number;
            };
            /** @description open, fixed, accepted, ignored, rejected */
            state: {
                [key: string]: number;
            };
            /** @description critical, high, medium, low, info, unknown */
            severity: {
                [key: string]: number;
            };
            /** @description other, dependency, sast, secret, iac, container, dast, license, malware */
            type: {
                [key: string]: number;
            };
            /** @description current, git_history */
            source: {
                [key: string]: number;
            };
            confirmed: components["schemas"]["YesNoCounts"];
            triaged: components["schemas"]["YesNoCounts"];
            fix: components["schemas"]["YesNoCounts"];
            assignee: {
                unassigned: number;
                assigned: number;
                /** @description 0 for a workspace key, which is no person. */
                me: number;
            };
        };
        VulnerabilityFilters: {
            repo: string | null;
            ref: string | null;
            sha: string | null;
            state: string | null;
            source: string | null;
            confirmed: string | null;
            triaged: string | null;
            severity: string[];
            type: string[];
            assignee: string | null;
            sort: string | null;
        };
        VulnerabilityFixedEvent: {
            /** @description The same in the feed and in each attempt of a webhook: know doubles by it. */
            id: string;
            /** @enum {string} */
            type: "vulnerability.fixed";
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            timestamp: string;
            workspace: components["schemas"]["EventWorkspace"];
            data: components["schemas"]["VulnerabilityEventData"];
        };
        VulnerabilityGroup: {
            /** @description The value of the filter (`package`, `rule` or `repo`) that lists the group. */
            key: string;
            name: string;
            total: number;
            by_severity: components["schemas"]["NumbersBySeverity"];
            /** @description In so many repositories. */
            repositories: number;
            /** @description Of a package: the version that has every known fix, and how many of the group have one. */
            upgrade: {
                version: string;
                clears: number;
            } | null;
        };
        VulnerabilityGroups: {
            /** @description package, rule, repository */
            by: string;
            /** @description Of groups; `items` are the worst of them. */
            total: number;
            items: components["schemas"]["VulnerabilityGroup"][];
        };
        VulnerabilityOpenedEvent: {
            /** @description The same in the feed and in each attempt of a webhook: know doubles by it. */
            id: string;
            /** @enum {string} */
            type: "vulnerability.opened";
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            timestamp: string;
            workspace: components["schemas"]["EventWorkspace"];
            data: components["schemas"]["VulnerabilityEventData"];
        };
        VulnerabilityPage: {
            filters: components["schemas"]["VulnerabilityFilters"];
            summary: components["schemas"]["VulnerabilitySummary"];
            items: components["schemas"]["Vulnerability"][];
            next_cursor: string | null;
        };
        VulnerabilityReopenedEvent: {
            /** @description The same in the feed and in each attempt of a webhook: know doubles by it. */
            id: string;
            /** @enum {string} */
            type: "vulnerability.reopened";
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            timestamp: string;
            workspace: components["schemas"]["EventWorkspace"];
            data: components["schemas"]["VulnerabilityEventData"];
        };
        VulnerabilitySignals: {
            id: string;
            /** @description In the catalogue of known exploited vulnerabilities. */
            kev: boolean;
            /** Format: date */
            kev_due: string | null;
            epss: number | null;
            cvss: number | null;
            exploitable: boolean;
            status_version: string;
            /** Format: date-time */
            accepted_until: string | null;
            /**
             * Format: date-time
             * @description Of its policy violation that is due first, open or in review.
             */
            due_at: string | null;
            overdue: boolean;
            blocking: boolean;
            /** @description That report it; of one that none reports any more, those that did. */
            tools: string[];
            /** @description Active ones on which it is live. */
            references: number;
            /** @description The first of them: the default branch, a tracked one, then the newest scanned. */
            live_on: {
                ref: string;
                is_default: boolean;
            } | null;
        };
        VulnerabilitySignalsList: {
            items: components["schemas"]["VulnerabilitySignals"][];
        };
        VulnerabilityStatusChangedEvent: {
            /** @description The same in the feed and in each attempt of a webhook: know doubles by it. */
            id: string;
            /** @enum {string} */
            type: "vulnerability.status_changed";
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            timestamp: string;
            workspace: components["schemas"]["EventWorkspace"];
            data: components["schemas"]["VulnerabilityEventData"];
        };
        VulnerabilitySummary: {
            total: number;
            by_severity: {
                [key: string]: number;
            };
            by_type: {
                [key: string]: number;
            };
        };
        VulnerabilityTarget: {
            /** @enum {string} */
            type: "vulnerability";
            id: string;
            title: string;
            severity: string;
            status: string;
            vulnerability_type: string;
        };
        WaitingCounts: {
            /** @description Requests that the caller may review; 0 without the role admin. 100 means that or more. */
            exceptions: number;
            /** @description Open vulnerabilities that are assigned to the caller and overdue. 100 means that or more. */
            overdue: number;
        };
        WeekFigures: {
            /** @description Found for the first time within the last seven days (UTC), today included. */
            new: number;
            new_before: number | null;
            fixed: number;
            fixed_before: number | null;
        };
        Whoami: {
            actor: {
                id: string;
                name: string;
                email: string;
                /** @description user, or service for a workspace key */
                type: string;
            };
            tenant: components["schemas"]["Workspace"];
            token: {
                id: string;
                name: string;
                scopes: string[];
                /** Format: date-time */
                expires_at: string | null;
            };
        };
        Workspace: {
            id: string;
            slug: string;
            workspace: string;
        };
        WorkspacePage: {
            items: components["schemas"]["Workspace"][];
            next_cursor: string | null;
        };
        YesNoCounts: {
            yes: number;
            no: number;
        };
    };
    responses: {
        /** @description A parameter or a field of the body is unknown or invalid. `errors` names each. */
        ValidationFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The server failed, or cannot answer right now. Its log has the reason under the request id. */
        ServerError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description There is no valid key or session. */
        Unauthenticated: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The key or session is valid, and does not allow this. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The workspace does not exist, or something in the request does not exist in it. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description There were too many requests. `Retry-After` says when to try again. */
        RateLimited: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The body cannot be read. */
        MalformedRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The body is larger than the limit. */
        PayloadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The media type of the body is not supported. */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /** @description The state of the object does not allow this, or it has changed since it was read. */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
    };
    parameters: {
        action: "advisory_name.forget" | "advisory_name.restore" | "application.change" | "application.create" | "application.delete" | "application.repositories" | "comment.create" | "comment.delete" | "demo.ready" | "exception.approve" | "exception.end" | "exception.refuse" | "exception.request" | "exception.withdraw" | "inventory.apply" | "invitation.accept" | "invitation.create" | "invitation.withdraw" | "key.create" | "key.revoke" | "member.remove" | "member.set" | "policy.change" | "policy.create" | "repository.default_branch" | "repository.exposed" | "repository.external_id" | "repository.reference" | "repository.rename" | "repository.tracked_branches" | "saved_view.change" | "saved_view.create" | "saved_view.delete" | "series.discard" | "series.release" | "series.retire" | "trust_rule.create" | "trust_rule.delete" | "user.disable" | "user.enable" | "user.lock_out" | "user.password" | "user.take_over" | "violation.snooze" | "violation.undo" | "violation.wake" | "vulnerability.accept" | "vulnerability.assign" | "vulnerability.comment" | "vulnerability.confirm" | "vulnerability.delete_comment" | "vulnerability.ignore" | "vulnerability.merge" | "vulnerability.reject" | "vulnerability.reopen" | "vulnerability.split" | "vulnerability.unassign" | "vulnerability.undo" | "workspace.change" | "workspace.create";
        /** @description me, a user id, an e-mail address, or operator: nobody with an account. */
        actor: string;
        /** @description Id, app_…. */
        application: string;
        /** @description me, unassigned, a user id or an e-mail address. */
        assignee: string;
        /** @description Of a pull request: the branch it goes to. */
        base_ref: string;
        /** @description Of a pull request: where it left its base. */
        base_sha: string;
        /** @description Tells several runs of one tool apart; else what the report says. */
        category: string;
        /** @description Verified as true. */
        confirmed: "yes" | "no";
        /** @description `next_cursor` of the page before. */
        cursor: string;
        /** @description Default branch of the repository; else the first branch seen. */
        default_branch: string;
        /** @description Say what would change, and change nothing. */
        dry_run: "true" | "false";
        /** @description By its policy violation that is due first, open or in review: overdue, or soon (within 7 days). */
        due: "overdue" | "soon";
        /** @description In force: block, warn, monitor, none. A comma list, or the parameter repeated, with or without [] after its name. */
        enforcement: string[];
        /** @description Where the reference is deployed, such as production. */
        environment: string;
        /** @description Highest EPSS score of its CVEs, at least: 0 to 1, such as 0.1. */
        epss_min: string;
        /** @description Id of the exception, ovr_…. */
        exception: string;
        /** @description Known to be exploited (KEV), verified, or called exploitable by a tool, whatever its status; also as `true`. */
        exploitable: "yes";
        /** @description Name of the file, as shown with the scan. */
        file_name: string;
        /** @description A version that fixes it is known. */
        fix: "yes" | "no";
        /** @description Close even what the guard would hold; for admins. */
        force: "true" | "false";
        /** @description Format; else recognised from the content. */
        format: string;
        "idempotency-key": string;
        /** @description Ids of organizations, 200 at most; those that are not there are left out. A comma list, or the parameter repeated, with or without [] after its name. */
        ids: string[];
        /** @description Introduced at this time or later: a date, which begins in UTC, or RFC 3339. */
        introduced_since: string;
        /** @description Id, key_…. */
        key: string;
        /** @description Id that the VCS gives the organization. */
        org_external_id: string;
        /** @description Package URL without version, or the name of the package. */
        package: string;
        /** @description The report shows a part: close nothing. */
        partial: "true" | "false";
        /** @description Rows of a page; also as `limit`. */
        per_page: number;
        /** @description Policies: ids or keys. A comma list, or the parameter repeated, with or without [] after its name. */
        policy: string[];
        /** @description Whether the repository is private. */
        private: "true" | "false";
        /** @description Words of the title and the package, three characters or more each; ids of advisories. */
        q: string;
        /** @description Reference: short or full name; HEAD is each default branch. Status and summary are those there. */
        ref: string;
        /** @description What a short `ref` is. */
        ref_type: "branch" | "tag" | "pull_request";
        /** @description Repository: id or full name. */
        repo: string;
        /** @description Id that the VCS gives the repository: one that was renamed is found by it. */
        repo_external_id: string;
        /** @description VCS of the repository. */
        repo_source: "local" | "ghc" | "ghe" | "gitlab" | "bitbucket" | "azure_devops";
        /** @description Id, repo_…. */
        repository: string;
        /** @description Rule of the tool that found it, exactly; of what is no package. */
        rule: string;
        /** @description Id of the scan, scan_…. */
        scan: string;
        /** @description When it was scanned, RFC 3339 with an offset, not before 1990; else now. */
        scanned_at: string;
        /** @description tracked: what has been on a tracked reference. default_branches: status and summary are those there, as with ref=HEAD. all: what is fixed on the tracked references and lives elsewhere counts as open. Without it: everything, with its own status. Not with ref. */
        scope: "tracked" | "default_branches" | "all";
        /** @description Id of the series, ser_…. */
        series: string;
        /** @description Severity: unknown, info, low, medium, high, critical. A comma list, or the parameter repeated, with or without [] after its name. */
        severity: string[];
        /** @description What a completed scan of this commit saw. */
        sha: string;
        /** @description RFC 3339. */
        since: string;
        /** @description Seen in the current tree, or only in the history. */
        source: "current" | "git_history";
        /** @description Status. */
        state: "open" | "fixed" | "accepted" | "ignored" | "rejected";
        /** @description open, pending_review, waived, resolved. A comma list, or the parameter repeated, with or without [] after its name. */
        status: string[];
        /** @description Id of what it was done to. */
        target: string;
        /** @description vulnerability, package, package_version, manifest, analysis, provider, asset, repository. A comma list, or the parameter repeated, with or without [] after its name. */
        target_type: string[];
        /** @description Slug of the workspace. */
        tenant_slug: string;
        /** @description Somebody has decided something. */
        triaged: "yes" | "no";
        /** @description Type: other, dependency, sast, secret, iac, container, dast, license, malware. A comma list, or the parameter repeated, with or without [] after its name. */
        type: string[];
        /** @description RFC 3339; before it. */
        until: string;
        /** @description Id, usr_…. */
        user: string;
        /** @description Id, view_…. */
        view: string;
        /** @description Id of the vulnerability, vc_…. */
        vulnerability: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceState"];
                };
            };
            422: components["responses"]["ValidationFailed"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ServiceState"];
                };
            };
            422: components["responses"]["ValidationFailed"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    signOutEverywhere: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    current: string;
                    new: string;
                };
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    beginOidc: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    next?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInAddress"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    setUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                    email: string;
                    name: string;
                    password: string;
                };
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    previewInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationPreview"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                    name?: string;
                    password?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JoinedWorkspace"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listTenants: {
        parameters: {
            query?: {
                /** @description Rows of a page; also as `limit`. */
                per_page?: components["parameters"]["per_page"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkspacePage"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getWhoami: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Whoami"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listOrganizations: {
        parameters: {
            query?: {
                /** @description The beginning of the name, or of a part of it. An exact name comes first. */
                q?: string;
                /** @description Rows of a page; also as `limit`. */
                per_page?: components["parameters"]["per_page"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationPage"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listOrganizationParents: {
        parameters: {
            query: {
                /** @description Ids of organizations, 200 at most; those that are not there are left out. A comma list, or the parameter repeated, with or without [] after its name. */
                ids: components["parameters"]["ids"];
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationParentList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id of the organization, org_…, or its full path. */
                org: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrganizationDetail"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listRepositories: {
        parameters: {
            query?: {
                /** @description The beginning of the name, or of a part of it. An exact name comes first. */
                q?: string;
                /** @description Organization: id or full path. */
                org?: string;
                /** @description VCS: local, ghc, ghe, gitlab, bitbucket, azure_devops. A comma list, or the parameter repeated, with or without [] after its name. */
                source?: string[];
                /** @description Rows of a page; also as `limit`. */
                per_page?: components["parameters"]["per_page"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RepositoryPage"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getRepository: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id of the repository, repo_…, or its full name. */
                repo: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RepositoryDetail"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listRepositoryScans: {
        parameters: {
            query: {
                /** @description Ids of repositories, 200 at most; those that are not there are left out. A comma list, or the parameter repeated, with or without [] after its name. */
                ids: string[];
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RepositoryScansList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listReferences: {
        parameters: {
            query: {
                /** @description Repository: id or full name. */
                repo: string;
                /** @description Rows of a page; also as `limit`. */
                per_page?: components["parameters"]["per_page"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReferencePage"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listApplications: {
        parameters: {
            query?: {
                /** @description The beginning of the name, or of a part of it. An exact name comes first. */
                q?: string;
                /** @description Rows of a page; also as `limit`. */
                per_page?: components["parameters"]["per_page"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApplicationPage"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listApplicationCounts: {
        parameters: {
            query: {
                /** @description Ids of applications, 200 at most; those that are not there are left out. A comma list, or the parameter repeated, with or without [] after its name. */
                ids: string[];
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApplicationCountsList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getApplication: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id, app_…. */
                application: components["parameters"]["application"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApplicationDetail"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listPackages: {
        parameters: {
            query?: {
                /** @description The beginning of the name, or of a part of it; or a package URL. */
                q?: string;
                /** @description Types of package URLs: npm, maven, deb and so on. A comma list, or the parameter repeated, with or without [] after its name. */
                ecosystem?: string[];
                /** @description Name of a license, as the list of licenses has it. */
                license?: string;
                /** @description Whether it has vulnerabilities that are open; with `repo`, in that repository. */
                vulnerable?: "yes" | "no";
                /** @description Only packages of this repository: org/name or id. */
                repo?: string;
                /** @description Rows of a page; also as `limit`. */
                per_page?: components["parameters"]["per_page"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PackagePage"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getPackage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id of the package, pkg_…. */
                package: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PackageDetail"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listPackageUsages: {
        parameters: {
            query?: {
                /** @description Id of a version, pkgv_…. */
                version?: string;
                /** @description Rows of a page; also as `limit`. */
                per_page?: components["parameters"]["per_page"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id of the package, pkg_…. */
                package: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PackageUsagePage"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listLicenses: {
        parameters: {
            query?: {
                /** @description Rows of a page; also as `limit`. */
                per_page?: components["parameters"]["per_page"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LicensePage"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listEcosystems: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EcosystemList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listVulnerabilities: {
        parameters: {
            query?: {
                /** @description Repository: id or full name. */
                repo?: components["parameters"]["repo"];
                /** @description Reference: short or full name; HEAD is each default branch. Status and summary are those there. */
                ref?: components["parameters"]["ref"];
                /** @description What a completed scan of this commit saw. */
                sha?: components["parameters"]["sha"];
                /** @description tracked: what has been on a tracked reference. default_branches: status and summary are those there, as with ref=HEAD. all: what is fixed on the tracked references and lives elsewhere counts as open. Without it: everything, with its own status. Not with ref. */
                scope?: components["parameters"]["scope"];
                /** @description Status. */
                state?: components["parameters"]["state"];
                /** @description Seen in the current tree, or only in the history. */
                source?: components["parameters"]["source"];
                /** @description Verified as true. */
                confirmed?: components["parameters"]["confirmed"];
                /** @description Somebody has decided something. */
                triaged?: components["parameters"]["triaged"];
                /** @description Severity: unknown, info, low, medium, high, critical. A comma list, or the parameter repeated, with or without [] after its name. */
                severity?: components["parameters"]["severity"];
                /** @description Type: other, dependency, sast, secret, iac, container, dast, license, malware. A comma list, or the parameter repeated, with or without [] after its name. */
                type?: components["parameters"]["type"];
                /** @description me, unassigned, a user id or an e-mail address. */
                assignee?: components["parameters"]["assignee"];
                /** @description A version that fixes it is known. */
                fix?: components["parameters"]["fix"];
                /** @description Known to be exploited (KEV), verified, or called exploitable by a tool, whatever its status; also as `true`. */
                exploitable?: components["parameters"]["exploitable"];
                /** @description Highest EPSS score of its CVEs, at least: 0 to 1, such as 0.1. */
                epss_min?: components["parameters"]["epss_min"];
                /** @description By its policy violation that is due first, open or in review: overdue, or soon (within 7 days). */
                due?: components["parameters"]["due"];
                /** @description Introduced at this time or later: a date, which begins in UTC, or RFC 3339. */
                introduced_since?: components["parameters"]["introduced_since"];
                /** @description Application, with the repositories that it has now: id or name. */
                application?: string;
                /** @description Package URL without version, or the name of the package. */
                package?: components["parameters"]["package"];
                /** @description Rule of the tool that found it, exactly; of what is no package. */
                rule?: components["parameters"]["rule"];
                /** @description Words of the title and the package, three characters or more each; ids of advisories. */
                q?: components["parameters"]["q"];
                /** @description Order: severity (the default), newest, oldest. */
                sort?: "severity" | "newest" | "oldest";
                /** @description Further fields of each row, by their names: package, rule, advisory, fix, assignee, due, epss, open_on. A comma list, or the parameter repeated, with or without [] after its name. */
                include?: string[];
                /** @description Rows of a page; also as `limit`. */
                per_page?: components["parameters"]["per_page"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VulnerabilityPage"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getVulnerabilityFacets: {
        parameters: {
            query?: {
                /** @description Repository: id or full name. */
                repo?: components["parameters"]["repo"];
                /** @description Reference: short or full name; HEAD is each default branch. Status and summary are those there. */
                ref?: components["parameters"]["ref"];
                /** @description What a completed scan of this commit saw. */
                sha?: components["parameters"]["sha"];
                /** @description tracked: what has been on a tracked reference. default_branches: status and summary are those there, as with ref=HEAD. all: what is fixed on the tracked references and lives elsewhere counts as open. Without it: everything, with its own status. Not with ref. */
                scope?: components["parameters"]["scope"];
                /** @description Status. */
                state?: components["parameters"]["state"];
                /** @description Seen in the current tree, or only in the history. */
                source?: components["parameters"]["source"];
                /** @description Verified as true. */
                confirmed?: components["parameters"]["confirmed"];
                /** @description Somebody has decided something. */
                triaged?: components["parameters"]["triaged"];
                /** @description Severity: unknown, info, low, medium, high, critical. A comma list, or the parameter repeated, with or without [] after its name. */
                severity?: components["parameters"]["severity"];
                /** @description Type: other, dependency, sast, secret, iac, container, dast, license, malware. A comma list, or the parameter repeated, with or without [] after its name. */
                type?: components["parameters"]["type"];
                /** @description me, unassigned, a user id or an e-mail address. */
                assignee?: components["parameters"]["assignee"];
                /** @description A version that fixes it is known. */
                fix?: components["parameters"]["fix"];
                /** @description Known to be exploited (KEV), verified, or called exploitable by a tool, whatever its status; also as `true`. */
                exploitable?: components["parameters"]["exploitable"];
                /** @description Highest EPSS score of its CVEs, at least: 0 to 1, such as 0.1. */
                epss_min?: components["parameters"]["epss_min"];
                /** @description By its policy violation that is due first, open or in review: overdue, or soon (within 7 days). */
                due?: components["parameters"]["due"];
                /** @description Introduced at this time or later: a date, which begins in UTC, or RFC 3339. */
                introduced_since?: components["parameters"]["introduced_since"];
                /** @description Application, with the repositories that it has now: id or name. */
                application?: string;
                /** @description Package URL without version, or the name of the package. */
                package?: components["parameters"]["package"];
                /** @description Rule of the tool that found it, exactly; of what is no package. */
                rule?: components["parameters"]["rule"];
                /** @description Words of the title and the package, three characters or more each; ids of advisories. */
                q?: components["parameters"]["q"];
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VulnerabilityFacets"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listVulnerabilityGroups: {
        parameters: {
            query: {
                /** @description What makes a group; a package has the upgrade that clears most. */
                by: "package" | "rule" | "repository";
                /** @description Groups to show. */
                limit?: number;
                /** @description Repository: id or full name. */
                repo?: components["parameters"]["repo"];
                /** @description Reference: short or full name; HEAD is each default branch. Status and summary are those there. */
                ref?: components["parameters"]["ref"];
                /** @description What a completed scan of this commit saw. */
                sha?: components["parameters"]["sha"];
                /** @description tracked: what has been on a tracked reference. default_branches: status and summary are those there, as with ref=HEAD. all: what is fixed on the tracked references and lives elsewhere counts as open. Without it: everything, with its own status. Not with ref. */
                scope?: components["parameters"]["scope"];
                /** @description Status. */
                state?: components["parameters"]["state"];
                /** @description Seen in the current tree, or only in the history. */
                source?: components["parameters"]["source"];
                /** @description Verified as true. */
                confirmed?: components["parameters"]["confirmed"];
                /** @description Somebody has decided something. */
                triaged?: components["parameters"]["triaged"];
                /** @description Severity: unknown, info, low, medium, high, critical. A comma list, or the parameter repeated, with or without [] after its name. */
                severity?: components["parameters"]["severity"];
                /** @description Type: other, dependency, sast, secret, iac, container, dast, license, malware. A comma list, or the parameter repeated, with or without [] after its name. */
                type?: components["parameters"]["type"];
                /** @description me, unassigned, a user id or an e-mail address. */
                assignee?: components["parameters"]["assignee"];
                /** @description A version that fixes it is known. */
                fix?: components["parameters"]["fix"];
                /** @description Known to be exploited (KEV), verified, or called exploitable by a tool, whatever its status; also as `true`. */
                exploitable?: components["parameters"]["exploitable"];
                /** @description Highest EPSS score of its CVEs, at least: 0 to 1, such as 0.1. */
                epss_min?: components["parameters"]["epss_min"];
                /** @description By its policy violation that is due first, open or in review: overdue, or soon (within 7 days). */
                due?: components["parameters"]["due"];
                /** @description Introduced at this time or later: a date, which begins in UTC, or RFC 3339. */
                introduced_since?: components["parameters"]["introduced_since"];
                /** @description Application, with the repositories that it has now: id or name. */
                application?: string;
                /** @description Package URL without version, or the name of the package. */
                package?: components["parameters"]["package"];
                /** @description Rule of the tool that found it, exactly; of what is no package. */
                rule?: components["parameters"]["rule"];
                /** @description Words of the title and the package, three characters or more each; ids of advisories. */
                q?: components["parameters"]["q"];
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VulnerabilityGroups"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listVulnerabilitySignals: {
        parameters: {
            query: {
                /** @description Ids of vulnerabilities, 200 at most; those that are not there are left out. A comma list, or the parameter repeated, with or without [] after its name. */
                ids: string[];
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VulnerabilitySignalsList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getVulnerability: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id of the vulnerability, vc_…. */
                vulnerability: components["parameters"]["vulnerability"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VulnerabilityDetail"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listVulnerabilityLocations: {
        parameters: {
            query?: {
                /** @description live (the default): only where it is vulnerable now. */
                scope?: "live" | "all";
                /** @description Rows of a page; also as `limit`. */
                per_page?: components["parameters"]["per_page"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id of the vulnerability, vc_…. */
                vulnerability: components["parameters"]["vulnerability"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LocationPage"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    assignVulnerability: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id of the vulnerability, vc_…. */
                vulnerability: components["parameters"]["vulnerability"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description me, a user id, an e-mail address; null or unassigned clears. */
                    assignee: string | null;
                    /** @description As read before: refused with 409 if it has changed. */
                    status_version?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Assignment"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listComments: {
        parameters: {
            query?: {
                /** @description Rows of a page; also as `limit`. */
                per_page?: components["parameters"]["per_page"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id of the vulnerability, vc_…. */
                vulnerability: components["parameters"]["vulnerability"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommentPage"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listPolicyViolations: {
        parameters: {
            query: {
                /** @description Repository: id or full name. */
                repo: string;
                /** @description Those that match on this reference, or did, with their status there. HEAD: default branch. */
                ref?: string;
                /** @description open, pending_review, waived, resolved. A comma list, or the parameter repeated, with or without [] after its name. */
                status?: components["parameters"]["status"];
                /** @description In force: block, warn, monitor, none. A comma list, or the parameter repeated, with or without [] after its name. */
                enforcement?: components["parameters"]["enforcement"];
                /** @description Policies: ids or keys. A comma list, or the parameter repeated, with or without [] after its name. */
                policy?: components["parameters"]["policy"];
                /** @description vulnerability, package, package_version, manifest, analysis, provider, asset, repository. A comma list, or the parameter repeated, with or without [] after its name. */
                target_type?: components["parameters"]["target_type"];
                /** @description Rows of a page; also as `limit`. */
                per_page?: components["parameters"]["per_page"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyViolationPage"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getPolicyViolation: {
        parameters: {
            query?: {
                /** @description Repository: id or full name. Of another one it is not found. */
                repo?: string;
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id of the violation, pvl_…. */
                violation: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyViolationDetail"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listAllPolicyViolations: {
        parameters: {
            query?: {
                /** @description Repository: id or full name. */
                repo?: components["parameters"]["repo"];
                /** @description open, pending_review, waived, resolved. A comma list, or the parameter repeated, with or without [] after its name. */
                status?: components["parameters"]["status"];
                /** @description In force: block, warn, monitor, none. A comma list, or the parameter repeated, with or without [] after its name. */
                enforcement?: components["parameters"]["enforcement"];
                /** @description Policies: ids or keys. A comma list, or the parameter repeated, with or without [] after its name. */
                policy?: components["parameters"]["policy"];
                /** @description vulnerability, package, package_version, manifest, analysis, provider, asset, repository. A comma list, or the parameter repeated, with or without [] after its name. */
                target_type?: components["parameters"]["target_type"];
                /** @description Of what is open or waits for a review: past its date, due within seven days, or later. */
                due?: "overdue" | "soon" | "later";
                /** @description Somebody has put it off for a while. */
                snoozed?: "yes" | "no";
                /** @description It stops a merge. */
                blocking?: "yes" | "no";
                /** @description Only of vulnerabilities: words of the title and the package, three characters or more each; ids of advisories. */
                q?: string;
                /** @description Rows of a page; also as `limit`. */
                per_page?: components["parameters"]["per_page"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RepositoryPolicyViolationPage"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listVulnerabilityViolations: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id of the vulnerability, vc_…. */
                vulnerability: components["parameters"]["vulnerability"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RepositoryPolicyViolationList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getGate: {
        parameters: {
            query: {
                /** @description Repository: id or full name. */
                repo: string;
                /** @description Reference: short or full name, or HEAD. Without ref and sha: the default branch. */
                ref?: string;
                /** @description Commit; with ref, on that reference. */
                sha?: string;
                /** @description Branch to compare with, instead of the one in the reports. Where a policy blocks: a tracked one, unless an admin asks whose key has vulnerabilities:write. */
                base_ref?: string;
                /** @description All active violations count, not only those added to the base. */
                all?: "true" | "false";
                /** @description Tools that must have a scan that succeeded before there is a verdict. A comma list, or the parameter repeated, with or without [] after its name. */
                expect?: string[];
                /** @description Seconds to wait for the verdict. */
                wait?: number;
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Gate"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getIntel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IntelFeeds"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listScans: {
        parameters: {
            query?: {
                /** @description Repository: id or full name. */
                repo?: components["parameters"]["repo"];
                /** @description Reference of the repository: short or full name, or HEAD. */
                ref?: string;
                sha?: string;
                /** @description Status: queued, running, completed, failed, canceled. A comma list, or the parameter repeated, with or without [] after its name. */
                status?: string[];
                /** @description Tool, such as trivy. */
                tool?: string;
                /** @description Rows of a page; also as `limit`. */
                per_page?: components["parameters"]["per_page"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScanPage"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getScan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id of the scan, scan_…. */
                scan: components["parameters"]["scan"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScanDetail"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listScanVulnerabilities: {
        parameters: {
            query: {
                change: "new" | "fixed";
                /** @description Rows of a page; also as `limit`. */
                per_page?: components["parameters"]["per_page"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id of the scan, scan_…. */
                scan: components["parameters"]["scan"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedVulnerabilityPage"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getScanStatus: {
        parameters: {
            query: {
                /** @description Repository: id or full name. */
                repo: string;
                /** @description Reference: short or full name, or HEAD. Without ref and sha: the default branch. */
                ref?: string;
                sha?: string;
                /** @description Tools that must have a completed scan. A comma list, or the parameter repeated, with or without [] after its name. */
                expect?: string[];
                /** @description Seconds to wait for the end. */
                wait?: number;
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScanStatus"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getOverview: {
        parameters: {
            query?: {
                /** @description Where `open` and `repositories` count what is open; tracked without it. */
                scope?: "tracked" | "default_branches" | "all";
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Overview"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getStatusReport: {
        parameters: {
            query?: {
                /** @description Only the repositories of this organization: id or full path. */
                organization?: string;
                /** @description Only the repositories of this application: id or name. */
                application?: string;
                /** @description What `parts` are; organization without it. */
                by?: "organization" | "application";
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StatusReport"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listRepositoryCounts: {
        parameters: {
            query: {
                /** @description Ids of repositories, 200 at most; those that are not there are left out. A comma list, or the parameter repeated, with or without [] after its name. */
                ids: string[];
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RepositoryCountsList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listApplicationOpen: {
        parameters: {
            query: {
                /** @description Ids of applications, 200 at most; those that are not there are left out. A comma list, or the parameter repeated, with or without [] after its name. */
                ids: string[];
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupCountsList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listOrganizationOpen: {
        parameters: {
            query: {
                /** @description Ids of organizations, 200 at most; those that are not there are left out. A comma list, or the parameter repeated, with or without [] after its name. */
                ids: components["parameters"]["ids"];
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupCountsList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getTrend: {
        parameters: {
            query?: {
                /** @description Repository: id or full name. */
                repo?: components["parameters"]["repo"];
                /** @description Days (UTC), today included. */
                days?: number;
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trend"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    exportVulnerabilities: {
        parameters: {
            query?: {
                /** @description The cursor that ended an export before: only what has changed since then. Not with filters or sort. */
                since?: string;
                /** @description ndjson (the default), csv, sarif. */
                format?: "ndjson" | "csv" | "sarif";
                /** @description Repository: id or full name. */
                repo?: components["parameters"]["repo"];
                /** @description Reference: short or full name; HEAD is each default branch. Status and summary are those there. */
                ref?: components["parameters"]["ref"];
                /** @description What a completed scan of this commit saw. */
                sha?: components["parameters"]["sha"];
                /** @description tracked: what has been on a tracked reference. default_branches: status and summary are those there, as with ref=HEAD. all: what is fixed on the tracked references and lives elsewhere counts as open. Without it: everything, with its own status. Not with ref. */
                scope?: components["parameters"]["scope"];
                /** @description Status. */
                state?: components["parameters"]["state"];
                /** @description Seen in the current tree, or only in the history. */
                source?: components["parameters"]["source"];
                /** @description Verified as true. */
                confirmed?: components["parameters"]["confirmed"];
                /** @description Somebody has decided something. */
                triaged?: components["parameters"]["triaged"];
                /** @description Severity: unknown, info, low, medium, high, critical. A comma list, or the parameter repeated, with or without [] after its name. */
                severity?: components["parameters"]["severity"];
                /** @description Type: other, dependency, sast, secret, iac, container, dast, license, malware. A comma list, or the parameter repeated, with or without [] after its name. */
                type?: components["parameters"]["type"];
                /** @description me, unassigned, a user id or an e-mail address. */
                assignee?: components["parameters"]["assignee"];
                /** @description A version that fixes it is known. */
                fix?: components["parameters"]["fix"];
                /** @description Known to be exploited (KEV), verified, or called exploitable by a tool, whatever its status; also as `true`. */
                exploitable?: components["parameters"]["exploitable"];
                /** @description Highest EPSS score of its CVEs, at least: 0 to 1, such as 0.1. */
                epss_min?: components["parameters"]["epss_min"];
                /** @description By its policy violation that is due first, open or in review: overdue, or soon (within 7 days). */
                due?: components["parameters"]["due"];
                /** @description Introduced at this time or later: a date, which begins in UTC, or RFC 3339. */
                introduced_since?: components["parameters"]["introduced_since"];
                /** @description Application, with the repositories that it has now: id or name. */
                application?: string;
                /** @description Package URL without version, or the name of the package. */
                package?: components["parameters"]["package"];
                /** @description Rule of the tool that found it, exactly; of what is no package. */
                rule?: components["parameters"]["rule"];
                /** @description Words of the title and the package, three characters or more each; ids of advisories. */
                q?: components["parameters"]["q"];
                /** @description Order of NDJSON and CSV: severity, newest, oldest. Without filters or sort: by id. */
                sort?: "severity" | "newest" | "oldest";
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As long as it takes; NDJSON is whole when its last line is the cursor or `complete`. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["ExportLine"];
                    "text/csv": string;
                    "application/sarif+json": {
                        [key: string]: unknown;
                    };
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    exportVex: {
        parameters: {
            query: {
                /** @description openvex, csaf, cyclonedx. */
                format: "openvex" | "csaf" | "cyclonedx";
                /** @description Repository: id or full name. */
                repo?: components["parameters"]["repo"];
                /** @description With repo. Reference: short or full name, or HEAD. */
                ref?: string;
                /** @description Application: id or name. */
                application?: string;
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. Vulnerabilities in packages that are open or decided have a statement. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VexDocument"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    readEvents: {
        parameters: {
            query?: {
                /** @description The cursor that ended the answer before; `latest` for a cursor of now alone. Without it: from the oldest event that is kept. */
                since?: string;
                /** @description Only these types. A comma list, or the parameter repeated, with or without [] after its name. */
                types?: string[];
                /** @description Events of an answer at most. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whole when its last line is the cursor. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["EventLine"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    exchangeCiToken: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunKey"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    decideVulnerabilities: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    action: "accept" | "ignore" | "reject" | "confirm" | "reopen";
                    vulnerabilities: {
                        id: string;
                        status_version?: string;
                    }[];
                    /** @description Required to accept, ignore and reject. */
                    reason?: string;
                    /** @enum {string} */
                    resolution?: "fixed" | "risk_accepted" | "wont_fix" | "false_positive" | "not_affected" | "test_code";
                    /** @description End of an acceptance, RFC 3339. */
                    until?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DecidedVulnerabilities"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    assignVulnerabilities: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description me, a user id, an e-mail address; null or unassigned clears. */
                    assignee: string | null;
                    vulnerabilities: {
                        id: string;
                        /** @description As read before: refused with 409 if it has changed. */
                        status_version?: string;
                    }[];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssignedVulnerabilities"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    undoVulnerabilities: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    vulnerabilities: {
                        id: string;
                        /** @description As read before: refused with 409 if it has changed. */
                        status_version: string;
                    }[];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UndoneVulnerabilities"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    addComment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id of the vulnerability, vc_…. */
                vulnerability: components["parameters"]["vulnerability"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Plain text. */
                    body: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Comment"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    deleteComment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id of the vulnerability, vc_…. */
                vulnerability: components["parameters"]["vulnerability"];
                /** @description Id of the comment, cmt_…. */
                comment: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    mergeVulnerabilities: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id of the vulnerability, vc_…. */
                vulnerability: components["parameters"]["vulnerability"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Those that go. */
                    others: string[];
                    /** @description Stands in the history. */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeptVulnerability"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    splitVulnerability: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id of the vulnerability, vc_…. */
                vulnerability: components["parameters"]["vulnerability"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Locations, loc_…. */
                    locations: string[];
                    /** @description Stands in the history. */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeptVulnerability"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listPolicies: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listPolicyFacts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyFactList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id, pol_…, or key. */
                policy: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Policy"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    putPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Key; for an existing policy also its id. */
                policy: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    /** @enum {unknown} */
                    status?: "active" | "draft" | "disabled";
                    /** @enum {unknown} */
                    target_type: "vulnerability" | "package" | "package_version" | "manifest" | "analysis" | "provider" | "asset" | "repository";
                    /** @enum {unknown} */
                    enforcement_mode: "monitor" | "warn" | "block";
                    severity?: ("unknown" | "info" | "low" | "medium" | "high" | "critical") | null;
                    config?: components["schemas"]["PolicyConfig"] | null;
                    /** @description {all: […]}, {any: […]} or {not: …} over clauses {fact, operator, value}. */
                    condition: {
                        [key: string]: unknown;
                    };
                    actions?: components["schemas"]["PolicyActions"];
                    rules?: components["schemas"]["PolicyRule"][];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyChange"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    dryRunPolicy: {
        parameters: {
            query?: {
                /** @description How many of the matches to list, the first by repository; it needs the scopes policy-violations:read and vulnerabilities:read. */
                matches?: number;
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PolicyDocument"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyDryRun"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    planPolicies: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PolicyDocuments"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyDifferenceList"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    applyPolicies: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PolicyDocuments"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyDifferenceList"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listPolicyCounts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyCountList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listRepositoryPolicies: {
        parameters: {
            query: {
                /** @description Repository: id or full name. */
                repo: string;
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RepositoryPolicyList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    decideViolations: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    action: "snooze" | "wake" | "undo";
                    violations: {
                        id: string;
                    }[];
                    /** @description Required but for an undo. */
                    reason?: string;
                    /** @description End of the snooze, RFC 3339. */
                    until?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DecidedViolations"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listExceptions: {
        parameters: {
            query?: {
                /** @description requested, approved, refused, withdrawn, ended. A comma list, or the parameter repeated, with or without [] after its name. */
                status?: string[];
                /** @description Repository: id or full name. */
                repo?: components["parameters"]["repo"];
                /** @description Policies: ids or keys. A comma list, or the parameter repeated, with or without [] after its name. */
                policy?: components["parameters"]["policy"];
                /** @description What is about this violation, be it as one of its policy in the whole repository. */
                violation?: string;
                /** @description What is about one vulnerability: words of its title and package, three characters or more each; ids of advisories. */
                q?: string;
                /** @description Rows of a page; also as `limit`. */
                per_page?: components["parameters"]["per_page"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExceptionPage"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    requestExceptions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    violations?: string[];
                    /** @description Id or key; with repo. */
                    policy?: string;
                    /** @description Id or full name; with policy. */
                    repo?: string;
                    /** @enum {string} */
                    mode?: "exempt" | "downgrade";
                    /**
                     * @description Of a downgrade.
                     * @enum {string}
                     */
                    enforcement_mode?: "monitor" | "warn";
                    /** @description Its end, RFC 3339. */
                    until?: string;
                    reason: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExceptionList"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    reviewException: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id of the exception, ovr_…. */
                exception: components["parameters"]["exception"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    decision: "approve" | "refuse";
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Exception"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    withdrawException: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id of the exception, ovr_…. */
                exception: components["parameters"]["exception"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Exception"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listScanSeries: {
        parameters: {
            query?: {
                /** @description Repository: id or full name. */
                repo?: components["parameters"]["repo"];
                /** @description Those that the scan fed: its id; without `state`. */
                scan?: string;
                /** @description held: the guard holds a closing; stale: not seen for long; replaced: a newer series sees most of the same. */
                state?: "held" | "stale" | "replaced";
                /** @description Rows of a page; also as `limit`. */
                per_page?: components["parameters"]["per_page"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SeriesPage"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listHeldClosing: {
        parameters: {
            query?: {
                /** @description Rows of a page; also as `limit`. */
                per_page?: components["parameters"]["per_page"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id of the series, ser_…. */
                series: components["parameters"]["series"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HeldClosing"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    decideHeldClosing: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id of the series, ser_…. */
                series: components["parameters"]["series"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    action: "release" | "discard";
                    /** @description Stands in the audit log. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FixedCount"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    retireSeries: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id of the series, ser_…. */
                series: components["parameters"]["series"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Stands in the audit log. */
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FixedCount"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listenToScans: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listWorkspaces: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberWorkspaceList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    createWorkspace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    slug: string;
                    name: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberWorkspace"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Settings"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    changeSettings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    /** @description Names of branches, with `*` for any characters, such as release/*. What is open there is open. */
                    tracked_branches?: string[];
                    /** @enum {string} */
                    new_repositories?: "any" | "known_organizations" | "never";
                    /** @enum {string} */
                    advisory_matching?: "on" | "off";
                    /** @description Instead of those before. */
                    forges?: {
                        /** @description Such as https://git.example.com. */
                        url: string;
                        /** @enum {string} */
                        kind: "github" | "gitlab" | "bitbucket" | "bitbucket_data_center" | "azure_devops" | "gitea";
                        organization?: string | null;
                    }[];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Settings"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listForges: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ForgeList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listSavedViews: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedViewList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    createSavedView: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /** @description The query string of the page, without a question mark. */
                    query: string;
                    /** @description Everybody in the workspace sees it; needs the role member. */
                    shared?: boolean;
                    /** @enum {string} */
                    page: "vulnerabilities";
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedView"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    deleteSavedView: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id, view_…. */
                view: components["parameters"]["view"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    changeSavedView: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id, view_…. */
                view: components["parameters"]["view"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    /** @description The query string of the page, without a question mark. */
                    query?: string;
                    /** @description Everybody in the workspace sees it; needs the role member. */
                    shared?: boolean;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedView"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getWaiting: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WaitingCounts"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listMembers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MemberList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id, usr_…. */
                user: components["parameters"]["user"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    changeRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id, usr_…. */
                user: components["parameters"]["user"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    role: "viewer" | "member" | "admin";
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listInvitations: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    invite: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    email: string;
                    /** @enum {string} */
                    role: "viewer" | "member" | "admin";
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedInvitation"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    withdrawInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id, inv_…. */
                invitation: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listKeyScopes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyScopes"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listOwnKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    createOwnKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    scopes: ("vulnerabilities:read" | "policy-violations:read" | "scans:read" | "organizations:read" | "repositories:read" | "applications:read" | "tenants:read" | "vulnerabilities:write" | "policy-violations:write" | "policies:write" | "scans:write" | "workspace:admin")[];
                    /**
                     * @description 7d, 30d, 60d, 90d, 180d, 365d, never, or a date such as 2027-01-31: to its last second, UTC.
                     * @default 90d
                     */
                    expires?: string;
                    /** @description Slugs that it is restricted to; null: wherever one is a member. */
                    workspaces: string[] | null;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedKey"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    revokeOwnKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id, key_…. */
                key: components["parameters"]["key"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listWorkspaceKeys: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    createWorkspaceKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    scopes: ("vulnerabilities:read" | "policy-violations:read" | "scans:read" | "organizations:read" | "repositories:read" | "applications:read" | "tenants:read" | "vulnerabilities:write" | "policy-violations:write" | "policies:write" | "scans:write" | "workspace:admin")[];
                    /**
                     * @description 7d, 30d, 60d, 90d, 180d, 365d, never, or a date such as 2027-01-31: to its last second, UTC.
                     * @default 90d
                     */
                    expires?: string;
                    /**
                     * @default viewer
                     * @enum {string}
                     */
                    role?: "viewer" | "member" | "admin";
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedKey"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    revokeWorkspaceKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id, key_…. */
                key: components["parameters"]["key"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listTrustRules: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrustRules"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    createTrustRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    /** @enum {string} */
                    provider: "github" | "gitlab";
                    /** @description Address of the provider, as its tokens name it; one that the server allows. */
                    issuer: string;
                    /** @description The audience that a token must be made for, such as the address of this server. */
                    audience: string;
                    /** @description Claims and the value that each must have. One must be an id: repository_id or repository_owner_id of GitHub, project_id or namespace_id of GitLab. */
                    claims: {
                        [key: string]: string;
                    };
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrustRule"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    deleteTrustRule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id, tru_…. */
                rule: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    createApplication: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name: string;
                    description?: string | null;
                    /** @description A member: `me`, id or e-mail address; null: nobody. */
                    owner?: string | null;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApplicationDetail"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    deleteApplication: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id, app_…. */
                application: components["parameters"]["application"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    changeApplication: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id, app_…. */
                application: components["parameters"]["application"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    name?: string;
                    description?: string | null;
                    /** @description A member: `me`, id or e-mail address; null: nobody. */
                    owner?: string | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApplicationDetail"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    setApplicationRepositories: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id, app_…. */
                application: components["parameters"]["application"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Ids, repo_…. */
                    repositories: string[];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApplicationDetail"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getTrackedBranches: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id, repo_…. */
                repository: components["parameters"]["repository"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrackedBranches"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    setTrackedBranches: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id, repo_…. */
                repository: components["parameters"]["repository"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Null: those of the workspace. */
                    own: string[] | null;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrackedBranches"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    changeRepository: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id, repo_…. */
                repository: components["parameters"]["repository"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    default_branch?: string;
                    /**
                     * @description VCS; goes with external_id.
                     * @enum {string}
                     */
                    source?: "local" | "ghc" | "ghe" | "gitlab" | "bitbucket" | "azure_devops";
                    external_id?: string;
                    /** @description People outside can reach what is built from it; policies ask for it. */
                    exposed?: boolean;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedRepository"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    changeReference: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id, ref_…. */
                reference: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description What it is compared with; null: nothing is known. */
                    base_ref?: string | null;
                    /** @description Such as production; null: none is known. */
                    environment?: string | null;
                    /**
                     * @description The branch was deleted: what is open there alone counts as fixed, until it is scanned again.
                     * @enum {boolean}
                     */
                    gone?: true;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReferenceSettings"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listAdvisoryNames: {
        parameters: {
            query?: {
                /** @description This name alone, as it is written. */
                name?: string;
                /** @description Rows of a page; also as `limit`. */
                per_page?: components["parameters"]["per_page"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdvisoryNamePage"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    changeAdvisoryName: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id of the name, adn_…. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    forgotten: boolean;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdvisoryName"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listAudit: {
        parameters: {
            query?: {
                /** @description me, a user id, an e-mail address, or operator: nobody with an account. */
                actor?: components["parameters"]["actor"];
                action?: components["parameters"]["action"];
                /** @description Id of what it was done to. */
                target?: components["parameters"]["target"];
                /** @description RFC 3339. */
                since?: components["parameters"]["since"];
                /** @description RFC 3339; before it. */
                until?: components["parameters"]["until"];
                /** @description Rows of a page; also as `limit`. */
                per_page?: components["parameters"]["per_page"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEventPage"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listAuditActions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditActionList"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    exportAudit: {
        parameters: {
            query?: {
                /** @description me, a user id, an e-mail address, or operator: nobody with an account. */
                actor?: components["parameters"]["actor"];
                action?: components["parameters"]["action"];
                /** @description Id of what it was done to. */
                target?: components["parameters"]["target"];
                /** @description RFC 3339. */
                since?: components["parameters"]["since"];
                /** @description RFC 3339; before it. */
                until?: components["parameters"]["until"];
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As long as it takes. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    uploadScan: {
        parameters: {
            query: {
                /** @description Repository: org/name; made if it is new. */
                repo: string;
                /** @description Reference that was scanned: short or full name. Without it: the default branch. */
                ref?: string;
                /** @description What a short `ref` is. */
                ref_type?: components["parameters"]["ref_type"];
                /** @description Commit that was scanned. */
                sha?: string;
                /** @description Of a pull request: the branch it goes to. */
                base_ref?: components["parameters"]["base_ref"];
                /** @description Of a pull request: where it left its base. */
                base_sha?: components["parameters"]["base_sha"];
                /** @description Default branch of the repository; else the first branch seen. */
                default_branch?: components["parameters"]["default_branch"];
                /** @description Tells several runs of one tool apart; else what the report says. */
                category?: components["parameters"]["category"];
                /** @description When it was scanned, RFC 3339 with an offset, not before 1990; else now. */
                scanned_at?: components["parameters"]["scanned_at"];
                /** @description What was scanned; else as the report says. */
                source?: "current" | "git_history";
                /** @description Format; else recognised from the content. */
                format?: components["parameters"]["format"];
                /** @description The report shows a part: close nothing. */
                partial?: components["parameters"]["partial"];
                /** @description Say what would change, and change nothing. */
                dry_run?: components["parameters"]["dry_run"];
                /** @description Close even what the guard would hold; for admins. */
                force?: components["parameters"]["force"];
                /** @description Where the reference is deployed, such as production. */
                environment?: components["parameters"]["environment"];
                /** @description Name of the file, as shown with the scan. */
                file_name?: components["parameters"]["file_name"];
                /** @description VCS of the repository. */
                repo_source?: components["parameters"]["repo_source"];
                /** @description Id that the VCS gives the repository: one that was renamed is found by it. */
                repo_external_id?: components["parameters"]["repo_external_id"];
                /** @description Id that the VCS gives the organization. */
                org_external_id?: components["parameters"]["org_external_id"];
                /** @description Whether the repository is private. */
                private?: components["parameters"]["private"];
            };
            header?: {
                "idempotency-key"?: components["parameters"]["idempotency-key"];
            };
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadedScan"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    uploadScanByHand: {
        parameters: {
            query: {
                /** @description Repository: org/name; made if it is new. */
                repo: string;
                /** @description Reference that was scanned: short or full name. Without it: the default branch. */
                ref?: string;
                /** @description What a short `ref` is. */
                ref_type?: components["parameters"]["ref_type"];
                /** @description Commit that was scanned. */
                sha?: string;
                /** @description Of a pull request: the branch it goes to. */
                base_ref?: components["parameters"]["base_ref"];
                /** @description Of a pull request: where it left its base. */
                base_sha?: components["parameters"]["base_sha"];
                /** @description Default branch of the repository; else the first branch seen. */
                default_branch?: components["parameters"]["default_branch"];
                /** @description Tells several runs of one tool apart; else what the report says. */
                category?: components["parameters"]["category"];
                /** @description When it was scanned, RFC 3339 with an offset, not before 1990; else now. */
                scanned_at?: components["parameters"]["scanned_at"];
                /** @description What was scanned; else as the report says. */
                source?: "current" | "git_history";
                /** @description Format; else recognised from the content. */
                format?: components["parameters"]["format"];
                /** @description The report shows a part: close nothing. */
                partial?: components["parameters"]["partial"];
                /** @description Say what would change, and change nothing. */
                dry_run?: components["parameters"]["dry_run"];
                /** @description Close even what the guard would hold; for admins. */
                force?: components["parameters"]["force"];
                /** @description Where the reference is deployed, such as production. */
                environment?: components["parameters"]["environment"];
                /** @description Name of the file, as shown with the scan. */
                file_name?: components["parameters"]["file_name"];
                /** @description VCS of the repository. */
                repo_source?: components["parameters"]["repo_source"];
                /** @description Id that the VCS gives the repository: one that was renamed is found by it. */
                repo_external_id?: components["parameters"]["repo_external_id"];
                /** @description Id that the VCS gives the organization. */
                org_external_id?: components["parameters"]["org_external_id"];
                /** @description Whether the repository is private. */
                private?: components["parameters"]["private"];
            };
            header?: {
                "idempotency-key"?: components["parameters"]["idempotency-key"];
            };
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadedScan"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["ValidationFailed"];
            429: components["responses"]["RateLimited"];
            "5XX": components["responses"]["ServerError"];
        };
    };
}

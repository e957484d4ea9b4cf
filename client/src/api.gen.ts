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
         * Say whether the process runs
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
         * Say whether the server can answer requests
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
         * Show the key, its workspace and the scopes in effect
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
         * Show the parents of organizations, by their ids
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
         * Show the last scan of repositories, and the verdict of their default branches, by their ids
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
         * @description Needs the scopes `repositories:read` and `vulnerabilities:read`.
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
         * Show the owners of applications and how many repositories they group, by their ids
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
         * Count the results of each value of each filter, with the other filters applied
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
         * Group vulnerabilities by package, rule or repository, the most severe group first
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
         * Show exploits, scores, tools and due dates of vulnerabilities, by their ids
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
         * Show a vulnerability with all its details
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
    "/api/v1/{tenant_slug}/vulnerabilities/{vulnerability}/issues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the issues of a vulnerability, and the trackers in which it may have one
         * @description Needs the scope `vulnerabilities:read`.
         */
        get: operations["listVulnerabilityIssues"];
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
         * Return the verdict (pass, warn or block) of a reference or commit, with the reasons and the changes that unblock it
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
         * Show the loaded versions of KEV, EPSS, OSV and SSVC
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
         * Show a scan with its counts, warnings and unreadable rows
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
         * List the vulnerabilities that are new in a scan, or that it fixed, in their present state, the most severe first
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
         * Show the progress of the scans of a reference or commit
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
         * Show the main figures of the workspace: open vulnerabilities, overdue violations, highest risks, time to fix, and scans
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
         * Count the open vulnerabilities of repositories, by their ids
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
         * Show the open vulnerabilities, the last scan and the verdict of applications, by their ids
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
         * Show the open vulnerabilities, the last scan and the verdict of organizations, by their ids
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
    "/api/v1/{tenant_slug}/team-open": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the open vulnerabilities of each team that owns code, the teams by name
         * @description Needs the scope `vulnerabilities:read`.
         */
        get: operations["listTeamOpen"];
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
         * Show how many vulnerabilities were open, new and fixed on each day
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
         * Stream all vulnerabilities, those that have changed since a cursor, or those that match filters
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
         * Export the decisions about vulnerabilities of a repository, application or reference as a VEX document
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
    "/api/v1/{tenant_slug}/cra-notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the actively exploited vulnerabilities of products with their clocks, the next due first
         * @description Needs the scopes `vulnerabilities:read` and `applications:read`.
         */
        get: operations["listCraNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/export/v1/{tenant_slug}/cra-document": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export the document that reports an actively exploited vulnerability of a product
         * @description Needs the scopes `vulnerabilities:read` and `applications:read`.
         */
        get: operations["exportCraDocument"];
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
         * Read the events since a cursor, in order, each of them once
         * @description Shows the types that the scopes of the key open: `vulnerabilities:read` those of vulnerabilities and advisories, `policy-violations:read` those of violations and exceptions, `scans:read` those of scans, `workspace:admin` those of keys, for admins.
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
    "/ingest/v1/{tenant_slug}/code-owners": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Send the CODEOWNERS file of a repository; it counts if it comes from the default branch and no admin has set another
         * @description Needs the scope `scans:write`, and the role `member` or a higher one.
         */
        put: operations["uploadCodeOwners"];
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
         * Exchange the token of a CI run for an API key that is valid for fifteen minutes
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
         * Accept, ignore, reject, confirm or reopen vulnerabilities: all of them or none
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
         * Assign vulnerabilities, or clear their assignments: all of them or none
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
         * Undo your own last decision or assignment of each vulnerability, if it is at most 15 minutes old: all of them or none
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
         * Delete your own comment, or as an admin any comment
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
         * Merge other vulnerabilities of the repository into this one; afterwards their ids show this one
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
         * Split locations of this vulnerability off, here and on other references, into a vulnerability of their own
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
         * List the facts that a condition may test
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
         * Create or replace a policy; the workspace is evaluated afterwards
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
         * Show what a policy would match and block, without a change
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
         * Show what applying these policies would change, without a change
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
         * Create or replace all policies of a document: all of them or none
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
         * Count the violations of each policy that has any
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
         * List the active policies that apply to a repository, with their violations there
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
         * Snooze or wake violations, or undo that: all of them or none. If the policy blocks, the snooze of a member requests an exception
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
         * Request an exception for violations, or for a policy in a repository
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
         * Withdraw your own request, or as an admin any request or approved exception
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
         * List the series of scans, each of one tool on one reference, and their held closures
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
    "/manage/v1/{tenant_slug}/scan-series/{series}/held-closure": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the vulnerabilities that a release of a held closure would fix, the most severe first
         * @description Needs the scopes `scans:read` and `vulnerabilities:read`.
         */
        get: operations["listHeldClosure"];
        put?: never;
        /**
         * Release or discard a held closure
         * @description Needs the scope `scans:write`, and the role `admin`.
         */
        post: operations["decideHeldClosure"];
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
         * Retire a series that is no longer used; vulnerabilities that only this series reported become fixed
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
         * List the workspaces of the caller, by name
         * @description Needs a person at the console, not a key.
         */
        get: operations["listWorkspaces"];
        put?: never;
        /**
         * Create a workspace; the operator who creates it is its first admin
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
         * Show the settings of the workspace and of the server
         * @description Needs the scope `workspace:admin`, and the role `admin`.
         */
        get: operations["getSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the settings of the workspace: name, tracked branches, exposed environments, forges, repositories that reports may create, the match with advisories, and the assignment to code owners
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
         * List your own saved views and those that others share, by name
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
         * Delete your own view, or as an admin any shared view
         * @description Needs a person at the console, not a key.
         */
        delete: operations["deleteSavedView"];
        options?: never;
        head?: never;
        /**
         * Change the name, query or sharing of your own view
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
         * Count the requests and overdue vulnerabilities that wait for the caller
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
         * Remove a member; the access ends at once, and the assignments are removed
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
         * List the open invitations, newest first
         * @description Needs the scope `workspace:admin`, and the role `admin`.
         */
        get: operations["listInvitations"];
        put?: never;
        /**
         * Invite a person by mail, and by a link that is shown once
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
         * Create a key of the workspace; only this answer shows its value
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
         * Revoke a key of the workspace; this cannot be undone
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
         * List the trust rules by which CI runs get keys, newest first
         * @description Needs a person at the console, not a key, and the role `admin`.
         */
        get: operations["listTrustRules"];
        put?: never;
        /**
         * Create a trust rule, by which runs of a CI provider exchange their token for a key that is valid for fifteen minutes
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
         * Delete a trust rule, and disable the keys that were given by it
         * @description Needs a person at the console, not a key, and the role `admin`.
         */
        delete: operations["deleteTrustRule"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhooks, newest first
         * @description Needs the scope `workspace:admin`, and the role `admin`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Create a webhook, which sends the events from now on to an address, signed as Standard Webhooks says, or to a chat
         * @description Needs a person at the console, not a key, and the role `admin`. A session must come from a sign-in of the last hour.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/webhooks/{webhook}": {
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
         * Delete a webhook with the log of its deliveries
         * @description Needs the scope `workspace:admin`, and the role `admin`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook; waiting events are sent at once
         * @description Needs a person at the console, not a key, and the role `admin`. A session must come from a sign-in of the last hour.
         */
        patch: operations["changeWebhook"];
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/webhooks/{webhook}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a new signing secret; the previous one also signs for 24 hours
         * @description Needs a person at the console, not a key, and the role `admin`. A session must come from a sign-in of the last hour.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/webhooks/{webhook}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the waiting and finished deliveries of a webhook, newest first
         * @description Needs the scope `workspace:admin`, and the role `admin`.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/webhooks/{webhook}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send events of the delivery log again: these, or all that have failed
         * @description Needs the scope `workspace:admin`, and the role `admin`.
         */
        post: operations["replayWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get what you receive by mail from the workspace
         * @description Needs a person at the console, not a key.
         */
        get: operations["getNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change what you receive by mail from the workspace
         * @description Needs a person at the console, not a key.
         */
        patch: operations["changeNotifications"];
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/teams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the teams, by name
         * @description Needs the scope `vulnerabilities:read`.
         */
        get: operations["listTeams"];
        put?: never;
        /**
         * Create a team
         * @description Needs the scope `workspace:admin`, and the role `admin`.
         */
        post: operations["createTeam"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/teams/{team}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a team and its members
         * @description Needs the scope `vulnerabilities:write`, and the role `member` or a higher one.
         */
        get: operations["getTeam"];
        put?: never;
        post?: never;
        /**
         * Delete a team; its members stay in the workspace
         * @description Needs the scope `workspace:admin`, and the role `admin`.
         */
        delete: operations["deleteTeam"];
        options?: never;
        head?: never;
        /**
         * Change the name of a team, its members, its groups, or the names that mean it in CODEOWNERS files
         * @description Needs the scope `workspace:admin`, and the role `admin`.
         */
        patch: operations["changeTeam"];
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/repositories/{repository}/code-owners": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the CODEOWNERS file of a repository, and the teams and members that its names mean
         * @description Needs the scopes `repositories:read` and `vulnerabilities:write`, and the role `member` or a higher one.
         */
        get: operations["getCodeOwners"];
        /**
         * Set the CODEOWNERS file of a repository; uploads do not replace it any more
         * @description Needs the scope `workspace:admin`, and the role `admin`.
         */
        put: operations["setCodeOwners"];
        post?: never;
        /**
         * Let the next upload from the default branch replace the CODEOWNERS file that an admin has set
         * @description Needs the scope `workspace:admin`, and the role `admin`.
         */
        delete: operations["releaseCodeOwners"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/issue-trackers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the issue trackers, newest first
         * @description Needs the scope `workspace:admin`, and the role `admin`.
         */
        get: operations["listIssueTrackers"];
        put?: never;
        /**
         * Create an issue tracker: a project of GitHub, GitLab or Jira in which issues are made
         * @description Needs a person at the console, not a key, and the role `admin`. A session must come from a sign-in of the last hour.
         */
        post: operations["createIssueTracker"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/issue-trackers/{tracker}": {
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
         * Delete an issue tracker with its links; the issues stay where they are
         * @description Needs the scope `workspace:admin`, and the role `admin`.
         */
        delete: operations["deleteIssueTracker"];
        options?: never;
        head?: never;
        /**
         * Change an issue tracker; what has failed is tried again
         * @description Needs a person at the console, not a key, and the role `admin`. A session must come from a sign-in of the last hour.
         */
        patch: operations["changeIssueTracker"];
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/vulnerabilities/{vulnerability}/issues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make an issue for a vulnerability, or for its package in its repository
         * @description Needs the scope `vulnerabilities:write`, and the role `member` or a higher one.
         */
        post: operations["createVulnerabilityIssue"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/vulnerabilities/{vulnerability}/issues/{issue}": {
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
         * Take the link to an issue away, for all its vulnerabilities; the issue stays in the tracker
         * @description Needs the scope `vulnerabilities:write`, and the role `member` or a higher one.
         */
        delete: operations["unlinkIssue"];
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
         * Create an application
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
         * Change the name, description or owner of an application, or whether it is a product
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
         * Replace the list of repositories that an application groups
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
    "/manage/v1/{tenant_slug}/applications/{application}/cra-notifications/{cve}": {
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
         * Record what was reported about an actively exploited vulnerability of a product, and when
         * @description Needs the scope `workspace:admin`, and the role `admin`.
         */
        patch: operations["recordCraSteps"];
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
         * Show which branches of a repository are tracked, like its default branch
         * @description Needs the scope `repositories:read`.
         */
        get: operations["getTrackedBranches"];
        /**
         * Set which branches of a repository are tracked, like its default branch
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
        /**
         * Show a repository with what an admin has set
         * @description Needs the scope `repositories:read`.
         */
        get: operations["getManagedRepository"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Set the default branch of a repository, its id at the VCS, or whether it is exposed
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
         * Set the base of a reference, its environment, or that it was deleted
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
         * List the names of advisories that Merlon has learned from reports, and who uploaded these
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
         * Forget a learned name of an advisory, or restore it
         * @description A forgotten name joins no more findings, and no report teaches it again. The vulnerabilities that it has joined stay joined until you split them; until somebody decides about them again, policies that block ignore their decisions.
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
         * List the events of the audit log, newest first
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
         * Upload a report; the answer comes at once, and the report is processed afterwards
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
         * Upload a report, like /ingest/v1, also with a session
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
            requestBody?: components["requestBodies"]["VulnerabilityEvent"];
            responses: {
                "2XX": components["responses"]["EventReceived"];
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
            requestBody?: components["requestBodies"]["VulnerabilityEvent"];
            responses: {
                "2XX": components["responses"]["EventReceived"];
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
            requestBody?: components["requestBodies"]["VulnerabilityEvent"];
            responses: {
                "2XX": components["responses"]["EventReceived"];
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
            requestBody?: components["requestBodies"]["VulnerabilityEvent"];
            responses: {
                "2XX": components["responses"]["EventReceived"];
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
            requestBody?: components["requestBodies"]["VulnerabilityEvent"];
            responses: {
                "2XX": components["responses"]["EventReceived"];
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
            requestBody?: components["requestBodies"]["ViolationEvent"];
            responses: {
                "2XX": components["responses"]["EventReceived"];
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
            requestBody?: components["requestBodies"]["ViolationEvent"];
            responses: {
                "2XX": components["responses"]["EventReceived"];
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
            requestBody?: components["requestBodies"]["ViolationEvent"];
            responses: {
                "2XX": components["responses"]["EventReceived"];
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
            requestBody?: components["requestBodies"]["ViolationEvent"];
            responses: {
                "2XX": components["responses"]["EventReceived"];
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
            requestBody?: components["requestBodies"]["ViolationEvent"];
            responses: {
                "2XX": components["responses"]["EventReceived"];
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
            requestBody?: components["requestBodies"]["ExceptionEvent"];
            responses: {
                "2XX": components["responses"]["EventReceived"];
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
            requestBody?: components["requestBodies"]["ExceptionEvent"];
            responses: {
                "2XX": components["responses"]["EventReceived"];
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
            requestBody?: components["requestBodies"]["ExceptionEvent"];
            responses: {
                "2XX": components["responses"]["EventReceived"];
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
            requestBody?: components["requestBodies"]["ExceptionEvent"];
            responses: {
                "2XX": components["responses"]["EventReceived"];
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
            requestBody?: components["requestBodies"]["ScanEvent"];
            responses: {
                "2XX": components["responses"]["EventReceived"];
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
            requestBody?: components["requestBodies"]["ScanEvent"];
            responses: {
                "2XX": components["responses"]["EventReceived"];
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
            requestBody?: components["requestBodies"]["ScanEvent"];
            responses: {
                "2XX": components["responses"]["EventReceived"];
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
            requestBody?: components["requestBodies"]["KeyEvent"];
            responses: {
                "2XX": components["responses"]["EventReceived"];
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
            requestBody?: components["requestBodies"]["KeyEvent"];
            responses: {
                "2XX": components["responses"]["EventReceived"];
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
            requestBody?: components["requestBodies"]["KeyEvent"];
            responses: {
                "2XX": components["responses"]["EventReceived"];
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
            requestBody?: components["requestBodies"]["KeyEvent"];
            responses: {
                "2XX": components["responses"]["EventReceived"];
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
            requestBody?: components["requestBodies"]["AdvisoryEvent"];
            responses: {
                "2XX": components["responses"]["EventReceived"];
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
        AcceptInvitationBody: {
            token: string;
            name?: string;
            password?: string;
        };
        Account: {
            id: string;
            name: string;
            email: string;
        };
        AddCommentBody: {
            /** @description Plain text. */
            body: string;
        };
        AdvisoryEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "advisory.matched";
            data: components["schemas"]["AdvisoryEventData"];
        };
        AdvisoryEventData: components["schemas"]["EventData"] & {
            vulnerability: components["schemas"]["EventVulnerability"];
            /** @description Name of the advisory, such as GHSA-…. */
            advisory: string | null;
        };
        AdvisoryName: {
            id: string;
            name: string;
            /** @description The CVE that the name stands for; empty if one report gave it to two CVEs. */
            advisory: string;
            /**
             * @description joins: findings with the name belong to the CVE; ambiguous: reports gave the name to two CVEs, so it joins nothing; forgotten: an admin has removed it.
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
            /** @description Number of repositories that it groups. */
            repositories: number;
            owner: components["schemas"]["Person"] | null;
        };
        ApplicationCountsList: {
            items: components["schemas"]["ApplicationCounts"][];
        };
        ApplicationDetail: components["schemas"]["Application"] & {
            owner: components["schemas"]["Person"] | null;
            /** @description It is a product that the company makes available in the European Union, so the duties of the Cyber Resilience Act are tracked for it. */
            is_product: boolean;
            /** @description By name. */
            repositories: components["schemas"]["RepositoryBrief"][];
        };
        /** @description Member of the workspace: `me`, a user id or an e-mail address; null: no owner. */
        ApplicationOwner: string | null;
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
        AssignVulnerabilitiesBody: {
            assignee: components["schemas"]["Assignee"];
            vulnerabilities: components["schemas"]["NamedVulnerability"][];
        };
        AssignVulnerabilityBody: {
            assignee: components["schemas"]["Assignee"];
            status_version?: components["schemas"]["StatusVersion"];
        };
        AssignedVulnerabilities: {
            items: {
                id: string;
                assignee: components["schemas"]["Person"] | null;
                status_version: string;
                /** Format: date-time */
                updated_at: string;
                /** @description False: it had this assignee before. Only a change can be undone. */
                changed: boolean;
            }[];
        };
        AssignedVulnerability: {
            id: string;
            assignee: components["schemas"]["Person"] | null;
            status_version: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** @description me, a user id or an e-mail address; null or unassigned clears the assignment. */
        Assignee: string | null;
        Assignment: {
            vulnerability: components["schemas"]["AssignedVulnerability"];
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
        BeginOidcBody: {
            next?: string;
        };
        BranchHead: {
            ref: string | null;
            sha: string | null;
        };
        ChangeAdvisoryNameBody: {
            forgotten: boolean;
        };
        ChangeApplicationBody: {
            name?: string;
            /** @description Text for people; null: none. */
            description?: string | null;
            owner?: components["schemas"]["ApplicationOwner"];
            /** @description True: a product that the company makes available in the European Union. */
            product?: boolean;
        };
        ChangeIssueTrackerBody: {
            name?: string;
            /** @description Address of its pages; by default https://github.com or https://gitlab.com. */
            url?: string;
            /** @description `owner/name` at GitHub, `group/name` at GitLab, the key of the project at Jira. */
            project?: string;
            /** @description Jira Cloud: e-mail address of the token’s user. Null: Jira Data Center, or no Jira. */
            user?: string | null;
            /** @description Labels of new issues, besides `merlon`. */
            labels?: string[];
            /** @description Jira: the type of new issues; by default Task. */
            issue_type?: string | null;
            /** @description Jira: the status of a closed issue; null: the first of the category "done". */
            closed_status?: string | null;
            /** @description Jira: the status of an issue that is open again; null: the first that is open. */
            open_status?: string | null;
            /** @description True: issues may be made where everybody can read them. */
            allows_public?: boolean;
            /** @description While it is false, nothing is written and nothing read. */
            enabled?: boolean;
            /** @description It is not shown again. */
            token?: string;
            /** @description Makes issues by itself; null: people make them. */
            rule?: components["schemas"]["IssueRuleInput"] | null;
        };
        ChangeNotificationsBody: {
            /** @description At once: exceptions that wait for the approval of the caller. */
            approvals?: boolean;
            /** @description At once: vulnerabilities that are assigned to the caller, and when they are due within three days. */
            assigned?: boolean;
            /** @enum {string} */
            digest?: "none" | "daily" | "weekly";
            /**
             * @description The digest tells what has opened at or above it.
             * @enum {string}
             */
            least_severity?: "unknown" | "info" | "low" | "medium" | "high" | "critical";
        };
        ChangePasswordBody: {
            current: string;
            new: string;
        };
        ChangeReferenceBody: {
            /** @description Branch that it is compared with; null: none. */
            base_ref?: string | null;
            /** @description Environment where it is deployed, such as production; null: none. */
            environment?: string | null;
            /**
             * @description true: the branch, tag or pull request was deleted. Vulnerabilities that are open only there become fixed, until it is scanned again.
             * @enum {boolean}
             */
            deleted?: true;
            /**
             * Format: date-time
             * @description The last scan that you have read. If there is another one by now, the request is refused with 409.
             */
            last_scanned_at?: string | null;
        };
        ChangeRepositoryBody: {
            default_branch?: string;
            /**
             * @description VCS. Needs `external_id`.
             * @enum {string}
             */
            source?: "local" | "ghc" | "ghe" | "gitlab" | "bitbucket" | "azure_devops";
            external_id?: string;
            /** @description True: people outside the company can reach the software that is built from it. Policies test this as the fact `exposed`. */
            exposed?: boolean;
        };
        ChangeRoleBody: {
            /** @enum {string} */
            role: "viewer" | "member" | "admin";
        };
        ChangeSavedViewBody: {
            name?: string;
            /** @description Query string of the page, without the question mark. */
            query?: string;
            /** @description true: everybody in the workspace sees it. Needs the role member. */
            shared?: boolean;
        };
        ChangeSettingsBody: {
            name?: string;
            tracked_branches?: components["schemas"]["TrackedBranchNames"];
            /** @enum {string} */
            new_repositories?: "any" | "known_organizations" | "never";
            /** @enum {string} */
            advisory_matching?: "on" | "off";
            /** @description Environments that people outside the company can reach, such as production. Policies test this as the fact `exposed`. */
            exposed_environments?: string[];
            /** @enum {string} */
            assign_owners?: "off" | "on";
            /** @description The new list, which replaces the one before. */
            forges?: {
                /** @description Address, such as https://git.example.com. */
                url: string;
                /** @enum {string} */
                kind: "github" | "gitlab" | "bitbucket" | "bitbucket_data_center" | "azure_devops" | "gitea";
                /** @description Full path of the organization whose repositories it holds; null: all others. */
                organization?: string | null;
            }[];
        };
        ChangeTeamBody: {
            name?: string;
            owner_names?: components["schemas"]["TeamOwnerNames"];
            members?: components["schemas"]["TeamMembers"];
            groups?: components["schemas"]["TeamGroups"];
        };
        ChangeWebhookBody: {
            name?: string;
            /** @description https address that takes the events by POST. Its path and query are not shown again, because they may be a token. */
            url?: string;
            /** @description Only these types; none: all. */
            types?: components["schemas"]["EventType"][];
            /**
             * @description Events of vulnerabilities and violations below it are left out, but for the one by which the severity sinks below it; `unknown`: none is.
             * @enum {string}
             */
            least_severity?: "unknown" | "info" | "low" | "medium" | "high" | "critical";
            /** @description While it is false, events wait; they are kept for MERLON_KEEP_EVENTS_DAYS. */
            enabled?: boolean;
            /** @description Ids, repo_…. With repositories or applications, only events of these; events of no repository are left out. */
            repositories?: string[];
            /** @description Ids, app_…. The repositories that they have when the event is read. */
            applications?: string[];
        };
        ChangedVulnerability: components["schemas"]["VulnerabilityBrief"] & {
            /** @description The first 1,000 ids; lists, the detail and exports have no more. Policies read all of them. */
            identifiers: string[];
        };
        ChangedVulnerabilityPage: {
            summary: components["schemas"]["SeveritySummary"];
            items: components["schemas"]["ChangedVulnerability"][];
            next_cursor: string | null;
        };
        CodeOwner: components["schemas"]["NamedCodeOwner"] & {
            /** @description Line of the rule in the file. */
            line: number;
        };
        CodeOwners: {
            path: string | null;
            content: string;
            /** @description True: uploads do not replace it. */
            set_by_admin: boolean;
            /** Format: date-time */
            updated_at: string | null;
            /** @description Number of its rules. */
            rules: number;
            /** @description All owners that it names. One without team and person means nobody in the workspace. */
            owners: components["schemas"]["NamedCodeOwner"][];
            /** @description Lines that are left out in whole or in part. */
            problems: {
                line: number;
                text: string;
            }[];
        };
        CodeOwnersInput: {
            /** @description Path of the file in the repository, such as .github/CODEOWNERS. */
            path: string;
            /** @description The file, in the syntax of GitHub or GitLab; at most 256 kB. Empty: nobody owns anything. */
            content: string;
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
        CraNotification: {
            application: components["schemas"]["IdAndName"];
            cve: string;
            title: string | null;
            severity: ("unknown" | "info" | "low" | "medium" | "high" | "critical") | null;
            /**
             * Format: date-time
             * @description When it was first both found in the product and listed by CISA as exploited; null: only a person has said so.
             */
            known_at: string | null;
            /** @description Repositories of the product in which it is or was. */
            repositories: number;
            /** @description Those of them in which it is, open or with a decision. */
            present_repositories: number;
            /** @enum {string} */
            state: "open" | "overdue" | "complete" | "not_reportable";
            /** Format: date-time */
            aware_at: string;
            early_warning: components["schemas"]["CraStep"];
            notification: components["schemas"]["CraStep"];
            /**
             * Format: date-time
             * @description When a corrective or mitigating measure was available.
             */
            measure_at: string | null;
            final_report: components["schemas"]["CraStep"];
            not_reportable_reason: string | null;
            /** @description Send it with a change; 0: nothing is recorded. */
            version: number;
            changed_by: string | null;
            /** Format: date-time */
            changed_at: string | null;
        };
        CraNotificationPage: {
            items: components["schemas"]["CraNotification"][];
            next_cursor: string | null;
            /** @description False: CISA's catalogue was never loaded, so only what a person has recorded is listed. */
            kev_loaded: boolean;
            /** @description False: no application is marked as a product. */
            has_products: boolean;
        };
        CraStep: {
            /**
             * Format: date-time
             * @description Null: the clock does not run yet, because no measure is available.
             */
            due_at: string | null;
            /** Format: date-time */
            sent_at: string | null;
            /**
             * @description As the clock has it, whatever `not_reportable_reason` says.
             * @enum {string}
             */
            state: "waiting" | "due" | "overdue" | "sent";
        };
        CreateApplicationBody: {
            name: string;
            /** @description Text for people; null: none. */
            description?: string | null;
            owner?: components["schemas"]["ApplicationOwner"];
            /** @description True: a product that the company makes available in the European Union. */
            product?: boolean;
        };
        CreateIssueTrackerBody: {
            /** @enum {string} */
            kind: "github" | "gitlab" | "jira";
            name: string;
            /** @description Address of its pages; by default https://github.com or https://gitlab.com. */
            url?: string;
            /** @description `owner/name` at GitHub, `group/name` at GitLab, the key of the project at Jira. */
            project: string;
            /** @description Jira Cloud: e-mail address of the token’s user. Null: Jira Data Center, or no Jira. */
            user?: string | null;
            /** @description Labels of new issues, besides `merlon`. */
            labels?: string[];
            /** @description Jira: the type of new issues; by default Task. */
            issue_type?: string | null;
            /** @description Jira: the status of a closed issue; null: the first of the category "done". */
            closed_status?: string | null;
            /** @description Jira: the status of an issue that is open again; null: the first that is open. */
            open_status?: string | null;
            /** @description True: issues may be made where everybody can read them. */
            allows_public?: boolean;
            /** @description While it is false, nothing is written and nothing read. */
            enabled?: boolean;
            /** @description It is not shown again. */
            token: string;
            /** @description Makes issues by itself; null: people make them. */
            rule?: components["schemas"]["IssueRuleInput"] | null;
        };
        CreateOwnKeyBody: {
            name: string;
            scopes: ("vulnerabilities:read" | "policy-violations:read" | "scans:read" | "organizations:read" | "repositories:read" | "applications:read" | "tenants:read" | "vulnerabilities:write" | "policy-violations:write" | "policies:write" | "scans:write" | "workspace:admin")[];
            /**
             * @description 7d, 30d, 60d, 90d, 180d, 365d, never, or a date such as 2027-01-31. The key is valid until the end of that day (UTC).
             * @default 90d
             */
            expires: string;
            /** @description Slugs that it is restricted to; null: wherever one is a member. */
            workspaces: string[] | null;
        };
        CreateSavedViewBody: {
            name: string;
            /** @description Query string of the page, without the question mark. */
            query: string;
            /** @description true: everybody in the workspace sees it. Needs the role member. */
            shared?: boolean;
            /** @enum {string} */
            page: "vulnerabilities";
        };
        CreateTeamBody: {
            name: string;
            owner_names?: components["schemas"]["TeamOwnerNames"];
            members?: components["schemas"]["TeamMembers"];
            groups?: components["schemas"]["TeamGroups"];
        };
        CreateTrustRuleBody: {
            name: string;
            /** @enum {string} */
            provider: "github" | "gitlab";
            /** @description Address of the provider, as in its tokens. The server must allow it. */
            issuer: string;
            /** @description Audience that a token must name, such as the address of this server. */
            audience: string;
            /** @description Claims with the values that a token must have. At least one must be an id: repository_id or repository_owner_id (GitHub), project_id or namespace_id (GitLab). */
            claims: {
                [key: string]: string;
            };
        };
        CreateVulnerabilityIssueBody: {
            /** @description Id of the issue tracker, trk_…. */
            tracker: string;
            /** @description One issue for all open vulnerabilities of the package. */
            group?: boolean;
        };
        CreateWebhookBody: {
            name: string;
            /** @description https address that takes the events by POST. Its path and query are not shown again, because they may be a token. */
            url: string;
            /**
             * @description `standard`: each event, signed. `slack`, `teams`: one message for people about all that is new, unsigned. It is not changed later.
             * @enum {string}
             */
            format?: "standard" | "slack" | "teams";
            /** @description Only these types; none: all. */
            types?: components["schemas"]["EventType"][];
            /**
             * @description Events of vulnerabilities and violations below it are left out, but for the one by which the severity sinks below it; `unknown`: none is.
             * @enum {string}
             */
            least_severity?: "unknown" | "info" | "low" | "medium" | "high" | "critical";
            /** @description While it is false, events wait; they are kept for MERLON_KEEP_EVENTS_DAYS. */
            enabled?: boolean;
            /** @description Ids, repo_…. With repositories or applications, only events of these; events of no repository are left out. */
            repositories?: string[];
            /** @description Ids, app_…. The repositories that they have when the event is read. */
            applications?: string[];
        };
        CreateWorkspaceBody: {
            slug: string;
            name: string;
        };
        CreateWorkspaceKeyBody: {
            name: string;
            scopes: ("vulnerabilities:read" | "policy-violations:read" | "scans:read" | "organizations:read" | "repositories:read" | "applications:read" | "tenants:read" | "vulnerabilities:write" | "policy-violations:write" | "policies:write" | "scans:write" | "workspace:admin")[];
            /**
             * @description 7d, 30d, 60d, 90d, 180d, 365d, never, or a date such as 2027-01-31. The key is valid until the end of that day (UTC).
             * @default 90d
             */
            expires: string;
            /**
             * @default viewer
             * @enum {string}
             */
            role: "viewer" | "member" | "admin";
        };
        CreatedInvitation: {
            invitation: components["schemas"]["Invitation"];
            /** @description Secret of the link: the address of the server, then /invite#, then this. */
            link_token: string;
        };
        CreatedKey: {
            key: components["schemas"]["Key"];
            /** @description The key itself. Only this answer shows it. */
            value: string;
        };
        CvssScore: {
            score: number | null;
            /** @description The vector of this score; null if the newest vector is of another score. */
            vector: string | null;
        };
        DecideHeldClosureBody: {
            /** @enum {string} */
            action: "release" | "discard";
            /** @description Id of the scan whose closure was reviewed, `held.scan_id`: 409 if another is held now, or none to discard. */
            scan_id: string;
            /** @description Shown in the audit log. */
            reason?: string;
        };
        DecideViolationsBody: {
            /** @enum {string} */
            action: "snooze" | "wake" | "undo";
            violations: {
                id: string;
            }[];
            /** @description Required, except for an undo. */
            reason?: string;
            /** @description End of the snooze: a time in RFC 3339. */
            until?: string;
        };
        DecideVulnerabilitiesBody: {
            /** @enum {string} */
            action: "accept" | "ignore" | "reject" | "confirm" | "reopen";
            vulnerabilities: components["schemas"]["NamedVulnerability"][];
            /** @description Required for accept, ignore and reject. */
            reason?: string;
            /** @enum {string} */
            resolution?: "fixed" | "risk_accepted" | "wont_fix" | "false_positive" | "not_affected" | "test_code";
            /** @description End of an acceptance: a time in RFC 3339. */
            until?: string;
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
                /** @description True: this request has changed it. Only a change can be undone. */
                changed: boolean;
                exceptions: string[];
            }[];
        };
        Ecosystem: {
            /** @description Type of package URL, such as npm. */
            ecosystem: string;
        };
        EcosystemList: {
            items: components["schemas"]["Ecosystem"][];
        };
        EpssScore: {
            score: number;
            percentile: number;
        };
        Event: {
            id: components["schemas"]["EventId"];
            type: components["schemas"]["EventType"];
            timestamp: components["schemas"]["EventRecordedAt"];
            workspace: components["schemas"]["EventWorkspace"];
        };
        EventCause: {
            scan: string | null;
            /** @description Scan and user are null if the event was caused by the clock or by the operator. */
            user: string | null;
        };
        EventCursor: {
            /** @description In the last line: send it as `since` of the next request. */
            cursor: string;
            /** @description True: there are more events, so read again at once. */
            more: boolean;
        };
        EventData: {
            occurred_at: components["schemas"]["EventOccurredAt"];
            repository: components["schemas"]["RepositoryBrief"] | null;
            cause: components["schemas"]["EventCause"];
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
        /** @description The feed and every attempt of a webhook send the same id: use it to recognise repeated events. */
        EventId: string;
        EventKey: {
            id: string;
            kind: string;
            name: string;
            /** Format: date-time */
            expires_at: string | null;
        };
        EventLine: components["schemas"]["VulnerabilityEvent"] | components["schemas"]["ViolationEvent"] | components["schemas"]["ExceptionEvent"] | components["schemas"]["ScanEvent"] | components["schemas"]["KeyEvent"] | components["schemas"]["AdvisoryEvent"] | components["schemas"]["EventCursor"];
        /**
         * Format: date-time
         * @description The time of the report or the action, or the time at which it became true.
         */
        EventOccurredAt: string;
        /**
         * Format: date-time
         * @description The time at which the event was recorded.
         */
        EventRecordedAt: string;
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
            /** @description The error code of a failed scan. */
            error: string | null;
        };
        /** @enum {string} */
        EventType: "vulnerability.opened" | "vulnerability.fixed" | "vulnerability.reopened" | "vulnerability.status_changed" | "vulnerability.assigned" | "violation.opened" | "violation.due_soon" | "violation.overdue" | "violation.resolved" | "violation.snoozed" | "exception.requested" | "exception.approved" | "exception.refused" | "exception.expiring" | "scan.completed" | "scan.failed" | "scan.closing_held" | "key.created" | "key.expiring" | "key.expired" | "key.revoked" | "advisory.matched";
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
                /** @description The present title of a vulnerability; null for other targets. */
                title: string | null;
            };
        };
        EventVulnerability: {
            id: string;
            /** @description The present title; null if the vulnerability was merged into another or deleted. */
            title: string | null;
            status: string;
            severity: string;
            type: string;
            confirmed: boolean;
            triaged: boolean;
            resolution: string | null;
            assignee: string | null;
            /** @description The values before the event, of the fields that it changed. */
            previous?: {
                status?: string;
                severity?: string;
                type?: string;
                confirmed?: boolean;
                triaged?: boolean;
                resolution?: string | null;
                assignee?: string | null;
            };
            /** @description The event of the history, such as accepted. */
            change?: string;
            reason?: string;
            /** @description The vulnerability into which this one was merged. */
            merged_into?: string;
            /** @description The vulnerability from which this one was split. */
            split_from?: string;
        };
        EventWorkspace: {
            id: string;
            slug: string;
        };
        Evidence: {
            snippet: {
                /** @description Lines of code; secrets are removed. */
                text: string;
                first_line: number | null;
                marked_from: number | null;
                marked_to: number | null;
            } | null;
            /** @description Steps from the source to the sink. */
            data_flow: {
                path: string | null;
                line: number | null;
                text: string;
            }[];
            /** @description Explanation of the rule by the tool, in Markdown. Do not trust it: sanitize the HTML that you make of it. */
            help: string | null;
            /** @description How to fix it, in Markdown; do not trust it either. */
            remediation: string | null;
            /** @description Chains of name@version, from a direct dependency of the project to the package. */
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
            /** @description Null: the exception is for the policy in the whole repository. */
            violation_id: string | null;
            /** @description Target of the violation; null if the exception is for no single violation, or if the target no longer exists. */
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
        ExceptionEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "exception.requested" | "exception.approved" | "exception.refused" | "exception.expiring";
            data: components["schemas"]["ExceptionEventData"];
        };
        ExceptionEventData: components["schemas"]["EventData"] & {
            exception: components["schemas"]["EventException"];
        };
        ExceptionList: {
            items: components["schemas"]["Exception"][];
        };
        ExceptionPage: {
            items: components["schemas"]["Exception"][];
            next_cursor: string | null;
        };
        ExchangeCiTokenBody: {
            token: string;
        };
        ExportCursor: {
            /** @description In the last line: send it as `since` of the next export. */
            cursor: string;
        };
        ExportEnd: {
            /**
             * @description True in the last line of an export with filters or `sort`, which shows that the export is complete.
             * @enum {boolean}
             */
            complete: true;
            /** @description Number of vulnerabilities before this line. */
            count: number;
        };
        ExportLine: components["schemas"]["ExportedVulnerability"] | components["schemas"]["MergedVulnerability"] | components["schemas"]["ExportCursor"] | components["schemas"]["ExportEnd"];
        ExportedVulnerability: components["schemas"]["FullVulnerability"] & {
            /**
             * @description tracked: has been on a tracked reference. branches: has been on other references only. elsewhere: fixed on the tracked ones, live on another.
             * @enum {string}
             */
            reach: "tracked" | "branches" | "elsewhere";
            /** @description At most 1000: the default branch, tracked ones, active ones, and then the newest. */
            references: {
                ref: string;
                type: string;
                /** @description False: the branch was deleted or had no scan for long, so its status no longer counts. */
                active: boolean;
                status: string;
                /** Format: date-time */
                first_seen_at: string;
                /** Format: date-time */
                fixed_at: string | null;
            }[];
            tools: {
                tool: string;
                /** @description True: the tool reports it now on an active reference. */
                live: boolean;
            }[];
        };
        FixTime: {
            /** @enum {string} */
            severity: "unknown" | "info" | "low" | "medium" | "high" | "critical";
            /** @description Number within 90 days. */
            fixed: number;
            mean_seconds: number | null;
        };
        FixedCount: {
            /** @description Number of vulnerabilities that this fixed. */
            fixed: number;
        };
        Forge: {
            /** @description Address, such as https://git.example.com. */
            url: string;
            /** @enum {string} */
            kind: "github" | "gitlab" | "bitbucket" | "bitbucket_data_center" | "azure_devops" | "gitea";
            /** @description Full path of the organization whose repositories it holds; null: all others. */
            organization: string | null;
        };
        ForgeList: {
            items: components["schemas"]["Forge"][];
        };
        FullVulnerability: components["schemas"]["VulnerabilityBrief"] & {
            description: string | null;
            rule: string;
            /** @description The first 1,000 ids; lists, the detail and exports have no more. Policies read all of them. */
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
        };
        Gate: {
            repository: components["schemas"]["RepositoryBrief"];
            reference: components["schemas"]["ReferenceBrief"] | null;
            /** @description The requested commit; without `sha` the head of the reference. */
            sha: string | null;
            /** @description True: the reference or one of its tools has scanned another commit since, or the reference is inactive. The verdict is the worst of this commit’s scans. */
            superseded: boolean;
            /** @description pass, warn, block; null: not yet. */
            verdict: string | null;
            status: string | null;
            /** @description True: a changed policy is still being evaluated in the whole workspace, or the repository after its own change or after the end of an exception, a snooze or an acceptance, so only the verdict `block` is final. */
            policies_pending: boolean;
            /** @description Active policies of the workspace. With 0 a pass means nothing. */
            active_policies: number;
            scans: components["schemas"]["ScanRun"][];
            missing: string[];
            base: {
                /** @description compared: only violations that the base does not have count; none: there is no base; missing: the base was never scanned, so all violations count; untracked: a policy blocks, and the base is neither the default branch nor named by somebody who may decide, so all violations count; ignored: `all` was requested. */
                state: string;
                ref: string | null;
                sha: string | null;
                /** Format: date-time */
                at: string | null;
            };
            summary: {
                blocking: number;
                /** @description Violations that only warn, or are snoozed. */
                warning: number;
                /** @description Violations that the base has too; they do not count. */
                on_base: number;
            };
            /** @description Page of the newest scan of the reference in the console, which compares with the base that the report names; null without a scan. Where MERLON_PUBLIC_URL is not set it is a path on the server. */
            page: string | null;
            violations: components["schemas"]["GateViolation"][];
            /** @description True: there are more violations than the answer shows. */
            truncated: boolean;
            unblock: components["schemas"]["UnblockStep"][];
        };
        GateViolation: {
            id: string;
            /** @description Its page in the console. Where MERLON_PUBLIC_URL is not set it is a path on the server. */
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
            /** @description Title of the target. */
            title: string;
            /** @description Id of the advisory, such as CVE-2021-44228. */
            advisory: string | null;
            /** @description Rule that found the vulnerability; null for a package. */
            rule: string | null;
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
            /** @description The lowest version above the one in use that fixes it. */
            fix_version: string | null;
            owner: components["schemas"]["Person"] | null;
        };
        GroupCounts: {
            id: string;
            /** @description Open vulnerabilities in all its repositories. */
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
        HeldClosure: components["schemas"]["ChangedVulnerabilityPage"] & {
            /** @description Number of vulnerabilities that the series sees, held ones included. */
            seen: number;
        };
        IdAndName: {
            id: string;
            name: string;
        };
        IntelFeed: {
            /** @description Version of the catalogue (KEV) or of the model (EPSS); for OSV and SSVC the day of the newest change. */
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
            /** @description True: the link is no longer valid. Invite the person again for a new one. */
            expired: boolean;
            /** @description The mail with a link to this address; null if the server had no mail server. */
            mail: {
                /** @enum {string} */
                status: "pending" | "delivered" | "failed";
                /** Format: date-time */
                mailed_at: string | null;
                error: string | null;
            } | null;
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
        InviteBody: {
            email: string;
            /** @enum {string} */
            role: "viewer" | "member" | "admin";
        };
        IssueFigures: {
            linked: number;
            /** @description Issues that are to be made. */
            waiting: number;
            /** @description The last attempt to write them has failed. */
            failed: number;
            /** @description They were deleted in the tracker. */
            deleted: number;
        };
        IssueRuleInput: {
            /** @enum {string} */
            least_severity?: "unknown" | "info" | "low" | "medium" | "high" | "critical";
            /** @description Only what violates a policy that blocks. */
            blocking_only?: boolean;
            /** @description Ids, repo_…; with no application either: all. */
            repositories?: string[];
            /** @description Ids, app_…. */
            applications?: string[];
        };
        IssueTracker: {
            id: string;
            /** @enum {string} */
            kind: "github" | "gitlab" | "jira";
            name: string;
            /** @description Address of its pages; by default https://github.com or https://gitlab.com. */
            url: string;
            /** @description `owner/name` at GitHub, `group/name` at GitLab, the key of the project at Jira. */
            project: string;
            /** @description Jira Cloud: e-mail address of the token’s user. Null: Jira Data Center, or no Jira. */
            user: string | null;
            /** @description Labels of new issues, besides `merlon`. */
            labels: string[];
            /** @description Jira: the type of new issues; by default Task. */
            issue_type: string | null;
            /** @description Jira: the status of a closed issue; null: the first of the category "done". */
            closed_status: string | null;
            /** @description Jira: the status of an issue that is open again; null: the first that is open. */
            open_status: string | null;
            /** @description True: issues may be made where everybody can read them. */
            allows_public: boolean;
            /** @description While it is false, nothing is written and nothing read. */
            enabled: boolean;
            /** @description Why the server has disabled it; null if a person did. */
            disabled_reason: string | null;
            /** @description Makes issues for what comes up after `since`; null: people make them. */
            rule: {
                /** Format: date-time */
                since: string;
                /** @enum {string} */
                least_severity: "unknown" | "info" | "low" | "medium" | "high" | "critical";
                /** @description Only what violates a policy that blocks. */
                blocking_only: boolean;
                repositories: components["schemas"]["RepositoryBrief"][];
                applications: components["schemas"]["IdAndName"][];
            } | null;
            issues: components["schemas"]["IssueFigures"];
            /** @description Of the last failure. */
            error: string | null;
            /**
             * Format: date-time
             * @description The tracker is away, or has had too many requests: it is asked again then.
             */
            retry_at: string | null;
            /** Format: date-time */
            created_at: string;
        };
        IssueTrackerList: {
            items: components["schemas"]["IssueTracker"][];
        };
        JoinedWorkspace: {
            slug: string;
        };
        KevEntry: {
            /** Format: date */
            added_on: string;
            due_on: string | null;
            /** @description True: it is known to be used in ransomware campaigns. */
            ransomware: boolean;
        };
        Key: {
            id: string;
            /** @enum {string} */
            kind: "personal" | "workspace";
            name: string;
            /** @enum {string} */
            status: "Active" | "Expired" | "Disabled";
            /** @description Role of a workspace key; null for a personal key. */
            role: ("viewer" | "member" | "admin") | null;
            scopes: string[];
            /** @description Slugs of the workspaces that the key is restricted to; null: all workspaces of its user. */
            workspaces: string[] | null;
            /** @description Last four characters of its value. */
            last_four: string;
            /** Format: date-time */
            created_at: string;
            /** @description Null: the operator created it. */
            created_by: components["schemas"]["IdAndName"] | null;
            /** Format: date-time */
            last_used_at: string | null;
            /** Format: date-time */
            expires_at: string | null;
        };
        KeyEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "key.created" | "key.expiring" | "key.expired" | "key.revoked";
            data: components["schemas"]["KeyEventData"];
        };
        KeyEventData: components["schemas"]["EventData"] & {
            key: components["schemas"]["EventKey"];
        };
        KeyList: {
            items: components["schemas"]["Key"][];
        };
        KeyScopes: {
            scopes: {
                /** @enum {string} */
                name: "vulnerabilities:read" | "policy-violations:read" | "scans:read" | "organizations:read" | "repositories:read" | "applications:read" | "tenants:read" | "vulnerabilities:write" | "policy-violations:write" | "policies:write" | "scans:write" | "workspace:admin";
                /**
                 * @description The lowest role of a user who may give the scope to a key.
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
            /** @description Number of packages with this license in a version that is in use. */
            packages: number;
        };
        LicensePage: {
            items: components["schemas"]["License"][];
            next_cursor: string | null;
        };
        LinkedIssue: {
            id: string;
            tracker: components["schemas"]["LinkedIssueTracker"];
            /**
             * @description `waiting`: it is to be made. `deleted`: it was deleted in the tracker, and is not made again by itself.
             * @enum {string}
             */
            state: "waiting" | "linked" | "deleted";
            /** @description Its number, or its key in Jira. */
            key: string | null;
            url: string | null;
            /** @description As the tracker has it. */
            status: string | null;
            /** @description True: it is closed in the tracker. That changes nothing in Merlon. */
            closed: boolean;
            assignee: string | null;
            /** Format: date-time */
            changed_at: string | null;
            /** @description True: it is about all vulnerabilities of a package in the repository. */
            group: boolean;
            by_rule: boolean;
            /** @description The number of vulnerabilities that it is about. */
            vulnerabilities: number;
            /** @description How many of these vulnerabilities are open. */
            open: number;
            /** @description Why the last attempt has failed. */
            error: string | null;
            /** Format: date-time */
            created_at: string;
        };
        LinkedIssueTracker: {
            id: string;
            name: string;
            /** @enum {string} */
            kind: "github" | "gitlab" | "jira";
        };
        ListedDue: {
            /** Format: date-time */
            due_at: string;
        };
        ListedEpss: {
            score: number | null;
            /** @description True: it is in the catalogue of known exploited vulnerabilities (KEV). */
            kev: boolean;
        };
        ListedFix: {
            fix_version: string;
        };
        ListedPackage: {
            /** @description Package URL, without version. */
            purl: string;
            name: string;
            version: string | null;
        };
        ListedReach: {
            /** @description Reference of the location that is shown. */
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
        LocationDetail: components["schemas"]["Location"] & {
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
        ManagedRepository: components["schemas"]["RepositoryDetail"] & {
            /** @description True: an admin says that people outside the company can reach the software that is built from it. */
            is_exposed: boolean;
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
            /** @description Number of open vulnerabilities. */
            open: number;
        };
        MemberWorkspaceList: {
            items: components["schemas"]["MemberWorkspace"][];
            /** @description True: the caller is an operator and may create workspaces. */
            may_create: boolean;
        };
        MergeVulnerabilitiesBody: {
            /** @description The vulnerabilities that are merged into this one. */
            others: string[];
            /** @description Shown in the history. */
            reason: string;
        };
        MergedVulnerability: {
            id: string;
            merged_into: string;
        };
        NamedCodeOwner: {
            /** @description As in the file, in lower case: @group, @user or an e-mail address. */
            name: string;
            /** @description Team that has this name. */
            team: components["schemas"]["IdAndName"] | null;
            /** @description Member who has this e-mail address. */
            person: components["schemas"]["IdAndName"] | null;
        };
        NamedRepository: {
            id: string;
            name: string;
            full_name: string;
        };
        NamedVulnerability: {
            id: string;
            status_version?: components["schemas"]["StatusVersion"];
        };
        Notifications: {
            /** @description At once: exceptions that wait for the approval of the caller. */
            approvals: boolean;
            /** @description At once: vulnerabilities that are assigned to the caller, and when they are due within three days. */
            assigned: boolean;
            /** @enum {string} */
            digest: "none" | "daily" | "weekly";
            /**
             * @description The digest tells what has opened at or above it.
             * @enum {string}
             */
            least_severity: "unknown" | "info" | "low" | "medium" | "high" | "critical";
            /** @description False: the server has no mail server, and sends nothing. */
            mail_available: boolean;
            /** @description False: nobody has confirmed that the address is that of the caller, who gets no mails. */
            address_proved: boolean;
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
        OrganizationDetail: components["schemas"]["Organization"] & {
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
        Overview: components["schemas"]["RiskFigures"] & {
            scans: {
                /** Format: date-time */
                last_finished_at: string | null;
                /** @description Scans that were uploaded within seven days and failed. */
                failed_week: number;
                /** @description Series with a held closure. */
                held_closures: number;
                /** @description True: no report of the series has come for long, although its reference is active. */
                stale_series: number;
            };
            /** @description Requested exceptions that wait for the review of an admin. */
            exceptions_requested: number;
        };
        Package: {
            id: string;
            /** @description Package URL, without version. */
            purl: string;
            /** @description Type of the package URL: npm, maven, deb and so on. */
            ecosystem: string;
            namespace: string | null;
            name: string;
            /** @description Number of versions in use. */
            versions: number;
            /** @description Number of repositories that use it. */
            repositories: number;
            licenses: components["schemas"]["PackageLicenses"];
            /** @description Number of vulnerabilities that are open on tracked references. */
            open: number;
            open_by_severity: components["schemas"]["NumbersBySeverity"];
        };
        PackageAdvisory: {
            advisory: string;
            title: string;
            /** @enum {string} */
            severity: "unknown" | "info" | "low" | "medium" | "high" | "critical";
            fix_version: string | null;
            /** @description Number of open vulnerabilities: one for each affected repository. */
            open: number;
        };
        PackageDetail: components["schemas"]["Package"] & {
            /** @description At most 200 versions, those that most repositories use first. */
            used_versions: components["schemas"]["PackageVersion"][];
            /** @description At most 100 advisories of the open vulnerabilities, the most severe first. */
            advisories: components["schemas"]["PackageAdvisory"][];
        };
        /** @description SPDX ids, choices such as MIT OR Zlib, or other names from reports. */
        PackageLicenses: string[];
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
            /** @description True: the manifest itself names the package (a direct dependency); null if no report says so. */
            direct: boolean | null;
            /** @description Number of open vulnerabilities of the package in this repository. */
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
            licenses: components["schemas"]["PackageLicenses"];
            /** @description Number of open vulnerabilities of the package in this version. */
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
        Policy: components["schemas"]["PolicyDefinition"] & {
            rules: {
                /** @description workspace, org, application, repo */
                type: string;
                id: string;
                /** @description org/name of a repository, path of an organization or name of an application; null for the workspace. */
                name: string | null;
                action: string;
                enforcement_mode: string | null;
            }[];
            evaluation: {
                /** @description True: the policy is still being evaluated in the workspace. */
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
        PolicyBrief: {
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
                /** @description Id of the policy. */
                policy: string;
                /** @description Open, or in review. */
                unresolved: number;
                /** @description How many of the unresolved ones. */
                blocking: number;
                /** @description How many of the unresolved ones. */
                snoozed: number;
                waived: number;
            }[];
        };
        PolicyDefinition: components["schemas"]["PolicyBrief"] & {
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
        PolicyDifference: {
            key: string;
            /** @enum {string} */
            change: "created" | "changed" | "same";
            /** @description The present and the new value of each field that would change; empty for a new policy. */
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
        PolicyDocument: components["schemas"]["PolicyFields"] & {
            /** @description Unique in the workspace: lower-case letters and digits, with . _ - between them. */
            key: string;
        };
        PolicyDocuments: {
            policies: components["schemas"]["PolicyDocument"][];
        };
        PolicyDryRun: {
            matches: number;
            repositories: number;
            blocked_references: number;
            /** @description False: the time limit was reached before all repositories were evaluated. */
            complete: boolean;
            /** @description At most as many as the parameter `matches` says. */
            items: components["schemas"]["PolicyDryRunMatch"][];
        };
        PolicyDryRunMatch: {
            target: components["schemas"]["ViolationTarget"];
            repository: components["schemas"]["RepositoryBrief"];
            ref: string | null;
            /** @description True: it would block the reference. */
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
        PolicyFields: {
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
            /** @description The mode in force: block, warn, monitor; null if an exception exempts. */
            enforcement_mode: string | null;
            blocking: boolean;
            /** Format: date-time */
            due_at: string;
            /** @description Seconds until the due date, negative after it; for a resolved violation those left when it was resolved. */
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
            policy: components["schemas"]["PolicyBrief"];
            scope: components["schemas"]["ViolationScope"];
            target: components["schemas"]["ViolationTarget"];
            rule: components["schemas"]["ViolationRule"] | null;
        };
        PolicyViolationDetail: {
            violation: components["schemas"]["PolicyViolation"];
            policy: components["schemas"]["PolicyDefinition"];
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
        PreviewInvitationBody: {
            token: string;
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
        PutPolicyBody: components["schemas"]["PolicyFields"];
        RecordCraStepsBody: {
            /** @description As read; 0: nothing is recorded yet. */
            version: number;
            /** @description When the company became aware. RFC 3339. */
            aware_at?: string;
            /** @description When the early warning was sent. RFC 3339. */
            early_warning_at?: string | null;
            /** @description When the notification was sent. RFC 3339. */
            notification_at?: string | null;
            /** @description When a corrective or mitigating measure was available. RFC 3339. */
            measure_at?: string | null;
            /** @description When the final report was sent. RFC 3339. */
            final_report_at?: string | null;
            /** @description Why nothing is to be reported; null: the clocks run again. */
            not_reportable_reason?: string | null;
        };
        Reference: {
            id: string;
            ref: string;
            /** @description branch, tag, pull_request */
            type: string;
            sha: string | null;
            is_default: boolean;
            /** @description True: its open vulnerabilities count, however old its last scan is. */
            tracked: boolean;
            /** @description True: it is tracked, or was scanned recently. */
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
        ReplayWebhookBody: {
            /** @description Ids of events, evt_…. */
            events?: string[];
            /** @description Send all that have failed. */
            failed?: boolean;
        };
        ReplayedEvents: {
            replayed: number;
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
        RepositoryDetail: components["schemas"]["Repository"] & {
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
            /** @description The mode in force there, from the rule or else from the policy: monitor, warn, block */
            enforcement_mode: string;
            /** @description The nearest rule, which decides; null: the policy applies everywhere except where a rule excludes it. */
            rule: {
                /** @description workspace, org, application, repo */
                type: string;
                id: string;
                name: string | null;
            } | null;
            /** @description Open, or in review. */
            unresolved: number;
            /** @description How many of the unresolved ones. */
            blocking: number;
            /** @description How many of the unresolved ones. */
            snoozed: number;
            waived: number;
        };
        RepositoryPolicyList: {
            items: components["schemas"]["RepositoryPolicy"][];
        };
        RepositoryPolicyViolation: components["schemas"]["PolicyViolation"] & {
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
            /** @description Sum of the open vulnerabilities, each with the weight of its severity. */
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
        RequestExceptionsBody: {
            violations?: string[];
            /** @description Id or key of a policy. Needs `repo`. */
            policy?: string;
            /** @description Repository: id or full name. Needs `policy`. */
            repo?: string;
            /** @enum {string} */
            mode?: "exempt" | "downgrade";
            /**
             * @description The mode that a downgrade sets.
             * @enum {string}
             */
            enforcement_mode?: "monitor" | "warn";
            /** @description End of the exception: a time in RFC 3339. */
            until?: string;
            reason: string;
        };
        ResultingVulnerability: {
            /** @description The vulnerability that remains after the merge, or that the split has created. */
            id: string;
        };
        RetireSeriesBody: {
            /** @description `last_scan_id` of the series as it was reviewed: 409 if it has a newer scan by now. */
            last_scan_id?: string | null;
            /** @description Shown in the audit log. */
            reason?: string;
        };
        ReviewExceptionBody: {
            /** @enum {string} */
            decision: "approve" | "refuse";
            reason?: string;
        };
        RiskFigures: {
            open: components["schemas"]["SeveritySummary"];
            violations: components["schemas"]["ViolationFigures"];
            /** @description The ten repositories with the highest score. */
            repositories: components["schemas"]["RepositoryRisk"][];
            fix_time: components["schemas"]["FixTime"][];
            week: components["schemas"]["WeekFigures"];
            /** @description Open vulnerabilities that are known to be exploitable: on tracked references, or on all with the scope `all`. */
            exploitable: number;
            /** @description False: CISA's catalogue of exploited vulnerabilities was never loaded, so `exploitable` lacks its entries. */
            kev_loaded: boolean;
            sla: components["schemas"]["SlaFigures"];
        };
        RotateWebhookSecretBody: Record<string, never>;
        RunKey: {
            /** @description The key for the Authorization header. */
            key: string;
            /** Format: date-time */
            expires_at: string;
            scopes: string[];
            /** @description The repository that the key is bound to. */
            repository: {
                id: string;
                full_name: string;
            };
            /** @description The reference whose reports the key may upload, or `pull_requests` for those of all pull requests. */
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
            /** @description True: the caller owns it. */
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
            /** @description queued, running, completed, failed, canceled. `canceled` is reserved: nothing cancels a scan. */
            status: string;
            format: string;
            /** @description At most 100. */
            tools: string[];
            category: string | null;
            /** @description current, git_history; null: the report decides. */
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
            /** @description Number of warnings, at most 1000. The operation for one scan shows them. */
            warning_count: number;
            /** @description pass, warn, block */
            verdict: string | null;
            error: components["schemas"]["ScanError"] | null;
        };
        ScanCounts: {
            /** @description Number of rows in the report. */
            read: number;
            /** @description Vulnerabilities that were unknown in this repository. */
            new: number;
            unchanged: number;
            /** @description Vulnerabilities that were fixed on this reference and are present again. */
            reopened: number;
            /** @description Vulnerabilities that are no longer present on this reference. */
            fixed: number;
            suppressed: number;
            /** @description Rows that could not be read. */
            unreadable: number;
            /** @description Vulnerabilities that would be fixed, but are held for review. */
            closing_held: number;
            /** @description VEX statements of a single scan; a sum of scans has none. */
            statements?: {
                decided: number;
                suggested: number;
                unmatched: number;
            };
        };
        ScanDetail: components["schemas"]["Scan"] & {
            warnings: string[];
            /** @description The first 1000 rows that could not be read. `counts` has the number of all. */
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
        ScanEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "scan.completed" | "scan.failed" | "scan.closing_held";
            data: components["schemas"]["ScanEventData"];
        };
        ScanEventData: components["schemas"]["EventData"] & {
            scan: components["schemas"]["EventScan"];
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
            reference: components["schemas"]["ReferenceBrief"];
            tool: string | null;
            category: string | null;
            status: string;
            /** @description How the tool's run ended: succeeded, failed, scanned_nothing, incomplete (some rows could not be read, without `force`); null until the scan is completed, and of a late report, which says nothing of the present. Only a run that succeeded satisfies `expect`. */
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
            /** @description The file whose reports alone make the series; null if files share it. */
            file_name: string | null;
            source: string;
            last_scan_id: string | null;
            /** Format: date-time */
            last_scanned_at: string | null;
            /** @description True: no report of the series has come for long, although its reference is active. */
            stale: boolean;
            /** Format: date-time */
            retired_at: string | null;
            /** @description The newer series that sees most of the same vulnerabilities. Retire this one if it gets no more reports. */
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
        SetApplicationRepositoriesBody: {
            /** @description Ids of repositories, repo_…. */
            repositories: string[];
        };
        SetTrackedBranchesBody: {
            /** @description Null: the names of the workspace apply. */
            own: components["schemas"]["TrackedBranchNames"] | null;
        };
        SetUpBody: {
            token: string;
            email: string;
            name: string;
            password: string;
        };
        Settings: {
            workspace: {
                id: string;
                slug: string;
                name: string;
                /** @description Which repositories a report may create. */
                new_repositories: string;
                tracked_branches: components["schemas"]["TrackedBranchNames"];
                forges: components["schemas"]["Forge"][];
                /** @description on: packages are matched with the advisories that the operator has loaded; off. */
                advisory_matching: string;
                /** @description Environments that people outside the company can reach, such as production. Policies test this as the fact `exposed`. */
                exposed_environments: string[];
                /** @description on: a new vulnerability is assigned to the member whom the CODEOWNERS file names; off. */
                assign_owners: string;
                /** Format: date-time */
                created_at: string;
            };
            retention: {
                /** @description Days for which a report is kept after its scan has ended; 0: it is not kept. */
                keep_reports_days: number;
                /** @description Days after its last scan for which a reference that is not tracked is active. */
                active_days: number;
            };
            limits: {
                /** @description Limit of a key; 0: no limit. */
                requests_per_minute: number;
                /** @description Limit of a key; 0: no limit. */
                uploads_per_minute: number;
                max_upload_mb: number;
                max_inflated_mb: number;
                /** @description Limit of one report. */
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
        SignInBody: {
            email: string;
            password: string;
        };
        SignInMethods: {
            password: boolean;
            oidc: {
                name: string;
            } | null;
        };
        SlaFigures: {
            /** @description Violations on tracked references that were open or in review, and were resolved within the last 90 days. */
            resolved: number;
            /** @description Those that were resolved by their due date. */
            kept: number;
            /** @description Percentage of `resolved` that is `kept`, rounded down; null if none was resolved. */
            percent: number | null;
        };
        SplitVulnerabilityBody: {
            /** @description Ids of locations, loc_…. */
            locations: string[];
            /** @description Shown in the history. */
            reason: string;
        };
        StatusReport: components["schemas"]["RiskFigures"] & {
            organization: components["schemas"]["OrganizationBrief"] | null;
            application: components["schemas"]["IdAndName"] | null;
            /** Format: date-time */
            at: string;
            /**
             * Format: date
             * @description The day of the first scan; null before it.
             */
            since: string | null;
            /** @description The weeks of the last 90 days, as in the trend. */
            weeks: components["schemas"]["TrendWeek"][];
            /** @description At most ten open and exploitable vulnerabilities: the most severe first, then the oldest. */
            risks: {
                id: string;
                title: string;
                /** @enum {string} */
                severity: "unknown" | "info" | "low" | "medium" | "high" | "critical";
                /** Format: date-time */
                introduced_at: string;
                repository: components["schemas"]["RepositoryBrief"];
            }[];
            /** @description Only for the whole workspace: the twenty organizations or applications with the highest score. */
            parts: {
                id: string;
                /** @description Full path of an organization, or name of an application. */
                name: string;
                open: number;
                by_severity: components["schemas"]["NumbersBySeverity"];
                /** @description Computed like the score of repositories. */
                score: number;
                /** @description Number within 90 days. */
                fixed: number;
                mean_seconds: number | null;
                sla: components["schemas"]["SlaFigures"];
            }[];
        };
        /** @description The version that you have read. If it has changed, the request is refused with 409. */
        StatusVersion: string;
        Suggestion: {
            /** @enum {string} */
            by: "vex" | "suppression";
            /** @description not_affected, false_positive, affected, exploitable, fixed, under_investigation; of a suppression: ignored, accepted. */
            says: string;
            /** @description Null: for all versions. */
            version: string | null;
            ref: string;
            reason: string | null;
            /** Format: date-time */
            until: string | null;
        };
        Team: {
            id: string;
            name: string;
            owner_names: components["schemas"]["TeamOwnerNames"];
            members_count: number;
            /** @description True: the caller is a member of the team. */
            is_mine: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        TeamDetail: components["schemas"]["Team"] & {
            groups: components["schemas"]["TeamGroups"];
            /** @description By name. */
            members: components["schemas"]["TeamMember"][];
        };
        /** @description Groups of the identity provider, as it writes them. A person who has one of them is a member of the team from the next sign-in on. */
        TeamGroups: string[];
        TeamList: {
            items: components["schemas"]["Team"][];
        };
        TeamMember: {
            id: string;
            display_name: string;
            email: string;
            /** @description The group of the identity provider that makes the person a member; null: an admin has chosen the person. */
            group: string | null;
        };
        /** @description Members of the workspace: user ids or e-mail addresses. The list replaces those chosen before; other members by a group stay. */
        TeamMembers: string[];
        TeamOpen: {
            id: string;
            /** @description Open vulnerabilities on tracked references whose file the team owns. */
            open: number;
            by_severity: components["schemas"]["NumbersBySeverity"];
        };
        TeamOpenList: {
            items: components["schemas"]["TeamOpen"][];
        };
        /** @description Names that mean the team in CODEOWNERS files, such as @acme/payments. */
        TeamOwnerNames: string[];
        /** @description Names of tracked branches, with `*` for any characters, such as release/*. Their open vulnerabilities count like those of the default branch. */
        TrackedBranchNames: string[];
        TrackedBranches: {
            /** @description Null: the names of the workspace apply. */
            own: components["schemas"]["TrackedBranchNames"] | null;
            workspace: components["schemas"]["TrackedBranchNames"];
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
                /** @description Open at the end of the day (UTC); for today, at present. */
                open: number;
                new: number;
                fixed: number;
                open_by_severity: components["schemas"]["NumbersBySeverity"];
            }[];
            /** @description The same days since the first scan, in weeks that end today; the first may be shorter. */
            weeks: components["schemas"]["TrendWeek"][];
        };
        TrendWeek: {
            /** Format: date */
            from: string;
            /** Format: date */
            to: string;
            /** @description Open at the end of the week. */
            open: number;
            new: number;
            fixed: number;
        };
        TrustRule: {
            id: string;
            name: string;
            /** @enum {string} */
            provider: "github" | "gitlab";
            /** @description Address of the provider, as in its tokens. The server must allow it. */
            issuer: string;
            /** @description Audience that a token must name, such as the address of this server. */
            audience: string;
            /** @description Claims with the values that a token must have. At least one must be an id: repository_id or repository_owner_id (GitHub), project_id or namespace_id (GitLab). */
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
        UndoVulnerabilitiesBody: {
            vulnerabilities: {
                id: string;
                status_version: components["schemas"]["StatusVersion"];
            }[];
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
                status_version: string;
                /** Format: date-time */
                updated_at: string;
                assignee: components["schemas"]["Person"] | null;
                /** @description The event that was undone; null: exceptions had been requested instead. */
                undone: string | null;
                exceptions: string[];
            }[];
        };
        UploadedCodeOwners: {
            /**
             * @description applied; unchanged; not_default_branch, or no_default_branch: a report says first which branch that is; set_by_admin: it stays as an admin has set it.
             * @enum {string}
             */
            outcome: "applied" | "unchanged" | "not_default_branch" | "no_default_branch" | "set_by_admin";
        };
        UploadedScan: components["schemas"]["Scan"] & {
            /** @description True: the same report was uploaded a moment ago, and this is its scan. */
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
        ViolationEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "violation.opened" | "violation.due_soon" | "violation.overdue" | "violation.resolved" | "violation.snoozed";
            data: components["schemas"]["ViolationEventData"];
        };
        ViolationEventData: components["schemas"]["EventData"] & {
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
        ViolationOverride: {
            id: string;
            mode: string;
            enforcement_mode: string | null;
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
        ViolationTarget: components["schemas"]["VulnerabilityTarget"] | components["schemas"]["AnalysisTarget"] | components["schemas"]["ProviderTarget"] | components["schemas"]["AssetTarget"] | components["schemas"]["ManifestTarget"] | components["schemas"]["PackageVersionTarget"] | components["schemas"]["PackageTarget"] | string[];
        Vulnerability: components["schemas"]["VulnerabilityBrief"] & {
            /** @description Package with the version at the location that is shown; null if the vulnerability is in no package. */
            package?: components["schemas"]["ListedPackage"] | null;
            /** @description Rule of the tool that found it, which is an advisory in a package; empty if the report names none. */
            rule?: string;
            advisory?: string | null;
            /** @description Version that fixes it; null if none is known. */
            fix?: components["schemas"]["ListedFix"] | null;
            /** @description Person to whom it is assigned. */
            assignee?: components["schemas"]["IdAndName"] | null;
            /** @description Team that owns the file, by the CODEOWNERS file of the repository. */
            team?: components["schemas"]["IdAndName"] | null;
            /** @description The policy violation that is due first among those open or in review. */
            due?: components["schemas"]["ListedDue"] | null;
            epss?: components["schemas"]["ListedEpss"];
            open_on?: components["schemas"]["ListedReach"];
        };
        VulnerabilityBrief: {
            id: string;
            title: string;
            repository: components["schemas"]["NamedRepository"];
            /** @enum {string} */
            severity: "unknown" | "info" | "low" | "medium" | "high" | "critical";
            /** @enum {string} */
            type: "other" | "dependency" | "sast" | "secret" | "iac" | "container" | "dast" | "license" | "malware";
            /** @enum {string} */
            source: "current" | "git_history";
            /** @enum {string} */
            status: "open" | "fixed" | "accepted" | "ignored" | "rejected";
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
        };
        VulnerabilityDetail: components["schemas"]["FullVulnerability"] & {
            /** @description True: the decision counts even for policies that block. Also true without a decision. */
            decision_overrides_policy: boolean;
            /** @description Learned names of the advisory by which findings were joined to it. */
            joined_names: {
                name: string;
                /** Format: date-time */
                joined_at: string;
            }[];
            /** @description Who owns its file, by the CODEOWNERS file of the repository. E-mail addresses need the role member and vulnerabilities:write. */
            owners: components["schemas"]["CodeOwner"][];
            /** @description Data of the tools that proves and explains the vulnerability. */
            evidence: components["schemas"]["Evidence"] | null;
            suggestions: components["schemas"]["Suggestion"][];
            reporters: {
                tool: string;
                category: string;
                ref: string;
                /** @description True: the tool reports it now, and the reference is active. */
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
            /** @description At most 200, the most important first. Reporters and matches are theirs. */
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
            references_total: number;
            matches: {
                location_id: string;
                tool: string;
                /** @description new, advisory-and-package, secret, secret-masked, fingerprint, code, nearest-line, renamed-file, moved-folder, secret-location, same-result, pinned */
                match_method: string;
            }[];
            /** @description Newest first: the newest 20 events seen_on_reference, and the newest 200 others. */
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
        VulnerabilityEvent: components["schemas"]["Event"] & {
            /** @enum {string} */
            type: "vulnerability.opened" | "vulnerability.fixed" | "vulnerability.reopened" | "vulnerability.status_changed" | "vulnerability.assigned";
            data: components["schemas"]["VulnerabilityEventData"];
        };
        VulnerabilityEventData: components["schemas"]["EventData"] & {
            vulnerability: components["schemas"]["EventVulnerability"];
        };
        VulnerabilityFacets: {
            /** @description tracked, default_branches, all; each in place of `ref`, if the query has one. */
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
                /** @description Assigned to the caller; 0 for a workspace key. */
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
        VulnerabilityGroup: {
            /** @description Value of the filter `package`, `rule` or `repo` that lists the group. */
            key: string;
            name: string;
            total: number;
            by_severity: components["schemas"]["NumbersBySeverity"];
            /** @description Number of repositories with it. */
            repositories: number;
            /** @description For a package: the version that has every known fix, and how many vulnerabilities it fixes. */
            upgrade: {
                version: string;
                clears: number;
            } | null;
        };
        VulnerabilityGroups: {
            /** @description package, rule, repository */
            by: string;
            /** @description Number of all groups; `items` has the most severe of them. */
            total: number;
            items: components["schemas"]["VulnerabilityGroup"][];
        };
        VulnerabilityIssues: {
            items: components["schemas"]["LinkedIssue"][];
            /** @description The enabled trackers in which it has no issue yet. */
            trackers: components["schemas"]["LinkedIssueTracker"][];
        };
        VulnerabilityPage: {
            filters: components["schemas"]["VulnerabilityFilters"];
            summary: components["schemas"]["VulnerabilitySummary"];
            items: components["schemas"]["Vulnerability"][];
            next_cursor: string | null;
        };
        VulnerabilitySignals: {
            id: string;
            /** @description True: it is in the catalogue of known exploited vulnerabilities (KEV). */
            kev: boolean;
            /**
             * Format: date
             * @description The earliest due date of its CVEs in KEV; null if none of them is in it.
             */
            kev_due: string | null;
            epss: number | null;
            cvss: number | null;
            exploitable: boolean;
            status_version: string;
            /** Format: date-time */
            accepted_until: string | null;
            /**
             * Format: date-time
             * @description Due date of the policy violation that is due first among those open or in review.
             */
            due_at: string | null;
            overdue: boolean;
            blocking: boolean;
            /** @description Tools that report it; if none does any more, those that did. */
            tools: string[];
            /** @description Number of active references on which it is present. */
            references: number;
            /** @description One of these references: the default branch, else a tracked one, else the one scanned last. */
            live_on: {
                ref: string;
                is_default: boolean;
            } | null;
        };
        VulnerabilitySignalsList: {
            items: components["schemas"]["VulnerabilitySignals"][];
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
            /** @description Requested exceptions that the caller may review; 0 without the role admin. 100 means 100 or more. */
            exceptions: number;
            /** @description Open vulnerabilities that are assigned to the caller and overdue. 100 means 100 or more. */
            overdue: number;
        };
        Webhook: {
            id: string;
            /**
             * @description `standard`: each event, signed. `slack`, `teams`: one message for people about all that is new, unsigned. It is not changed later.
             * @enum {string}
             */
            format: "standard" | "slack" | "teams";
            name: string;
            /** @description https address that takes the events by POST. Its path and query are not shown again, because they may be a token. */
            url: string;
            /** @description Only these types; none: all. */
            types: components["schemas"]["EventType"][];
            /**
             * @description Events of vulnerabilities and violations below it are left out, but for the one by which the severity sinks below it; `unknown`: none is.
             * @enum {string}
             */
            least_severity: "unknown" | "info" | "low" | "medium" | "high" | "critical";
            /** @description While it is false, events wait; they are kept for MERLON_KEEP_EVENTS_DAYS. */
            enabled: boolean;
            repositories: components["schemas"]["RepositoryBrief"][];
            applications: components["schemas"]["IdAndName"][];
            /** @description Why the server has disabled it; null if a person did. */
            disabled_reason: string | null;
            /** @description Events that are on their way. */
            waiting: number;
            /** @description Attempts that failed since the last success; at most 2 after one by which the receiver shows that it is there. */
            failures: number;
            /**
             * Format: date-time
             * @description The receiver is away: one event is tried then, and the others follow.
             */
            retry_at: string | null;
            /** @description Events that were deleted for their age before they were delivered. */
            missed: number;
            /**
             * Format: date-time
             * @description The secret before the last rotation signs too until then.
             */
            previous_secret_until: string | null;
            /** Format: date-time */
            last_delivered_at: string | null;
            /** Format: date-time */
            created_at: string;
        };
        WebhookDelivery: {
            /** @description Id of the event: the webhook-id of each attempt. */
            event: string;
            type: components["schemas"]["EventType"];
            /**
             * @description `failed`: all attempts have failed; a replay sends the event again.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed";
            attempts: number;
            /** Format: date-time */
            last_attempt_at: string | null;
            /** Format: date-time */
            next_attempt_at: string | null;
            response_status: number | null;
            error: string | null;
            duration_ms: number | null;
            /** Format: date-time */
            created_at: string;
        };
        WebhookDeliveryPage: {
            items: components["schemas"]["WebhookDelivery"][];
            next_cursor: string | null;
        };
        WebhookList: {
            items: components["schemas"]["Webhook"][];
        };
        WebhookWithSecret: {
            webhook: components["schemas"]["Webhook"];
            /** @description The signing secret. It is not shown again. Null if the format is not `standard`. */
            secret: string | null;
        };
        WeekFigures: {
            /** @description Vulnerabilities that were found for the first time within the last seven days (UTC), today included. */
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
        WithdrawExceptionBody: {
            reason?: string;
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
        /** @description A parameter or a field of the body is unknown or invalid. `errors` names each, and `details.invalid_values` the values that a list parameter does not allow. */
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
        /**
         * @description - **401** There is no valid key or session.
         *     - **403** The key or session is valid, and does not allow this.
         *     - **404** The workspace does not exist, or something in the request does not exist in it.
         *     - **422** A parameter or a field of the body is unknown or invalid. `errors` names each, and `details.invalid_values` the values that a list parameter does not allow.
         *     - **429** There were too many requests. `Retry-After` says when to try again.
         */
        Refused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ApiError"];
            };
        };
        /**
         * @description - **400** The body cannot be read.
         *     - **401** There is no valid key or session.
         *     - **403** The key or session is valid, and does not allow this.
         *     - **404** The workspace does not exist, or something in the request does not exist in it.
         *     - **413** The body is larger than the limit.
         *     - **415** The media type of the body is not supported.
         *     - **422** A parameter or a field of the body is unknown or invalid. `errors` names each, and `details.invalid_values` the values that a list parameter does not allow.
         *     - **429** There were too many requests. `Retry-After` says when to try again.
         */
        RefusedChange: {
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
        /** @description There were too many requests. `Retry-After` says when to try again. */
        RateLimited: {
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
        /** @description The event was received. 410 disables the webhook. */
        EventReceived: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
    };
    parameters: {
        /** @description Only this action. */
        action: "advisory_name.forget" | "advisory_name.restore" | "application.change" | "application.cra_notification" | "application.create" | "application.delete" | "application.repositories" | "comment.create" | "comment.delete" | "exception.approve" | "exception.end" | "exception.refuse" | "exception.request" | "exception.withdraw" | "inventory.apply" | "invitation.accept" | "invitation.create" | "invitation.withdraw" | "issue_tracker.change" | "issue_tracker.create" | "issue_tracker.delete" | "key.create" | "key.revoke" | "member.remove" | "member.set" | "policy.change" | "policy.create" | "repository.code_owners" | "repository.default_branch" | "repository.exposed" | "repository.external_id" | "repository.reference" | "repository.rename" | "repository.tracked_branches" | "saved_view.change" | "saved_view.create" | "saved_view.delete" | "series.discard" | "series.release" | "series.retire" | "team.change" | "team.create" | "team.delete" | "trust_rule.create" | "trust_rule.delete" | "user.disable" | "user.email" | "user.enable" | "user.link_identity" | "user.lock_out" | "user.password" | "user.sync_teams" | "user.transfer" | "violation.snooze" | "violation.undo" | "violation.wake" | "vulnerability.accept" | "vulnerability.assign" | "vulnerability.comment" | "vulnerability.confirm" | "vulnerability.create_issue" | "vulnerability.delete_comment" | "vulnerability.ignore" | "vulnerability.merge" | "vulnerability.reject" | "vulnerability.reopen" | "vulnerability.split" | "vulnerability.unassign" | "vulnerability.undo" | "vulnerability.unlink_issue" | "webhook.change" | "webhook.create" | "webhook.delete" | "webhook.replay" | "webhook.rotate_secret" | "workspace.change" | "workspace.create";
        /** @description me, a user id, an e-mail address, or operator for actions of the command line. */
        actor: string;
        /** @description Id of the application, app_…. */
        application: string;
        /** @description Only repositories that this application groups now: id or name. */
        application_in_query: string;
        /** @description me, unassigned, assigned (to anybody), a user id or an e-mail address. */
        assignee: string;
        /** @description Target branch of a pull request. */
        base_ref: string;
        /** @description Newest commit of the target branch that the scanned code of a pull request contains. */
        base_sha: string;
        /** @description Name that keeps several reports of one tool apart. It stands before the category of the report. */
        category: string;
        /** @description Confirmed as a true positive. */
        confirmed: "yes" | "no";
        /** @description `next_cursor` of the page before. */
        cursor: string;
        /** @description Default branch of the repository. Without it: the first branch of a report. */
        default_branch: string;
        /** @description true: the scan shows what would change, and changes nothing. */
        dry_run: "true" | "false";
        /** @description Due date of its policy violation that is due first among those open or in review: overdue, or soon (within 7 days). */
        due: "overdue" | "soon";
        /** @description Mode in force; none means that an exception exempts. */
        enforcement: ("none" | "monitor" | "warn" | "block")[];
        /** @description Environment where the reference is deployed, such as production. Upper case counts as lower case. */
        environment: string;
        /** @description Lowest EPSS score (the highest of its CVEs counts): 0 to 1, such as 0.1. */
        epss_min: string;
        /** @description Id of the exception, ovr_…. */
        exception: string;
        /** @description Only vulnerabilities with any status that are known to be exploited (KEV), verified, or exploitable as a tool says. `true` means the same. */
        exploitable: "yes";
        /** @description Path of the file, by which several reports of one commit are told apart. */
        file_name: string;
        /** @description A version that fixes it is known. */
        fix: "yes" | "no";
        /** @description true: fix vulnerabilities without the mass-closure check. Only admins may do this. */
        force: "true" | "false";
        /** @description Format of the report. Without it, it is recognised from the content. */
        format: string;
        /** @description A repeated upload with the same key answers with the first scan. */
        "idempotency-key": string;
        /** @description Ids, at most 200; unknown ids are left out. */
        ids: string[];
        /** @description Introduced at this time or later: a date (UTC) or a time in RFC 3339. */
        introduced_since: string;
        /** @description Id of the key, key_…. */
        key: string;
        /** @description Id of the organization at the VCS. */
        org_external_id: string;
        /** @description Package URL without version, or the name of the package. */
        package: string;
        /** @description Id of the package, pkg_…. */
        package_in_path: string;
        /** @description true: the report covers only a part of the repository, so it fixes nothing. */
        partial: "true" | "false";
        /** @description Number of rows on a page; `limit` and `page_size` mean the same. */
        per_page: number;
        /** @description Policies: ids or keys. */
        policy: string[];
        /** @description Whether the repository is private. */
        private: "true" | "false";
        /** @description Words of the title and the package, of at least three characters each, or ids of advisories. */
        q: string;
        /** @description Beginning of the name or of a part of it. An exact match comes first. */
        q_of_listOrganizations: string;
        /** @description Reference: short or full name; HEAD is the default branch of each repository. Status and summary are those on it. */
        ref: string;
        /** @description Reference: short or full name, or HEAD. Without ref and sha: the default branch. */
        ref_of_getGate: string;
        /** @description Scanned reference: short or full name. Without it: the default branch. */
        ref_of_uploadScan: string;
        /** @description Type of the reference that a short `ref` names. */
        ref_type: "branch" | "tag" | "pull_request";
        /** @description Repository: id or full name. */
        repo: string;
        /** @description Id of the repository at the VCS, by which a renamed repository is recognised. */
        repo_external_id: string;
        /** @description Repository: org/name. A new one is created. */
        repo_of_uploadScan: string;
        /** @description Repository: id or full name. */
        repo_required: string;
        /** @description VCS of the repository. */
        repo_source: "local" | "ghc" | "ghe" | "gitlab" | "bitbucket" | "azure_devops";
        /** @description Id of the repository, repo_…, or its full name, percent-encoded. */
        repository: string;
        /** @description Exact rule of the tool that found it, for vulnerabilities in no package. `q` finds a rule that is an advisory. */
        rule: string;
        /** @description Id of the scan, scan_…. */
        scan: string;
        /** @description Time of the scan in RFC 3339 with an offset, not before 1990. Without it: now. */
        scanned_at: string;
        /** @description tracked: only vulnerabilities that have been on a tracked reference. default_branches: status and summary are those on the default branches, like ref=HEAD. all: vulnerabilities that are fixed on tracked references and present elsewhere count as open. Without it: all vulnerabilities, each with its status. Cannot be combined with ref. */
        scope: "tracked" | "default_branches" | "all";
        /** @description Id of the series, ser_…. */
        series: string;
        /** @description Severity. */
        severity: ("unknown" | "info" | "low" | "medium" | "high" | "critical")[];
        /** @description Only vulnerabilities that a completed scan of this commit saw. */
        sha: string;
        /** @description Scanned commit. */
        sha_of_uploadScan: string;
        /** @description RFC 3339. */
        since: string;
        /** @description Found in the current files, or only in the history of the commits. */
        source: "current" | "git_history";
        /** @description What was scanned: the current files or the history of the commits. Without it, the report decides. */
        source_of_uploadScan: "current" | "git_history";
        /** @description Status. */
        state: "open" | "fixed" | "accepted" | "ignored" | "rejected";
        /** @description Status. */
        status: ("open" | "pending_review" | "waived" | "resolved")[];
        /** @description Id of the object of the action. */
        target: string;
        /** @description Type of the target. */
        target_type: ("vulnerability" | "package" | "package_version" | "manifest" | "analysis" | "provider" | "asset" | "repository")[];
        /** @description Team that owns the file, by the CODEOWNERS file: id or name; mine: any team of the caller. */
        team: string;
        /** @description Id of the team, team_…. */
        team_in_path: string;
        /** @description Slug of the workspace. */
        tenant_slug: string;
        /** @description Id of the issue tracker, trk_…. */
        tracker: string;
        /** @description A person has decided about it. */
        triaged: "yes" | "no";
        /** @description Type. */
        type: ("other" | "dependency" | "sast" | "secret" | "iac" | "container" | "dast" | "license" | "malware")[];
        /** @description Only before this time (RFC 3339). */
        until: string;
        /** @description Id of the user, usr_…. */
        user: string;
        /** @description Id of the saved view, view_…. */
        view: string;
        /** @description Id of the vulnerability, vc_…. */
        vulnerability: string;
        /** @description Id of the webhook, whk_…. */
        webhook: string;
    };
    requestBodies: {
        /** @description The example is one of these events; the others have the same form. */
        VulnerabilityEvent: {
            content: {
                "application/json": components["schemas"]["VulnerabilityEvent"];
            };
        };
        /** @description The example is one of these events; the others have the same form. */
        ViolationEvent: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jn2t0700e008000000000001",
                 *       "type": "violation.opened",
                 *       "timestamp": "2026-03-02T09:15:00Z",
                 *       "workspace": {
                 *         "id": "t_0000000000000001jn2nbdj001",
                 *         "slug": "acme"
                 *       },
                 *       "data": {
                 *         "occurred_at": "2026-03-02T09:15:00Z",
                 *         "repository": {
                 *           "id": "repo_01jn2t0700e008000000000001",
                 *           "full_name": "acme/shop"
                 *         },
                 *         "cause": {
                 *           "scan": "scan_01jn2t0700e008000000000001",
                 *           "user": "usr_01jn2t0700e008000000000001"
                 *         },
                 *         "violation": {
                 *           "id": "pvl_01jn2t0700e008000000000001",
                 *           "status": "open",
                 *           "previous_status": null,
                 *           "severity": "high",
                 *           "enforcement_mode": "block",
                 *           "due_at": "2026-03-09T09:15:00Z",
                 *           "snoozed_until": null,
                 *           "policy": {
                 *             "id": "pol_01jn2t0700e008000000000001",
                 *             "key": "fix-known-vulnerabilities",
                 *             "name": "Fix known vulnerabilities"
                 *           },
                 *           "target": {
                 *             "type": "vulnerability",
                 *             "id": "vc_01jn2t0700e008000000000001",
                 *             "title": "Command injection in lodash"
                 *           }
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ViolationEvent"];
            };
        };
        /** @description The example is one of these events; the others have the same form. */
        ExceptionEvent: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jn2t0700e008000000000001",
                 *       "type": "exception.requested",
                 *       "timestamp": "2026-03-02T09:15:00Z",
                 *       "workspace": {
                 *         "id": "t_0000000000000001jn2nbdj001",
                 *         "slug": "acme"
                 *       },
                 *       "data": {
                 *         "occurred_at": "2026-03-02T09:15:00Z",
                 *         "repository": {
                 *           "id": "repo_01jn2t0700e008000000000001",
                 *           "full_name": "acme/shop"
                 *         },
                 *         "cause": {
                 *           "scan": "scan_01jn2t0700e008000000000001",
                 *           "user": "usr_01jn2t0700e008000000000001"
                 *         },
                 *         "exception": {
                 *           "id": "ovr_01jn2t0700e008000000000001",
                 *           "status": "requested",
                 *           "mode": "exempt",
                 *           "enforcement_mode": null,
                 *           "until": null,
                 *           "policy": {
                 *             "id": "pol_01jn2t0700e008000000000001",
                 *             "key": "fix-known-vulnerabilities",
                 *             "name": "Fix known vulnerabilities"
                 *           },
                 *           "violation": null,
                 *           "requested_by": "usr_01jn2t0700e008000000000001",
                 *           "reason": "The upgrade is planned for the next release."
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ExceptionEvent"];
            };
        };
        /** @description The example is one of these events; the others have the same form. */
        ScanEvent: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jn2t0700e008000000000001",
                 *       "type": "scan.completed",
                 *       "timestamp": "2026-03-02T09:15:00Z",
                 *       "workspace": {
                 *         "id": "t_0000000000000001jn2nbdj001",
                 *         "slug": "acme"
                 *       },
                 *       "data": {
                 *         "occurred_at": "2026-03-02T09:15:00Z",
                 *         "repository": {
                 *           "id": "repo_01jn2t0700e008000000000001",
                 *           "full_name": "acme/shop"
                 *         },
                 *         "cause": {
                 *           "scan": "scan_01jn2t0700e008000000000001",
                 *           "user": "usr_01jn2t0700e008000000000001"
                 *         },
                 *         "scan": {
                 *           "id": "scan_01jn2t0700e008000000000001",
                 *           "status": "completed",
                 *           "verdict": "block",
                 *           "dry_run": false,
                 *           "tools": [
                 *             "trivy"
                 *           ],
                 *           "counts": {
                 *             "new": 1,
                 *             "fixed": 1,
                 *             "reopened": 1,
                 *             "closing_held": 1
                 *           },
                 *           "error": null
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ScanEvent"];
            };
        };
        /** @description The example is one of these events; the others have the same form. */
        KeyEvent: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jn2t0700e008000000000001",
                 *       "type": "key.created",
                 *       "timestamp": "2026-03-02T09:15:00Z",
                 *       "workspace": {
                 *         "id": "t_0000000000000001jn2nbdj001",
                 *         "slug": "acme"
                 *       },
                 *       "data": {
                 *         "occurred_at": "2026-03-02T09:15:00Z",
                 *         "repository": {
                 *           "id": "repo_01jn2t0700e008000000000001",
                 *           "full_name": "acme/shop"
                 *         },
                 *         "cause": {
                 *           "scan": "scan_01jn2t0700e008000000000001",
                 *           "user": "usr_01jn2t0700e008000000000001"
                 *         },
                 *         "key": {
                 *           "id": "key_01jn2t0700e008000000000001",
                 *           "kind": "workspace",
                 *           "name": "CI of acme/shop",
                 *           "expires_at": "2026-05-31T23:59:59Z"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["KeyEvent"];
            };
        };
        /** @description The example is one of these events; the others have the same form. */
        AdvisoryEvent: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_01jn2t0700e008000000000001",
                 *       "type": "advisory.matched",
                 *       "timestamp": "2026-03-02T09:15:00Z",
                 *       "workspace": {
                 *         "id": "t_0000000000000001jn2nbdj001",
                 *         "slug": "acme"
                 *       },
                 *       "data": {
                 *         "occurred_at": "2026-03-02T09:15:00Z",
                 *         "repository": {
                 *           "id": "repo_01jn2t0700e008000000000001",
                 *           "full_name": "acme/shop"
                 *         },
                 *         "cause": {
                 *           "scan": "scan_01jn2t0700e008000000000001",
                 *           "user": "usr_01jn2t0700e008000000000001"
                 *         },
                 *         "vulnerability": {
                 *           "id": "vc_01jn2t0700e008000000000001",
                 *           "title": "Command injection in lodash",
                 *           "status": "open",
                 *           "severity": "high",
                 *           "type": "dependency",
                 *           "confirmed": false,
                 *           "triaged": false,
                 *           "resolution": null,
                 *           "assignee": null,
                 *           "previous": {
                 *             "status": "open"
                 *           },
                 *           "change": "accepted",
                 *           "reason": "The upgrade is planned for the next release.",
                 *           "merged_into": "vc_01jn2t0700e008000000000001",
                 *           "split_from": "vc_01jn2t0700e008000000000001"
                 *         },
                 *         "advisory": "CVE-2021-23337"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["AdvisoryEvent"];
            };
        };
    };
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
                    /**
                     * @example {
                     *       "signed_in": false,
                     *       "methods": {
                     *         "password": false,
                     *         "oidc": {
                     *           "name": "Example sign-in"
                     *         }
                     *       },
                     *       "setup": false,
                     *       "user": {
                     *         "id": "usr_01jn2t0700e008000000000001",
                     *         "name": "Ada Park",
                     *         "email": "ada@example.com"
                     *       },
                     *       "operator": false,
                     *       "signed_in_at": "2026-03-02T09:15:00Z",
                     *       "expires_at": "2026-05-31T23:59:59Z",
                     *       "csrf_token": null
                     *     }
                     */
                    "application/json": components["schemas"]["Session"];
                };
            };
            "4XX": components["responses"]["Refused"];
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
                "application/json": components["schemas"]["SignInBody"];
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
            "4XX": components["responses"]["RefusedChange"];
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
            "4XX": components["responses"]["RefusedChange"];
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
            "4XX": components["responses"]["RefusedChange"];
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
                "application/json": components["schemas"]["ChangePasswordBody"];
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
            "4XX": components["responses"]["RefusedChange"];
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
                "application/json": components["schemas"]["BeginOidcBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "url": "https://sign-in.example.com/authorize"
                     *     }
                     */
                    "application/json": components["schemas"]["SignInAddress"];
                };
            };
            "4XX": components["responses"]["RefusedChange"];
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
                "application/json": components["schemas"]["SetUpBody"];
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
            "4XX": components["responses"]["RefusedChange"];
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
                "application/json": components["schemas"]["PreviewInvitationBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "workspace": {
                     *         "slug": "acme",
                     *         "name": "shop"
                     *       },
                     *       "email": "ada@example.com",
                     *       "role": "viewer",
                     *       "signed_in_as": null,
                     *       "keys": [
                     *         {
                     *           "id": "key_01jn2t0700e008000000000001",
                     *           "kind": "personal",
                     *           "name": "CI of acme/shop",
                     *           "status": "Active",
                     *           "role": null,
                     *           "scopes": [
                     *             "vulnerabilities:read"
                     *           ],
                     *           "workspaces": null,
                     *           "last_four": "x7k2",
                     *           "created_at": "2026-03-02T09:15:00Z",
                     *           "created_by": {
                     *             "id": "usr_01jn2t0700e008000000000001",
                     *             "name": "Ada Park"
                     *           },
                     *           "last_used_at": null,
                     *           "expires_at": "2026-05-31T23:59:59Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["InvitationPreview"];
                };
            };
            "4XX": components["responses"]["RefusedChange"];
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
                "application/json": components["schemas"]["AcceptInvitationBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "slug": "acme"
                     *     }
                     */
                    "application/json": components["schemas"]["JoinedWorkspace"];
                };
            };
            "4XX": components["responses"]["RefusedChange"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listTenants: {
        parameters: {
            query?: {
                /** @description Number of rows on a page; `limit` and `page_size` mean the same. */
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "t_0000000000000001jn2nbdj001",
                     *           "slug": "acme",
                     *           "workspace": "Acme"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
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
                    /**
                     * @example {
                     *       "actor": {
                     *         "id": "usr_01jn2t0700e008000000000001",
                     *         "name": "Ada Park",
                     *         "email": "ada@example.com",
                     *         "type": "user"
                     *       },
                     *       "tenant": {
                     *         "id": "t_0000000000000001jn2nbdj001",
                     *         "slug": "acme",
                     *         "workspace": "Acme"
                     *       },
                     *       "token": {
                     *         "id": "key_01jn2t0700e008000000000001",
                     *         "name": "CI of acme/shop",
                     *         "scopes": [
                     *           "vulnerabilities:read"
                     *         ],
                     *         "expires_at": "2026-05-31T23:59:59Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Whoami"];
                };
            };
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listOrganizations: {
        parameters: {
            query?: {
                /** @description Beginning of the name or of a part of it. An exact match comes first. */
                q?: components["parameters"]["q_of_listOrganizations"];
                /** @description Number of rows on a page; `limit` and `page_size` mean the same. */
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "org_01jn2t0700e008000000000001",
                     *           "name": "acme",
                     *           "full_path": "acme",
                     *           "type": "github_org",
                     *           "external_id": "1042",
                     *           "orphaned": false,
                     *           "repositories_count": 1,
                     *           "created_at": "2026-03-02T09:15:00Z",
                     *           "updated_at": "2026-03-02T09:15:00Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["OrganizationPage"];
                };
            };
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listOrganizationParents: {
        parameters: {
            query: {
                /** @description Ids, at most 200; unknown ids are left out. */
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "org_01jn2t0700e008000000000001",
                     *           "parent": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["OrganizationParentList"];
                };
            };
            "4XX": components["responses"]["Refused"];
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
                    /**
                     * @example {
                     *       "id": "org_01jn2t0700e008000000000001",
                     *       "name": "acme",
                     *       "full_path": "acme",
                     *       "type": "github_org",
                     *       "external_id": "1042",
                     *       "orphaned": false,
                     *       "repositories_count": 1,
                     *       "created_at": "2026-03-02T09:15:00Z",
                     *       "updated_at": "2026-03-02T09:15:00Z",
                     *       "description": null,
                     *       "parent": null
                     *     }
                     */
                    "application/json": components["schemas"]["OrganizationDetail"];
                };
            };
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listRepositories: {
        parameters: {
            query?: {
                /** @description Beginning of the name or of a part of it. An exact match comes first. */
                q?: components["parameters"]["q_of_listOrganizations"];
                /** @description Organization: id or full path. */
                org?: string;
                /** @description VCS. */
                source?: ("local" | "ghc" | "ghe" | "gitlab" | "bitbucket" | "azure_devops")[];
                /** @description Number of rows on a page; `limit` and `page_size` mean the same. */
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "repo_01jn2t0700e008000000000001",
                     *           "name": "shop",
                     *           "full_name": "acme/shop",
                     *           "source": "ghc",
                     *           "is_private": true,
                     *           "is_archived": false,
                     *           "is_enabled": true,
                     *           "scan_state": "active",
                     *           "external_id": "1042",
                     *           "org": {
                     *             "id": "org_01jn2t0700e008000000000001",
                     *             "name": "acme",
                     *             "full_path": "acme"
                     *           },
                     *           "created_at": "2026-03-02T09:15:00Z",
                     *           "updated_at": "2026-03-02T09:15:00Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["RepositoryPage"];
                };
            };
            "4XX": components["responses"]["Refused"];
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
                    /**
                     * @example {
                     *       "id": "repo_01jn2t0700e008000000000001",
                     *       "name": "shop",
                     *       "full_name": "acme/shop",
                     *       "source": "ghc",
                     *       "is_private": true,
                     *       "is_archived": false,
                     *       "is_enabled": true,
                     *       "scan_state": "active",
                     *       "external_id": "1042",
                     *       "org": {
                     *         "id": "org_01jn2t0700e008000000000001",
                     *         "name": "acme",
                     *         "full_path": "acme"
                     *       },
                     *       "created_at": "2026-03-02T09:15:00Z",
                     *       "updated_at": "2026-03-02T09:15:00Z",
                     *       "is_monorepo": false,
                     *       "default_branch": {
                     *         "ref": "main",
                     *         "sha": "c0ffee0123456789abcdef0123456789abcdef01"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["RepositoryDetail"];
                };
            };
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listRepositoryScans: {
        parameters: {
            query: {
                /** @description Ids, at most 200; unknown ids are left out. */
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "repo_01jn2t0700e008000000000001",
                     *           "last_scanned_at": null,
                     *           "verdict": "block"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RepositoryScansList"];
                };
            };
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listReferences: {
        parameters: {
            query: {
                /** @description Repository: id or full name. */
                repo: components["parameters"]["repo_required"];
                /** @description Number of rows on a page; `limit` and `page_size` mean the same. */
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "ref_01jn2t0700e008000000000001",
                     *           "ref": "main",
                     *           "type": "branch",
                     *           "sha": "c0ffee0123456789abcdef0123456789abcdef01",
                     *           "is_default": true,
                     *           "tracked": true,
                     *           "active": true,
                     *           "last_scanned_at": null,
                     *           "base_ref": null,
                     *           "environment": null,
                     *           "open_by_severity": {
                     *             "critical": 0,
                     *             "high": 1,
                     *             "medium": 0,
                     *             "low": 0,
                     *             "info": 0,
                     *             "unknown": 0
                     *           },
                     *           "verdict": "block"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ReferencePage"];
                };
            };
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listApplications: {
        parameters: {
            query?: {
                /** @description Beginning of the name or of a part of it. An exact match comes first. */
                q?: components["parameters"]["q_of_listOrganizations"];
                /** @description Number of rows on a page; `limit` and `page_size` mean the same. */
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "app_01jn2t0700e008000000000001",
                     *           "name": "Shop",
                     *           "description": null,
                     *           "created_at": "2026-03-02T09:15:00Z",
                     *           "updated_at": "2026-03-02T09:15:00Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ApplicationPage"];
                };
            };
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listApplicationCounts: {
        parameters: {
            query: {
                /** @description Ids, at most 200; unknown ids are left out. */
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "app_01jn2t0700e008000000000001",
                     *           "repositories": 1,
                     *           "owner": {
                     *             "id": "usr_01jn2t0700e008000000000001",
                     *             "display_name": "Ada Park",
                     *             "email": "ada@example.com"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ApplicationCountsList"];
                };
            };
            "4XX": components["responses"]["Refused"];
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
                /** @description Id of the application, app_…. */
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
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listPackages: {
        parameters: {
            query?: {
                /** @description Beginning of the name or of a part of it, or a package URL. */
                q?: string;
                /** @description Types of package URLs, such as npm, maven and deb. */
                ecosystem?: string[];
                /** @description Name of a license, as in the list of licenses. */
                license?: string;
                /** @description Only packages with open vulnerabilities (in the repository, with `repo`), or only those without. */
                vulnerable?: "yes" | "no";
                /** @description Only packages that this repository uses: id or full name. */
                repo?: string;
                /** @description Number of rows on a page; `limit` and `page_size` mean the same. */
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "pkg_01jn2t0700e008000000000001",
                     *           "purl": "pkg:npm/lodash",
                     *           "ecosystem": "npm",
                     *           "namespace": null,
                     *           "name": "lodash",
                     *           "versions": 1,
                     *           "repositories": 1,
                     *           "licenses": [
                     *             "MIT"
                     *           ],
                     *           "open": 1,
                     *           "open_by_severity": {
                     *             "critical": 0,
                     *             "high": 1,
                     *             "medium": 0,
                     *             "low": 0,
                     *             "info": 0,
                     *             "unknown": 0
                     *           }
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["PackagePage"];
                };
            };
            "4XX": components["responses"]["Refused"];
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
                package: components["parameters"]["package_in_path"];
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
                    /**
                     * @example {
                     *       "id": "pkg_01jn2t0700e008000000000001",
                     *       "purl": "pkg:npm/lodash",
                     *       "ecosystem": "npm",
                     *       "namespace": null,
                     *       "name": "lodash",
                     *       "versions": 1,
                     *       "repositories": 1,
                     *       "licenses": [
                     *         "MIT"
                     *       ],
                     *       "open": 1,
                     *       "open_by_severity": {
                     *         "critical": 0,
                     *         "high": 1,
                     *         "medium": 0,
                     *         "low": 0,
                     *         "info": 0,
                     *         "unknown": 0
                     *       },
                     *       "used_versions": [
                     *         {
                     *           "id": "pkgv_01jn2t0700e008000000000001",
                     *           "version": "4.17.20",
                     *           "purl": "pkg:npm/lodash@4.17.20",
                     *           "repositories": 1,
                     *           "licenses": [
                     *             "MIT"
                     *           ],
                     *           "open": 1,
                     *           "open_by_severity": {
                     *             "critical": 0,
                     *             "high": 1,
                     *             "medium": 0,
                     *             "low": 0,
                     *             "info": 0,
                     *             "unknown": 0
                     *           }
                     *         }
                     *       ],
                     *       "advisories": [
                     *         {
                     *           "advisory": "CVE-2021-23337",
                     *           "title": "Command injection in lodash",
                     *           "severity": "high",
                     *           "fix_version": "4.17.21",
                     *           "open": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PackageDetail"];
                };
            };
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listPackageUsages: {
        parameters: {
            query?: {
                /** @description Id of a version, pkgv_…. */
                version?: string;
                /** @description Number of rows on a page; `limit` and `page_size` mean the same. */
                per_page?: components["parameters"]["per_page"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id of the package, pkg_…. */
                package: components["parameters"]["package_in_path"];
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "repository": {
                     *             "id": "repo_01jn2t0700e008000000000001",
                     *             "full_name": "acme/shop"
                     *           },
                     *           "reference": {
                     *             "id": "ref_01jn2t0700e008000000000001",
                     *             "full_ref": "refs/heads/main",
                     *             "is_default": true
                     *           },
                     *           "version_id": "pkgv_01jn2t0700e008000000000001",
                     *           "version": "4.17.20",
                     *           "manifest": "package-lock.json",
                     *           "direct": true,
                     *           "open": 1,
                     *           "open_by_severity": {
                     *             "critical": 0,
                     *             "high": 1,
                     *             "medium": 0,
                     *             "low": 0,
                     *             "info": 0,
                     *             "unknown": 0
                     *           }
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["PackageUsagePage"];
                };
            };
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listLicenses: {
        parameters: {
            query?: {
                /** @description Number of rows on a page; `limit` and `page_size` mean the same. */
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "name": "MIT",
                     *           "packages": 1
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["LicensePage"];
                };
            };
            "4XX": components["responses"]["Refused"];
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "ecosystem": "npm"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["EcosystemList"];
                };
            };
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listVulnerabilities: {
        parameters: {
            query?: {
                /** @description Repository: id or full name. */
                repo?: components["parameters"]["repo"];
                /** @description Reference: short or full name; HEAD is the default branch of each repository. Status and summary are those on it. */
                ref?: components["parameters"]["ref"];
                /** @description Only vulnerabilities that a completed scan of this commit saw. */
                sha?: components["parameters"]["sha"];
                /** @description tracked: only vulnerabilities that have been on a tracked reference. default_branches: status and summary are those on the default branches, like ref=HEAD. all: vulnerabilities that are fixed on tracked references and present elsewhere count as open. Without it: all vulnerabilities, each with its status. Cannot be combined with ref. */
                scope?: components["parameters"]["scope"];
                /** @description Status. */
                state?: components["parameters"]["state"];
                /** @description Found in the current files, or only in the history of the commits. */
                source?: components["parameters"]["source"];
                /** @description Confirmed as a true positive. */
                confirmed?: components["parameters"]["confirmed"];
                /** @description A person has decided about it. */
                triaged?: components["parameters"]["triaged"];
                /** @description Severity. */
                severity?: components["parameters"]["severity"];
                /** @description Type. */
                type?: components["parameters"]["type"];
                /** @description me, unassigned, assigned (to anybody), a user id or an e-mail address. */
                assignee?: components["parameters"]["assignee"];
                /** @description Team that owns the file, by the CODEOWNERS file: id or name; mine: any team of the caller. */
                team?: components["parameters"]["team"];
                /** @description A version that fixes it is known. */
                fix?: components["parameters"]["fix"];
                /** @description Only vulnerabilities with any status that are known to be exploited (KEV), verified, or exploitable as a tool says. `true` means the same. */
                exploitable?: components["parameters"]["exploitable"];
                /** @description Lowest EPSS score (the highest of its CVEs counts): 0 to 1, such as 0.1. */
                epss_min?: components["parameters"]["epss_min"];
                /** @description Due date of its policy violation that is due first among those open or in review: overdue, or soon (within 7 days). */
                due?: components["parameters"]["due"];
                /** @description Introduced at this time or later: a date (UTC) or a time in RFC 3339. */
                introduced_since?: components["parameters"]["introduced_since"];
                /** @description Only repositories that this application groups now: id or name. */
                application?: components["parameters"]["application_in_query"];
                /** @description Package URL without version, or the name of the package. */
                package?: components["parameters"]["package"];
                /** @description Exact rule of the tool that found it, for vulnerabilities in no package. `q` finds a rule that is an advisory. */
                rule?: components["parameters"]["rule"];
                /** @description Words of the title and the package, of at least three characters each, or ids of advisories. */
                q?: components["parameters"]["q"];
                /** @description Order; severity is the default. */
                sort?: "severity" | "newest" | "oldest";
                /** @description Further fields of each row, by their names. */
                include?: ("package" | "rule" | "advisory" | "fix" | "assignee" | "team" | "due" | "epss" | "open_on")[];
                /** @description Number of rows on a page; `limit` and `page_size` mean the same. */
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
                    /**
                     * @example {
                     *       "filters": {
                     *         "repo": "acme/shop",
                     *         "ref": "main",
                     *         "sha": "c0ffee0123456789abcdef0123456789abcdef01",
                     *         "state": "open",
                     *         "source": "current",
                     *         "confirmed": null,
                     *         "triaged": null,
                     *         "severity": [
                     *           "high"
                     *         ],
                     *         "type": [
                     *           "dependency"
                     *         ],
                     *         "assignee": null,
                     *         "sort": "severity"
                     *       },
                     *       "summary": {
                     *         "total": 1,
                     *         "by_severity": {
                     *           "critical": 0,
                     *           "high": 1,
                     *           "medium": 0,
                     *           "low": 0,
                     *           "info": 0,
                     *           "unknown": 0
                     *         },
                     *         "by_type": {
                     *           "dependency": 1
                     *         }
                     *       },
                     *       "items": [
                     *         {
                     *           "id": "vc_01jn2t0700e008000000000001",
                     *           "title": "Command injection in lodash",
                     *           "repository": {
                     *             "id": "repo_01jn2t0700e008000000000001",
                     *             "name": "shop",
                     *             "full_name": "acme/shop"
                     *           },
                     *           "severity": "high",
                     *           "type": "dependency",
                     *           "source": "current",
                     *           "status": "open",
                     *           "resolution": null,
                     *           "confirmed": false,
                     *           "triaged": false,
                     *           "introduced_at": "2026-03-02T09:15:00Z",
                     *           "vulnerable_at": "2026-03-02T09:15:00Z",
                     *           "exploitable_at": null,
                     *           "location": {
                     *             "id": "loc_01jn2t0700e008000000000001",
                     *             "path": "package-lock.json",
                     *             "line": null,
                     *             "fixed_at": null,
                     *             "vulnerable_at": "2026-03-02T09:15:00Z",
                     *             "exploitable_at": null,
                     *             "is_vulnerable": true,
                     *             "is_exploitable": false,
                     *             "reference": {
                     *               "id": "ref_01jn2t0700e008000000000001",
                     *               "ref": "main",
                     *               "sha": "c0ffee0123456789abcdef0123456789abcdef01",
                     *               "type": "branch"
                     *             }
                     *           },
                     *           "package": {
                     *             "purl": "pkg:npm/lodash",
                     *             "name": "lodash",
                     *             "version": "4.17.20"
                     *           },
                     *           "rule": "CVE-2021-23337",
                     *           "advisory": "CVE-2021-23337",
                     *           "fix": {
                     *             "fix_version": "4.17.21"
                     *           },
                     *           "assignee": {
                     *             "id": "usr_01jn2t0700e008000000000001",
                     *             "name": "Ada Park"
                     *           },
                     *           "team": {
                     *             "id": "team_01jn2t0700e008000000000001",
                     *             "name": "Payments"
                     *           },
                     *           "due": {
                     *             "due_at": "2026-03-09T09:15:00Z"
                     *           },
                     *           "epss": {
                     *             "score": 0.02,
                     *             "kev": false
                     *           },
                     *           "open_on": {
                     *             "ref": "main",
                     *             "is_default": true,
                     *             "reach": "tracked"
                     *           }
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["VulnerabilityPage"];
                };
            };
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getVulnerabilityFacets: {
        parameters: {
            query?: {
                /** @description Repository: id or full name. */
                repo?: components["parameters"]["repo"];
                /** @description Reference: short or full name; HEAD is the default branch of each repository. Status and summary are those on it. */
                ref?: components["parameters"]["ref"];
                /** @description Only vulnerabilities that a completed scan of this commit saw. */
                sha?: components["parameters"]["sha"];
                /** @description tracked: only vulnerabilities that have been on a tracked reference. default_branches: status and summary are those on the default branches, like ref=HEAD. all: vulnerabilities that are fixed on tracked references and present elsewhere count as open. Without it: all vulnerabilities, each with its status. Cannot be combined with ref. */
                scope?: components["parameters"]["scope"];
                /** @description Status. */
                state?: components["parameters"]["state"];
                /** @description Found in the current files, or only in the history of the commits. */
                source?: components["parameters"]["source"];
                /** @description Confirmed as a true positive. */
                confirmed?: components["parameters"]["confirmed"];
                /** @description A person has decided about it. */
                triaged?: components["parameters"]["triaged"];
                /** @description Severity. */
                severity?: components["parameters"]["severity"];
                /** @description Type. */
                type?: components["parameters"]["type"];
                /** @description me, unassigned, assigned (to anybody), a user id or an e-mail address. */
                assignee?: components["parameters"]["assignee"];
                /** @description Team that owns the file, by the CODEOWNERS file: id or name; mine: any team of the caller. */
                team?: components["parameters"]["team"];
                /** @description A version that fixes it is known. */
                fix?: components["parameters"]["fix"];
                /** @description Only vulnerabilities with any status that are known to be exploited (KEV), verified, or exploitable as a tool says. `true` means the same. */
                exploitable?: components["parameters"]["exploitable"];
                /** @description Lowest EPSS score (the highest of its CVEs counts): 0 to 1, such as 0.1. */
                epss_min?: components["parameters"]["epss_min"];
                /** @description Due date of its policy violation that is due first among those open or in review: overdue, or soon (within 7 days). */
                due?: components["parameters"]["due"];
                /** @description Introduced at this time or later: a date (UTC) or a time in RFC 3339. */
                introduced_since?: components["parameters"]["introduced_since"];
                /** @description Only repositories that this application groups now: id or name. */
                application?: components["parameters"]["application_in_query"];
                /** @description Package URL without version, or the name of the package. */
                package?: components["parameters"]["package"];
                /** @description Exact rule of the tool that found it, for vulnerabilities in no package. `q` finds a rule that is an advisory. */
                rule?: components["parameters"]["rule"];
                /** @description Words of the title and the package, of at least three characters each, or ids of advisories. */
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
                    /**
                     * @example {
                     *       "scope": {
                     *         "tracked": 1,
                     *         "default_branches": 1,
                     *         "all": 2
                     *       },
                     *       "state": {
                     *         "open": 1,
                     *         "fixed": 0,
                     *         "accepted": 0,
                     *         "ignored": 0,
                     *         "rejected": 0
                     *       },
                     *       "severity": {
                     *         "critical": 0,
                     *         "high": 1,
                     *         "medium": 0,
                     *         "low": 0,
                     *         "info": 0,
                     *         "unknown": 0
                     *       },
                     *       "type": {
                     *         "dependency": 1
                     *       },
                     *       "source": {
                     *         "current": 1,
                     *         "git_history": 0
                     *       },
                     *       "confirmed": {
                     *         "yes": 1,
                     *         "no": 1
                     *       },
                     *       "triaged": {
                     *         "yes": 1,
                     *         "no": 1
                     *       },
                     *       "fix": {
                     *         "yes": 1,
                     *         "no": 1
                     *       },
                     *       "assignee": {
                     *         "unassigned": 1,
                     *         "assigned": 1,
                     *         "me": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["VulnerabilityFacets"];
                };
            };
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listVulnerabilityGroups: {
        parameters: {
            query: {
                /** @description What a group has in common. Groups by package show the upgrade that fixes most. */
                by: "package" | "rule" | "repository";
                /** @description Number of groups. */
                limit?: number;
                /** @description Repository: id or full name. */
                repo?: components["parameters"]["repo"];
                /** @description Reference: short or full name; HEAD is the default branch of each repository. Status and summary are those on it. */
                ref?: components["parameters"]["ref"];
                /** @description Only vulnerabilities that a completed scan of this commit saw. */
                sha?: components["parameters"]["sha"];
                /** @description tracked: only vulnerabilities that have been on a tracked reference. default_branches: status and summary are those on the default branches, like ref=HEAD. all: vulnerabilities that are fixed on tracked references and present elsewhere count as open. Without it: all vulnerabilities, each with its status. Cannot be combined with ref. */
                scope?: components["parameters"]["scope"];
                /** @description Status. */
                state?: components["parameters"]["state"];
                /** @description Found in the current files, or only in the history of the commits. */
                source?: components["parameters"]["source"];
                /** @description Confirmed as a true positive. */
                confirmed?: components["parameters"]["confirmed"];
                /** @description A person has decided about it. */
                triaged?: components["parameters"]["triaged"];
                /** @description Severity. */
                severity?: components["parameters"]["severity"];
                /** @description Type. */
                type?: components["parameters"]["type"];
                /** @description me, unassigned, assigned (to anybody), a user id or an e-mail address. */
                assignee?: components["parameters"]["assignee"];
                /** @description Team that owns the file, by the CODEOWNERS file: id or name; mine: any team of the caller. */
                team?: components["parameters"]["team"];
                /** @description A version that fixes it is known. */
                fix?: components["parameters"]["fix"];
                /** @description Only vulnerabilities with any status that are known to be exploited (KEV), verified, or exploitable as a tool says. `true` means the same. */
                exploitable?: components["parameters"]["exploitable"];
                /** @description Lowest EPSS score (the highest of its CVEs counts): 0 to 1, such as 0.1. */
                epss_min?: components["parameters"]["epss_min"];
                /** @description Due date of its policy violation that is due first among those open or in review: overdue, or soon (within 7 days). */
                due?: components["parameters"]["due"];
                /** @description Introduced at this time or later: a date (UTC) or a time in RFC 3339. */
                introduced_since?: components["parameters"]["introduced_since"];
                /** @description Only repositories that this application groups now: id or name. */
                application?: components["parameters"]["application_in_query"];
                /** @description Package URL without version, or the name of the package. */
                package?: components["parameters"]["package"];
                /** @description Exact rule of the tool that found it, for vulnerabilities in no package. `q` finds a rule that is an advisory. */
                rule?: components["parameters"]["rule"];
                /** @description Words of the title and the package, of at least three characters each, or ids of advisories. */
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
                    /**
                     * @example {
                     *       "by": "package",
                     *       "total": 1,
                     *       "items": [
                     *         {
                     *           "key": "pkg:npm/lodash",
                     *           "name": "lodash",
                     *           "total": 1,
                     *           "by_severity": {
                     *             "critical": 0,
                     *             "high": 1,
                     *             "medium": 0,
                     *             "low": 0,
                     *             "info": 0,
                     *             "unknown": 0
                     *           },
                     *           "repositories": 1,
                     *           "upgrade": {
                     *             "version": "4.17.20",
                     *             "clears": 1
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["VulnerabilityGroups"];
                };
            };
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listVulnerabilitySignals: {
        parameters: {
            query: {
                /** @description Ids, at most 200; unknown ids are left out. */
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "vc_01jn2t0700e008000000000001",
                     *           "kev": false,
                     *           "kev_due": "2026-03-13",
                     *           "epss": 0.02,
                     *           "cvss": 7.2,
                     *           "exploitable": false,
                     *           "status_version": "7",
                     *           "accepted_until": null,
                     *           "due_at": "2026-03-09T09:15:00Z",
                     *           "overdue": false,
                     *           "blocking": true,
                     *           "tools": [
                     *             "trivy"
                     *           ],
                     *           "references": 1,
                     *           "live_on": {
                     *             "ref": "main",
                     *             "is_default": true
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["VulnerabilitySignalsList"];
                };
            };
            "4XX": components["responses"]["Refused"];
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
                    /**
                     * @example {
                     *       "id": "vc_01jn2t0700e008000000000001",
                     *       "title": "Command injection in lodash",
                     *       "repository": {
                     *         "id": "repo_01jn2t0700e008000000000001",
                     *         "name": "shop",
                     *         "full_name": "acme/shop"
                     *       },
                     *       "severity": "high",
                     *       "type": "dependency",
                     *       "source": "current",
                     *       "status": "open",
                     *       "resolution": null,
                     *       "confirmed": false,
                     *       "triaged": false,
                     *       "introduced_at": "2026-03-02T09:15:00Z",
                     *       "vulnerable_at": "2026-03-02T09:15:00Z",
                     *       "exploitable_at": null,
                     *       "location": {
                     *         "id": "loc_01jn2t0700e008000000000001",
                     *         "path": "package-lock.json",
                     *         "line": null,
                     *         "fixed_at": null,
                     *         "vulnerable_at": "2026-03-02T09:15:00Z",
                     *         "exploitable_at": null,
                     *         "is_vulnerable": true,
                     *         "is_exploitable": false,
                     *         "reference": {
                     *           "id": "ref_01jn2t0700e008000000000001",
                     *           "ref": "main",
                     *           "sha": "c0ffee0123456789abcdef0123456789abcdef01",
                     *           "type": "branch"
                     *         }
                     *       },
                     *       "description": null,
                     *       "rule": "CVE-2021-23337",
                     *       "identifiers": [
                     *         "CVE-2021-23337"
                     *       ],
                     *       "cwes": [
                     *         "CWE-77"
                     *       ],
                     *       "links": [
                     *         "https://nvd.nist.gov/vuln/detail/CVE-2021-23337"
                     *       ],
                     *       "package": "pkg:npm/lodash@4.17.20",
                     *       "fix_version": "4.17.21",
                     *       "cvss": {
                     *         "score": 7.2,
                     *         "vector": "CVSS:3.1/AV:N/AC:L/PR:H/UI:N/S:U/C:H/I:H/A:H"
                     *       },
                     *       "kev": {
                     *         "added_on": "2026-02-20",
                     *         "due_on": "2026-03-13",
                     *         "ransomware": false
                     *       },
                     *       "epss": {
                     *         "score": 7.2,
                     *         "percentile": 0.8
                     *       },
                     *       "assignee": {
                     *         "id": "usr_01jn2t0700e008000000000001",
                     *         "display_name": "Ada Park",
                     *         "email": "ada@example.com"
                     *       },
                     *       "accepted_until": null,
                     *       "decided_by": null,
                     *       "status_version": "7",
                     *       "updated_at": "2026-03-02T09:15:00Z",
                     *       "decision_overrides_policy": false,
                     *       "joined_names": [
                     *         {
                     *           "name": "SNYK-JS-LODASH-1040724",
                     *           "joined_at": "2026-03-02T09:15:00Z"
                     *         }
                     *       ],
                     *       "owners": [
                     *         {
                     *           "name": "@acme/payments",
                     *           "team": {
                     *             "id": "team_01jn2t0700e008000000000001",
                     *             "name": "Payments"
                     *           },
                     *           "person": null,
                     *           "line": 42
                     *         }
                     *       ],
                     *       "evidence": {
                     *         "snippet": null,
                     *         "data_flow": [],
                     *         "help": null,
                     *         "remediation": "Upgrade to version 4.17.21 or later.",
                     *         "dependency_paths": [
                     *           [
                     *             "shop-ui@2.0.1",
                     *             "lodash@4.17.15"
                     *           ]
                     *         ]
                     *       },
                     *       "suggestions": [
                     *         {
                     *           "by": "vex",
                     *           "says": "not_affected",
                     *           "version": "4.17.20",
                     *           "ref": "main",
                     *           "reason": "The upgrade is planned for the next release.",
                     *           "until": null
                     *         }
                     *       ],
                     *       "reporters": [
                     *         {
                     *           "tool": "trivy",
                     *           "category": "production",
                     *           "ref": "main",
                     *           "live": true,
                     *           "severity": "high",
                     *           "title": "Command injection in lodash",
                     *           "fixed_versions": [
                     *             "4.17.21"
                     *           ],
                     *           "cvss_score": 7.2,
                     *           "verified": false,
                     *           "exploitable": false,
                     *           "updated_at": "2026-03-02T09:15:00Z"
                     *         }
                     *       ],
                     *       "references": [
                     *         {
                     *           "id": "ref_01jn2t0700e008000000000001",
                     *           "ref": "main",
                     *           "sha": "c0ffee0123456789abcdef0123456789abcdef01",
                     *           "type": "branch",
                     *           "active": true,
                     *           "is_default": true,
                     *           "status": "open",
                     *           "first_seen_at": "2026-03-02T09:15:00Z",
                     *           "fixed_at": null
                     *         }
                     *       ],
                     *       "references_total": 1,
                     *       "matches": [
                     *         {
                     *           "location_id": "loc_01jn2t0700e008000000000001",
                     *           "tool": "trivy",
                     *           "match_method": "advisory-and-package"
                     *         }
                     *       ],
                     *       "history": [
                     *         {
                     *           "id": "evt_01jn2t0700e008000000000001",
                     *           "event": "opened",
                     *           "at": "2026-03-02T09:15:00Z",
                     *           "actor": null,
                     *           "scan_id": "scan_01jn2t0700e008000000000001",
                     *           "reason": null,
                     *           "data": {}
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["VulnerabilityDetail"];
                };
            };
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listVulnerabilityLocations: {
        parameters: {
            query?: {
                /** @description live (the default): only locations where it is present now. */
                scope?: "live" | "all";
                /** @description Number of rows on a page; `limit` and `page_size` mean the same. */
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
                    /**
                     * @example {
                     *       "vulnerability": {
                     *         "id": "vc_01jn2t0700e008000000000001",
                     *         "title": "Command injection in lodash"
                     *       },
                     *       "filters": {
                     *         "scope": "live"
                     *       },
                     *       "summary": {
                     *         "total": 1,
                     *         "active": 1,
                     *         "fixed": 1
                     *       },
                     *       "items": [
                     *         {
                     *           "id": "loc_01jn2t0700e008000000000001",
                     *           "path": "package-lock.json",
                     *           "line": null,
                     *           "fixed_at": null,
                     *           "vulnerable_at": "2026-03-02T09:15:00Z",
                     *           "exploitable_at": null,
                     *           "is_vulnerable": true,
                     *           "is_exploitable": false,
                     *           "reference": {
                     *             "id": "ref_01jn2t0700e008000000000001",
                     *             "ref": "main",
                     *             "sha": "c0ffee0123456789abcdef0123456789abcdef01",
                     *             "type": "branch"
                     *           },
                     *           "artifact": {
                     *             "id": "art_01jn2t0700e008000000000001",
                     *             "type": "package_version",
                     *             "name": "lodash",
                     *             "purl": "pkg:npm/lodash@4.17.20",
                     *             "digest": null
                     *           }
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["LocationPage"];
                };
            };
            "4XX": components["responses"]["Refused"];
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
                /**
                 * @example {
                 *       "assignee": "me"
                 *     }
                 */
                "application/json": components["schemas"]["AssignVulnerabilityBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "vulnerability": {
                     *         "id": "vc_01jn2t0700e008000000000001",
                     *         "assignee": {
                     *           "id": "usr_01jn2t0700e008000000000001",
                     *           "display_name": "Ada Park",
                     *           "email": "ada@example.com"
                     *         },
                     *         "status_version": "7",
                     *         "updated_at": "2026-03-02T09:15:00Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Assignment"];
                };
            };
            409: components["responses"]["Conflict"];
            "4XX": components["responses"]["RefusedChange"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listComments: {
        parameters: {
            query?: {
                /** @description Number of rows on a page; `limit` and `page_size` mean the same. */
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "cmt_01jn2t0700e008000000000001",
                     *           "author": {
                     *             "id": "usr_01jn2t0700e008000000000001",
                     *             "display_name": "Ada Park",
                     *             "email": "ada@example.com"
                     *           },
                     *           "body": "The upgrade is planned for the next release.",
                     *           "created_at": "2026-03-02T09:15:00Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["CommentPage"];
                };
            };
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listVulnerabilityIssues: {
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "iss_01jn2t0700e008000000000001",
                     *           "tracker": {
                     *             "id": "trk_01jn2t0700e008000000000001",
                     *             "name": "Shop team",
                     *             "kind": "jira"
                     *           },
                     *           "state": "linked",
                     *           "key": "SHOP-7",
                     *           "url": "https://acme.atlassian.net/browse/SHOP-7",
                     *           "status": "In Progress",
                     *           "closed": false,
                     *           "assignee": "Kim",
                     *           "changed_at": null,
                     *           "group": false,
                     *           "by_rule": false,
                     *           "vulnerabilities": 1,
                     *           "open": 1,
                     *           "error": null,
                     *           "created_at": "2026-03-02T09:15:00Z"
                     *         }
                     *       ],
                     *       "trackers": [
                     *         {
                     *           "id": "trk_01jn2t0700e008000000000001",
                     *           "name": "Shop team",
                     *           "kind": "jira"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["VulnerabilityIssues"];
                };
            };
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listPolicyViolations: {
        parameters: {
            query: {
                /** @description Repository: id or full name. */
                repo: components["parameters"]["repo_required"];
                /** @description Only violations that match or matched on this reference, with their status on it. HEAD is the default branch. */
                ref?: string;
                /** @description Status. */
                status?: components["parameters"]["status"];
                /** @description Mode in force; none means that an exception exempts. */
                enforcement?: components["parameters"]["enforcement"];
                /** @description Policies: ids or keys. */
                policy?: components["parameters"]["policy"];
                /** @description Type of the target. */
                target_type?: components["parameters"]["target_type"];
                /** @description Number of rows on a page; `limit` and `page_size` mean the same. */
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
                    /**
                     * @example {
                     *       "repository": {
                     *         "id": "repo_01jn2t0700e008000000000001",
                     *         "full_name": "acme/shop"
                     *       },
                     *       "reference": {
                     *         "ref": "main",
                     *         "sha": "c0ffee0123456789abcdef0123456789abcdef01"
                     *       },
                     *       "filters": {
                     *         "status": [
                     *           "open"
                     *         ],
                     *         "enforcement": [],
                     *         "policy": [],
                     *         "target_type": []
                     *       },
                     *       "summary": {
                     *         "total": 1,
                     *         "by_status": {
                     *           "open": 1,
                     *           "pending_review": 0,
                     *           "waived": 0,
                     *           "resolved": 0
                     *         },
                     *         "by_target_type": {
                     *           "vulnerability": 1
                     *         },
                     *         "by_enforcement_mode": {
                     *           "block": 1,
                     *           "warn": 0,
                     *           "monitor": 0,
                     *           "none": 0
                     *         }
                     *       },
                     *       "items": [
                     *         {
                     *           "id": "pvl_01jn2t0700e008000000000001",
                     *           "status": "open",
                     *           "enforcement_mode": "block",
                     *           "blocking": true,
                     *           "due_at": "2026-03-09T09:15:00Z",
                     *           "remaining_seconds": 604800,
                     *           "snoozed": false,
                     *           "snoozed_until": null,
                     *           "snooze_count": 0,
                     *           "first_seen_at": "2026-03-02T09:15:00Z",
                     *           "last_seen_at": "2026-03-02T09:15:00Z",
                     *           "resolved_at": null,
                     *           "metadata": {
                     *             "severity": "high",
                     *             "cvss_score": 7.2,
                     *             "epss_score": 0.02,
                     *             "reference_ref": "main",
                     *             "environment_key": null
                     *           },
                     *           "policy": {
                     *             "id": "pol_01jn2t0700e008000000000001",
                     *             "key": "fix-known-vulnerabilities",
                     *             "name": "Fix known vulnerabilities",
                     *             "type": "custom",
                     *             "status": "active",
                     *             "target_type": "vulnerability",
                     *             "enforcement_mode": "block",
                     *             "severity": "high"
                     *           },
                     *           "scope": {
                     *             "type": "repo",
                     *             "id": "repo_01jn2t0700e008000000000001",
                     *             "name": "acme/shop"
                     *           },
                     *           "target": {
                     *             "type": "vulnerability",
                     *             "id": "vc_01jn2t0700e008000000000001",
                     *             "title": "Command injection in lodash",
                     *             "severity": "high",
                     *             "status": "open",
                     *             "vulnerability_type": "dependency"
                     *           },
                     *           "rule": {
                     *             "type": "repo",
                     *             "id": "repo_01jn2t0700e008000000000001"
                     *           }
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["PolicyViolationPage"];
                };
            };
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getPolicyViolation: {
        parameters: {
            query?: {
                /** @description Repository of the violation: id or full name. The violation of another repository is not found. */
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
                    /**
                     * @example {
                     *       "violation": {
                     *         "id": "pvl_01jn2t0700e008000000000001",
                     *         "status": "open",
                     *         "enforcement_mode": "block",
                     *         "blocking": true,
                     *         "due_at": "2026-03-09T09:15:00Z",
                     *         "remaining_seconds": 604800,
                     *         "snoozed": false,
                     *         "snoozed_until": null,
                     *         "snooze_count": 0,
                     *         "first_seen_at": "2026-03-02T09:15:00Z",
                     *         "last_seen_at": "2026-03-02T09:15:00Z",
                     *         "resolved_at": null,
                     *         "metadata": {
                     *           "severity": "high",
                     *           "cvss_score": 7.2,
                     *           "epss_score": 0.02,
                     *           "reference_ref": "main",
                     *           "environment_key": null
                     *         },
                     *         "policy": {
                     *           "id": "pol_01jn2t0700e008000000000001",
                     *           "key": "fix-known-vulnerabilities",
                     *           "name": "Fix known vulnerabilities",
                     *           "type": "custom",
                     *           "status": "active",
                     *           "target_type": "vulnerability",
                     *           "enforcement_mode": "block",
                     *           "severity": "high"
                     *         },
                     *         "scope": {
                     *           "type": "repo",
                     *           "id": "repo_01jn2t0700e008000000000001",
                     *           "name": "acme/shop"
                     *         },
                     *         "target": {
                     *           "type": "vulnerability",
                     *           "id": "vc_01jn2t0700e008000000000001",
                     *           "title": "Command injection in lodash",
                     *           "severity": "high",
                     *           "status": "open",
                     *           "vulnerability_type": "dependency"
                     *         },
                     *         "rule": {
                     *           "type": "repo",
                     *           "id": "repo_01jn2t0700e008000000000001"
                     *         }
                     *       },
                     *       "policy": {
                     *         "id": "pol_01jn2t0700e008000000000001",
                     *         "key": "fix-known-vulnerabilities",
                     *         "name": "Fix known vulnerabilities",
                     *         "type": "custom",
                     *         "status": "active",
                     *         "target_type": "vulnerability",
                     *         "enforcement_mode": "block",
                     *         "severity": "high",
                     *         "config": null,
                     *         "condition": {
                     *           "all": [
                     *             {
                     *               "fact": "severity",
                     *               "operator": ">=",
                     *               "value": "high"
                     *             },
                     *             {
                     *               "fact": "fix_available",
                     *               "operator": "==",
                     *               "value": true
                     *             }
                     *           ]
                     *         },
                     *         "actions": {
                     *           "sla": {
                     *             "window": "7d"
                     *           }
                     *         }
                     *       },
                     *       "override": null,
                     *       "rule": {
                     *         "type": "repo",
                     *         "id": "repo_01jn2t0700e008000000000001",
                     *         "action": "include",
                     *         "enforcement_mode": null
                     *       },
                     *       "scope": {
                     *         "type": "repo",
                     *         "id": "repo_01jn2t0700e008000000000001",
                     *         "name": "acme/shop"
                     *       },
                     *       "target": {
                     *         "type": "vulnerability",
                     *         "id": "vc_01jn2t0700e008000000000001",
                     *         "title": "Command injection in lodash",
                     *         "severity": "high",
                     *         "status": "open",
                     *         "vulnerability_type": "dependency"
                     *       },
                     *       "scan": {
                     *         "id": "scan_01jn2t0700e008000000000001",
                     *         "status": "completed",
                     *         "ref": "main",
                     *         "sha": "c0ffee0123456789abcdef0123456789abcdef01",
                     *         "started_at": null,
                     *         "finished_at": "2026-03-02T09:15:04Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["PolicyViolationDetail"];
                };
            };
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listAllPolicyViolations: {
        parameters: {
            query?: {
                /** @description Repository: id or full name. */
                repo?: components["parameters"]["repo"];
                /** @description Status. */
                status?: components["parameters"]["status"];
                /** @description Mode in force; none means that an exception exempts. */
                enforcement?: components["parameters"]["enforcement"];
                /** @description Policies: ids or keys. */
                policy?: components["parameters"]["policy"];
                /** @description Type of the target. */
                target_type?: components["parameters"]["target_type"];
                /** @description Only violations that are open or in review: overdue, due within seven days, or due later. */
                due?: "overdue" | "soon" | "later";
                /** @description Snoozed by a person. */
                snoozed?: "yes" | "no";
                /** @description Blocks a merge. */
                blocking?: "yes" | "no";
                /** @description Only violations of vulnerabilities: words of the title and the package, of at least three characters each, or ids of advisories. */
                q?: string;
                /** @description Number of rows on a page; `limit` and `page_size` mean the same. */
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
                    /**
                     * @example {
                     *       "filters": {
                     *         "repo": null,
                     *         "status": [
                     *           "open"
                     *         ],
                     *         "enforcement": [],
                     *         "policy": [],
                     *         "target_type": [],
                     *         "due": null,
                     *         "snoozed": null,
                     *         "blocking": null
                     *       },
                     *       "summary": {
                     *         "total": 1,
                     *         "by_status": {
                     *           "open": 1,
                     *           "pending_review": 0,
                     *           "waived": 0,
                     *           "resolved": 0
                     *         },
                     *         "by_target_type": {
                     *           "vulnerability": 1
                     *         },
                     *         "by_enforcement_mode": {
                     *           "block": 1,
                     *           "warn": 0,
                     *           "monitor": 0,
                     *           "none": 0
                     *         }
                     *       },
                     *       "items": [
                     *         {
                     *           "id": "pvl_01jn2t0700e008000000000001",
                     *           "status": "open",
                     *           "enforcement_mode": "block",
                     *           "blocking": true,
                     *           "due_at": "2026-03-09T09:15:00Z",
                     *           "remaining_seconds": 604800,
                     *           "snoozed": false,
                     *           "snoozed_until": null,
                     *           "snooze_count": 0,
                     *           "first_seen_at": "2026-03-02T09:15:00Z",
                     *           "last_seen_at": "2026-03-02T09:15:00Z",
                     *           "resolved_at": null,
                     *           "metadata": {
                     *             "severity": "high",
                     *             "cvss_score": 7.2,
                     *             "epss_score": 0.02,
                     *             "reference_ref": "main",
                     *             "environment_key": null
                     *           },
                     *           "policy": {
                     *             "id": "pol_01jn2t0700e008000000000001",
                     *             "key": "fix-known-vulnerabilities",
                     *             "name": "Fix known vulnerabilities",
                     *             "type": "custom",
                     *             "status": "active",
                     *             "target_type": "vulnerability",
                     *             "enforcement_mode": "block",
                     *             "severity": "high"
                     *           },
                     *           "scope": {
                     *             "type": "repo",
                     *             "id": "repo_01jn2t0700e008000000000001",
                     *             "name": "acme/shop"
                     *           },
                     *           "target": {
                     *             "type": "vulnerability",
                     *             "id": "vc_01jn2t0700e008000000000001",
                     *             "title": "Command injection in lodash",
                     *             "severity": "high",
                     *             "status": "open",
                     *             "vulnerability_type": "dependency"
                     *           },
                     *           "rule": {
                     *             "type": "repo",
                     *             "id": "repo_01jn2t0700e008000000000001"
                     *           },
                     *           "repository": {
                     *             "id": "repo_01jn2t0700e008000000000001",
                     *             "full_name": "acme/shop"
                     *           }
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["RepositoryPolicyViolationPage"];
                };
            };
            "4XX": components["responses"]["Refused"];
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "pvl_01jn2t0700e008000000000001",
                     *           "status": "open",
                     *           "enforcement_mode": "block",
                     *           "blocking": true,
                     *           "due_at": "2026-03-09T09:15:00Z",
                     *           "remaining_seconds": 604800,
                     *           "snoozed": false,
                     *           "snoozed_until": null,
                     *           "snooze_count": 0,
                     *           "first_seen_at": "2026-03-02T09:15:00Z",
                     *           "last_seen_at": "2026-03-02T09:15:00Z",
                     *           "resolved_at": null,
                     *           "metadata": {
                     *             "severity": "high",
                     *             "cvss_score": 7.2,
                     *             "epss_score": 0.02,
                     *             "reference_ref": "main",
                     *             "environment_key": null
                     *           },
                     *           "policy": {
                     *             "id": "pol_01jn2t0700e008000000000001",
                     *             "key": "fix-known-vulnerabilities",
                     *             "name": "Fix known vulnerabilities",
                     *             "type": "custom",
                     *             "status": "active",
                     *             "target_type": "vulnerability",
                     *             "enforcement_mode": "block",
                     *             "severity": "high"
                     *           },
                     *           "scope": {
                     *             "type": "repo",
                     *             "id": "repo_01jn2t0700e008000000000001",
                     *             "name": "acme/shop"
                     *           },
                     *           "target": {
                     *             "type": "vulnerability",
                     *             "id": "vc_01jn2t0700e008000000000001",
                     *             "title": "Command injection in lodash",
                     *             "severity": "high",
                     *             "status": "open",
                     *             "vulnerability_type": "dependency"
                     *           },
                     *           "rule": {
                     *             "type": "repo",
                     *             "id": "repo_01jn2t0700e008000000000001"
                     *           },
                     *           "repository": {
                     *             "id": "repo_01jn2t0700e008000000000001",
                     *             "full_name": "acme/shop"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RepositoryPolicyViolationList"];
                };
            };
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getGate: {
        parameters: {
            query: {
                /** @description Repository: id or full name. */
                repo: components["parameters"]["repo_required"];
                /** @description VCS of the repository, with repo_external_id. */
                repo_source?: "local" | "ghc" | "ghe" | "gitlab" | "bitbucket" | "azure_devops";
                /** @description Id of the repository at the VCS, as in an upload. It comes before the name, which another repository may have too. */
                repo_external_id?: string;
                /** @description Reference: short or full name, or HEAD. Without ref and sha: the default branch. */
                ref?: components["parameters"]["ref_of_getGate"];
                /** @description Commit. With ref: on that reference; without: on all references with a scan of it, and the strictest verdict is given. */
                sha?: string;
                /** @description Branch to compare with, instead of the base that the reports name. If a policy blocks, it must be the default branch, or the caller must be an admin with the scope vulnerabilities:write. */
                base_ref?: string;
                /** @description true: all active violations count, not only those that the base does not have. */
                all?: "true" | "false";
                /** @description Tools that must have a scan that succeeded before there is a verdict. */
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
                    /**
                     * @example {
                     *       "repository": {
                     *         "id": "repo_01jn2t0700e008000000000001",
                     *         "full_name": "acme/shop"
                     *       },
                     *       "reference": {
                     *         "id": "ref_01jn2t0700e008000000000001",
                     *         "ref": "main",
                     *         "sha": "c0ffee0123456789abcdef0123456789abcdef01",
                     *         "type": "branch"
                     *       },
                     *       "sha": "c0ffee0123456789abcdef0123456789abcdef01",
                     *       "superseded": false,
                     *       "verdict": "block",
                     *       "status": "completed",
                     *       "policies_pending": false,
                     *       "active_policies": 1,
                     *       "scans": [
                     *         {
                     *           "id": "scan_01jn2t0700e008000000000001",
                     *           "reference": {
                     *             "id": "ref_01jn2t0700e008000000000001",
                     *             "ref": "main",
                     *             "sha": "c0ffee0123456789abcdef0123456789abcdef01",
                     *             "type": "branch"
                     *           },
                     *           "tool": "trivy",
                     *           "category": "production",
                     *           "status": "completed",
                     *           "outcome": "succeeded"
                     *         }
                     *       ],
                     *       "missing": [],
                     *       "base": {
                     *         "state": "none",
                     *         "ref": null,
                     *         "sha": null,
                     *         "at": null
                     *       },
                     *       "summary": {
                     *         "blocking": 1,
                     *         "warning": 0,
                     *         "on_base": 0
                     *       },
                     *       "page": "https://merlon.example.com/w/acme/scans/scan_01jn2t0700e008000000000001",
                     *       "violations": [
                     *         {
                     *           "id": "pvl_01jn2t0700e008000000000001",
                     *           "page": "https://merlon.example.com/w/acme/violations/pvl_01jn2t0700e008000000000001",
                     *           "status": "open",
                     *           "enforcement_mode": "block",
                     *           "blocking": true,
                     *           "snoozed_until": null,
                     *           "due_at": "2026-03-09T09:15:00Z",
                     *           "remaining_seconds": 604800,
                     *           "policy": {
                     *             "id": "pol_01jn2t0700e008000000000001",
                     *             "key": "fix-known-vulnerabilities",
                     *             "name": "Fix known vulnerabilities"
                     *           },
                     *           "title": "Command injection in lodash",
                     *           "advisory": "CVE-2021-23337",
                     *           "rule": null,
                     *           "severity": "high",
                     *           "target": {
                     *             "type": "vulnerability",
                     *             "id": "vc_01jn2t0700e008000000000001",
                     *             "title": "Command injection in lodash",
                     *             "severity": "high",
                     *             "status": "open",
                     *             "vulnerability_type": "dependency"
                     *           },
                     *           "location": {
                     *             "path": "package-lock.json",
                     *             "line": 42
                     *           },
                     *           "package": {
                     *             "purl": "pkg:npm/lodash@4.17.20",
                     *             "name": "lodash",
                     *             "versions": [
                     *               "4.17.20"
                     *             ]
                     *           },
                     *           "fix_version": "4.17.21",
                     *           "owner": {
                     *             "id": "usr_01jn2t0700e008000000000001",
                     *             "display_name": "Ada Park",
                     *             "email": "ada@example.com"
                     *           }
                     *         }
                     *       ],
                     *       "truncated": false,
                     *       "unblock": [
                     *         {
                     *           "action": "upgrade",
                     *           "text": "Upgrade lodash from 4.17.20 to 4.17.21.",
                     *           "package": "pkg:npm/lodash@4.17.20",
                     *           "from": [
                     *             "4.17.20"
                     *           ],
                     *           "to": "4.17.21",
                     *           "paths": [
                     *             "package-lock.json"
                     *           ],
                     *           "resolves": [
                     *             "pvl_01jn2t0700e008000000000001"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Gate"];
                };
            };
            "4XX": components["responses"]["Refused"];
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
                    /**
                     * @example {
                     *       "kev": {
                     *         "version": "2026.03.01",
                     *         "published_at": "2026-03-02T09:15:00Z",
                     *         "imported_at": "2026-03-02T09:15:00Z",
                     *         "entries": 1
                     *       },
                     *       "epss": {
                     *         "version": "2026.03.01",
                     *         "published_at": "2026-03-02T09:15:00Z",
                     *         "imported_at": "2026-03-02T09:15:00Z",
                     *         "entries": 1
                     *       },
                     *       "osv": {
                     *         "version": "2026.03.01",
                     *         "published_at": "2026-03-02T09:15:00Z",
                     *         "imported_at": "2026-03-02T09:15:00Z",
                     *         "entries": 1
                     *       },
                     *       "ssvc": {
                     *         "version": "2026.03.01",
                     *         "published_at": "2026-03-02T09:15:00Z",
                     *         "imported_at": "2026-03-02T09:15:00Z",
                     *         "entries": 1
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["IntelFeeds"];
                };
            };
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listScans: {
        parameters: {
            query?: {
                /** @description Repository: id or full name. */
                repo?: components["parameters"]["repo"];
                /** @description Reference of the repository: short or full name, or HEAD. Needs `repo`. */
                ref?: string;
                /** @description Scanned commit, or its beginning. */
                sha?: string;
                /** @description Status. */
                status?: ("queued" | "running" | "completed" | "failed" | "canceled")[];
                /** @description Tool, such as trivy. */
                tool?: string;
                /** @description Number of rows on a page; `limit` and `page_size` mean the same. */
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "scan_01jn2t0700e008000000000001",
                     *           "repository": {
                     *             "id": "repo_01jn2t0700e008000000000001",
                     *             "full_name": "acme/shop",
                     *             "source": "ghc",
                     *             "org": {
                     *               "full_path": "acme"
                     *             }
                     *           },
                     *           "reference": {
                     *             "id": "ref_01jn2t0700e008000000000001",
                     *             "ref": "main",
                     *             "sha": "c0ffee0123456789abcdef0123456789abcdef01",
                     *             "type": "branch"
                     *           },
                     *           "sha": "c0ffee0123456789abcdef0123456789abcdef01",
                     *           "status": "completed",
                     *           "format": "trivy",
                     *           "tools": [
                     *             "trivy"
                     *           ],
                     *           "category": "production",
                     *           "source": "current",
                     *           "partial": false,
                     *           "dry_run": false,
                     *           "file_name": "report.json",
                     *           "scanned_at": "2026-03-02T09:15:00Z",
                     *           "created_at": "2026-03-02T09:15:00Z",
                     *           "started_at": null,
                     *           "finished_at": "2026-03-02T09:15:04Z",
                     *           "progress": null,
                     *           "counts": {
                     *             "read": 1,
                     *             "new": 1,
                     *             "unchanged": 1,
                     *             "reopened": 1,
                     *             "fixed": 1,
                     *             "suppressed": 1,
                     *             "unreadable": 1,
                     *             "closing_held": 1,
                     *             "statements": {
                     *               "decided": 1,
                     *               "suggested": 1,
                     *               "unmatched": 1
                     *             }
                     *           },
                     *           "warning_count": 0,
                     *           "verdict": "block",
                     *           "error": null
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ScanPage"];
                };
            };
            "4XX": components["responses"]["Refused"];
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
                    /**
                     * @example {
                     *       "id": "scan_01jn2t0700e008000000000001",
                     *       "repository": {
                     *         "id": "repo_01jn2t0700e008000000000001",
                     *         "full_name": "acme/shop",
                     *         "source": "ghc",
                     *         "org": {
                     *           "full_path": "acme"
                     *         }
                     *       },
                     *       "reference": {
                     *         "id": "ref_01jn2t0700e008000000000001",
                     *         "ref": "main",
                     *         "sha": "c0ffee0123456789abcdef0123456789abcdef01",
                     *         "type": "branch"
                     *       },
                     *       "sha": "c0ffee0123456789abcdef0123456789abcdef01",
                     *       "status": "completed",
                     *       "format": "trivy",
                     *       "tools": [
                     *         "trivy"
                     *       ],
                     *       "category": "production",
                     *       "source": "current",
                     *       "partial": false,
                     *       "dry_run": false,
                     *       "file_name": "report.json",
                     *       "scanned_at": "2026-03-02T09:15:00Z",
                     *       "created_at": "2026-03-02T09:15:00Z",
                     *       "started_at": null,
                     *       "finished_at": "2026-03-02T09:15:04Z",
                     *       "progress": null,
                     *       "counts": {
                     *         "read": 1,
                     *         "new": 1,
                     *         "unchanged": 1,
                     *         "reopened": 1,
                     *         "fixed": 1,
                     *         "suppressed": 1,
                     *         "unreadable": 1,
                     *         "closing_held": 1,
                     *         "statements": {
                     *           "decided": 1,
                     *           "suggested": 1,
                     *           "unmatched": 1
                     *         }
                     *       },
                     *       "warning_count": 0,
                     *       "verdict": "block",
                     *       "error": null,
                     *       "warnings": [
                     *         "Two findings have no severity."
                     *       ],
                     *       "unreadable": [
                     *         {
                     *           "pointer": "/Results/0",
                     *           "reason": "The upgrade is planned for the next release."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ScanDetail"];
                };
            };
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listScanVulnerabilities: {
        parameters: {
            query: {
                /** @description What the scan has done to the vulnerabilities. */
                change: "new" | "fixed";
                /** @description Number of rows on a page; `limit` and `page_size` mean the same. */
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
                    /**
                     * @example {
                     *       "summary": {
                     *         "total": 1,
                     *         "by_severity": {
                     *           "critical": 0,
                     *           "high": 1,
                     *           "medium": 0,
                     *           "low": 0,
                     *           "info": 0,
                     *           "unknown": 0
                     *         }
                     *       },
                     *       "items": [
                     *         {
                     *           "id": "vc_01jn2t0700e008000000000001",
                     *           "title": "Command injection in lodash",
                     *           "repository": {
                     *             "id": "repo_01jn2t0700e008000000000001",
                     *             "name": "shop",
                     *             "full_name": "acme/shop"
                     *           },
                     *           "severity": "high",
                     *           "type": "dependency",
                     *           "source": "current",
                     *           "status": "open",
                     *           "resolution": null,
                     *           "confirmed": false,
                     *           "triaged": false,
                     *           "introduced_at": "2026-03-02T09:15:00Z",
                     *           "vulnerable_at": "2026-03-02T09:15:00Z",
                     *           "exploitable_at": null,
                     *           "location": {
                     *             "id": "loc_01jn2t0700e008000000000001",
                     *             "path": "package-lock.json",
                     *             "line": null,
                     *             "fixed_at": null,
                     *             "vulnerable_at": "2026-03-02T09:15:00Z",
                     *             "exploitable_at": null,
                     *             "is_vulnerable": true,
                     *             "is_exploitable": false,
                     *             "reference": {
                     *               "id": "ref_01jn2t0700e008000000000001",
                     *               "ref": "main",
                     *               "sha": "c0ffee0123456789abcdef0123456789abcdef01",
                     *               "type": "branch"
                     *             }
                     *           },
                     *           "identifiers": [
                     *             "CVE-2021-23337"
                     *           ]
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ChangedVulnerabilityPage"];
                };
            };
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getScanStatus: {
        parameters: {
            query: {
                /** @description Repository: id or full name. */
                repo: components["parameters"]["repo_required"];
                /** @description Reference: short or full name, or HEAD. Without ref and sha: the default branch. */
                ref?: components["parameters"]["ref_of_getGate"];
                /** @description Commit, on all references with a scan of it. */
                sha?: string;
                /** @description Tools that must have a completed scan. */
                expect?: string[];
                /** @description Seconds to wait until the scans have ended. */
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
                    /**
                     * @example {
                     *       "repository": {
                     *         "id": "repo_01jn2t0700e008000000000001",
                     *         "full_name": "acme/shop"
                     *       },
                     *       "reference": {
                     *         "id": "ref_01jn2t0700e008000000000001",
                     *         "ref": "main",
                     *         "sha": "c0ffee0123456789abcdef0123456789abcdef01",
                     *         "type": "branch"
                     *       },
                     *       "status": "completed",
                     *       "verdict": "block",
                     *       "counts": {
                     *         "read": 1,
                     *         "new": 1,
                     *         "unchanged": 1,
                     *         "reopened": 1,
                     *         "fixed": 1,
                     *         "suppressed": 1,
                     *         "unreadable": 1,
                     *         "closing_held": 1,
                     *         "statements": {
                     *           "decided": 1,
                     *           "suggested": 1,
                     *           "unmatched": 1
                     *         }
                     *       },
                     *       "scans": [
                     *         {
                     *           "id": "scan_01jn2t0700e008000000000001",
                     *           "reference": {
                     *             "id": "ref_01jn2t0700e008000000000001",
                     *             "ref": "main",
                     *             "sha": "c0ffee0123456789abcdef0123456789abcdef01",
                     *             "type": "branch"
                     *           },
                     *           "tool": "trivy",
                     *           "category": "production",
                     *           "status": "completed",
                     *           "outcome": "succeeded"
                     *         }
                     *       ],
                     *       "missing": []
                     *     }
                     */
                    "application/json": components["schemas"]["ScanStatus"];
                };
            };
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getOverview: {
        parameters: {
            query?: {
                /** @description References whose open vulnerabilities `open` and `repositories` count; tracked is the default. */
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
                    /**
                     * @example {
                     *       "open": {
                     *         "total": 1,
                     *         "by_severity": {
                     *           "critical": 0,
                     *           "high": 1,
                     *           "medium": 0,
                     *           "low": 0,
                     *           "info": 0,
                     *           "unknown": 0
                     *         }
                     *       },
                     *       "violations": {
                     *         "open": 1,
                     *         "blocking": 1,
                     *         "overdue": 1,
                     *         "due_soon": 1
                     *       },
                     *       "repositories": [
                     *         {
                     *           "id": "repo_01jn2t0700e008000000000001",
                     *           "full_name": "acme/shop",
                     *           "open": 1,
                     *           "by_severity": {
                     *             "critical": 0,
                     *             "high": 1,
                     *             "medium": 0,
                     *             "low": 0,
                     *             "info": 0,
                     *             "unknown": 0
                     *           },
                     *           "score": 1
                     *         }
                     *       ],
                     *       "fix_time": [
                     *         {
                     *           "severity": "high",
                     *           "fixed": 1,
                     *           "mean_seconds": null
                     *         }
                     *       ],
                     *       "week": {
                     *         "new": 1,
                     *         "new_before": null,
                     *         "fixed": 1,
                     *         "fixed_before": null
                     *       },
                     *       "exploitable": 1,
                     *       "kev_loaded": false,
                     *       "sla": {
                     *         "resolved": 1,
                     *         "kept": 1,
                     *         "percent": null
                     *       },
                     *       "scans": {
                     *         "last_finished_at": null,
                     *         "failed_week": 1,
                     *         "held_closures": 1,
                     *         "stale_series": 1
                     *       },
                     *       "exceptions_requested": 1
                     *     }
                     */
                    "application/json": components["schemas"]["Overview"];
                };
            };
            "4XX": components["responses"]["Refused"];
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
                /** @description What the `parts` are; organization is the default. */
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
                    /**
                     * @example {
                     *       "open": {
                     *         "total": 1,
                     *         "by_severity": {
                     *           "critical": 0,
                     *           "high": 1,
                     *           "medium": 0,
                     *           "low": 0,
                     *           "info": 0,
                     *           "unknown": 0
                     *         }
                     *       },
                     *       "violations": {
                     *         "open": 1,
                     *         "blocking": 1,
                     *         "overdue": 1,
                     *         "due_soon": 1
                     *       },
                     *       "repositories": [
                     *         {
                     *           "id": "repo_01jn2t0700e008000000000001",
                     *           "full_name": "acme/shop",
                     *           "open": 1,
                     *           "by_severity": {
                     *             "critical": 0,
                     *             "high": 1,
                     *             "medium": 0,
                     *             "low": 0,
                     *             "info": 0,
                     *             "unknown": 0
                     *           },
                     *           "score": 1
                     *         }
                     *       ],
                     *       "fix_time": [
                     *         {
                     *           "severity": "high",
                     *           "fixed": 1,
                     *           "mean_seconds": null
                     *         }
                     *       ],
                     *       "week": {
                     *         "new": 1,
                     *         "new_before": null,
                     *         "fixed": 1,
                     *         "fixed_before": null
                     *       },
                     *       "exploitable": 1,
                     *       "kev_loaded": false,
                     *       "sla": {
                     *         "resolved": 1,
                     *         "kept": 1,
                     *         "percent": null
                     *       },
                     *       "organization": {
                     *         "id": "org_01jn2t0700e008000000000001",
                     *         "name": "acme",
                     *         "full_path": "acme"
                     *       },
                     *       "application": {
                     *         "id": "app_01jn2t0700e008000000000001",
                     *         "name": "Storefront"
                     *       },
                     *       "at": "2026-03-02T09:15:00Z",
                     *       "since": "2026-01-05",
                     *       "weeks": [
                     *         {
                     *           "from": "2026-03-02",
                     *           "to": "2026-03-08",
                     *           "open": 1,
                     *           "new": 1,
                     *           "fixed": 1
                     *         }
                     *       ],
                     *       "risks": [
                     *         {
                     *           "id": "vc_01jn2t0700e008000000000001",
                     *           "title": "Command injection in lodash",
                     *           "severity": "high",
                     *           "introduced_at": "2026-03-02T09:15:00Z",
                     *           "repository": {
                     *             "id": "repo_01jn2t0700e008000000000001",
                     *             "full_name": "acme/shop"
                     *           }
                     *         }
                     *       ],
                     *       "parts": [
                     *         {
                     *           "id": "org_01jn2t0700e008000000000001",
                     *           "name": "shop",
                     *           "open": 1,
                     *           "by_severity": {
                     *             "critical": 0,
                     *             "high": 1,
                     *             "medium": 0,
                     *             "low": 0,
                     *             "info": 0,
                     *             "unknown": 0
                     *           },
                     *           "score": 1,
                     *           "fixed": 1,
                     *           "mean_seconds": null,
                     *           "sla": {
                     *             "resolved": 1,
                     *             "kept": 1,
                     *             "percent": null
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["StatusReport"];
                };
            };
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listRepositoryCounts: {
        parameters: {
            query: {
                /** @description Ids, at most 200; unknown ids are left out. */
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "repo_01jn2t0700e008000000000001",
                     *           "open": 1,
                     *           "by_severity": {
                     *             "critical": 0,
                     *             "high": 1,
                     *             "medium": 0,
                     *             "low": 0,
                     *             "info": 0,
                     *             "unknown": 0
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RepositoryCountsList"];
                };
            };
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listApplicationOpen: {
        parameters: {
            query: {
                /** @description Ids, at most 200; unknown ids are left out. */
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
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listOrganizationOpen: {
        parameters: {
            query: {
                /** @description Ids, at most 200; unknown ids are left out. */
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
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listTeamOpen: {
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "team_01jn2t0700e008000000000001",
                     *           "open": 1,
                     *           "by_severity": {
                     *             "critical": 0,
                     *             "high": 1,
                     *             "medium": 0,
                     *             "low": 0,
                     *             "info": 0,
                     *             "unknown": 0
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TeamOpenList"];
                };
            };
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getTrend: {
        parameters: {
            query?: {
                /** @description Repository: id or full name. */
                repo?: components["parameters"]["repo"];
                /** @description Number of days (UTC), today included. */
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
                    /**
                     * @example {
                     *       "repository": {
                     *         "id": "repo_01jn2t0700e008000000000001",
                     *         "full_name": "acme/shop"
                     *       },
                     *       "since": "2026-01-05",
                     *       "days": [
                     *         {
                     *           "date": "2026-03-02",
                     *           "open": 1,
                     *           "new": 1,
                     *           "fixed": 1,
                     *           "open_by_severity": {
                     *             "critical": 0,
                     *             "high": 1,
                     *             "medium": 0,
                     *             "low": 0,
                     *             "info": 0,
                     *             "unknown": 0
                     *           }
                     *         }
                     *       ],
                     *       "weeks": [
                     *         {
                     *           "from": "2026-03-02",
                     *           "to": "2026-03-08",
                     *           "open": 1,
                     *           "new": 1,
                     *           "fixed": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Trend"];
                };
            };
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    exportVulnerabilities: {
        parameters: {
            query?: {
                /** @description Cursor of the last line of an earlier export: only vulnerabilities that have changed since then. Cannot be combined with filters or sort. */
                since?: string;
                /** @description ndjson (the default), csv, sarif. */
                format?: "ndjson" | "csv" | "sarif";
                /** @description Repository: id or full name. */
                repo?: components["parameters"]["repo"];
                /** @description Reference: short or full name; HEAD is the default branch of each repository. Status and summary are those on it. */
                ref?: components["parameters"]["ref"];
                /** @description Only vulnerabilities that a completed scan of this commit saw. */
                sha?: components["parameters"]["sha"];
                /** @description tracked: only vulnerabilities that have been on a tracked reference. default_branches: status and summary are those on the default branches, like ref=HEAD. all: vulnerabilities that are fixed on tracked references and present elsewhere count as open. Without it: all vulnerabilities, each with its status. Cannot be combined with ref. */
                scope?: components["parameters"]["scope"];
                /** @description Status. */
                state?: components["parameters"]["state"];
                /** @description Found in the current files, or only in the history of the commits. */
                source?: components["parameters"]["source"];
                /** @description Confirmed as a true positive. */
                confirmed?: components["parameters"]["confirmed"];
                /** @description A person has decided about it. */
                triaged?: components["parameters"]["triaged"];
                /** @description Severity. */
                severity?: components["parameters"]["severity"];
                /** @description Type. */
                type?: components["parameters"]["type"];
                /** @description me, unassigned, assigned (to anybody), a user id or an e-mail address. */
                assignee?: components["parameters"]["assignee"];
                /** @description Team that owns the file, by the CODEOWNERS file: id or name; mine: any team of the caller. */
                team?: components["parameters"]["team"];
                /** @description A version that fixes it is known. */
                fix?: components["parameters"]["fix"];
                /** @description Only vulnerabilities with any status that are known to be exploited (KEV), verified, or exploitable as a tool says. `true` means the same. */
                exploitable?: components["parameters"]["exploitable"];
                /** @description Lowest EPSS score (the highest of its CVEs counts): 0 to 1, such as 0.1. */
                epss_min?: components["parameters"]["epss_min"];
                /** @description Due date of its policy violation that is due first among those open or in review: overdue, or soon (within 7 days). */
                due?: components["parameters"]["due"];
                /** @description Introduced at this time or later: a date (UTC) or a time in RFC 3339. */
                introduced_since?: components["parameters"]["introduced_since"];
                /** @description Only repositories that this application groups now: id or name. */
                application?: components["parameters"]["application_in_query"];
                /** @description Package URL without version, or the name of the package. */
                package?: components["parameters"]["package"];
                /** @description Exact rule of the tool that found it, for vulnerabilities in no package. `q` finds a rule that is an advisory. */
                rule?: components["parameters"]["rule"];
                /** @description Words of the title and the package, of at least three characters each, or ids of advisories. */
                q?: components["parameters"]["q"];
                /** @description Order of NDJSON and CSV. Without filters and sort: by id. */
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
                    /**
                     * @example {
                     *       "id": "vc_01jn2t0700e008000000000001",
                     *       "title": "Command injection in lodash",
                     *       "repository": {
                     *         "id": "repo_01jn2t0700e008000000000001",
                     *         "name": "shop",
                     *         "full_name": "acme/shop"
                     *       },
                     *       "severity": "high",
                     *       "type": "dependency",
                     *       "source": "current",
                     *       "status": "open",
                     *       "resolution": null,
                     *       "confirmed": false,
                     *       "triaged": false,
                     *       "introduced_at": "2026-03-02T09:15:00Z",
                     *       "vulnerable_at": "2026-03-02T09:15:00Z",
                     *       "exploitable_at": null,
                     *       "location": {
                     *         "id": "loc_01jn2t0700e008000000000001",
                     *         "path": "package-lock.json",
                     *         "line": null,
                     *         "fixed_at": null,
                     *         "vulnerable_at": "2026-03-02T09:15:00Z",
                     *         "exploitable_at": null,
                     *         "is_vulnerable": true,
                     *         "is_exploitable": false,
                     *         "reference": {
                     *           "id": "ref_01jn2t0700e008000000000001",
                     *           "ref": "main",
                     *           "sha": "c0ffee0123456789abcdef0123456789abcdef01",
                     *           "type": "branch"
                     *         }
                     *       },
                     *       "description": null,
                     *       "rule": "CVE-2021-23337",
                     *       "identifiers": [
                     *         "CVE-2021-23337"
                     *       ],
                     *       "cwes": [
                     *         "CWE-77"
                     *       ],
                     *       "links": [
                     *         "https://nvd.nist.gov/vuln/detail/CVE-2021-23337"
                     *       ],
                     *       "package": "pkg:npm/lodash@4.17.20",
                     *       "fix_version": "4.17.21",
                     *       "cvss": {
                     *         "score": 7.2,
                     *         "vector": "CVSS:3.1/AV:N/AC:L/PR:H/UI:N/S:U/C:H/I:H/A:H"
                     *       },
                     *       "kev": {
                     *         "added_on": "2026-02-20",
                     *         "due_on": "2026-03-13",
                     *         "ransomware": false
                     *       },
                     *       "epss": {
                     *         "score": 7.2,
                     *         "percentile": 0.8
                     *       },
                     *       "assignee": {
                     *         "id": "usr_01jn2t0700e008000000000001",
                     *         "display_name": "Ada Park",
                     *         "email": "ada@example.com"
                     *       },
                     *       "accepted_until": null,
                     *       "decided_by": null,
                     *       "status_version": "7",
                     *       "updated_at": "2026-03-02T09:15:00Z",
                     *       "reach": "tracked",
                     *       "references": [
                     *         {
                     *           "ref": "main",
                     *           "type": "branch",
                     *           "active": true,
                     *           "status": "open",
                     *           "first_seen_at": "2026-03-02T09:15:00Z",
                     *           "fixed_at": null
                     *         }
                     *       ],
                     *       "tools": [
                     *         {
                     *           "tool": "trivy",
                     *           "live": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/x-ndjson": components["schemas"]["ExportLine"];
                    /** @example id,title,severity,type,source,status,resolution,confirmed,triaged,repository,ref,path,line,rule,identifiers,cwes,package,fix_version,cvss_score,cvss_vector,kev_added_on,kev_due_on,kev_ransomware,epss_score,epss_percentile,assignee,accepted_until,introduced_at,vulnerable_at,exploitable_at,updated_at,references,tools,links,description,reach */
                    "text/csv": string;
                    /**
                     * @example {
                     *       "version": "2.1.0",
                     *       "runs": []
                     *     }
                     */
                    "application/sarif+json": {
                        [key: string]: unknown;
                    };
                };
            };
            "4XX": components["responses"]["Refused"];
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
                /** @description Reference of the repository: short or full name, or HEAD. Needs `repo`. Without it the document is about the tracked references. */
                ref?: string;
                /** @description Application: id or name. It needs the scope applications:read too. */
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
                    /** @example {} */
                    "application/json": components["schemas"]["VexDocument"];
                };
            };
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listCraNotifications: {
        parameters: {
            query?: {
                /** @description open: a step is missing, late or not; overdue: one is late. */
                state?: "open" | "overdue" | "complete" | "not_reportable";
                /** @description Id of the application, app_…. */
                application?: string;
                /** @description Number of rows on a page; `limit` and `page_size` mean the same. */
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "application": {
                     *             "id": "app_01jn2t0700e008000000000001",
                     *             "name": "Storefront"
                     *           },
                     *           "cve": "CVE-2021-23337",
                     *           "title": "Command injection in lodash",
                     *           "severity": "high",
                     *           "known_at": null,
                     *           "repositories": 1,
                     *           "present_repositories": 1,
                     *           "state": "open",
                     *           "aware_at": "2026-03-02T09:15:00Z",
                     *           "early_warning": {
                     *             "due_at": "2026-03-09T09:15:00Z",
                     *             "sent_at": null,
                     *             "state": "waiting"
                     *           },
                     *           "notification": {
                     *             "due_at": "2026-03-09T09:15:00Z",
                     *             "sent_at": null,
                     *             "state": "waiting"
                     *           },
                     *           "measure_at": null,
                     *           "final_report": {
                     *             "due_at": "2026-03-09T09:15:00Z",
                     *             "sent_at": null,
                     *             "state": "waiting"
                     *           },
                     *           "not_reportable_reason": null,
                     *           "version": 1,
                     *           "changed_by": null,
                     *           "changed_at": null
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "kev_loaded": false,
                     *       "has_products": false
                     *     }
                     */
                    "application/json": components["schemas"]["CraNotificationPage"];
                };
            };
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    exportCraDocument: {
        parameters: {
            query: {
                /** @description Id of the application, app_…. */
                application: string;
                /** @description The CVE, such as CVE-2030-1234. */
                cve: string;
                /** @description What the document is. */
                step: "early_warning" | "notification" | "final_report";
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
            /** @description One page that loads nothing. Fields that only the company can fill say so. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example <!doctype html> */
                    "text/html": string;
                };
            };
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    readEvents: {
        parameters: {
            query?: {
                /** @description Cursor of the last line of the answer before; `latest` returns only a cursor for the present. Without it: from the oldest event that is kept. */
                since?: string;
                /** @description Only these types. */
                types?: ("vulnerability.opened" | "vulnerability.fixed" | "vulnerability.reopened" | "vulnerability.status_changed" | "vulnerability.assigned" | "violation.opened" | "violation.due_soon" | "violation.overdue" | "violation.resolved" | "violation.snoozed" | "exception.requested" | "exception.approved" | "exception.refused" | "exception.expiring" | "scan.completed" | "scan.failed" | "scan.closing_held" | "key.created" | "key.expiring" | "key.expired" | "key.revoked" | "advisory.matched")[];
                /** @description Highest number of events in the answer. */
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
            /** @description The answer is complete if its last line is the cursor. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["EventLine"];
                };
            };
            409: components["responses"]["Conflict"];
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    uploadCodeOwners: {
        parameters: {
            query: {
                /** @description Repository: org/name. */
                repo: string;
                /** @description Reference with the file: short or full name of a branch. */
                ref: string;
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
                "application/json": components["schemas"]["CodeOwnersInput"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "outcome": "applied"
                     *     }
                     */
                    "application/json": components["schemas"]["UploadedCodeOwners"];
                };
            };
            "4XX": components["responses"]["RefusedChange"];
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
                /**
                 * @example {
                 *       "token": "eyJhbGciOi…"
                 *     }
                 */
                "application/json": components["schemas"]["ExchangeCiTokenBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "mrl_wsk_…",
                     *       "expires_at": "2026-05-31T23:59:59Z",
                     *       "scopes": [
                     *         "scans:read",
                     *         "scans:write"
                     *       ],
                     *       "repository": {
                     *         "id": "repo_01jn2t0700e008000000000001",
                     *         "full_name": "acme/shop"
                     *       },
                     *       "reference": "refs/heads/main"
                     *     }
                     */
                    "application/json": components["schemas"]["RunKey"];
                };
            };
            409: components["responses"]["Conflict"];
            "4XX": components["responses"]["RefusedChange"];
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
                /**
                 * @example {
                 *       "action": "accept",
                 *       "vulnerabilities": [
                 *         {
                 *           "id": "vc_01jn2t0700e008000000000001"
                 *         }
                 *       ],
                 *       "reason": "The upgrade is planned for the next release."
                 *     }
                 */
                "application/json": components["schemas"]["DecideVulnerabilitiesBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "vc_01jn2t0700e008000000000001",
                     *           "status": "accepted",
                     *           "resolution": "risk_accepted",
                     *           "confirmed": false,
                     *           "triaged": false,
                     *           "accepted_until": "2026-06-30T00:00:00Z",
                     *           "status_version": "7",
                     *           "updated_at": "2026-03-02T09:15:00Z",
                     *           "changed": true,
                     *           "exceptions": []
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DecidedVulnerabilities"];
                };
            };
            409: components["responses"]["Conflict"];
            "4XX": components["responses"]["RefusedChange"];
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
                /**
                 * @example {
                 *       "assignee": "me",
                 *       "vulnerabilities": [
                 *         {
                 *           "id": "vc_01jn2t0700e008000000000001"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["AssignVulnerabilitiesBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "vc_01jn2t0700e008000000000001",
                     *           "assignee": {
                     *             "id": "usr_01jn2t0700e008000000000001",
                     *             "display_name": "Ada Park",
                     *             "email": "ada@example.com"
                     *           },
                     *           "status_version": "7",
                     *           "updated_at": "2026-03-02T09:15:00Z",
                     *           "changed": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["AssignedVulnerabilities"];
                };
            };
            409: components["responses"]["Conflict"];
            "4XX": components["responses"]["RefusedChange"];
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
                /**
                 * @example {
                 *       "vulnerabilities": [
                 *         {
                 *           "id": "vc_01jn2t0700e008000000000001",
                 *           "status_version": "7"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["UndoVulnerabilitiesBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "vc_01jn2t0700e008000000000001",
                     *           "status": "open",
                     *           "resolution": null,
                     *           "confirmed": false,
                     *           "triaged": false,
                     *           "accepted_until": null,
                     *           "status_version": "7",
                     *           "updated_at": "2026-03-02T09:15:00Z",
                     *           "assignee": {
                     *             "id": "usr_01jn2t0700e008000000000001",
                     *             "display_name": "Ada Park",
                     *             "email": "ada@example.com"
                     *           },
                     *           "undone": "evt_01jn2t0700e008000000000001",
                     *           "exceptions": []
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["UndoneVulnerabilities"];
                };
            };
            409: components["responses"]["Conflict"];
            "4XX": components["responses"]["RefusedChange"];
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
                /**
                 * @example {
                 *       "body": "The upgrade is planned for the next release."
                 *     }
                 */
                "application/json": components["schemas"]["AddCommentBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "cmt_01jn2t0700e008000000000001",
                     *       "author": {
                     *         "id": "usr_01jn2t0700e008000000000001",
                     *         "display_name": "Ada Park",
                     *         "email": "ada@example.com"
                     *       },
                     *       "body": "The upgrade is planned for the next release.",
                     *       "created_at": "2026-03-02T09:15:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Comment"];
                };
            };
            "4XX": components["responses"]["RefusedChange"];
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
            "4XX": components["responses"]["RefusedChange"];
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
                /**
                 * @example {
                 *       "others": [
                 *         "vc_01jn2t0700e008000000000001"
                 *       ],
                 *       "reason": "The upgrade is planned for the next release."
                 *     }
                 */
                "application/json": components["schemas"]["MergeVulnerabilitiesBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResultingVulnerability"];
                };
            };
            "4XX": components["responses"]["RefusedChange"];
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
                /**
                 * @example {
                 *       "locations": [
                 *         "loc_01jn2t0700e008000000000001"
                 *       ],
                 *       "reason": "The upgrade is planned for the next release."
                 *     }
                 */
                "application/json": components["schemas"]["SplitVulnerabilityBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResultingVulnerability"];
                };
            };
            "4XX": components["responses"]["RefusedChange"];
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "pol_01jn2t0700e008000000000001",
                     *           "key": "fix-known-vulnerabilities",
                     *           "name": "Fix known vulnerabilities",
                     *           "type": "custom",
                     *           "status": "active",
                     *           "target_type": "vulnerability",
                     *           "enforcement_mode": "block",
                     *           "severity": "high",
                     *           "config": null,
                     *           "condition": {
                     *             "all": [
                     *               {
                     *                 "fact": "severity",
                     *                 "operator": ">=",
                     *                 "value": "high"
                     *               },
                     *               {
                     *                 "fact": "fix_available",
                     *                 "operator": "==",
                     *                 "value": true
                     *               }
                     *             ]
                     *           },
                     *           "actions": {
                     *             "sla": {
                     *               "window": "7d"
                     *             }
                     *           },
                     *           "rules": [
                     *             {
                     *               "type": "repo",
                     *               "id": "repo_01jn2t0700e008000000000001",
                     *               "name": "acme/shop",
                     *               "action": "include",
                     *               "enforcement_mode": null
                     *             }
                     *           ],
                     *           "evaluation": {
                     *             "pending": false,
                     *             "progress": null
                     *           },
                     *           "created_at": "2026-03-02T09:15:00Z",
                     *           "updated_at": "2026-03-02T09:15:00Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PolicyList"];
                };
            };
            "4XX": components["responses"]["Refused"];
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "name": "severity",
                     *           "target_types": [
                     *             "vulnerability"
                     *           ],
                     *           "kind": "severity",
                     *           "operators": [
                     *             "==",
                     *             "!=",
                     *             ">",
                     *             ">=",
                     *             "<",
                     *             "<=",
                     *             "in",
                     *             "not_in"
                     *           ],
                     *           "values": [
                     *             "unknown",
                     *             "info",
                     *             "low",
                     *             "medium",
                     *             "high",
                     *             "critical"
                     *           ],
                     *           "meaning": "How severe the vulnerability is."
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PolicyFactList"];
                };
            };
            "4XX": components["responses"]["Refused"];
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
                /** @description Id of the policy, pol_…, or its key. */
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
                    /**
                     * @example {
                     *       "id": "pol_01jn2t0700e008000000000001",
                     *       "key": "fix-known-vulnerabilities",
                     *       "name": "Fix known vulnerabilities",
                     *       "type": "custom",
                     *       "status": "active",
                     *       "target_type": "vulnerability",
                     *       "enforcement_mode": "block",
                     *       "severity": "high",
                     *       "config": null,
                     *       "condition": {
                     *         "all": [
                     *           {
                     *             "fact": "severity",
                     *             "operator": ">=",
                     *             "value": "high"
                     *           },
                     *           {
                     *             "fact": "fix_available",
                     *             "operator": "==",
                     *             "value": true
                     *           }
                     *         ]
                     *       },
                     *       "actions": {
                     *         "sla": {
                     *           "window": "7d"
                     *         }
                     *       },
                     *       "rules": [
                     *         {
                     *           "type": "repo",
                     *           "id": "repo_01jn2t0700e008000000000001",
                     *           "name": "acme/shop",
                     *           "action": "include",
                     *           "enforcement_mode": null
                     *         }
                     *       ],
                     *       "evaluation": {
                     *         "pending": false,
                     *         "progress": null
                     *       },
                     *       "created_at": "2026-03-02T09:15:00Z",
                     *       "updated_at": "2026-03-02T09:15:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Policy"];
                };
            };
            "4XX": components["responses"]["Refused"];
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
                /** @description Key of the policy, or id of an existing one. */
                policy: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "target_type": "vulnerability",
                 *       "enforcement_mode": "block",
                 *       "condition": {
                 *         "all": [
                 *           {
                 *             "fact": "severity",
                 *             "operator": ">=",
                 *             "value": "high"
                 *           },
                 *           {
                 *             "fact": "fix_available",
                 *             "operator": "==",
                 *             "value": true
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PutPolicyBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "policy": {
                     *         "id": "pol_01jn2t0700e008000000000001",
                     *         "key": "fix-known-vulnerabilities",
                     *         "name": "Fix known vulnerabilities",
                     *         "type": "custom",
                     *         "status": "active",
                     *         "target_type": "vulnerability",
                     *         "enforcement_mode": "block",
                     *         "severity": "high",
                     *         "config": null,
                     *         "condition": {
                     *           "all": [
                     *             {
                     *               "fact": "severity",
                     *               "operator": ">=",
                     *               "value": "high"
                     *             },
                     *             {
                     *               "fact": "fix_available",
                     *               "operator": "==",
                     *               "value": true
                     *             }
                     *           ]
                     *         },
                     *         "actions": {
                     *           "sla": {
                     *             "window": "7d"
                     *           }
                     *         },
                     *         "rules": [
                     *           {
                     *             "type": "repo",
                     *             "id": "repo_01jn2t0700e008000000000001",
                     *             "name": "acme/shop",
                     *             "action": "include",
                     *             "enforcement_mode": null
                     *           }
                     *         ],
                     *         "evaluation": {
                     *           "pending": false,
                     *           "progress": null
                     *         },
                     *         "created_at": "2026-03-02T09:15:00Z",
                     *         "updated_at": "2026-03-02T09:15:00Z"
                     *       },
                     *       "change": "created"
                     *     }
                     */
                    "application/json": components["schemas"]["PolicyChange"];
                };
            };
            "4XX": components["responses"]["RefusedChange"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    dryRunPolicy: {
        parameters: {
            query?: {
                /** @description Highest number of matches to list, in the order of the repositories. Needs the scopes policy-violations:read and vulnerabilities:read. */
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
                /**
                 * @example {
                 *       "key": "fix-known-vulnerabilities",
                 *       "target_type": "vulnerability",
                 *       "enforcement_mode": "block",
                 *       "condition": {
                 *         "all": [
                 *           {
                 *             "fact": "severity",
                 *             "operator": ">=",
                 *             "value": "high"
                 *           },
                 *           {
                 *             "fact": "fix_available",
                 *             "operator": "==",
                 *             "value": true
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
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
                    /**
                     * @example {
                     *       "matches": 1,
                     *       "repositories": 1,
                     *       "blocked_references": 1,
                     *       "complete": true,
                     *       "items": [
                     *         {
                     *           "target": {
                     *             "type": "vulnerability",
                     *             "id": "vc_01jn2t0700e008000000000001",
                     *             "title": "Command injection in lodash",
                     *             "severity": "high",
                     *             "status": "open",
                     *             "vulnerability_type": "dependency"
                     *           },
                     *           "repository": {
                     *             "id": "repo_01jn2t0700e008000000000001",
                     *             "full_name": "acme/shop"
                     *           },
                     *           "ref": "main",
                     *           "blocking": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PolicyDryRun"];
                };
            };
            "4XX": components["responses"]["RefusedChange"];
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
            "4XX": components["responses"]["RefusedChange"];
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
            "4XX": components["responses"]["RefusedChange"];
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "policy": "pol_01jn2t0700e008000000000001",
                     *           "unresolved": 1,
                     *           "blocking": 1,
                     *           "snoozed": 1,
                     *           "waived": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PolicyCountList"];
                };
            };
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listRepositoryPolicies: {
        parameters: {
            query: {
                /** @description Repository: id or full name. */
                repo: components["parameters"]["repo_required"];
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "policy": {
                     *             "id": "pol_01jn2t0700e008000000000001",
                     *             "key": "fix-known-vulnerabilities",
                     *             "name": "Fix known vulnerabilities"
                     *           },
                     *           "target_type": "vulnerability",
                     *           "enforcement_mode": "block",
                     *           "rule": {
                     *             "type": "repo",
                     *             "id": "repo_01jn2t0700e008000000000001",
                     *             "name": "acme/shop"
                     *           },
                     *           "unresolved": 1,
                     *           "blocking": 1,
                     *           "snoozed": 1,
                     *           "waived": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RepositoryPolicyList"];
                };
            };
            "4XX": components["responses"]["Refused"];
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
                /**
                 * @example {
                 *       "action": "snooze",
                 *       "violations": [
                 *         {
                 *           "id": "pvl_01jn2t0700e008000000000001"
                 *         }
                 *       ],
                 *       "reason": "The upgrade is planned for the next release.",
                 *       "until": "2026-03-13T00:00:00Z"
                 *     }
                 */
                "application/json": components["schemas"]["DecideViolationsBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "pvl_01jn2t0700e008000000000001",
                     *           "status": "open",
                     *           "blocking": true,
                     *           "snoozed": false,
                     *           "snoozed_until": null,
                     *           "snooze_count": 0,
                     *           "exception": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["DecidedViolations"];
                };
            };
            409: components["responses"]["Conflict"];
            "4XX": components["responses"]["RefusedChange"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listExceptions: {
        parameters: {
            query?: {
                /** @description Status. */
                status?: ("requested" | "approved" | "refused" | "withdrawn" | "ended")[];
                /** @description Repository: id or full name. */
                repo?: components["parameters"]["repo"];
                /** @description Policies: ids or keys. */
                policy?: components["parameters"]["policy"];
                /** @description Only exceptions for this violation, or for its policy in the whole repository. */
                violation?: string;
                /** @description Only exceptions for one vulnerability: words of its title and package, of at least three characters each, or ids of advisories. */
                q?: string;
                /** @description Number of rows on a page; `limit` and `page_size` mean the same. */
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "ovr_01jn2t0700e008000000000001",
                     *           "status": "requested",
                     *           "mode": "exempt",
                     *           "enforcement_mode": null,
                     *           "policy": {
                     *             "id": "pol_01jn2t0700e008000000000001",
                     *             "key": "fix-known-vulnerabilities",
                     *             "name": "Fix known vulnerabilities"
                     *           },
                     *           "repository": {
                     *             "id": "repo_01jn2t0700e008000000000001",
                     *             "full_name": "acme/shop"
                     *           },
                     *           "violation_id": "pvl_01jn2t0700e008000000000001",
                     *           "target": {
                     *             "type": "vulnerability",
                     *             "id": "vc_01jn2t0700e008000000000001",
                     *             "title": "Command injection in lodash",
                     *             "severity": "high",
                     *             "status": "open",
                     *             "vulnerability_type": "dependency"
                     *           },
                     *           "reason": "The upgrade is planned for the next release.",
                     *           "until": null,
                     *           "requested_by": {
                     *             "id": "usr_01jn2t0700e008000000000001",
                     *             "display_name": "Ada Park",
                     *             "email": "ada@example.com"
                     *           },
                     *           "requested_at": "2026-03-02T09:15:00Z",
                     *           "reviewed_by": {
                     *             "id": "usr_01jn2t0700e008000000000001",
                     *             "display_name": "Ada Park",
                     *             "email": "ada@example.com"
                     *           },
                     *           "reviewed_at": null,
                     *           "review_reason": null
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["ExceptionPage"];
                };
            };
            "4XX": components["responses"]["Refused"];
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
                /**
                 * @example {
                 *       "violations": [
                 *         "pvl_01jn2t0700e008000000000001"
                 *       ],
                 *       "reason": "The upgrade is planned for the next release."
                 *     }
                 */
                "application/json": components["schemas"]["RequestExceptionsBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "ovr_01jn2t0700e008000000000001",
                     *           "status": "requested",
                     *           "mode": "exempt",
                     *           "enforcement_mode": null,
                     *           "policy": {
                     *             "id": "pol_01jn2t0700e008000000000001",
                     *             "key": "fix-known-vulnerabilities",
                     *             "name": "Fix known vulnerabilities"
                     *           },
                     *           "repository": {
                     *             "id": "repo_01jn2t0700e008000000000001",
                     *             "full_name": "acme/shop"
                     *           },
                     *           "violation_id": "pvl_01jn2t0700e008000000000001",
                     *           "target": {
                     *             "type": "vulnerability",
                     *             "id": "vc_01jn2t0700e008000000000001",
                     *             "title": "Command injection in lodash",
                     *             "severity": "high",
                     *             "status": "open",
                     *             "vulnerability_type": "dependency"
                     *           },
                     *           "reason": "The upgrade is planned for the next release.",
                     *           "until": null,
                     *           "requested_by": {
                     *             "id": "usr_01jn2t0700e008000000000001",
                     *             "display_name": "Ada Park",
                     *             "email": "ada@example.com"
                     *           },
                     *           "requested_at": "2026-03-02T09:15:00Z",
                     *           "reviewed_by": {
                     *             "id": "usr_01jn2t0700e008000000000001",
                     *             "display_name": "Ada Park",
                     *             "email": "ada@example.com"
                     *           },
                     *           "reviewed_at": null,
                     *           "review_reason": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ExceptionList"];
                };
            };
            409: components["responses"]["Conflict"];
            "4XX": components["responses"]["RefusedChange"];
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
                /**
                 * @example {
                 *       "decision": "approve"
                 *     }
                 */
                "application/json": components["schemas"]["ReviewExceptionBody"];
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
            409: components["responses"]["Conflict"];
            "4XX": components["responses"]["RefusedChange"];
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
                /**
                 * @example {
                 *       "reason": "The upgrade is planned for the next release."
                 *     }
                 */
                "application/json": components["schemas"]["WithdrawExceptionBody"];
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
            409: components["responses"]["Conflict"];
            "4XX": components["responses"]["RefusedChange"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listScanSeries: {
        parameters: {
            query?: {
                /** @description Repository: id or full name. */
                repo?: components["parameters"]["repo"];
                /** @description Id of a scan: only the series of its report. Cannot be combined with `state`. */
                scan?: string;
                /** @description held: with a held closure; stale: without a report for long; replaced: a newer series sees most of the same vulnerabilities. */
                state?: "held" | "stale" | "replaced";
                /** @description Number of rows on a page; `limit` and `page_size` mean the same. */
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "ser_01jn2t0700e008000000000001",
                     *           "repository": {
                     *             "id": "repo_01jn2t0700e008000000000001",
                     *             "full_name": "acme/shop"
                     *           },
                     *           "reference": {
                     *             "id": "ref_01jn2t0700e008000000000001",
                     *             "ref": "main",
                     *             "sha": "c0ffee0123456789abcdef0123456789abcdef01",
                     *             "type": "branch"
                     *           },
                     *           "tool": "trivy",
                     *           "category": "production",
                     *           "file_name": "report.json",
                     *           "source": "current",
                     *           "last_scan_id": "scan_01jn2t0700e008000000000001",
                     *           "last_scanned_at": null,
                     *           "stale": false,
                     *           "retired_at": null,
                     *           "replaced_by": null,
                     *           "held": null
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["SeriesPage"];
                };
            };
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listHeldClosure: {
        parameters: {
            query?: {
                /** @description Number of rows on a page; `limit` and `page_size` mean the same. */
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
                    /**
                     * @example {
                     *       "summary": {
                     *         "total": 1,
                     *         "by_severity": {
                     *           "critical": 0,
                     *           "high": 1,
                     *           "medium": 0,
                     *           "low": 0,
                     *           "info": 0,
                     *           "unknown": 0
                     *         }
                     *       },
                     *       "items": [
                     *         {
                     *           "id": "vc_01jn2t0700e008000000000001",
                     *           "title": "Command injection in lodash",
                     *           "repository": {
                     *             "id": "repo_01jn2t0700e008000000000001",
                     *             "name": "shop",
                     *             "full_name": "acme/shop"
                     *           },
                     *           "severity": "high",
                     *           "type": "dependency",
                     *           "source": "current",
                     *           "status": "open",
                     *           "resolution": null,
                     *           "confirmed": false,
                     *           "triaged": false,
                     *           "introduced_at": "2026-03-02T09:15:00Z",
                     *           "vulnerable_at": "2026-03-02T09:15:00Z",
                     *           "exploitable_at": null,
                     *           "location": {
                     *             "id": "loc_01jn2t0700e008000000000001",
                     *             "path": "package-lock.json",
                     *             "line": null,
                     *             "fixed_at": null,
                     *             "vulnerable_at": "2026-03-02T09:15:00Z",
                     *             "exploitable_at": null,
                     *             "is_vulnerable": true,
                     *             "is_exploitable": false,
                     *             "reference": {
                     *               "id": "ref_01jn2t0700e008000000000001",
                     *               "ref": "main",
                     *               "sha": "c0ffee0123456789abcdef0123456789abcdef01",
                     *               "type": "branch"
                     *             }
                     *           },
                     *           "identifiers": [
                     *             "CVE-2021-23337"
                     *           ]
                     *         }
                     *       ],
                     *       "next_cursor": null,
                     *       "seen": 1
                     *     }
                     */
                    "application/json": components["schemas"]["HeldClosure"];
                };
            };
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    decideHeldClosure: {
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
                /**
                 * @example {
                 *       "action": "release",
                 *       "scan_id": "scan_01jn2t0700e008000000000001"
                 *     }
                 */
                "application/json": components["schemas"]["DecideHeldClosureBody"];
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
            "4XX": components["responses"]["RefusedChange"];
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
                /**
                 * @example {
                 *       "last_scan_id": "scan_01jn2t0700e008000000000001",
                 *       "reason": "The upgrade is planned for the next release."
                 *     }
                 */
                "application/json": components["schemas"]["RetireSeriesBody"];
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
            "4XX": components["responses"]["RefusedChange"];
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
                    /**
                     * @example event: scan
                     *     data: {…}
                     */
                    "text/event-stream": string;
                };
            };
            "4XX": components["responses"]["Refused"];
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "t_0000000000000001jn2nbdj001",
                     *           "slug": "acme",
                     *           "workspace": "Acme",
                     *           "role": "viewer",
                     *           "repositories": 1,
                     *           "open": 1
                     *         }
                     *       ],
                     *       "may_create": false
                     *     }
                     */
                    "application/json": components["schemas"]["MemberWorkspaceList"];
                };
            };
            "4XX": components["responses"]["Refused"];
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
                "application/json": components["schemas"]["CreateWorkspaceBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "t_0000000000000001jn2nbdj001",
                     *       "slug": "acme",
                     *       "workspace": "Acme",
                     *       "role": "viewer",
                     *       "repositories": 1,
                     *       "open": 1
                     *     }
                     */
                    "application/json": components["schemas"]["MemberWorkspace"];
                };
            };
            "4XX": components["responses"]["RefusedChange"];
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
            "4XX": components["responses"]["Refused"];
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
                /**
                 * @example {
                 *       "tracked_branches": [
                 *         "release/*",
                 *         "hotfix/*"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ChangeSettingsBody"];
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
            "4XX": components["responses"]["RefusedChange"];
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "url": "https://sign-in.example.com/authorize",
                     *           "kind": "github",
                     *           "organization": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ForgeList"];
                };
            };
            "4XX": components["responses"]["Refused"];
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "view_01jn2t0700e008000000000001",
                     *           "name": "shop",
                     *           "page": "vulnerabilities",
                     *           "query": "state=open&severity=critical,high",
                     *           "shared": false,
                     *           "owner": {
                     *             "id": "usr_01jn2t0700e008000000000001",
                     *             "name": "Ada Park"
                     *           },
                     *           "own": false,
                     *           "created_at": "2026-03-02T09:15:00Z",
                     *           "updated_at": "2026-03-02T09:15:00Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["SavedViewList"];
                };
            };
            "4XX": components["responses"]["Refused"];
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
                "application/json": components["schemas"]["CreateSavedViewBody"];
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
            409: components["responses"]["Conflict"];
            "4XX": components["responses"]["RefusedChange"];
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
                /** @description Id of the saved view, view_…. */
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
            "4XX": components["responses"]["RefusedChange"];
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
                /** @description Id of the saved view, view_…. */
                view: components["parameters"]["view"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeSavedViewBody"];
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
            409: components["responses"]["Conflict"];
            "4XX": components["responses"]["RefusedChange"];
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
                    /**
                     * @example {
                     *       "exceptions": 1,
                     *       "overdue": 1
                     *     }
                     */
                    "application/json": components["schemas"]["WaitingCounts"];
                };
            };
            "4XX": components["responses"]["Refused"];
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "usr_01jn2t0700e008000000000001",
                     *           "name": "Ada Park",
                     *           "email": "ada@example.com",
                     *           "role": "viewer",
                     *           "since": "2026-03-02T09:15:00Z",
                     *           "last_seen_at": null
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["MemberList"];
                };
            };
            "4XX": components["responses"]["Refused"];
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
                /** @description Id of the user, usr_…. */
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
            409: components["responses"]["Conflict"];
            "4XX": components["responses"]["RefusedChange"];
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
                /** @description Id of the user, usr_…. */
                user: components["parameters"]["user"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "role": "viewer"
                 *     }
                 */
                "application/json": components["schemas"]["ChangeRoleBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "usr_01jn2t0700e008000000000001",
                     *       "name": "Ada Park",
                     *       "email": "ada@example.com",
                     *       "role": "viewer",
                     *       "since": "2026-03-02T09:15:00Z",
                     *       "last_seen_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["Member"];
                };
            };
            409: components["responses"]["Conflict"];
            "4XX": components["responses"]["RefusedChange"];
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "inv_01jn2t0700e008000000000001",
                     *           "email": "ada@example.com",
                     *           "role": "viewer",
                     *           "invited_by": {
                     *             "id": "usr_01jn2t0700e008000000000001",
                     *             "name": "Ada Park"
                     *           },
                     *           "created_at": "2026-03-02T09:15:00Z",
                     *           "expires_at": "2026-05-31T23:59:59Z",
                     *           "expired": false,
                     *           "mail": {
                     *             "status": "pending",
                     *             "mailed_at": null,
                     *             "error": null
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["InvitationList"];
                };
            };
            "4XX": components["responses"]["Refused"];
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
                /**
                 * @example {
                 *       "email": "ada@example.com",
                 *       "role": "viewer"
                 *     }
                 */
                "application/json": components["schemas"]["InviteBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "invitation": {
                     *         "id": "inv_01jn2t0700e008000000000001",
                     *         "email": "ada@example.com",
                     *         "role": "viewer",
                     *         "invited_by": {
                     *           "id": "usr_01jn2t0700e008000000000001",
                     *           "name": "Ada Park"
                     *         },
                     *         "created_at": "2026-03-02T09:15:00Z",
                     *         "expires_at": "2026-05-31T23:59:59Z",
                     *         "expired": false,
                     *         "mail": {
                     *           "status": "pending",
                     *           "mailed_at": null,
                     *           "error": null
                     *         }
                     *       },
                     *       "link_token": "inv_example"
                     *     }
                     */
                    "application/json": components["schemas"]["CreatedInvitation"];
                };
            };
            "4XX": components["responses"]["RefusedChange"];
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
                /** @description Id of the invitation, inv_…. */
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
            "4XX": components["responses"]["RefusedChange"];
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
                    /**
                     * @example {
                     *       "scopes": [
                     *         {
                     *           "name": "vulnerabilities:read",
                     *           "role": "viewer",
                     *           "opens": "Read vulnerabilities"
                     *         }
                     *       ],
                     *       "presets": [
                     *         {
                     *           "name": "CI",
                     *           "scopes": [
                     *             "vulnerabilities:read"
                     *           ]
                     *         }
                     *       ],
                     *       "expiries": [
                     *         "30d",
                     *         "90d",
                     *         "never"
                     *       ],
                     *       "default_expiry": "90d"
                     *     }
                     */
                    "application/json": components["schemas"]["KeyScopes"];
                };
            };
            "4XX": components["responses"]["Refused"];
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
            "4XX": components["responses"]["Refused"];
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
                "application/json": components["schemas"]["CreateOwnKeyBody"];
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
            409: components["responses"]["Conflict"];
            "4XX": components["responses"]["RefusedChange"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    revokeOwnKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Id of the key, key_…. */
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
            "4XX": components["responses"]["RefusedChange"];
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
            "4XX": components["responses"]["Refused"];
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
                "application/json": components["schemas"]["CreateWorkspaceKeyBody"];
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
            409: components["responses"]["Conflict"];
            "4XX": components["responses"]["RefusedChange"];
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
                /** @description Id of the key, key_…. */
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
            "4XX": components["responses"]["RefusedChange"];
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "tru_01jn2t0700e008000000000001",
                     *           "name": "shop",
                     *           "provider": "github",
                     *           "issuer": "https://token.actions.githubusercontent.com",
                     *           "audience": "https://merlon.example.com",
                     *           "claims": {
                     *             "repository_owner_id": "1042"
                     *           },
                     *           "created_at": "2026-03-02T09:15:00Z",
                     *           "last_used_at": null,
                     *           "last_refused_at": null,
                     *           "last_refusal": null
                     *         }
                     *       ],
                     *       "issuers": [
                     *         "https://token.actions.githubusercontent.com",
                     *         "https://gitlab.com"
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TrustRules"];
                };
            };
            "4XX": components["responses"]["Refused"];
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
                "application/json": components["schemas"]["CreateTrustRuleBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "tru_01jn2t0700e008000000000001",
                     *       "name": "shop",
                     *       "provider": "github",
                     *       "issuer": "https://token.actions.githubusercontent.com",
                     *       "audience": "https://merlon.example.com",
                     *       "claims": {
                     *         "repository_owner_id": "1042"
                     *       },
                     *       "created_at": "2026-03-02T09:15:00Z",
                     *       "last_used_at": null,
                     *       "last_refused_at": null,
                     *       "last_refusal": null
                     *     }
                     */
                    "application/json": components["schemas"]["TrustRule"];
                };
            };
            409: components["responses"]["Conflict"];
            "4XX": components["responses"]["RefusedChange"];
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
                /** @description Id of the trust rule, tru_…. */
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
            "4XX": components["responses"]["RefusedChange"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listWebhooks: {
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "whk_01jn2t0700e008000000000001",
                     *           "format": "standard",
                     *           "name": "shop",
                     *           "url": "https://receiver.example.com/merlon",
                     *           "types": [
                     *             "vulnerability.opened"
                     *           ],
                     *           "least_severity": "unknown",
                     *           "enabled": false,
                     *           "repositories": [
                     *             {
                     *               "id": "repo_01jn2t0700e008000000000001",
                     *               "full_name": "acme/shop"
                     *             }
                     *           ],
                     *           "applications": [
                     *             {
                     *               "id": "app_01jn2t0700e008000000000001",
                     *               "name": "Storefront"
                     *             }
                     *           ],
                     *           "disabled_reason": null,
                     *           "waiting": 1,
                     *           "failures": 1,
                     *           "retry_at": null,
                     *           "missed": 1,
                     *           "previous_secret_until": null,
                     *           "last_delivered_at": null,
                     *           "created_at": "2026-03-02T09:15:00Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookList"];
                };
            };
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    createWebhook: {
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
                "application/json": components["schemas"]["CreateWebhookBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            409: components["responses"]["Conflict"];
            "4XX": components["responses"]["RefusedChange"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id of the webhook, whk_…. */
                webhook: components["parameters"]["webhook"];
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
            "4XX": components["responses"]["RefusedChange"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    changeWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id of the webhook, whk_…. */
                webhook: components["parameters"]["webhook"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeWebhookBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "whk_01jn2t0700e008000000000001",
                     *       "format": "standard",
                     *       "name": "shop",
                     *       "url": "https://receiver.example.com/merlon",
                     *       "types": [
                     *         "vulnerability.opened"
                     *       ],
                     *       "least_severity": "unknown",
                     *       "enabled": false,
                     *       "repositories": [
                     *         {
                     *           "id": "repo_01jn2t0700e008000000000001",
                     *           "full_name": "acme/shop"
                     *         }
                     *       ],
                     *       "applications": [
                     *         {
                     *           "id": "app_01jn2t0700e008000000000001",
                     *           "name": "Storefront"
                     *         }
                     *       ],
                     *       "disabled_reason": null,
                     *       "waiting": 1,
                     *       "failures": 1,
                     *       "retry_at": null,
                     *       "missed": 1,
                     *       "previous_secret_until": null,
                     *       "last_delivered_at": null,
                     *       "created_at": "2026-03-02T09:15:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            409: components["responses"]["Conflict"];
            "4XX": components["responses"]["RefusedChange"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id of the webhook, whk_…. */
                webhook: components["parameters"]["webhook"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateWebhookSecretBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecret"];
                };
            };
            409: components["responses"]["Conflict"];
            "4XX": components["responses"]["RefusedChange"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Only deliveries with this status. */
                status?: "pending" | "delivered" | "failed";
                /** @description Number of rows on a page; `limit` and `page_size` mean the same. */
                per_page?: components["parameters"]["per_page"];
                /** @description `next_cursor` of the page before. */
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id of the webhook, whk_…. */
                webhook: components["parameters"]["webhook"];
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "event": "opened",
                     *           "type": "vulnerability.opened",
                     *           "status": "pending",
                     *           "attempts": 1,
                     *           "last_attempt_at": null,
                     *           "next_attempt_at": null,
                     *           "response_status": null,
                     *           "error": null,
                     *           "duration_ms": null,
                     *           "created_at": "2026-03-02T09:15:00Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    replayWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id of the webhook, whk_…. */
                webhook: components["parameters"]["webhook"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "failed": true
                 *     }
                 */
                "application/json": components["schemas"]["ReplayWebhookBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "replayed": 1
                     *     }
                     */
                    "application/json": components["schemas"]["ReplayedEvents"];
                };
            };
            "4XX": components["responses"]["RefusedChange"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getNotifications: {
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
                    "application/json": components["schemas"]["Notifications"];
                };
            };
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    changeNotifications: {
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
                "application/json": components["schemas"]["ChangeNotificationsBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Notifications"];
                };
            };
            409: components["responses"]["Conflict"];
            "4XX": components["responses"]["RefusedChange"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listTeams: {
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "team_01jn2t0700e008000000000001",
                     *           "name": "Payments",
                     *           "owner_names": [
                     *             "@acme/payments"
                     *           ],
                     *           "members_count": 1,
                     *           "is_mine": false,
                     *           "created_at": "2026-03-02T09:15:00Z",
                     *           "updated_at": "2026-03-02T09:15:00Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TeamList"];
                };
            };
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    createTeam: {
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
                /**
                 * @example {
                 *       "name": "Payments",
                 *       "members": [
                 *         "ada@example.com"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["CreateTeamBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamDetail"];
                };
            };
            409: components["responses"]["Conflict"];
            "4XX": components["responses"]["RefusedChange"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getTeam: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id of the team, team_…. */
                team: components["parameters"]["team_in_path"];
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
                    "application/json": components["schemas"]["TeamDetail"];
                };
            };
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    deleteTeam: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id of the team, team_…. */
                team: components["parameters"]["team_in_path"];
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
            "4XX": components["responses"]["RefusedChange"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    changeTeam: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id of the team, team_…. */
                team: components["parameters"]["team_in_path"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "owner_names": [
                 *         "@acme/payments"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["ChangeTeamBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TeamDetail"];
                };
            };
            "4XX": components["responses"]["RefusedChange"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getCodeOwners: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id of the repository, repo_…, or its full name, percent-encoded. */
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
                    "application/json": components["schemas"]["CodeOwners"];
                };
            };
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    setCodeOwners: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id of the repository, repo_…, or its full name, percent-encoded. */
                repository: components["parameters"]["repository"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CodeOwnersInput"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodeOwners"];
                };
            };
            "4XX": components["responses"]["RefusedChange"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    releaseCodeOwners: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id of the repository, repo_…, or its full name, percent-encoded. */
                repository: components["parameters"]["repository"];
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
            "4XX": components["responses"]["RefusedChange"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listIssueTrackers: {
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "trk_01jn2t0700e008000000000001",
                     *           "kind": "jira",
                     *           "name": "Shop team",
                     *           "url": "https://acme.atlassian.net",
                     *           "project": "SHOP",
                     *           "user": "security-bot@acme.example",
                     *           "labels": [
                     *             "security"
                     *           ],
                     *           "issue_type": "Task",
                     *           "closed_status": "Done",
                     *           "open_status": null,
                     *           "allows_public": false,
                     *           "enabled": false,
                     *           "disabled_reason": null,
                     *           "rule": {
                     *             "since": "2026-03-02T09:15:00Z",
                     *             "least_severity": "unknown",
                     *             "blocking_only": false,
                     *             "repositories": [
                     *               {
                     *                 "id": "repo_01jn2t0700e008000000000001",
                     *                 "full_name": "acme/shop"
                     *               }
                     *             ],
                     *             "applications": [
                     *               {
                     *                 "id": "app_01jn2t0700e008000000000001",
                     *                 "name": "Storefront"
                     *               }
                     *             ]
                     *           },
                     *           "issues": {
                     *             "linked": 1,
                     *             "waiting": 1,
                     *             "failed": 1,
                     *             "deleted": 1
                     *           },
                     *           "error": null,
                     *           "retry_at": null,
                     *           "created_at": "2026-03-02T09:15:00Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["IssueTrackerList"];
                };
            };
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    createIssueTracker: {
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
                "application/json": components["schemas"]["CreateIssueTrackerBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssueTracker"];
                };
            };
            409: components["responses"]["Conflict"];
            "4XX": components["responses"]["RefusedChange"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    deleteIssueTracker: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id of the issue tracker, trk_…. */
                tracker: components["parameters"]["tracker"];
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
            "4XX": components["responses"]["RefusedChange"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    changeIssueTracker: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id of the issue tracker, trk_…. */
                tracker: components["parameters"]["tracker"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeIssueTrackerBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssueTracker"];
                };
            };
            409: components["responses"]["Conflict"];
            "4XX": components["responses"]["RefusedChange"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    createVulnerabilityIssue: {
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
                /**
                 * @example {
                 *       "tracker": "trk_01jn2t0700e008000000000001"
                 *     }
                 */
                "application/json": components["schemas"]["CreateVulnerabilityIssueBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "iss_01jn2t0700e008000000000001",
                     *       "tracker": {
                     *         "id": "trk_01jn2t0700e008000000000001",
                     *         "name": "Shop team",
                     *         "kind": "jira"
                     *       },
                     *       "state": "linked",
                     *       "key": "SHOP-7",
                     *       "url": "https://acme.atlassian.net/browse/SHOP-7",
                     *       "status": "In Progress",
                     *       "closed": false,
                     *       "assignee": "Kim",
                     *       "changed_at": null,
                     *       "group": false,
                     *       "by_rule": false,
                     *       "vulnerabilities": 1,
                     *       "open": 1,
                     *       "error": null,
                     *       "created_at": "2026-03-02T09:15:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["LinkedIssue"];
                };
            };
            409: components["responses"]["Conflict"];
            "4XX": components["responses"]["RefusedChange"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    unlinkIssue: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id of the vulnerability, vc_…. */
                vulnerability: components["parameters"]["vulnerability"];
                /** @description Id of the linked issue, iss_…. */
                issue: string;
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
            "4XX": components["responses"]["RefusedChange"];
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
                /**
                 * @example {
                 *       "name": "shop"
                 *     }
                 */
                "application/json": components["schemas"]["CreateApplicationBody"];
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
            "4XX": components["responses"]["RefusedChange"];
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
                /** @description Id of the application, app_…. */
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
            409: components["responses"]["Conflict"];
            "4XX": components["responses"]["RefusedChange"];
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
                /** @description Id of the application, app_…. */
                application: components["parameters"]["application"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "owner": "ada@example.com"
                 *     }
                 */
                "application/json": components["schemas"]["ChangeApplicationBody"];
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
            "4XX": components["responses"]["RefusedChange"];
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
                /** @description Id of the application, app_…. */
                application: components["parameters"]["application"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "repositories": [
                 *         "repo_01jn2t0700e008000000000001"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SetApplicationRepositoriesBody"];
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
            "4XX": components["responses"]["RefusedChange"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    recordCraSteps: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id of the application, app_…. */
                application: components["parameters"]["application"];
                /** @description The CVE, such as CVE-2030-1234. */
                cve: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "version": 1
                 *     }
                 */
                "application/json": components["schemas"]["RecordCraStepsBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "application": {
                     *         "id": "app_01jn2t0700e008000000000001",
                     *         "name": "Storefront"
                     *       },
                     *       "cve": "CVE-2021-23337",
                     *       "title": "Command injection in lodash",
                     *       "severity": "high",
                     *       "known_at": null,
                     *       "repositories": 1,
                     *       "present_repositories": 1,
                     *       "state": "open",
                     *       "aware_at": "2026-03-02T09:15:00Z",
                     *       "early_warning": {
                     *         "due_at": "2026-03-09T09:15:00Z",
                     *         "sent_at": null,
                     *         "state": "waiting"
                     *       },
                     *       "notification": {
                     *         "due_at": "2026-03-09T09:15:00Z",
                     *         "sent_at": null,
                     *         "state": "waiting"
                     *       },
                     *       "measure_at": null,
                     *       "final_report": {
                     *         "due_at": "2026-03-09T09:15:00Z",
                     *         "sent_at": null,
                     *         "state": "waiting"
                     *       },
                     *       "not_reportable_reason": null,
                     *       "version": 1,
                     *       "changed_by": null,
                     *       "changed_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["CraNotification"];
                };
            };
            409: components["responses"]["Conflict"];
            "4XX": components["responses"]["RefusedChange"];
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
                /** @description Id of the repository, repo_…, or its full name, percent-encoded. */
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
            "4XX": components["responses"]["Refused"];
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
                /** @description Id of the repository, repo_…, or its full name, percent-encoded. */
                repository: components["parameters"]["repository"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "own": [
                 *         "release/*",
                 *         "hotfix/*"
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["SetTrackedBranchesBody"];
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
            "4XX": components["responses"]["RefusedChange"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    getManagedRepository: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: components["parameters"]["tenant_slug"];
                /** @description Id of the repository, repo_…, or its full name, percent-encoded. */
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
                    "application/json": components["schemas"]["ManagedRepository"];
                };
            };
            "4XX": components["responses"]["Refused"];
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
                /** @description Id of the repository, repo_…, or its full name, percent-encoded. */
                repository: components["parameters"]["repository"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "default_branch": "main"
                 *     }
                 */
                "application/json": components["schemas"]["ChangeRepositoryBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManagedRepository"];
                };
            };
            "4XX": components["responses"]["RefusedChange"];
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
                /** @description Id of the reference, ref_…. */
                reference: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "environment": "production"
                 *     }
                 */
                "application/json": components["schemas"]["ChangeReferenceBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ref_01jn2t0700e008000000000001",
                     *       "ref": "main",
                     *       "base_ref": null,
                     *       "environment": null
                     *     }
                     */
                    "application/json": components["schemas"]["ReferenceSettings"];
                };
            };
            "4XX": components["responses"]["RefusedChange"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listAdvisoryNames: {
        parameters: {
            query?: {
                /** @description Only this exact name. */
                name?: string;
                /** @description Number of rows on a page; `limit` and `page_size` mean the same. */
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "adn_01jn2t0700e008000000000001",
                     *           "name": "SNYK-JS-LODASH-1040724",
                     *           "advisory": "CVE-2021-23337",
                     *           "state": "joins",
                     *           "repository": {
                     *             "id": "repo_01jn2t0700e008000000000001",
                     *             "full_name": "acme/shop"
                     *           },
                     *           "taught_by": {
                     *             "id": "usr_01jn2t0700e008000000000001",
                     *             "display_name": "Ada Park",
                     *             "email": "ada@example.com"
                     *           },
                     *           "scan_id": "scan_01jn2t0700e008000000000001",
                     *           "learned_at": "2026-03-02T09:15:00Z"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["AdvisoryNamePage"];
                };
            };
            "4XX": components["responses"]["Refused"];
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
                /**
                 * @example {
                 *       "forgotten": false
                 *     }
                 */
                "application/json": components["schemas"]["ChangeAdvisoryNameBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "adn_01jn2t0700e008000000000001",
                     *       "name": "SNYK-JS-LODASH-1040724",
                     *       "advisory": "CVE-2021-23337",
                     *       "state": "joins",
                     *       "repository": {
                     *         "id": "repo_01jn2t0700e008000000000001",
                     *         "full_name": "acme/shop"
                     *       },
                     *       "taught_by": {
                     *         "id": "usr_01jn2t0700e008000000000001",
                     *         "display_name": "Ada Park",
                     *         "email": "ada@example.com"
                     *       },
                     *       "scan_id": "scan_01jn2t0700e008000000000001",
                     *       "learned_at": "2026-03-02T09:15:00Z"
                     *     }
                     */
                    "application/json": components["schemas"]["AdvisoryName"];
                };
            };
            "4XX": components["responses"]["RefusedChange"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    listAudit: {
        parameters: {
            query?: {
                /** @description me, a user id, an e-mail address, or operator for actions of the command line. */
                actor?: components["parameters"]["actor"];
                /** @description Only this action. */
                action?: components["parameters"]["action"];
                /** @description Id of the object of the action. */
                target?: components["parameters"]["target"];
                /** @description RFC 3339. */
                since?: components["parameters"]["since"];
                /** @description Only before this time (RFC 3339). */
                until?: components["parameters"]["until"];
                /** @description Number of rows on a page; `limit` and `page_size` mean the same. */
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
                    /**
                     * @example {
                     *       "items": [
                     *         {
                     *           "id": "evt_01jn2t0700e008000000000001",
                     *           "at": "2026-03-02T09:15:00Z",
                     *           "actor": {
                     *             "id": "usr_01jn2t0700e008000000000001",
                     *             "name": "Ada Park",
                     *             "email": "ada@example.com"
                     *           },
                     *           "key": {
                     *             "id": "key_01jn2t0700e008000000000001",
                     *             "name": "CI of acme/shop"
                     *           },
                     *           "action": "application.create",
                     *           "target": {
                     *             "type": "application",
                     *             "id": "app_01jn2t0700e008000000000001",
                     *             "name": "Shop"
                     *           },
                     *           "data": {},
                     *           "names": {},
                     *           "request_id": "5a8f4a0e-3d8c-4f0e-9a3e-0d1f6f2b9c11"
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": components["schemas"]["AuditEventPage"];
                };
            };
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    exportAudit: {
        parameters: {
            query?: {
                /** @description me, a user id, an e-mail address, or operator for actions of the command line. */
                actor?: components["parameters"]["actor"];
                /** @description Only this action. */
                action?: components["parameters"]["action"];
                /** @description Id of the object of the action. */
                target?: components["parameters"]["target"];
                /** @description RFC 3339. */
                since?: components["parameters"]["since"];
                /** @description Only before this time (RFC 3339). */
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
            /** @description The audit log as CSV. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /** @example id,at,actor_id,actor_name,actor_email,key_id,key_name,action,target_type,target_id,target_name,data,request_id */
                    "text/csv": string;
                };
            };
            "4XX": components["responses"]["Refused"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    uploadScan: {
        parameters: {
            query: {
                /** @description Repository: org/name. A new one is created. */
                repo: components["parameters"]["repo_of_uploadScan"];
                /** @description Scanned reference: short or full name. Without it: the default branch. */
                ref?: components["parameters"]["ref_of_uploadScan"];
                /** @description Type of the reference that a short `ref` names. */
                ref_type?: components["parameters"]["ref_type"];
                /** @description Scanned commit. */
                sha?: components["parameters"]["sha_of_uploadScan"];
                /** @description Target branch of a pull request. */
                base_ref?: components["parameters"]["base_ref"];
                /** @description Newest commit of the target branch that the scanned code of a pull request contains. */
                base_sha?: components["parameters"]["base_sha"];
                /** @description Default branch of the repository. Without it: the first branch of a report. */
                default_branch?: components["parameters"]["default_branch"];
                /** @description Name that keeps several reports of one tool apart. It stands before the category of the report. */
                category?: components["parameters"]["category"];
                /** @description Time of the scan in RFC 3339 with an offset, not before 1990. Without it: now. */
                scanned_at?: components["parameters"]["scanned_at"];
                /** @description What was scanned: the current files or the history of the commits. Without it, the report decides. */
                source?: components["parameters"]["source_of_uploadScan"];
                /** @description Format of the report. Without it, it is recognised from the content. */
                format?: components["parameters"]["format"];
                /** @description true: the report covers only a part of the repository, so it fixes nothing. */
                partial?: components["parameters"]["partial"];
                /** @description true: the scan shows what would change, and changes nothing. */
                dry_run?: components["parameters"]["dry_run"];
                /** @description true: fix vulnerabilities without the mass-closure check. Only admins may do this. */
                force?: components["parameters"]["force"];
                /** @description Environment where the reference is deployed, such as production. Upper case counts as lower case. */
                environment?: components["parameters"]["environment"];
                /** @description Path of the file, by which several reports of one commit are told apart. */
                file_name?: components["parameters"]["file_name"];
                /** @description VCS of the repository. */
                repo_source?: components["parameters"]["repo_source"];
                /** @description Id of the repository at the VCS, by which a renamed repository is recognised. */
                repo_external_id?: components["parameters"]["repo_external_id"];
                /** @description Id of the organization at the VCS. */
                org_external_id?: components["parameters"]["org_external_id"];
                /** @description Whether the repository is private. */
                private?: components["parameters"]["private"];
            };
            header?: {
                /** @description A repeated upload with the same key answers with the first scan. */
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
            409: components["responses"]["Conflict"];
            "4XX": components["responses"]["RefusedChange"];
            "5XX": components["responses"]["ServerError"];
        };
    };
    uploadScanByHand: {
        parameters: {
            query: {
                /** @description Repository: org/name. A new one is created. */
                repo: components["parameters"]["repo_of_uploadScan"];
                /** @description Scanned reference: short or full name. Without it: the default branch. */
                ref?: components["parameters"]["ref_of_uploadScan"];
                /** @description Type of the reference that a short `ref` names. */
                ref_type?: components["parameters"]["ref_type"];
                /** @description Scanned commit. */
                sha?: components["parameters"]["sha_of_uploadScan"];
                /** @description Target branch of a pull request. */
                base_ref?: components["parameters"]["base_ref"];
                /** @description Newest commit of the target branch that the scanned code of a pull request contains. */
                base_sha?: components["parameters"]["base_sha"];
                /** @description Default branch of the repository. Without it: the first branch of a report. */
                default_branch?: components["parameters"]["default_branch"];
                /** @description Name that keeps several reports of one tool apart. It stands before the category of the report. */
                category?: components["parameters"]["category"];
                /** @description Time of the scan in RFC 3339 with an offset, not before 1990. Without it: now. */
                scanned_at?: components["parameters"]["scanned_at"];
                /** @description What was scanned: the current files or the history of the commits. Without it, the report decides. */
                source?: components["parameters"]["source_of_uploadScan"];
                /** @description Format of the report. Without it, it is recognised from the content. */
                format?: components["parameters"]["format"];
                /** @description true: the report covers only a part of the repository, so it fixes nothing. */
                partial?: components["parameters"]["partial"];
                /** @description true: the scan shows what would change, and changes nothing. */
                dry_run?: components["parameters"]["dry_run"];
                /** @description true: fix vulnerabilities without the mass-closure check. Only admins may do this. */
                force?: components["parameters"]["force"];
                /** @description Environment where the reference is deployed, such as production. Upper case counts as lower case. */
                environment?: components["parameters"]["environment"];
                /** @description Path of the file, by which several reports of one commit are told apart. */
                file_name?: components["parameters"]["file_name"];
                /** @description VCS of the repository. */
                repo_source?: components["parameters"]["repo_source"];
                /** @description Id of the repository at the VCS, by which a renamed repository is recognised. */
                repo_external_id?: components["parameters"]["repo_external_id"];
                /** @description Id of the organization at the VCS. */
                org_external_id?: components["parameters"]["org_external_id"];
                /** @description Whether the repository is private. */
                private?: components["parameters"]["private"];
            };
            header?: {
                /** @description A repeated upload with the same key answers with the first scan. */
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
            409: components["responses"]["Conflict"];
            "4XX": components["responses"]["RefusedChange"];
            "5XX": components["responses"]["ServerError"];
        };
    };
}

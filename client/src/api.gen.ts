// Generated from openapi.json by "npm run openapi": do not edit.
export interface paths {
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Says that the process runs */
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
        /** Says whether requests can be answered */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
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
        /** List the workspaces that the key opens */
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
        /** Show the key, its workspace and its scopes */
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
        /** List organizations */
        get: operations["listOrganizations"];
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
        /** Show an organization, by id or by full path */
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
        /** List repositories */
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
        /** Show a repository, by id or by org/name */
        get: operations["getRepository"];
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
        /** List applications */
        get: operations["listApplications"];
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
        /** List vulnerabilities, with an exact summary of the whole list */
        get: operations["listVulnerabilities"];
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
        /** Show all that is known of a vulnerability */
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
        /** List the places of a vulnerability */
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
        /** Assign a vulnerability, or clear its assignment */
        patch: operations["assignVulnerability"];
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
        /** Accept, ignore, reject, confirm or reopen vulnerabilities: all of them, or none */
        post: operations["decideVulnerabilities"];
        delete?: never;
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
        /** Merge other vulnerabilities of the repository into this one; their ids answer with it from now on */
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
        /** Make places of this vulnerability, and their like on other references, one of their own */
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
        /** List the policies, by key */
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
        /** List the facts that a condition may ask about */
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
        /** Show a policy */
        get: operations["getPolicy"];
        /** Make a policy, or bring it to what the body says; the workspace is asked afterwards */
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
        /** Say what a policy would match and block, and change nothing */
        post: operations["dryRunPolicy"];
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
        /** List the policy violations of a repository, soonest due first */
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
        /** Show a policy violation with its policy, exception, rule, place, target and scan */
        get: operations["getPolicyViolation"];
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
        /** Snooze or wake violations, all of them or none. Where a policy blocks, a member asks for an exception by it */
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
        /** List exceptions, newest first */
        get: operations["listExceptions"];
        put?: never;
        /** Ask for an exception: of violations, or of a policy in a repository */
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
        /** Approve or refuse an exception that somebody else has asked for */
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
        /** Withdraw a request of one’s own; an admin withdraws any, and what is approved */
        post: operations["withdrawException"];
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
        /** Say pass, warn or block for a reference or commit, why, and what would unblock */
        get: operations["getGate"];
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
        /** Stream every vulnerability once, or what has changed since a cursor */
        get: operations["exportVulnerabilities"];
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
        /** Show which releases of KEV and EPSS vulnerabilities are joined with */
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
        /** List scans, newest first */
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
        /** Show a scan: counts, warnings, what could not be read */
        get: operations["getScan"];
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
        /** Say how far the scans of a reference or commit are */
        get: operations["getScanStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/streams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the streams of a repository: which tool looks at which reference, and what is held */
        get: operations["listStreams"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/streams/{stream}/held-closing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Release a closing that the guard holds, or discard it */
        post: operations["decideHeldClosing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/manage/v1/{tenant_slug}/streams/{stream}/retire": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Retire a stream that nobody feeds any more: what only it saw is fixed */
        post: operations["retireStream"];
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
         */
        post: operations["uploadScan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** ApiError */
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
    };
    responses: never;
    parameters: never;
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
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        status: string;
                    };
                };
            };
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
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        status: string;
                    };
                };
            };
        };
    };
    listTenants: {
        parameters: {
            query?: {
                /** @description Rows of a page. */
                per_page?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            id: string;
                            slug: string;
                            workspace: string;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            /** @description Default Response */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getWhoami: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        actor: {
                            id: string;
                            name: string;
                            email: string;
                            /** @description user, or service for a workspace key */
                            type: string;
                        };
                        tenant: {
                            id: string;
                            slug: string;
                            workspace: string;
                        };
                        token: {
                            id: string;
                            name: string;
                            scopes: string[];
                            /** Format: date-time */
                            expires_at: string | null;
                        };
                    };
                };
            };
            /** @description Default Response */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listOrganizations: {
        parameters: {
            query?: {
                /** @description Rows of a page. */
                per_page?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
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
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            /** @description Default Response */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getOrganization: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: string;
                /** @description Id of the organization, org_…, or its full path. */
                org: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
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
                        parent: {
                            id: string;
                            name: string;
                            full_path: string;
                        } | null;
                    };
                };
            };
            /** @description Default Response */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listRepositories: {
        parameters: {
            query?: {
                /** @description Organization: id or full path. */
                org?: string;
                /** @description VCS: local, ghc, ghe, gitlab, bitbucket, azure_devops. A comma list, or the parameter repeated. */
                source?: string[];
                /** @description Rows of a page. */
                per_page?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
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
                            org: {
                                id: string;
                                name: string;
                                full_path: string;
                            };
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            /** @description Default Response */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getRepository: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: string;
                /** @description Id of the repository, repo_…, or its full name. */
                repo: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
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
                        org: {
                            id: string;
                            name: string;
                            full_path: string;
                        };
                        /** Format: date-time */
                        created_at: string;
                        /** Format: date-time */
                        updated_at: string;
                        is_monorepo: boolean;
                        default_branch: {
                            ref: string | null;
                            sha: string | null;
                        };
                    };
                };
            };
            /** @description Default Response */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listApplications: {
        parameters: {
            query?: {
                /** @description Rows of a page. */
                per_page?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            id: string;
                            name: string;
                            description: string | null;
                            /** Format: date-time */
                            created_at: string;
                            /** Format: date-time */
                            updated_at: string;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            /** @description Default Response */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listVulnerabilities: {
        parameters: {
            query?: {
                /** @description Repository: id or full name. */
                repo?: string;
                /** @description Reference: short or full name; HEAD is each default branch. Status and summary are those there. */
                ref?: string;
                /** @description What a completed scan of this commit saw. */
                sha?: string;
                /** @description Status. */
                state?: "open" | "fixed" | "accepted" | "ignored" | "rejected";
                /** @description Seen in the current tree, or only in the history. */
                source?: "current" | "git_history";
                /** @description Verified as true. */
                confirmed?: "yes" | "no";
                /** @description Somebody has decided something. */
                triaged?: "yes" | "no";
                /** @description Severity: unknown, info, low, medium, high, critical. A comma list, or the parameter repeated. */
                severity?: string[];
                /** @description Type: other, dependency, sast, secret, iac, container, dast, license, malware. A comma list, or the parameter repeated. */
                type?: string[];
                /** @description me, unassigned, a user id or an e-mail address. */
                assignee?: string;
                /** @description Words of the title, three characters or more each. */
                q?: string;
                /** @description Order: severity (the default), newest, oldest. */
                sort?: "severity" | "newest" | "oldest";
                /** @description Rows of a page. */
                per_page?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        filters: {
                            repo: string | null;
                            ref: string | null;
                            sha: string | null;
                            confirmed: string | null;
                            triaged: string | null;
                            state: string | null;
                            source: string | null;
                            assignee: string | null;
                            sort: string | null;
                            severity: string[];
                            type: string[];
                        };
                        summary: {
                            total: number;
                            by_severity: {
                                [key: string]: number;
                            };
                            by_type: {
                                [key: string]: number;
                            };
                        };
                        items: {
                            id: string;
                            title: string;
                            repository: {
                                id: string;
                                name: string;
                                full_name: string;
                            };
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
                            location: {
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
                                reference: {
                                    id: string;
                                    ref: string;
                                    sha: string | null;
                                    /** @description branch, tag, pull_request */
                                    type: string;
                                };
                            };
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            /** @description Default Response */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getVulnerability: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: string;
                /** @description Id of the vulnerability, vc_…. */
                vulnerability: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        title: string;
                        repository: {
                            id: string;
                            name: string;
                            full_name: string;
                        };
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
                        location: {
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
                            reference: {
                                id: string;
                                ref: string;
                                sha: string | null;
                                /** @description branch, tag, pull_request */
                                type: string;
                            };
                        };
                        description: string | null;
                        rule: string;
                        identifiers: string[];
                        cwes: string[];
                        links: string[];
                        package: string | null;
                        fix_version: string | null;
                        cvss: {
                            score: number | null;
                            vector: string | null;
                        };
                        kev: {
                            /** Format: date */
                            added_on: string;
                            due_on: string | null;
                            /** @description Known to be used in ransomware campaigns. */
                            ransomware: boolean;
                        } | null;
                        epss: {
                            score: number;
                            percentile: number;
                        } | null;
                        assignee: {
                            id: string;
                            display_name: string;
                            email: string;
                        } | null;
                        /** Format: date-time */
                        accepted_until: string | null;
                        /** @description Whose word the status is: person, vex, suppression. Null: nobody has decided. */
                        decided_by: string | null;
                        status_version: string;
                        /** Format: date-time */
                        updated_at: string;
                        suggestions: {
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
                        }[];
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
                            status: string;
                            /** Format: date-time */
                            first_seen_at: string;
                            /** Format: date-time */
                            fixed_at: string | null;
                        }[];
                        matches: {
                            location_id: string;
                            tool: string;
                            /** @description new, advisory-and-package, secret, secret-masked, fingerprint, code, nearest-line, renamed-file, secret-place, pinned */
                            why: string;
                        }[];
                        history: {
                            id: string;
                            /** @description opened, seen_on_reference, moved, fixed, reopened, accepted, ignored, rejected, confirmed, decision_removed, acceptance_ended, assigned, unassigned, severity_changed, merged, split */
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
                };
            };
            /** @description Default Response */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listVulnerabilityLocations: {
        parameters: {
            query?: {
                /** @description live (the default): only where it is vulnerable now. */
                scope?: "live" | "all";
                /** @description Rows of a page. */
                per_page?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: string;
                /** @description Id of the vulnerability, vc_…. */
                vulnerability: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
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
                        items: {
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
                            reference: {
                                id: string;
                                ref: string;
                                sha: string | null;
                                /** @description branch, tag, pull_request */
                                type: string;
                            };
                            artifact: {
                                id: string;
                                /** @description package_version, image, file */
                                type: string;
                                name: string;
                                purl: string | null;
                                digest: string | null;
                            } | null;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            /** @description Default Response */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    assignVulnerability: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: string;
                /** @description Id of the vulnerability, vc_…. */
                vulnerability: string;
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
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        vulnerability: {
                            id: string;
                            assignee: {
                                id: string;
                                display_name: string;
                                email: string;
                            } | null;
                            status_version: string;
                            /** Format: date-time */
                            updated_at: string;
                        };
                    };
                };
            };
            /** @description Default Response */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    decideVulnerabilities: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: string;
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
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
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
                            exceptions: string[];
                        }[];
                    };
                };
            };
            /** @description Default Response */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    mergeVulnerabilities: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: string;
                /** @description Id of the vulnerability, vc_…. */
                vulnerability: string;
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
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The vulnerability that stays, or came to be. */
                        id: string;
                    };
                };
            };
            /** @description Default Response */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    splitVulnerability: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: string;
                /** @description Id of the vulnerability, vc_…. */
                vulnerability: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Places, loc_…. */
                    locations: string[];
                    /** @description Stands in the history. */
                    reason: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The vulnerability that stays, or came to be. */
                        id: string;
                    };
                };
            };
            /** @description Default Response */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listPolicies: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
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
                        }[];
                    };
                };
            };
            /** @description Default Response */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listPolicyFacts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            name: string;
                            target_types: string[];
                            kind: string;
                            operators: string[];
                            values: string[] | null;
                            meaning: string;
                        }[];
                    };
                };
            };
            /** @description Default Response */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: string;
                /** @description Id, pol_…, or key. */
                policy: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
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
                };
            };
            /** @description Default Response */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    putPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: string;
                /** @description Key; of a policy that is there also its id. */
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
                    config?: {
                        snooze?: {
                            max_days?: number;
                            max_count?: number;
                        };
                    } | null;
                    /** @description {all: […]}, {any: […]} or {not: …} over clauses {fact, operator, value}. */
                    condition: {
                        [key: string]: unknown;
                    };
                    actions?: {
                        sla?: {
                            window: string;
                        };
                    };
                    rules?: {
                        /** @enum {unknown} */
                        type: "workspace" | "org" | "application" | "repo";
                        /** @description Id or name: org/name of a repository, path of an organization, name of an application. */
                        id?: string;
                        /** @enum {unknown} */
                        action?: "include" | "exclude";
                        enforcement_mode?: ("monitor" | "warn" | "block") | null;
                    }[];
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        policy: {
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
                        /** @description created, changed, same */
                        change: string;
                    };
                };
            };
            /** @description Default Response */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    dryRunPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
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
                    config?: {
                        snooze?: {
                            max_days?: number;
                            max_count?: number;
                        };
                    } | null;
                    /** @description {all: […]}, {any: […]} or {not: …} over clauses {fact, operator, value}. */
                    condition: {
                        [key: string]: unknown;
                    };
                    actions?: {
                        sla?: {
                            window: string;
                        };
                    };
                    rules?: {
                        /** @enum {unknown} */
                        type: "workspace" | "org" | "application" | "repo";
                        /** @description Id or name: org/name of a repository, path of an organization, name of an application. */
                        id?: string;
                        /** @enum {unknown} */
                        action?: "include" | "exclude";
                        enforcement_mode?: ("monitor" | "warn" | "block") | null;
                    }[];
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        matches: number;
                        repositories: number;
                        blocked_references: number;
                        /** @description False: the time was over before all repositories were asked. */
                        complete: boolean;
                    };
                };
            };
            /** @description Default Response */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listPolicyViolations: {
        parameters: {
            query: {
                /** @description Repository: id or full name. */
                repo: string;
                /** @description Those that match on this reference, or did, with their status there. HEAD: default branch. */
                ref?: string;
                /** @description open, pending_review, waived, resolved. A comma list, or the parameter repeated. */
                status?: string[];
                /** @description In force: block, warn, monitor, none. A comma list, or the parameter repeated. */
                enforcement?: string[];
                /** @description Policies: ids or keys. A comma list, or the parameter repeated. */
                policy?: string[];
                /** @description vulnerability, package, package_version, manifest, analysis, provider, asset, repository. A comma list, or the parameter repeated. */
                target_type?: string[];
                /** @description Rows of a page. */
                per_page?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        repository: {
                            id: string;
                            full_name: string;
                        };
                        reference: {
                            ref: string | null;
                            sha: string | null;
                        };
                        filters: {
                            status: string[];
                            enforcement: string[];
                            policy: string[];
                            target_type: string[];
                        };
                        summary: {
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
                        items: {
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
                            metadata: {
                                severity?: string | null;
                                cvss_score?: number | null;
                                epss_score?: number | null;
                                reference_ref?: string | null;
                                environment_key?: string | null;
                            };
                            policy: {
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
                            scope: {
                                type: string;
                                id: string;
                                name: string;
                            };
                            target: {
                                /** @enum {string} */
                                type: "vulnerability";
                                id: string;
                                title: string;
                                severity: string;
                                status: string;
                                vulnerability_type: string;
                            } | {
                                /** @enum {string} */
                                type: "analysis";
                                id: string;
                                analysis_type: string;
                                /** Format: date-time */
                                vulnerable_at: string | null;
                                vulnerable_reason: string | null;
                            } | {
                                /** @enum {string} */
                                type: "provider";
                                id: string;
                                provider: string;
                                /** Format: date-time */
                                exploitable_at: string | null;
                                /** Format: date-time */
                                vulnerable_at: string | null;
                                manual_override: boolean;
                            } | {
                                /** @enum {string} */
                                type: "asset";
                                id: string;
                                name: string;
                                asset_type: string;
                            } | {
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
                            } | {
                                /** @enum {string} */
                                type: "package_version";
                                id: string;
                                purl: string;
                                version: string;
                                package_id: string;
                            } | {
                                /** @enum {string} */
                                type: "package";
                                id: string;
                                purl: string;
                                package_type: string;
                                namespace: string | null;
                                name: string;
                            } | string[];
                            rule: {
                                type: string;
                                id: string;
                            } | null;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            /** @description Default Response */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
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
                tenant_slug: string;
                /** @description Id of the violation, pvl_…. */
                violation: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        violation: {
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
                            metadata: {
                                severity?: string | null;
                                cvss_score?: number | null;
                                epss_score?: number | null;
                                reference_ref?: string | null;
                                environment_key?: string | null;
                            };
                            policy: {
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
                            scope: {
                                type: string;
                                id: string;
                                name: string;
                            };
                            target: {
                                /** @enum {string} */
                                type: "vulnerability";
                                id: string;
                                title: string;
                                severity: string;
                                status: string;
                                vulnerability_type: string;
                            } | {
                                /** @enum {string} */
                                type: "analysis";
                                id: string;
                                analysis_type: string;
                                /** Format: date-time */
                                vulnerable_at: string | null;
                                vulnerable_reason: string | null;
                            } | {
                                /** @enum {string} */
                                type: "provider";
                                id: string;
                                provider: string;
                                /** Format: date-time */
                                exploitable_at: string | null;
                                /** Format: date-time */
                                vulnerable_at: string | null;
                                manual_override: boolean;
                            } | {
                                /** @enum {string} */
                                type: "asset";
                                id: string;
                                name: string;
                                asset_type: string;
                            } | {
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
                            } | {
                                /** @enum {string} */
                                type: "package_version";
                                id: string;
                                purl: string;
                                version: string;
                                package_id: string;
                            } | {
                                /** @enum {string} */
                                type: "package";
                                id: string;
                                purl: string;
                                package_type: string;
                                namespace: string | null;
                                name: string;
                            } | string[];
                            rule: {
                                type: string;
                                id: string;
                            } | null;
                        };
                        policy: {
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
                        override: {
                            id: string;
                            mode: string;
                            enforcement_mode: string | null;
                        } | null;
                        rule: {
                            type: string;
                            id: string;
                            action: string | null;
                            enforcement_mode: string | null;
                        } | null;
                        scope: {
                            type: string;
                            id: string;
                            name: string;
                        };
                        target: {
                            /** @enum {string} */
                            type: "vulnerability";
                            id: string;
                            title: string;
                            severity: string;
                            status: string;
                            vulnerability_type: string;
                        } | {
                            /** @enum {string} */
                            type: "analysis";
                            id: string;
                            analysis_type: string;
                            /** Format: date-time */
                            vulnerable_at: string | null;
                            vulnerable_reason: string | null;
                        } | {
                            /** @enum {string} */
                            type: "provider";
                            id: string;
                            provider: string;
                            /** Format: date-time */
                            exploitable_at: string | null;
                            /** Format: date-time */
                            vulnerable_at: string | null;
                            manual_override: boolean;
                        } | {
                            /** @enum {string} */
                            type: "asset";
                            id: string;
                            name: string;
                            asset_type: string;
                        } | {
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
                        } | {
                            /** @enum {string} */
                            type: "package_version";
                            id: string;
                            purl: string;
                            version: string;
                            package_id: string;
                        } | {
                            /** @enum {string} */
                            type: "package";
                            id: string;
                            purl: string;
                            package_type: string;
                            namespace: string | null;
                            name: string;
                        } | string[];
                        scan: {
                            id: string;
                            status: string;
                            ref: string;
                            sha: string | null;
                            /** Format: date-time */
                            started_at: string | null;
                            /** Format: date-time */
                            finished_at: string | null;
                        } | null;
                    };
                };
            };
            /** @description Default Response */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    decideViolations: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    action: "snooze" | "wake";
                    violations: {
                        id: string;
                    }[];
                    reason: string;
                    /** @description End of the snooze, RFC 3339. */
                    until?: string;
                };
            };
        };
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
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
                };
            };
            /** @description Default Response */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listExceptions: {
        parameters: {
            query?: {
                /** @description requested, approved, refused, withdrawn, ended. A comma list, or the parameter repeated. */
                status?: string[];
                /** @description Repository: id or full name. */
                repo?: string;
                /** @description Rows of a page. */
                per_page?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            id: string;
                            /** @description requested, approved, refused, withdrawn, ended */
                            status: string;
                            /** @description exempt, downgrade */
                            mode: string;
                            enforcement_mode: string | null;
                            policy: {
                                id: string;
                                key: string;
                                name: string;
                            };
                            repository: {
                                id: string;
                                full_name: string;
                            };
                            /** @description Null: of the policy in the whole repository. */
                            violation_id: string | null;
                            reason: string;
                            /** Format: date-time */
                            until: string | null;
                            requested_by: {
                                id: string;
                                display_name: string;
                                email: string;
                            } | null;
                            /** Format: date-time */
                            requested_at: string;
                            reviewed_by: {
                                id: string;
                                display_name: string;
                                email: string;
                            } | null;
                            /** Format: date-time */
                            reviewed_at: string | null;
                            review_reason: string | null;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            /** @description Default Response */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    requestExceptions: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: string;
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
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            id: string;
                            /** @description requested, approved, refused, withdrawn, ended */
                            status: string;
                            /** @description exempt, downgrade */
                            mode: string;
                            enforcement_mode: string | null;
                            policy: {
                                id: string;
                                key: string;
                                name: string;
                            };
                            repository: {
                                id: string;
                                full_name: string;
                            };
                            /** @description Null: of the policy in the whole repository. */
                            violation_id: string | null;
                            reason: string;
                            /** Format: date-time */
                            until: string | null;
                            requested_by: {
                                id: string;
                                display_name: string;
                                email: string;
                            } | null;
                            /** Format: date-time */
                            requested_at: string;
                            reviewed_by: {
                                id: string;
                                display_name: string;
                                email: string;
                            } | null;
                            /** Format: date-time */
                            reviewed_at: string | null;
                            review_reason: string | null;
                        }[];
                    };
                };
            };
            /** @description Default Response */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    reviewException: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: string;
                /** @description Id of the exception, ovr_…. */
                exception: string;
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
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @description requested, approved, refused, withdrawn, ended */
                        status: string;
                        /** @description exempt, downgrade */
                        mode: string;
                        enforcement_mode: string | null;
                        policy: {
                            id: string;
                            key: string;
                            name: string;
                        };
                        repository: {
                            id: string;
                            full_name: string;
                        };
                        /** @description Null: of the policy in the whole repository. */
                        violation_id: string | null;
                        reason: string;
                        /** Format: date-time */
                        until: string | null;
                        requested_by: {
                            id: string;
                            display_name: string;
                            email: string;
                        } | null;
                        /** Format: date-time */
                        requested_at: string;
                        reviewed_by: {
                            id: string;
                            display_name: string;
                            email: string;
                        } | null;
                        /** Format: date-time */
                        reviewed_at: string | null;
                        review_reason: string | null;
                    };
                };
            };
            /** @description Default Response */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    withdrawException: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: string;
                /** @description Id of the exception, ovr_…. */
                exception: string;
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
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** @description requested, approved, refused, withdrawn, ended */
                        status: string;
                        /** @description exempt, downgrade */
                        mode: string;
                        enforcement_mode: string | null;
                        policy: {
                            id: string;
                            key: string;
                            name: string;
                        };
                        repository: {
                            id: string;
                            full_name: string;
                        };
                        /** @description Null: of the policy in the whole repository. */
                        violation_id: string | null;
                        reason: string;
                        /** Format: date-time */
                        until: string | null;
                        requested_by: {
                            id: string;
                            display_name: string;
                            email: string;
                        } | null;
                        /** Format: date-time */
                        requested_at: string;
                        reviewed_by: {
                            id: string;
                            display_name: string;
                            email: string;
                        } | null;
                        /** Format: date-time */
                        reviewed_at: string | null;
                        review_reason: string | null;
                    };
                };
            };
            /** @description Default Response */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
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
                /** @description Branch to compare with, instead of the one told with the reports. */
                base_ref?: string;
                /** @description Everything that stands counts, not only what is added to the base. */
                all?: "true" | "false";
                /** @description Tools that must have a completed scan before there is a verdict. A comma list, or the parameter repeated. */
                expect?: string[];
                /** @description Seconds to wait for the verdict. */
                wait?: number;
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        repository: {
                            id: string;
                            full_name: string;
                        };
                        reference: {
                            id: string;
                            ref: string;
                            sha: string | null;
                            type: string;
                        } | null;
                        /** @description The commit asked about, else the reference's head. */
                        sha: string | null;
                        /** @description A later commit of the reference has been scanned since. */
                        superseded: boolean;
                        /** @description pass, warn, block; null: not yet. */
                        verdict: string | null;
                        status: string | null;
                        /** @description A policy has changed, and the workspace is still being asked: the verdict may change. */
                        policies_pending: boolean;
                        scans: {
                            id: string;
                            tool: string | null;
                            category: string | null;
                            status: string;
                        }[];
                        missing: string[];
                        base: {
                            /** @description compared: only what is added counts; none: there is no base; missing: it was never scanned, everything counts; ignored: everything was asked for. */
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
                        violations: {
                            id: string;
                            status: string;
                            enforcement_mode: string;
                            blocking: boolean;
                            /** Format: date-time */
                            snoozed_until: string | null;
                            /** Format: date-time */
                            due_at: string;
                            remaining_seconds: number;
                            policy: {
                                id: string;
                                key: string;
                                name: string;
                            };
                            /** @description Of the target, for people. */
                            title: string;
                            severity: string | null;
                            target: {
                                /** @enum {string} */
                                type: "vulnerability";
                                id: string;
                                title: string;
                                severity: string;
                                status: string;
                                vulnerability_type: string;
                            } | {
                                /** @enum {string} */
                                type: "analysis";
                                id: string;
                                analysis_type: string;
                                /** Format: date-time */
                                vulnerable_at: string | null;
                                vulnerable_reason: string | null;
                            } | {
                                /** @enum {string} */
                                type: "provider";
                                id: string;
                                provider: string;
                                /** Format: date-time */
                                exploitable_at: string | null;
                                /** Format: date-time */
                                vulnerable_at: string | null;
                                manual_override: boolean;
                            } | {
                                /** @enum {string} */
                                type: "asset";
                                id: string;
                                name: string;
                                asset_type: string;
                            } | {
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
                            } | {
                                /** @enum {string} */
                                type: "package_version";
                                id: string;
                                purl: string;
                                version: string;
                                package_id: string;
                            } | {
                                /** @enum {string} */
                                type: "package";
                                id: string;
                                purl: string;
                                package_type: string;
                                namespace: string | null;
                                name: string;
                            } | string[];
                            place: {
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
                            owner: {
                                id: string;
                                display_name: string;
                                email: string;
                            } | null;
                        }[];
                        /** @description There are more violations than are shown. */
                        truncated: boolean;
                        unblock: {
                            /** @description upgrade, remove, replace, revoke, fix, scan, change */
                            action: string;
                            /** @description The step in a sentence. */
                            text: string;
                            package: string | null;
                            from: string[];
                            to: string | null;
                            paths: string[];
                            resolves: string[];
                        }[];
                    };
                };
            };
            /** @description Default Response */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    exportVulnerabilities: {
        parameters: {
            query?: {
                /** @description The cursor that ended an export before: only what has changed since then. */
                since?: string;
                /** @description ndjson (the default), csv, sarif. */
                format?: "ndjson" | "csv" | "sarif";
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As long as it takes; NDJSON is whole when its last line is the cursor. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": {
                        id: string;
                        title: string;
                        repository: {
                            id: string;
                            name: string;
                            full_name: string;
                        };
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
                        location: {
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
                            reference: {
                                id: string;
                                ref: string;
                                sha: string | null;
                                /** @description branch, tag, pull_request */
                                type: string;
                            };
                        };
                        description: string | null;
                        rule: string;
                        identifiers: string[];
                        cwes: string[];
                        links: string[];
                        package: string | null;
                        fix_version: string | null;
                        cvss: {
                            score: number | null;
                            vector: string | null;
                        };
                        kev: {
                            /** Format: date */
                            added_on: string;
                            due_on: string | null;
                            /** @description Known to be used in ransomware campaigns. */
                            ransomware: boolean;
                        } | null;
                        epss: {
                            score: number;
                            percentile: number;
                        } | null;
                        assignee: {
                            id: string;
                            display_name: string;
                            email: string;
                        } | null;
                        /** Format: date-time */
                        accepted_until: string | null;
                        /** @description Whose word the status is: person, vex, suppression. Null: nobody has decided. */
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
                    } | {
                        id: string;
                        merged_into: string;
                    } | {
                        /** @description The last line: `since` of the next export. */
                        cursor: string;
                    };
                    "text/csv": string;
                    "application/sarif+json": {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description Default Response */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getIntel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        kev: {
                            /** @description The catalogue's version; of EPSS, the model's. */
                            version: string;
                            /** Format: date-time */
                            published_at: string;
                            /** Format: date-time */
                            imported_at: string;
                            entries: number;
                        } | null;
                        epss: {
                            /** @description The catalogue's version; of EPSS, the model's. */
                            version: string;
                            /** Format: date-time */
                            published_at: string;
                            /** Format: date-time */
                            imported_at: string;
                            entries: number;
                        } | null;
                    };
                };
            };
            /** @description Default Response */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listScans: {
        parameters: {
            query?: {
                /** @description Repository: id or full name. */
                repo?: string;
                /** @description Reference of the repository: short or full name, or HEAD. */
                ref?: string;
                sha?: string;
                /** @description Status: queued, running, completed, failed, canceled. A comma list, or the parameter repeated. */
                status?: string[];
                /** @description Tool, such as trivy. */
                tool?: string;
                /** @description Rows of a page. */
                per_page?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            id: string;
                            repository: {
                                id: string;
                                full_name: string;
                            };
                            reference: {
                                id: string;
                                ref: string;
                                sha: string | null;
                                type: string;
                            };
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
                            progress: {
                                step: string;
                                done: number;
                                total: number;
                            } | null;
                            counts: {
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
                            } | null;
                            /** @description pass, warn, block */
                            verdict: string | null;
                            error: {
                                code: string;
                                message: string;
                                pointer: string | null;
                                line: number | null;
                            } | null;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            /** @description Default Response */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    getScan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: string;
                /** @description Id of the scan, scan_…. */
                scan: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        repository: {
                            id: string;
                            full_name: string;
                        };
                        reference: {
                            id: string;
                            ref: string;
                            sha: string | null;
                            type: string;
                        };
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
                        progress: {
                            step: string;
                            done: number;
                            total: number;
                        } | null;
                        counts: {
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
                        } | null;
                        /** @description pass, warn, block */
                        verdict: string | null;
                        error: {
                            code: string;
                            message: string;
                            pointer: string | null;
                            line: number | null;
                        } | null;
                        warnings: string[];
                        unreadable: {
                            pointer: string;
                            reason: string;
                        }[];
                    };
                };
            };
            /** @description Default Response */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
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
                /** @description Tools that must have a completed scan. A comma list, or the parameter repeated. */
                expect?: string[];
                /** @description Seconds to wait for the end. */
                wait?: number;
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        repository: {
                            id: string;
                            full_name: string;
                        };
                        reference: {
                            id: string;
                            ref: string;
                            sha: string | null;
                            type: string;
                        } | null;
                        status: string | null;
                        /** @description pass, warn, block */
                        verdict: string | null;
                        counts: {
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
                        } | null;
                        scans: {
                            id: string;
                            tool: string | null;
                            category: string | null;
                            status: string;
                        }[];
                        missing: string[];
                    };
                };
            };
            /** @description Default Response */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    listStreams: {
        parameters: {
            query: {
                /** @description Repository: id or full name. */
                repo: string;
                /** @description Rows of a page. */
                per_page?: number;
                /** @description `next_cursor` of the page before. */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            id: string;
                            repository: {
                                id: string;
                                full_name: string;
                            };
                            reference: {
                                id: string;
                                ref: string;
                                sha: string | null;
                                type: string;
                            };
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
                            held: {
                                scan_id: string;
                                vulnerabilities: number;
                            } | null;
                        }[];
                        next_cursor: string | null;
                    };
                };
            };
            /** @description Default Response */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    decideHeldClosing: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: string;
                /** @description Id of the stream, str_…. */
                stream: string;
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
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Vulnerabilities fixed by it. */
                        fixed: number;
                    };
                };
            };
            /** @description Default Response */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
    retireStream: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: string;
                /** @description Id of the stream, str_…. */
                stream: string;
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
            /** @description Default Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Vulnerabilities fixed by it. */
                        fixed: number;
                    };
                };
            };
            /** @description Default Response */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
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
                ref_type?: "branch" | "tag" | "pull_request";
                /** @description Commit that was scanned. */
                sha?: string;
                /** @description Of a pull request: the branch it goes to. */
                base_ref?: string;
                /** @description Of a pull request: where it left its base. */
                base_sha?: string;
                /** @description Default branch of the repository; else the first branch seen. */
                default_branch?: string;
                /** @description Tells several runs of one tool apart; else what the report says. */
                category?: string;
                /** @description When it was scanned, RFC 3339 with an offset, not before 1990; else now. */
                scanned_at?: string;
                /** @description What was scanned; else as the report says. */
                source?: "current" | "git_history";
                /** @description Format; else recognised from the content. */
                format?: string;
                /** @description The report shows a part: close nothing. */
                partial?: "true" | "false";
                /** @description Say what would change, and change nothing. */
                dry_run?: "true" | "false";
                /** @description Close even what the guard would hold; for admins. */
                force?: "true" | "false";
                /** @description Where the reference is deployed, such as production. */
                environment?: string;
                /** @description Name of the file, as shown with the scan. */
                file_name?: string;
                /** @description VCS of the repository. */
                repo_source?: "local" | "ghc" | "ghe" | "gitlab" | "bitbucket" | "azure_devops";
                /** @description Id that the VCS gives the repository: one that was renamed is found by it. */
                repo_external_id?: string;
                /** @description Id that the VCS gives the organization. */
                org_external_id?: string;
                /** @description Whether the repository is private. */
                private?: "true" | "false";
            };
            header?: {
                "idempotency-key"?: string;
            };
            path: {
                /** @description Slug of the workspace. */
                tenant_slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Default Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        repository: {
                            id: string;
                            full_name: string;
                        };
                        reference: {
                            id: string;
                            ref: string;
                            sha: string | null;
                            type: string;
                        };
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
                        progress: {
                            step: string;
                            done: number;
                            total: number;
                        } | null;
                        counts: {
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
                        } | null;
                        /** @description pass, warn, block */
                        verdict: string | null;
                        error: {
                            code: string;
                            message: string;
                            pointer: string | null;
                            line: number | null;
                        } | null;
                    };
                };
            };
            /** @description Default Response */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiError"];
                };
            };
        };
    };
}

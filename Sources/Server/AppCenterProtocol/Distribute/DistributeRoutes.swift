package import HTTP
package import WebServer

/// What App Center Distribute's SDKs ask for, and the pages and files that they lead to.
package enum DistributeRoutes {
  package static func add(to router: inout Router, _ context: ServerContext) {
    let latest = LatestReleaseEndpoint(context: context)
    let manifests = ManifestEndpoint(context: context)
    let analytics = InstallAnalyticsEndpoint(context: context)
    let downloads = DownloadsEndpoint(context: context)
    let signIn = SignInEndpoint(context: context)
    // What no operation below /v0.1 has is answered 404 there, so that these are named.
    for prefix in ["/v0.1"] + MountPoint.prefixes {
      latest.add(to: &router, below: prefix)
      manifests.add(to: &router, below: prefix)
      analytics.add(to: &router, below: prefix)
    }
    for prefix in MountPoint.prefixes {
      downloads.add(to: &router, below: prefix)
      signIn.add(to: &router, below: prefix)
    }
  }
}

package import HTTP
package import ServerCore

/// The routes of App Center Distribute's SDKs, and the pages and files they lead to.
package enum DistributeRoutes {
  package static func add(to router: inout Router, _ context: ServerContext) {
    let latest = LatestReleaseEndpoint(context: context)
    let manifests = ManifestEndpoint(context: context)
    let analytics = InstallAnalyticsEndpoint(context: context)
    let downloads = DownloadsEndpoint(context: context)
    let invitations = InvitationEndpoint(context: context)
    let mails = MailRefusalEndpoint(context: context)
    let setup = UpdateSetupEndpoint(context: context)
    let home = TesterHomeEndpoint(context: context)
    let pages = InstallPageEndpoint(context: context)
    // Unknown addresses below /v0.1 are answered 404, so these are listed.
    for prefix in ["/v0.1"] + MountPoint.prefixes {
      latest.add(to: &router, below: prefix)
      manifests.add(to: &router, below: prefix)
      analytics.add(to: &router, below: prefix)
    }
    for prefix in MountPoint.prefixes {
      downloads.add(to: &router, below: prefix)
      home.add(to: &router, below: prefix)
      pages.add(to: &router, below: prefix)
      invitations.add(to: &router, below: prefix)
      mails.add(to: &router, below: prefix)
      setup.add(to: &router, below: prefix)
    }
  }
}

package import HTTP
package import ServerCore

/// The routes that update clients poll, besides those of App Center.
package enum UpdateRoutes {
  /// Adds these routes to a server's router. They are answered from memory, without authorization.
  package static func add(to router: inout Router, _ context: ServerContext) {
    let configurations = RemoteConfigurationClientEndpoint(context: context)
    router.get("/config/:file", isQuick: true) { configurations.document($0) }
    router.get("/config/:app/:file", isQuick: true) { configurations.documentOfVersion($0) }
    let lookUp = LookUpEndpoint(context: context)
    router.get("/lookup", isQuick: true) { lookUp.answer($0) }
    let sparkle = SparkleFeedEndpoint(context: context)
    router.get("/v0.1/public/sparkle/apps/:secret", isQuick: true) { sparkle.feed($0) }
  }
}

internal import CrashService
package import HTTP

/// The responses of a server that cannot open its home yet because the disk is full: it is alive, but can do
/// nothing else.
package enum StartupRoutes {
  package static let text =
    "the server's disk is full, and nothing stored can be read until there is room; try again later"
  private static let methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]

  package static let router: Router = {
    var router = Router()
    router.get("/healthz", isQuick: true) { _ in .text("ok\n") }
    for method in methods {
      router.add(method, "/*rest", before: { _ in .busy(text, retryAfter: 30) }) { _ in
        .busy(text, retryAfter: 30)
      }
    }
    return router
  }()
}

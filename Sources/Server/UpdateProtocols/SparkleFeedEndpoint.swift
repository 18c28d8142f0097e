internal import Bytes
internal import CrashService
internal import Crypto
package import HTTP
internal import ReportFormats
package import ServerCore
internal import Updates

/// `/v0.1/public/sparkle/apps/SECRET`, which macOS apps with Sparkle poll: App Center's address.
package struct SparkleFeedEndpoint: Sendable {
  package let context: ServerContext

  /// Seconds for which a response may be cached.
  private static let lifetime = 60

  package init(context: ServerContext) { self.context = context }

  package func feed(_ request: Request) -> Response {
    let catalog = context.updates.catalog
    let secret = AppCenterLogs.canonicalID(request.parameters["secret"] ?? "")
    guard let updates = catalog.app(ofSecret: secret) else { return Response.problem(.notFound) }
    let origin = request.head.origin
    let feed = SparkleFeed(updates, link: request.head.address(of: request.head.path))
    let text = feed.text { artefact in
      context.downloads.address(of: .file, of: artefact, for: .anyone, at: origin, now: .now)
    }
    let bytes = ByteView(text.utf8)
    return Response.bytes(
      bytes, type: "application/xml; charset=utf-8",
      headers: [
        "Cache-Control": "public, max-age=\(Self.lifetime)", "X-Content-Type-Options": "nosniff",
      ]
    ).tagged(String(SHA256.hex(of: bytes).prefix(32)), for: request.head)
  }
}

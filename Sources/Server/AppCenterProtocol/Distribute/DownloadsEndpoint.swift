internal import CrashService
internal import CrashStore
package import HTTP
internal import Identifiers
internal import Rendering
package import ServerCore
package import Updates

/// The files of releases: public ones for everyone, others for holders of a signed address.
package struct DownloadsEndpoint: Sendable {
  private let context: ServerContext

  package init(context: ServerContext) { self.context = context }

  package func add(to router: inout Router, below prefix: String) {
    let artefact = prefix + "/downloads/:app/:number"
    router.get(artefact + "/file/:name") { try file($0) }
    router.get(artefact + "/icon") { try icon($0) }
    router.get(artefact + "/notes") { try notes($0) }
  }

  // MARK: Access

  /// An artefact and its reader.
  package struct Found {
    package let artefact: Artefact
    package let reader: DownloadLinks.Reader
  }

  /// Why access to a file is refused.
  package enum Refused: Error {
    case unknown
    case forbidden
    case expired
  }

  /// Returns the artefact named by the path, if the request may read it.
  ///
  /// - Parameter app: The name of the app.
  package static func find(
    _ head: RequestHead, app: String, number: String, in context: ServerContext
  ) throws -> Result<Found, Refused> {
    guard let number = Int(number), number > 0 else { return .failure(.unknown) }
    let updates = context.updates.catalog.apps[app]
    let offered = updates?.artefacts.first { $0.number == number }
    guard let token = head.query["token"] else {
      guard let updates, let offered else { return .failure(.unknown) }
      guard updates.destination(of: offered, for: .anyone) != nil else {
        return .failure(.forbidden)
      }
      return .success(Found(artefact: offered, reader: .anyone))
    }
    switch context.downloads.claim(token, app: app, number: number, now: .now) {
    case .forged: return .failure(.forbidden)
    case .expired: return .failure(.expired)
    case .valid(.holder(let token)):
      guard try context.access.isGood(tokenWithID: token, toRead: app) else {
        return .failure(.forbidden)
      }
      do {
        let artefact = try context.store.distribution.artefact(number, of: app)
        return .success(Found(artefact: artefact, reader: .holder(token: token)))
      } catch is DistributionError {
        return .failure(.unknown)
      }
    case .valid(let reader):
      guard let updates, let offered else { return .failure(.unknown) }
      guard case .tester(let id) = reader,
        updates.destination(of: offered, for: .tester(id)) != nil
      else { return .failure(.forbidden) }
      return .success(Found(artefact: offered, reader: reader))
    }
  }

  private func find(_ request: Request) throws -> Result<Found, Refused> {
    try Self.find(
      request.head, app: request.parameters["app"] ?? "",
      number: request.parameters["number"] ?? "", in: context)
  }

  private static func page(_ refused: Refused) -> Response {
    switch refused {
    case .unknown:
      TesterPage(
        "There is no such file", "<p>The release was removed or disabled.</p>", status: .notFound
      ).response
    case .forbidden:
      TesterPage(
        "This file is for testers",
        "<p>Open the app to update it, or the link of your invitation.</p>", status: .forbidden
      ).response
    case .expired:
      TesterPage(
        "This link has expired", "<p>Open the app again: it fetches a new one.</p>",
        status: .forbidden
      ).response
    }
  }

  // MARK: The files

  private func file(_ request: Request) throws -> Response {
    switch try find(request) {
    case .failure(let refused): return Self.page(refused)
    case .success(let found):
      let artefact = found.artefact
      let response = Response.file(
        try ResponseFile(path: try context.store.distribution.path(ofFile: artefact.digest)),
        type: Self.type(of: artefact.package.kind),
        headers: ["Content-Disposition": Self.disposition(artefact.fileName)]
      ).tagged(artefact.digest, for: request.head).ranged(for: request.head)
      count(found, response, request.head)
      return response
    }
  }

  /// Counts a download where its first byte is sent: one that goes on later counts once.
  private func count(_ found: Found, _ response: Response, _ head: RequestHead) {
    guard head.method == "GET" else { return }
    let begins =
      response.status == .ok
      || response.status == .partialContent
        && response.headers["Content-Range"]?.hasPrefix("bytes 0-") == true
    let audience: AppUpdates.Audience
    switch found.reader {
    case .anyone: audience = .anyone
    case .tester(let id): audience = .tester(id)
    // Who reads the API looks at releases, and installs none.
    case .holder: return
    }
    guard begins,
      let destination = context.updates.catalog.apps[found.artefact.app]?
        .destination(of: found.artefact, for: audience)
    else { return }
    context.downloadCounts.count(found.artefact, destination, at: .now)
  }

  private static func type(of kind: ArtefactKind) -> String {
    switch kind {
    case .apk: "application/vnd.android.package-archive"
    case .zip, .appZip: "application/zip"
    case .dmg: "application/x-apple-diskimage"
    default: "application/octet-stream"
    }
  }

  /// Returns the file's name in two spellings (RFC 6266): the ASCII one for old clients.
  private static func disposition(_ name: String) -> String {
    let plain = name.unicodeScalars.map { scalar -> Character in
      let isPlain = scalar.isASCII && scalar.value >= 0x20 && scalar.value != 0x7f
      return isPlain && !"\"\\/%".unicodeScalars.contains(scalar) ? Character(scalar) : "_"
    }
    return "attachment; filename=\"\(String(plain))\"; filename*=UTF-8''\(name.inAddress)"
  }

  private func icon(_ request: Request) throws -> Response {
    switch try find(request) {
    case .failure(let refused): return Self.page(refused)
    case .success(let found):
      guard let icon = found.artefact.icon else { return Self.page(.unknown) }
      return Response.file(
        try ResponseFile(path: try context.store.distribution.path(ofFile: icon)),
        type: "image/png",
        // Browsers must not cache files with limited access.
        headers: [
          "Cache-Control": found.reader == .anyone ? "private, max-age=86400" : "no-store"
        ]
      ).tagged(icon, for: request.head)
    }
  }

  private func notes(_ request: Request) throws -> Response {
    switch try find(request) {
    case .failure(let refused): return Self.page(refused)
    case .success(let found):
      let artefact = found.artefact
      let release = artefact.release
      let notes: HTML =
        artefact.notes.isEmpty
        ? "<p class=\"quiet\">There are no release notes.</p>"
        : "<div class=\"notes\">\(HTML(markdown: artefact.notes, headingsFrom: 2))</div>"
      return TesterPage(
        "\(artefact.app) \(release.version)",
        "<p class=\"quiet\">Build \(release.build)</p>\(notes)"
      ).response
    }
  }
}

internal import APIDocuments
internal import Bytes
internal import CrashService
internal import CrashStore
package import HTTP
internal import Identifiers
internal import JSON
package import ServerCore
internal import ServerStore

/// The files that need not be sent: `{"digests": [...], "app", "version"}` is answered `{"known": [...]}`.
package struct KnownEndpoint {
  package let context: ServerContext

  /// `POST /api/v1/symbols/known`; with a version, only files that belong to that release. A token for one
  /// app sees only files that were uploaded for it.
  package func symbols(_ request: Request) throws -> Response {
    let caller = try context.access.caller(of: request.head, .symbols).get()
    let input = try KnownDebugFiles(request)
    return try answer(input.digests) { digests in
      let asked = input.app
      if let own = caller.app, let asked, own != asked {
        throw HTTPError.refused(
          .forbidden, "the token is for \(own), not for \(asked)", code: .otherApp)
      }
      // A token for one app may ask only for files uploaded for it; if apps do not share, a file that only
      // another app has must still be sent.
      let isShared = try context.store.debugFiles.sharing() == .shared
      let owner = caller.app ?? (isShared ? nil : asked)
      var release: (app: String, release: Release)?
      if let version = input.version {
        guard let app = asked ?? caller.app else {
          throw HTTPError.refused(
            .badRequest, "version needs app", code: .invalidDocument, member: "version")
        }
        release = (app, Release(version))
      }
      return try context.store.debugFiles.known(digests, release: release, of: owner)
    }
  }

  /// `POST /api/v1/reports/known`
  ///
  /// App keys are not accepted: anyone who extracts one could find out what others sent.
  package func reports(_ request: Request) throws -> Response {
    let caller = try context.access.caller(of: request.head, .ingest).get()
    let input = try KnownReports(request)
    return try answer(input.digests) { digests in
      let asked = input.app
      if let own = caller.app, let asked, own != asked {
        throw HTTPError.refused(
          .forbidden, "the token is for \(own), not for \(asked)", code: .otherApp)
      }
      return try context.store.reports.known(digests, app: caller.app ?? asked)
    }
  }

  private func answer(
    _ texts: [String], _ known: ([[UInt8]]) throws -> [[UInt8]]
  ) throws -> Response {
    let digests = try texts.map { text in
      guard let digest = HexDigest.bytes(of: text) else {
        throw HTTPError.invalidDocument("a digest must be 64 hexadecimal digits")
      }
      return digest
    }
    let found = try known(digests)
    return .document { writer in
      writer.beginObject()
      writer.key("known")
      writer.beginArray()
      for digest in found { writer.string(HexDigest.text(digest)) }
      writer.endArray()
      writer.endObject()
    }
  }

  package init(context: ServerContext) {
    self.context = context
  }
}

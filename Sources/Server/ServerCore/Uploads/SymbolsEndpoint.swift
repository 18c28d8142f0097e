internal import APIDocuments
internal import Bytes
package import CrashService
internal import CrashStore
internal import Documents
package import HTTP
package import Identifiers
internal import JSON
internal import ObjectFormats
internal import Pipeline
package import ServerStore
internal import SymbolSources
internal import Synchronization

/// Debug files: uploads, and lists of stored and missing ones.
package struct SymbolsEndpoint {
  package let context: ServerContext

  /// `PUT /api/v1/symbols`: a debug file, or an archive of them such as a zipped dSYM bundle. It is stored
  /// when this returns; waiting reports are reprocessed afterwards.
  ///
  /// `app` and `version` name the release that they belong to, `name` the file, and `bundle` the release
  /// named by the dSYM bundle, for a file sent without one.
  package func add(_ request: Request) throws -> Response {
    guard let file = request.file, file.count > 0 else {
      return .problem(.badRequest, "the body is empty", code: .invalidBody)
    }
    let caller = try context.access.caller(of: request.head, .symbols).get()
    let asked = try request.query["app"].map { try AppName.checked($0) }
    if let own = caller.app, let asked, own != asked {
      return .problem(.forbidden, "the token is for \(own), not for \(asked)", code: .otherApp)
    }
    let app = caller.app ?? asked
    if let app, let refusal = try context.refusal(ofApp: app) { return refusal }
    var release: (app: String, release: Release)?
    if let version = request.query["version"] {
      guard let app = asked else {
        return .problem(
          .badRequest, "version needs app", code: .invalidParameter, parameter: "version")
      }
      let named = Release(version)
      guard !named.isEmpty else {
        return .problem(
          .badRequest, "version must be a version such as 1.5.0", code: .invalidParameter,
          parameter: "version")
      }
      release = (app, named)
    }
    let bundle = request.query["bundle"].map { Release($0) }
    if bundle?.version.isEmpty == true {
      return .problem(
        .badRequest, "bundle must be a version such as 1.5.0", code: .invalidParameter,
        parameter: "bundle")
    }
    let folder = try UploadFolder(in: context.scratch)
    let path = try folder.keep(file, named: request.query["name"] ?? "upload")
    return try add(
      path, in: folder, release: release, bundle: bundle, app: app, for: caller,
      peer: request.peer)
  }

  /// Stores the files at `path`, in a folder that is deleted with the upload.
  package func add(
    _ path: String, in folder: UploadFolder, release: (app: String, release: Release)?,
    bundle: Release?, app: String?, for caller: Access.Caller, peer: String
  ) throws -> Response {
    let verdicts = try store(
      path, in: folder, release: release, bundle: bundle, app: app, for: caller, peer: peer)
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("files")
    writer.beginArray()
    for verdict in verdicts { writer.write(verdict) }
    writer.endArray()
    writer.endObject()
    writer.newLine()
    let status: Status =
      verdicts.isEmpty || verdicts.allSatisfy { $0.outcome == .refused }
      ? .unprocessableContent : verdicts.contains { $0.outcome == .added } ? .created : .ok
    return .json(writer.takeBytes(), status: status)
  }

  /// Stores the files at `path`, and returns a verdict for each debug file in it.
  package func store(
    _ path: String, in folder: UploadFolder, release: (app: String, release: Release)?,
    bundle: Release? = nil, app: String?, for caller: Access.Caller, peer: String
  ) throws -> [DebugFileVerdict] {
    let store = context.store
    let scan = DebugFileScanner().scan([path])
    let ingest = DebugFileIngest(store: store, release: release, bundle: bundle, app: app)
    var verdicts = try ingest.store(scan)
    verdicts += scan.refusals.map { DebugFileVerdict(refusal: $0) }
    let added = verdicts.count { $0.outcome == .added }
    context.metrics.symbolFiles.add(added, ordering: .relaxed)
    if added > 0 {
      for verdict in verdicts where verdict.outcome == .added {
        try context.audit.note(
          .init(
            time: .now, token: caller.id, label: caller.label, action: "add symbols",
            subject: verdict.debugID?.description ?? "", peer: peer))
      }
      context.announceArrival()
    }
    return verdicts.map { verdict in
      var verdict = verdict
      verdict.path = folder.shown(verdict.path)
      return verdict
    }
  }

  package init(context: ServerContext) {
    self.context = context
  }
}

/// A folder for one upload, with the client's file name, for messages and for formats identified by their
/// name; deleted with the last reference.
package final class UploadFolder {
  private let folder: ProcessFolder
  private var path: String { folder.path }

  package init(in scratch: ScratchSpace) throws {
    do {
      folder = try scratch.makeFolder()
    } catch {
      throw HTTPError.spool(error.code)
    }
  }

  package func keep(_ file: SpooledFile, named name: String) throws -> String {
    let target = newPath(named: name)
    _ = try file.keep(at: target)
    return target
  }

  /// Returns the path for the folder's only file.
  package func newPath(named name: String) -> String {
    let last = name.split { $0 == "/" || $0 == "\\" }.last.map(String.init) ?? ""
    let isFit = last != "." && last != ".." && !last.isEmpty && last.utf8.count <= 200
    return path + "/" + (isFit && !last.utf8.contains(0) ? last : "upload")
  }

  /// Returns a text without the folder's path, which means nothing to a client.
  package func shown(_ text: String) -> String {
    text.hasPrefix(path + "/") ? String(text.dropFirst(path.utf8.count + 1)) : text
  }
}

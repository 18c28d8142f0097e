internal import APIDocuments
internal import Bytes
internal import CrashService
internal import CrashStore
internal import Documents
package import HTTP
internal import Identifiers
internal import JSON
package import ServerCore
internal import ServerStore
internal import Uploads

/// The three steps by which App Center's clients upload symbols: announce, send, commit.
///
/// Errors use statuses that the command line client's operations do not list: it takes a listed one for
/// success, silently in the last step.
package struct AppCenterUploadEndpoint {
  package let context: ServerContext

  /// The kinds of files that contain debug information; other kinds are stored unchanged.
  private static let debugKinds: Set = ["Apple", "Breakpad", "UWP", mappingKind]
  private static let kinds = ["Apple", "JavaScript", "Breakpad", "AndroidProguard", "UWP"]
  /// The kind of mapping files, whose `version` and `build` select the reports they apply to.
  private static let mappingKind = "AndroidProguard"

  /// Seconds that a commit waits for the result, which is usually available at once.
  private static let patience = 10

  // MARK: Announce

  /// `POST /v0.1/apps/:owner/:app/symbol_uploads`
  package func begin(_ call: AppCenterCall) throws -> Response {
    try call.request.requireJSON()
    guard let input = try? JSONDocument.parse(call.request.bytes).value,
      let kind = input["symbol_type"]?.string, Self.kinds.contains(kind)
    else {
      throw HTTPError.refused(
        .badRequest, "symbol_type must be one of \(Self.kinds.joined(separator: ", "))")
    }
    let (version, build) = (input["version"]?.string ?? "", input["build"]?.string ?? "")
    guard kind != Self.mappingKind || (!version.isEmpty && !build.isEmpty) else {
      throw HTTPError.refused(.badRequest, "\(kind) needs version and build")
    }
    let begun: (upload: Upload, signature: String)
    do {
      begun = try context.uploads.begin(
        app: call.app, kind: kind, fileName: input["file_name"]?.string,
        version: version.isEmpty ? nil : version, build: build.isEmpty ? nil : build,
        caller: call.caller.id, now: .now)
    } catch let refusal as UploadRefusal {
      throw HTTPError.refused(.serviceUnavailable, refusal.description)
    }
    let (upload, signature) = begun
    let end = Timestamp(seconds: Timestamp.now.seconds + BlobUploads.lifetime)
    // Clients take the first path component for a container, the second for the blob, and the query for the
    // signature.
    let url = call.address(["symbol-blobs", upload.id]) + "?sig=\(signature)"
    return .document { writer in
      writer.beginObject()
      writer.member("symbol_upload_id", upload.id)
      writer.member("upload_url", url)
      writer.member("expiration_date", end.description)
      writer.endObject()
    }
  }

  // MARK: Commit

  /// `PATCH /v0.1/apps/:owner/:app/symbol_uploads/:id`: stores the debug files.
  package func finish(_ call: AppCenterCall) throws -> Response {
    let id = try upload(call).id
    guard let input = try call.input() else {
      throw HTTPError.refused(.badRequest, "the body is not a JSON object")
    }
    guard let status = input["status"]?.string, ["committed", "aborted"].contains(status) else {
      throw HTTPError.refused(.badRequest, "status must be committed or aborted")
    }
    // A client that waited too long retries while its first request is processed.
    try context.uploads.inTurn(id) {
      let upload = try upload(call)
      switch (status, upload.status) {
      case ("aborted", .created):
        context.uploads.clear(id)
        try context.uploads.finish(id, .aborted, now: .now)
      // Files that are already stored stay.
      case ("aborted", _): break
      case (_, .created): try commit(upload, by: call)
      // A client that got no answer asks again.
      case (_, .committed), (_, .processing), (_, .indexed): break
      case (_, .aborted), (_, .failed):
        throw HTTPError.refused(
          .conflict, "the upload is \(upload.status.rawValue): begin a new one")
      }
    }
    if try upload(call).status == .processing { try wait(for: id, by: call) }
    return try show(call)
  }

  private func commit(_ upload: Upload, by call: AppCenterCall) throws {
    guard let size = context.uploads.size(of: .blob, of: upload.id) else {
      throw HTTPError.refused(.conflict, "nothing was sent to the upload_url, or not all of it")
    }
    guard Self.debugKinds.contains(upload.kind) else {
      try context.uploads.syncBlob(of: upload.id)
      try context.uploads.finish(upload.id, .committed, size: size, now: .now)
      return try call.note("add \(upload.kind)", upload.id)
    }
    // From here on the upload is processed, also after a restart.
    try context.uploads.syncBlob(of: upload.id)
    try context.uploads.finish(upload.id, .processing, size: size, now: .now)
    try call.note("add symbols", upload.id)
  }

  /// Waits briefly for the debug files to be read; a client that gets `processing` is done.
  private func wait(for id: String, by call: AppCenterCall) throws {
    let job = UploadFinisher.Job.blob(id: id, app: call.app)
    context.finisher.add(job, for: context)
    let isPatient = call.request.headers["Prefer"] != "respond-async"
    if isPatient { context.finisher.wait(for: job, atMost: Self.patience) }
    let upload = try upload(call)
    guard upload.status != .failed else {
      throw HTTPError.refused(.unprocessableContent, upload.problem ?? "the file cannot be read")
    }
  }

  // MARK: Questions

  package func list(_ call: AppCenterCall) throws -> Response {
    let top = try call.number("top", in: 1...100, otherwise: 30)
    let kind = call["symbol_type"]
    let statuses: [Upload.Status]? =
      switch call["status"] {
      case "uploaded": [.committed, .indexed, .failed]
      case "processed": [.indexed, .failed]
      default: nil
      }
    let uploads = try context.uploads.uploads(of: call.app).lazy
      .filter { Self.kinds.contains($0.kind) }
      .filter { statuses?.contains($0.status) ?? true }
      .filter { kind == nil || kind == $0.kind }.prefix(top)
    let app = try call.appID()
    return .list(Array(uploads)) { $0.write($1, app: app) }
  }

  package func show(_ call: AppCenterCall) throws -> Response {
    let (upload, app) = (try upload(call), try call.appID())
    return .document { $0.write(upload, app: app) }
  }

  /// `…/location`: the address of the sent data, if it is kept unchanged.
  package func location(_ call: AppCenterCall) throws -> Response {
    let upload = try upload(call)
    guard context.uploads.blob(of: upload.id) != nil else {
      throw HTTPError.refused(
        .notFound, "upload \(upload.id) is finished; only its debug files are kept")
    }
    return .document { writer in
      writer.beginObject()
      writer.member("uri", call.address(["symbol-blobs", upload.id]))
      writer.endObject()
    }
  }

  package func remove(_ call: AppCenterCall) throws -> Response {
    let (upload, app) = (try upload(call), try call.appID())
    _ = try context.uploads.remove(upload.id, of: call.app)
    try call.note("remove upload", upload.id)
    return .document { $0.write(upload, app: app) }
  }

  /// The upload that the path names.
  private func upload(_ call: AppCenterCall) throws -> Upload {
    let id = call.request.parameters["id"] ?? ""
    guard let upload = try context.uploads.upload(id, of: call.app) else {
      throw HTTPError.refused(.notFound, "no upload has the id \(id)")
    }
    return upload
  }

  package init(context: ServerContext) {
    self.context = context
  }
}

extension JSONWriter {
  /// Writes the upload in App Center's format.
  fileprivate mutating func write(_ upload: Upload, app: String) {
    beginObject()
    member("symbol_upload_id", upload.id)
    member("app_id", app)
    member("status", upload.status.rawValue)
    member("symbol_type", upload.kind)
    key("symbols_uploaded")
    beginArray()
    for symbol in upload.symbols {
      beginObject()
      member("symbol_id", symbol)
      member("platform", upload.kind)
      endObject()
    }
    endArray()
    member("origin", "User")
    member("file_name", upload.fileName)
    member("file_size", Double(upload.size) / 1_048_576)
    member("timestamp", (upload.committed ?? upload.created).description)
    endObject()
  }
}

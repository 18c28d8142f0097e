internal import APIDocuments
internal import Bytes
internal import CrashService
internal import CrashStore
package import HTTP
internal import JSON
package import ServerCore
internal import ServerStore
internal import Updates
internal import Uploads

/// The upload of release files: announced, sent in chunks, finished, analysed.
///
/// Source: App Center's command line client, its upload library, fastlane's plug-in, and the widely copied
/// curl recipe of the documentation.
package struct AppCenterReleaseUploadsEndpoint {
  package let context: ServerContext

  /// The number of bytes of each chunk but the last.
  package static let chunkSize = 4 << 20
  /// Seconds that a request waits for a running analysis: copied scripts ask just once.
  private static let patience = 20
  /// Seconds that an older client's commit waits: it needs the release in the response.
  private static let longPatience = 600

  // MARK: Announce

  /// `POST …/uploads/releases`: `{build_version, build_number}`, or nothing at all.
  package func begin(_ call: AppCenterCall) throws -> Response {
    let input = try? call.object()
    let (id, signature) = try announce(
      call, version: input?["build_version"]?.string, build: input?["build_number"]?.string)
    return .document(status: .created) { writer in
      writer.beginObject()
      writer.member("id", id)
      writer.member("package_asset_id", id)
      writer.member("upload_domain", call.address(["v0.1", "release-files"]))
      writer.member("url_encoded_token", signature.inAddress)
      writer.member("token", signature)
      writer.endObject()
    }
  }

  /// `POST …/release_uploads`, used by clients before 2.6.
  package func beginForm(_ call: AppCenterCall) throws -> Response {
    let (id, signature) = try announce(call, version: nil, build: nil)
    return .document(status: .created) { writer in
      writer.beginObject()
      writer.member("upload_id", id)
      writer.member(
        "upload_url", call.address(["v0.1", "release-files", id]) + "?token=\(signature)")
      writer.endObject()
    }
  }

  private func announce(
    _ call: AppCenterCall, version: String?, build: String?
  ) throws -> (id: String, signature: String) {
    do {
      let (upload, signature) = try context.uploads.begin(
        app: call.app, kind: BlobUploads.releaseKind, fileName: nil,
        version: version.flatMap { $0.isEmpty ? nil : $0 },
        build: build.flatMap { $0.isEmpty ? nil : $0 }, caller: call.caller.id, now: .now)
      return (upload.id, signature)
    } catch let refusal as UploadRefusal {
      throw HTTPError.refused(.serviceUnavailable, refusal.description)
    }
  }

  // MARK: End

  /// `PATCH …/uploads/releases/:id`: `{upload_status}`; the id in the path applies, whatever the body has.
  package func finish(_ call: AppCenterCall) throws -> Response {
    guard let status = try call.object()["upload_status"]?.string else {
      throw HTTPError.refused(.badRequest, "upload_status is missing")
    }
    switch status {
    case "uploadFinished": try commit(call)
    case "uploadCanceled": try abort(call)
    default:
      throw HTTPError.refused(.badRequest, "upload_status must be uploadFinished or uploadCanceled")
    }
    let id = try upload(call).id
    return .document { writer in
      writer.beginObject()
      writer.member("id", id)
      writer.member("upload_status", status)
      writer.endObject()
    }
  }

  /// `GET …/uploads/releases/:id`: the upload's progress. It waits a while for a running analysis.
  package func show(_ call: AppCenterCall) throws -> Response {
    let id = try upload(call).id
    wait(for: id, of: call.app, Self.patience)
    let upload = try upload(call)
    return .document { writer in
      writer.beginObject()
      writer.member("id", upload.id)
      writer.member("upload_status", Self.word(for: upload.status))
      if let number = upload.artefact {
        writer.member("release_distinct_id", number)
      } else {
        writer.key("release_distinct_id")
        writer.null()
      }
      if upload.status == .failed {
        writer.member("error_code", "invalid_package")
        writer.member("error_details", upload.problem ?? "the file cannot be read")
      }
      writer.endObject()
    }
  }

  private static func word(for status: Upload.Status) -> String {
    switch status {
    case .created: "uploadStarted"
    case .committed, .processing: "uploadFinished"
    case .indexed: "readyToBePublished"
    case .aborted: "uploadCanceled"
    case .failed: "error"
    }
  }

  /// `PATCH …/release_uploads/:id`: `{status}`, `committed` or `aborted`; the response contains the release.
  package func finishForm(_ call: AppCenterCall) throws -> Response {
    guard let status = try call.object()["status"]?.string,
      ["committed", "aborted"].contains(status)
    else { throw HTTPError.refused(.badRequest, "status must be committed or aborted") }
    guard status == "committed" else {
      try abort(call)
      return .document { writer in
        writer.beginObject()
        writer.member("status", "aborted")
        writer.endObject()
      }
    }
    try commit(call)
    wait(for: try upload(call).id, of: call.app, Self.longPatience)
    let upload = try upload(call)
    guard let number = upload.artefact else {
      // The client takes the statuses listed by the operation for success.
      throw HTTPError.refused(
        .unprocessableContent, upload.problem ?? "the file is still being analysed; try again")
    }
    return .document { writer in
      writer.beginObject()
      writer.member("release_id", "\(number)")
      writer.member(
        "release_url",
        "v0.1/apps/\((call.request.parameters["owner"] ?? "").inAddress)/\(call.app.inAddress)/releases/\(number)"
      )
      writer.endObject()
    }
  }

  private func commit(_ call: AppCenterCall) throws {
    let id = try upload(call).id
    try context.uploads.inTurn(id) {
      let upload = try upload(call)
      switch upload.status {
      case .created:
        guard let size = context.uploads.size(of: .blob, of: id) else {
          throw HTTPError.refused(.conflict, "nothing was sent, or not all of it")
        }
        try context.uploads.setAuthor(call.caller.label, of: id)
        // From here on the upload is processed, also after a restart.
        try context.uploads.syncBlob(of: id)
        try context.uploads.finish(id, .processing, size: size, now: .now)
        try call.note("upload release file", id)
      // A client that got no answer asks again.
      case .committed, .processing, .indexed, .failed: break
      case .aborted:
        throw HTTPError.refused(.conflict, "the upload was cancelled: begin a new one")
      }
    }
    if try upload(call).status == .processing {
      context.finisher.add(.blob(id: id, app: call.app), for: context)
    }
  }

  private func abort(_ call: AppCenterCall) throws {
    let upload = try upload(call)
    guard upload.status == .created else { return }
    context.uploads.clear(upload.id)
    try context.uploads.finish(upload.id, .aborted, now: .now)
  }

  private func wait(for id: String, of app: String, _ seconds: Int) {
    context.finisher.wait(for: .blob(id: id, app: app), atMost: seconds)
  }

  /// Returns the upload named by the path.
  private func upload(_ call: AppCenterCall) throws -> Upload {
    let id = call.request.parameters["id"] ?? ""
    guard let upload = try context.uploads.upload(id, of: call.app),
      upload.kind == BlobUploads.releaseKind
    else { throw StoreError.notFound(id) }
    return upload
  }

  package init(context: ServerContext) {
    self.context = context
  }
}

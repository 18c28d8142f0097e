internal import Documents

/// Calls about debug files, and uploads of large files in parts.
extension APICall {
  package static let listDebugFiles = APICall(
    "listDebugFiles", "GET", "/api/v1/symbols", query: .pages)
  package static let putDebugFile = upload("putDebugFile", "PUT")
  package static let postDebugFile = upload("postDebugFile", "POST")
  package static let showDebugFile = APICall(
    "showDebugFile", "GET", "/api/v1/symbols/:id",
    query: [.asked("arch", .text(), "Only this architecture.")])
  package static let deleteDebugFiles = APICall(
    "deleteDebugFiles", "DELETE", "/api/v1/symbols/:id",
    query: [.asked("force", .choice(["true", "false"]), "Also files that stored reports need.")])
  package static let listMissingImages = APICall(
    "listMissingImages", "GET", "/api/v1/symbols/missing",
    query: [.narrowing, .ofApp] + .pages)
  package static let knownDebugFiles = APICall(
    "knownDebugFiles", "POST", "/api/v1/symbols/known", body: KnownDebugFiles.declaration)

  private static func upload(_ name: String, _ method: String) -> APICall {
    APICall(
      name, method, "/api/v1/symbols",
      query: [
        .asked("name", .text(), "The name of the file."),
        .asked("app", .text(atLeast: 1), "The app that it belongs to."),
        .asked("version", .text(), "The release that it belongs to; requires app."),
        .asked("bundle", .text(), "The release named by the file's dSYM bundle."),
      ])
  }

  // MARK: Uploads in parts

  package static let beginUpload = APICall(
    "beginUpload", "POST", "/api/v1/uploads", body: NewUpload.declaration)
  package static let putPart = APICall(
    "putPart", "PUT", "/api/v1/uploads/:id/:part",
    query: [.asked("sha256", .digest, "The digest of the part.", isRequired: true)])
  package static let finishUpload = APICall(
    "finishUpload", "POST", "/api/v1/uploads/:id/finish")
  package static let getUpload = APICall("getUpload", "GET", "/api/v1/uploads/:id")
}

internal import APIDocuments
internal import CrashStore
internal import Documents
internal import HTTP
import ServerCore
internal import Uploads

/// Routes for uploads of large files in parts.
enum UploadRoutes {
  static let all: [APIRoute] = [
    APIRoute(
      "POST", "/api/v1/uploads", "beginUpload",
      "Begin the upload of a large file in parts, or continue it.", tag: "uploads",
      access: .uploads, rate: .upload,
      input: .json([
        .always("size", .integer(1...max(APILimits.symbols.bytes, CrashStore.contentLimit))),
        .always("sha256", .digest),
        .always("kind", .choice(["symbols", "report"])), .maybe("name", .text()),
        .maybe("app", .text()), .maybe("version", .text(), "Needs app."),
        .maybe("bundle", .text(), "The release named by the file's dSYM bundle."),
      ]),
      returns: .json(.created, "The parts to send.", .named("Upload")), refusals: [.conflict]
    ) { try PartsEndpoint(context: $1).begin($0) },
    APIRoute(
      "PUT", "/api/v1/uploads/:id/:part", "putPart", "Send a part, counted from 0.", tag: "uploads",
      access: .uploads, rate: .upload,
      query: [.asked("sha256", .digest, "The digest of the part.", isRequired: true)],
      input: .file(atMost: ByteCount(bytes: PartialUploads.partSize)),
      returns: .empty(.noContent, "Stored."), refusals: [.unprocessableContent]
    ) { try PartsEndpoint(context: $1).put($0) },
    APIRoute(
      "POST", "/api/v1/uploads/:id/finish", "finishUpload",
      "Store a file uploaded in parts; getUpload returns the outcome.", tag: "uploads",
      access: .uploads,
      returns: .json(.accepted, "The file is being stored.", .named("UploadState")),
      refusals: [.conflict]
    ) { try PartsEndpoint(context: $1).finish($0) },
    APIRoute(
      "GET", "/api/v1/uploads/:id", "getUpload",
      "The progress of an upload, and finally its outcome.", tag: "uploads", access: .uploads,
      returns: .json(.ok, "Its state.", .named("UploadState"))
    ) { try PartsEndpoint(context: $1).show($0) },
  ]
}

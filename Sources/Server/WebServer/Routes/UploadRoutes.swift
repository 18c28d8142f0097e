internal import CrashStore
internal import Documents
internal import APIDocuments
internal import HTTP
internal import Uploads

/// Large files in parts.
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
        .maybe("bundle", .text(), "The release that the dSYM bundle of the file names."),
      ]),
      returns: .json(.created, "What to send.", .named("Upload")), refusals: [.conflict]
    ) { try PartsEndpoint(context: $1).begin($0) },
    APIRoute(
      "PUT", "/api/v1/uploads/:id/:part", "putPart", "A part, counted from 0.", tag: "uploads",
      access: .uploads, rate: .upload,
      query: [.asked("sha256", .digest, "Of the part.", isRequired: true)],
      input: .file(atMost: ByteCount(bytes: PartialUploads.partSize)),
      returns: .empty(.noContent, "It is there."), refusals: [.unprocessableContent]
    ) { try PartsEndpoint(context: $1).put($0) },
    APIRoute(
      "POST", "/api/v1/uploads/:id/finish", "finishUpload",
      "Store a file uploaded in parts; getUpload returns the outcome.", tag: "uploads",
      access: .uploads,
      returns: .json(.accepted, "It is stored from here on.", .named("UploadState")),
      refusals: [.conflict]
    ) { try PartsEndpoint(context: $1).finish($0) },
    APIRoute(
      "GET", "/api/v1/uploads/:id", "getUpload",
      "The progress of an upload, and finally its outcome.", tag: "uploads", access: .uploads,
      returns: .json(.ok, "Its state.", .named("UploadState"))
    ) { try PartsEndpoint(context: $1).show($0) },
  ]
}

internal import APIDocuments
internal import Documents
internal import HTTP
import ServerCore
internal import Uploads

/// Routes for uploads of large files in parts.
enum UploadRoutes {
  static let all: [APIRoute] = [
    APIRoute(
      .beginUpload, "Begin the upload of a large file in parts, or continue it.", tag: "uploads",
      access: .uploads, rate: .upload,
      returns: .json(.created, "The parts to send.", .named("Upload")), refusals: [.conflict]
    ) { try PartsEndpoint(context: $1).begin($0) },
    APIRoute(
      .putPart, "Send a part, counted from 0.", tag: "uploads", access: .uploads, rate: .upload,
      input: .file(atMost: ByteCount(bytes: PartialUploads.partSize)),
      returns: .empty(.noContent, "Stored."), refusals: [.unprocessableContent]
    ) { try PartsEndpoint(context: $1).put($0) },
    APIRoute(
      .finishUpload, "Store a file uploaded in parts; getUpload returns the outcome.",
      tag: "uploads", access: .uploads,
      returns: .json(.accepted, "The file is being stored.", .named("UploadState")),
      refusals: [.conflict]
    ) { try PartsEndpoint(context: $1).finish($0) },
    APIRoute(
      .getUpload, "The progress of an upload, and finally its outcome.", tag: "uploads",
      access: .uploads, returns: .json(.ok, "Its state.", .named("UploadState"))
    ) { try PartsEndpoint(context: $1).show($0) },
  ]
}

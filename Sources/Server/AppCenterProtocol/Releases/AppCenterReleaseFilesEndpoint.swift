internal import APIDocuments
internal import Bytes
internal import CrashService
package import HTTP
internal import JSON
package import ServerCore
internal import ServerStore
internal import Uploads

/// The upload of release files, with the upload's token: chunk by chunk in any order, each as often as the
/// client likes, or as one form.
///
/// Every response is JSON with `error`: one client needs it to be false, another falsy.
package struct AppCenterReleaseFilesEndpoint {
  package let context: ServerContext

  private static let limit = APILimits.artefact.bytes

  /// Whether the token is right, before the body is read.
  package var authorization: Route.Authorization {
    { [context] head in
      let id = head.parameters["id"] ?? head.segments.last ?? ""
      guard try context.uploads.mayReceive(id, signature: head.query["token"] ?? "", now: .now)
      else {
        return Self.refusal(.unauthorized, "the token is wrong or has expired")
      }
      return nil
    }
  }

  /// `POST …/upload/set_metadata/:id?file_name=&file_size=`. The body that some clients send is ignored.
  package func begin(_ request: Request) throws -> Response {
    guard let name = request.query["file_name"].map(UploadedFileName.last(in:)), !name.isEmpty
    else { return Self.refusal(.badRequest, "file_name is missing") }
    guard let size = request.query["file_size"].flatMap({ Int($0) }), size > 0 else {
      return Self.refusal(.badRequest, "file_size is not a number of bytes above zero")
    }
    guard size <= Self.limit else {
      return Self.refusal(.contentTooLarge, "a file can have at most \(Self.limit) bytes")
    }
    let id = request.parameters["id"] ?? ""
    let isOpen = try context.uploads.inTurn(id) {
      guard context.uploads.blob(of: id) == nil else { return false }
      try context.uploads.announce(id, fileName: name, size: size)
      return true
    }
    guard isOpen else { return Self.finished }
    let chunkSize = AppCenterReleaseUploadsEndpoint.chunkSize
    return .document { writer in
      writer.beginObject()
      writer.member("error", false)
      writer.member("id", id)
      writer.member("chunk_size", chunkSize)
      writer.member("resume_restart", false)
      writer.key("chunk_list")
      writer.beginArray()
      for number in 1...Self.chunks(of: size) { writer.integer(number) }
      writer.endArray()
      writer.member("blob_partitions", 1)
      writer.member("status_code", "Success")
      writer.endObject()
    }
  }

  /// `POST …/upload/upload_chunk/:id?block_number=`, from 1.
  package func put(_ request: Request) throws -> Response {
    let id = request.parameters["id"] ?? ""
    guard let size = try announced(id) else {
      return Self.refusal(.conflict, "call set_metadata first")
    }
    guard context.uploads.blob(of: id) == nil else { return Self.finished }
    guard let number = request.query["block_number"].flatMap({ Int($0) }),
      (1...Self.chunks(of: size)).contains(number)
    else {
      return Self.refusal(.badRequest, "block_number must be 1 to \(Self.chunks(of: size))")
    }
    let wanted = Self.bytes(ofChunk: number, of: size)
    guard let file = request.file, file.count == wanted else {
      return Self.refusal(.badRequest, "block \(number) must have \(wanted) bytes")
    }
    do {
      try context.uploads.keep(.chunk(number), of: id, file, request)
    } catch let refusal as UploadRefusal {
      return Self.refusal(refusal)
    }
    return .document { writer in
      writer.beginObject()
      writer.member("error", false)
      writer.member("chunk_num", number)
      writer.member("error_code", "None")
      writer.endObject()
    }
  }

  /// `POST …/upload/finished/:id`: completes the file, or returns which chunks are missing.
  package func finish(_ request: Request) throws -> Response {
    let id = request.parameters["id"] ?? ""
    return try context.uploads.inTurn(id) {
      guard let size = try announced(id) else {
        return Self.refusal(.conflict, "call set_metadata first")
      }
      // A client that got no answer asks again.
      if context.uploads.blob(of: id) == nil {
        let count = Self.chunks(of: size)
        let missing = (1...count).filter { number in
          context.uploads.size(of: .chunk(number), of: id) != Self.bytes(ofChunk: number, of: size)
        }
        guard missing.isEmpty else { return Self.missing(missing) }
        switch try context.uploads.join(chunks: count, of: id, limit: Self.limit) {
        case nil: break
        case .missing(let index): return Self.missing([index + 1])
        case .tooLarge:
          return Self.refusal(.contentTooLarge, "a file can have at most \(Self.limit) bytes")
        }
      }
      return .document { writer in
        writer.beginObject()
        writer.member("error", false)
        writer.member("state", "Done")
        writer.member("location", id)
        writer.member("raw_location", id)
        writer.member("message", "")
        writer.endObject()
      }
    }
  }

  private static func missing(_ numbers: [Int]) -> Response {
    .document { writer in
      writer.beginObject()
      writer.member("error", true)
      writer.member("message", "\(numbers.count) blocks are missing")
      writer.key("missing_chunks")
      writer.beginArray()
      for number in numbers { writer.integer(number) }
      writer.endArray()
      writer.endObject()
    }
  }

  /// `POST …/upload/cancel/:id`
  package func cancel(_ request: Request) throws -> Response {
    let id = request.parameters["id"] ?? ""
    context.uploads.clear(id)
    try context.uploads.finish(id, .aborted, now: .now)
    return .document { writer in
      writer.beginObject()
      writer.member("error", false)
      writer.endObject()
    }
  }

  /// `GET …/upload/status/:id`
  package func status(_ request: Request) throws -> Response {
    let id = request.parameters["id"] ?? ""
    let isDone = context.uploads.blob(of: id) != nil
    return .document { writer in
      writer.beginObject()
      writer.member("error", false)
      writer.member("id", id)
      writer.member("state", isDone ? "Done" : "Uploading")
      writer.endObject()
    }
  }

  /// `POST /v0.1/release-files/:id`: a form with the file in a field of any name.
  package func putForm(_ request: Request) throws -> Response {
    let id = request.parameters["id"] ?? ""
    guard let part = request.parts.first(where: { $0.fileName != nil }),
      let name = part.fileName.map(UploadedFileName.last(in:)), !name.isEmpty, part.count > 0
    else { return Self.refusal(.badRequest, "the form has no file") }
    switch part.content {
    case .file(let file):
      do {
        try context.uploads.keep(.blob, of: id, file, request)
      } catch let refusal as UploadRefusal {
        return Self.refusal(refusal)
      }
    case .bytes(let bytes): try context.uploads.write(bytes, of: id)
    }
    try context.uploads.announce(id, fileName: name, size: part.count)
    return .document { writer in
      writer.beginObject()
      writer.member("error", false)
      writer.endObject()
    }
  }

  // MARK: Chunks

  private func announced(_ id: String) throws -> Int? {
    guard let app = try context.uploads.app(of: id) else { return nil }
    return try context.uploads.upload(id, of: app)?.announced
  }

  static func chunks(of size: Int) -> Int {
    (size - 1) / AppCenterReleaseUploadsEndpoint.chunkSize + 1
  }

  private static func bytes(ofChunk number: Int, of size: Int) -> Int {
    let chunkSize = AppCenterReleaseUploadsEndpoint.chunkSize
    return min(chunkSize, size - (number - 1) * chunkSize)
  }

  private static let finished = refusal(
    .conflict, "the file is finished; begin another upload for another file")

  private static func refusal(_ refusal: UploadRefusal) -> Response {
    Self.refusal(
      refusal.isTemporary ? .serviceUnavailable : .contentTooLarge, refusal.description)
  }

  private static func refusal(_ status: Status, _ message: String) -> Response {
    .document(status: status) { writer in
      writer.beginObject()
      writer.member("error", true)
      writer.member("error_code", "\(status.code)")
      writer.member("message", message)
      writer.endObject()
    }
  }

  package init(context: ServerContext) {
    self.context = context
  }
}

internal import Bytes
internal import CrashService
package import HTTP
package import ServerCore
internal import ServerStore
internal import Uploads

/// `/symbol-blobs/:id`: the data that App Center's clients send between announcing an upload and committing
/// it. The address takes it as a blob store would.
///
/// Clients check only the status, if anything: the command line client continues after a refusal, and learns
/// of it when it commits.
package struct AppCenterBlobEndpoint {
  package let context: ServerContext
  /// The maximum number of bytes of a blob sent in blocks.
  package let limit: Int

  /// The maximum number of blocks of one upload, and of bytes of their list.
  private static let blockLimit = 50_000
  private static let listLimit = 8 << 20

  /// Whether the signature is right, before the body is read.
  package var authorization: Route.Authorization {
    { [context] head in
      let id = head.parameters["id"] ?? head.segments.last ?? ""
      guard try context.uploads.mayReceive(id, signature: head.query["sig"] ?? "", now: .now) else {
        return Self.refusal(.unauthorized, "the signature is wrong or has expired")
      }
      return nil
    }
  }

  package func put(_ request: Request) throws -> Response {
    let id = request.parameters["id"] ?? ""
    guard let file = request.file, file.count > 0 else {
      return Self.refusal(.conflict, "the body is empty")
    }
    switch request.query["comp"] {
    case "block":
      guard let block = request.query["blockid"], !block.isEmpty else {
        return Self.refusal(.conflict, "blockid is missing")
      }
      if let refusal = try keep(file, as: .block(block), of: id, request) { return refusal }
    case "blocklist":
      guard file.count <= Self.listLimit, let blocks = Self.blocks(in: try file.read().text) else {
        return Self.refusal(.conflict, "not a list of blocks")
      }
      if let refusal = try join(blocks, of: id) { return refusal }
    default:
      if let refusal = try keep(file, as: .blob, of: id, request) { return refusal }
    }
    return .empty(.created, headers: ["ETag": "\"\(id)\"", "x-ms-request-id": request.id])
  }

  /// Returns the sent data of an upload that is kept unchanged.
  package func get(_ call: AppCenterCall) throws -> Response {
    let id = call.request.parameters["id"] ?? ""
    guard let app = try context.uploads.app(of: id),
      call.caller.app == nil || call.caller.app == app
    else { throw HTTPError.refused(.notFound, "no upload has the id \(id)") }
    guard let blob = context.uploads.blob(of: id) else {
      throw HTTPError.refused(.notFound, "upload \(id) is finished; only its debug files are kept")
    }
    return .file(
      try HTTP.ResponseFile(path: blob), type: "application/octet-stream",
      headers: ["Content-Disposition": "attachment"]
    ).ranged(for: call.request.head)
  }

  private static func refusal(_ status: Status, _ message: String) -> Response {
    AppCenterFamily.symbols.refusal(status, message)
  }

  /// - Returns: A refusal if a limit would be exceeded.
  private func keep(
    _ file: SpooledFile, as piece: BlobUploads.Piece, of id: String, _ request: Request
  ) throws -> Response? {
    do {
      try context.uploads.keep(piece, of: id, file, request)
      return nil
    } catch let refusal as UploadRefusal {
      return Self.refusal(
        refusal.isTemporary ? .serviceUnavailable : .contentTooLarge, refusal.description)
    }
  }

  // MARK: Blocks

  /// Returns the ids in `<BlockList><Latest>…</Latest>…</BlockList>` in order; `nil` for any other text.
  package static func blocks(in text: String) -> [String]? {
    guard let start = text.firstRange(of: "<BlockList>"),
      let end = text.firstRange(of: "</BlockList>"), start.upperBound <= end.lowerBound
    else { return nil }
    var blocks: [String] = []
    var rest = text[start.upperBound..<end.lowerBound]
    while let open = rest.firstIndex(of: "<") {
      guard let close = rest[open...].firstIndex(of: ">"), blocks.count < blockLimit else {
        return nil
      }
      let tag = rest[rest.index(after: open)..<close]
      let mark = "</\(tag)>"
      let body = rest[rest.index(after: close)...]
      guard ["Latest", "Committed", "Uncommitted"].contains(tag),
        let last = body.firstRange(of: mark)
      else { return nil }
      blocks.append(String(body[..<last.lowerBound]))
      rest = body[last.upperBound...]
    }
    return blocks.isEmpty ? nil : blocks
  }

  /// - Returns: Why the blocks cannot be joined.
  private func join(_ blocks: [String], of id: String) throws -> Response? {
    switch try context.uploads.join(blocks: blocks, of: id, limit: limit) {
    case nil: nil
    case .missing(let index):
      Self.refusal(.conflict, "the block \(blocks[index]) was never sent")
    case .tooLarge:
      Self.refusal(.contentTooLarge, "the blocks exceed \(limit) bytes together")
    }
  }

  package init(context: ServerContext, limit: Int) {
    self.context = context
    self.limit = limit
  }
}

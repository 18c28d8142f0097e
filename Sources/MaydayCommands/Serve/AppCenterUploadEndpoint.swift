import Bytes
import CrashModel
import CrashStore
import Glibc
import Hashing
import HTTP
import JSON
import ServerStore
import SymbolSources
import Synchronization

/// The three steps by which App Center's clients upload symbols: announce, send, commit.
///
/// Errors have a status that the command line client's operations do not list: a listed one it takes
/// for success, at the last step without a word.
struct AppCenterUploadEndpoint {
  let service: Service

  /// The kinds of files of which debug files are made; the others are kept as they are.
  private static let debugKinds: Set = ["Apple", "Breakpad", "UWP"]
  private static let kinds = ["Apple", "JavaScript", "Breakpad", "AndroidProguard", "UWP"]
  /// The most blocks of one upload, and the bytes of their list.
  private static let blockLimit = 50_000
  private static let listLimit = 8 << 20

  // MARK: Announce

  /// `POST /v0.1/apps/:owner/:app/symbol_uploads`
  func begin(_ request: Request) throws -> Response {
    guard let input = try? JSONDocument.parse(request.bytes).value,
      let kind = input["symbol_type"]?.string, Self.kinds.contains(kind)
    else {
      return Self.refusal(
        .unprocessableContent, "symbol_type is one of \(Self.kinds.joined(separator: ", "))")
    }
    let (upload, signature) = try service.uploads.begin(
      app: app(request), kind: kind, fileName: input["file_name"]?.string,
      version: input["version"]?.string, build: input["build"]?.string, now: .now)
    let end = Timestamp(seconds: Timestamp.now.seconds + UploadBook.lifetime)
    let scheme = request.isSecure ? "https" : "http"
    // Clients take the first part of the path for a container, the second for the blob, and the query
    // for the signature.
    let url =
      "\(scheme)://\(request.headers["Host"] ?? "localhost")/symbol-blobs/\(upload.id)?sig=\(signature)"
    return .document { writer in
      writer.beginObject()
      writer.member("symbol_upload_id", upload.id)
      writer.member("upload_url", url)
      writer.member("expiration_date", end.description)
      writer.endObject()
    }
  }

  // MARK: Send

  /// Whether the signature is right, before the body is read.
  var blobGate: Route.Gate {
    { [service] head in
      let id = head.parameters["id"] ?? head.segments.last ?? ""
      guard try service.uploads.mayReceive(id, signature: head.query["sig"] ?? "", now: .now) else {
        return Self.refusal(.unauthorized, "the signature is wrong or past its time")
      }
      return nil
    }
  }

  /// `PUT /symbol-blobs/:id`, whole or in blocks, as a blob store takes it.
  func put(_ request: Request) throws -> Response {
    let id = request.parameters["id"] ?? ""
    guard let file = request.file, file.count > 0 else {
      return Self.refusal(.conflict, "the body is empty")
    }
    let folder = service.uploads.folder(of: id)
    switch request.query["comp"] {
    case "block":
      guard let block = request.query["blockid"], !block.isEmpty else {
        return Self.refusal(.conflict, "blockid is missing")
      }
      let path = folder + "/" + Self.name(ofBlock: block)
      unlink(path)
      _ = try file.keep(at: path)
    case "blocklist":
      guard file.count <= Self.listLimit, let blocks = Self.blocks(in: try file.read().text) else {
        return Self.refusal(.conflict, "the list of blocks is none")
      }
      if let missing = try join(blocks, in: folder) {
        return Self.refusal(.conflict, "the block \(missing) was never sent")
      }
    default:
      let path = folder + "/" + UploadBook.blob
      unlink(path)
      _ = try file.keep(at: path)
    }
    return .empty(.created, headers: ["ETag": "\"\(id)\"", "x-ms-request-id": request.id])
  }

  /// Ids of blocks are the client's; their digests name files.
  private static func name(ofBlock id: String) -> String {
    "block-" + SHA256.hex(of: ByteView(id.utf8))
  }

  /// The ids in `<BlockList><Latest>…</Latest>…</BlockList>`, in their order; `nil` for another text.
  static func blocks(in text: String) -> [String]? {
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
    return blocks
  }

  /// Joins blocks to the blob, which is there as a whole or not at all.
  ///
  /// - Returns: The id of a block that is missing.
  private func join(_ blocks: [String], in folder: String) throws -> String? {
    let path = folder + "/" + UploadBook.blob
    let output = open(path + ".new", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard output >= 0 else { throw FileError("open", path: path) }
    defer { close(output) }
    for block in blocks {
      let input = open(folder + "/" + Self.name(ofBlock: block), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
      guard input >= 0 else { return block }
      defer { close(input) }
      while true {
        let count = sendfile(output, input, nil, 1 << 30)
        if count < 0 && errno == EINTR { continue }
        guard count >= 0 else { throw FileError("write", path: path) }
        if count == 0 { break }
      }
    }
    guard rename(path + ".new", path) == 0 else { throw FileError("rename", path: path) }
    for block in Set(blocks) { unlink(folder + "/" + Self.name(ofBlock: block)) }
    return nil
  }

  // MARK: Commit

  /// `PATCH /v0.1/apps/:owner/:app/symbol_uploads/:id`: files the debug files.
  func finish(_ request: Request) throws -> Response {
    let id = request.parameters["id"] ?? ""
    guard let upload = try service.uploads.upload(id, of: app(request)) else {
      return Self.refusal(.notFound, "no upload has the id \(id)")
    }
    guard let input = try? JSONDocument.parse(request.bytes).value else {
      return Self.refusal(.unprocessableContent, "the body is no JSON object")
    }
    switch input["status"]?.string {
    case "aborted":
      service.uploads.clear(id)
      try service.uploads.finish(id, .aborted, now: .now)
    case "committed":
      // A client that heard nothing asks again.
      guard upload.status == .created else { break }
      if let refusal = try commit(upload, by: request) { return refusal }
    default: return Self.refusal(.unprocessableContent, "status is committed or aborted")
    }
    return try answer(id, request)
  }

  private func commit(_ upload: Upload, by request: Request) throws -> Response? {
    let folder = service.uploads.folder(of: upload.id)
    let path = folder + "/" + UploadBook.blob
    var status = stat()
    guard stat(path, &status) == 0 else {
      return Self.refusal(.conflict, "nothing was sent to the upload_url, or not all of it")
    }
    let size = Int(status.st_size)
    guard Self.debugKinds.contains(upload.kind) else {
      // Mappings wait for those who read them.
      try service.uploads.finish(upload.id, .committed, size: size, now: .now)
      return nil
    }
    let filing = DebugFileFiling(store: service.store, release: nil)
    let scan = DebugFileScanner().scan([path])
    var verdicts = try filing.file(scan, Console(colour: .never))
    verdicts += try filing.file(scan.bundles)
    let kept = verdicts.filter { $0.outcome != .refused }
    guard !kept.isEmpty else {
      try service.uploads.finish(upload.id, .failed, size: size, now: .now)
      service.uploads.clear(upload.id)
      let reasons = verdicts.compactMap(\.reason) + scan.refusals.map(\.reason)
      return Self.refusal(
        .unprocessableContent,
        "no debug file is in it" + (reasons.first.map { ": \($0)" } ?? ""))
    }
    let ids = kept.compactMap { $0.debugID?.appCenterSymbol }
    try service.uploads.finish(
      upload.id, .indexed, size: size, symbols: Array(Set(ids)).sorted(), now: .now)
    service.uploads.clear(upload.id)
    service.metrics.symbolFiles.add(
      kept.count { $0.outcome == .added }, ordering: .relaxed)
    let caller = try service.access.caller(of: request.head, .symbols).get()
    try service.audit.note(
      .init(
        time: .now, token: caller.id, label: caller.label, action: "add symbols",
        subject: upload.id, peer: request.peer))
    service.announceArrival()
    return nil
  }

  // MARK: Questions

  func list(_ request: Request) throws -> Response {
    let count = request.query["top"].flatMap { Int($0) } ?? 30
    let uploads = try service.uploads.uploads(
      of: app(request), atMost: min(max(count, 1), 100)
    ).filter { upload in
      switch request.query["status"] {
      case "uploaded": upload.status == .committed
      case "processed": upload.status == .indexed
      default: true
      }
    }.filter { upload in request.query["symbol_type"].map { $0 == upload.kind } ?? true }
    return .list(uploads) { $0.write($1) }
  }

  func show(_ request: Request) throws -> Response {
    try answer(request.parameters["id"] ?? "", request)
  }

  func remove(_ request: Request) throws -> Response {
    let id = request.parameters["id"] ?? ""
    guard let upload = try service.uploads.upload(id, of: app(request)) else {
      return Self.refusal(.notFound, "no upload has the id \(id)")
    }
    _ = try service.uploads.remove(id, of: app(request))
    return .document { $0.write(upload) }
  }

  private func answer(_ id: String, _ request: Request) throws -> Response {
    guard let upload = try service.uploads.upload(id, of: app(request)) else {
      return Self.refusal(.notFound, "no upload has the id \(id)")
    }
    return .document { $0.write(upload) }
  }

  /// The app of the path; its owner means nothing here.
  private func app(_ request: Request) -> String { request.parameters["app"] ?? "" }

  private static func refusal(_ status: Status, _ message: String) -> Response {
    .document(status: status) { writer in
      writer.beginObject()
      writer.member("message", message)
      writer.endObject()
    }
  }
}

extension JSONWriter {
  /// As App Center names it.
  fileprivate mutating func write(_ upload: Upload) {
    beginObject()
    member("symbol_upload_id", upload.id)
    member("app_id", upload.app)
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

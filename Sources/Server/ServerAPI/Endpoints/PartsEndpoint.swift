internal import APIDocuments
internal import Bytes
internal import CrashService
internal import CrashStore
internal import Documents
package import HTTP
internal import Identifiers
internal import JSON
internal import Pipeline
package import ServerCore
internal import ServerStore
internal import Uploads

/// Uploads of large files in parts: announce, send the missing parts, finish. An upload that is started again
/// continues where it stopped.
package struct PartsEndpoint {
  package let context: ServerContext

  /// The maximum number of characters kept of a name.
  private static let nameLimit = 1_000

  /// `POST /api/v1/uploads`: `{"size", "sha256", "kind", "name", "app", "version", "bundle"}`.
  package func begin(_ request: Request) throws -> Response {
    let input = try NewUpload(request)
    guard let digest = HexDigest.bytes(of: input.digest) else { throw NewUpload.refusal }
    let (size, kind) = (input.size, input.kind)
    let limit = kind == .symbols ? APILimits.symbols.bytes : context.queue.limits.report
    guard size <= limit else {
      return .problem(.contentTooLarge, "the limit is \(limit) bytes")
    }
    let caller: Access.Caller
    switch try context.access.caller(of: request.head, Self.scope(kind.rawValue)) {
    case .success(let found): caller = found
    case .failure(let refusal): return refusal.response
    }
    let app = input.app
    if let own = caller.app, let app, app != own {
      return .problem(.forbidden, "the token is for \(own), not for \(app)", code: .otherApp)
    }
    if let name = app ?? caller.app, let refusal = try context.refusal(ofApp: name) {
      return refusal
    }
    if let version = input.version {
      guard app != nil else {
        return .problem(.badRequest, "version needs app", code: .invalidDocument, member: "version")
      }
      guard !Release(version).isEmpty else {
        return .problem(
          .badRequest, "version must be a version such as 1.5.0", code: .invalidDocument,
          member: "version")
      }
    }
    if let bundle = input.bundle, Release(bundle).version.isEmpty {
      return .problem(
        .badRequest, "bundle must be a version such as 1.5.0", code: .invalidDocument,
        member: "bundle")
    }
    let plan = PartialUploads.Plan(
      size: size, digest: HexDigest.text(digest), kind: kind.rawValue,
      name: String((input.name ?? "upload").prefix(Self.nameLimit)),
      app: app ?? caller.app, version: input.version, bundle: input.bundle,
      caller: caller.id)
    try context.queue.admitFile(of: size)
    let have: [Int]
    do {
      have = try context.parts.begin(plan)
    } catch let refusal as UploadRefusal {
      return .busy(refusal.description, retryAfter: 60)
    }
    return .document(status: .created) {
      $0.write(UploadDocument(id: plan.id, chunkSize: PartialUploads.partSize, have: have))
    }
  }

  /// `PUT /api/v1/uploads/:id/:part?sha256=`; parts are counted from 0.
  package func put(_ request: Request) throws -> Response {
    guard let plan = try plan(of: request), context.parts.verdict(plan.id) == nil else {
      return Self.unknown
    }
    guard let number = request.parameters["part"].flatMap({ Int($0) }),
      let size = plan.size(ofPart: number)
    else { return .problem(.notFound, "the file has \(plan.count) parts, counted from 0") }
    guard let file = request.file, file.count == size else {
      return .problem(.unprocessableContent, "part \(number) must have \(size) bytes")
    }
    guard let digest = request.query["sha256"].flatMap({ HexDigest.bytes(of: $0) }) else {
      return .problem(
        .badRequest, "sha256, the digest of the part, is missing", code: .invalidParameter,
        parameter: "sha256")
    }
    guard digest == file.digest else {
      return .problem(.unprocessableContent, "part \(number) has a different SHA-256")
    }
    try context.parts.keep(part: number, of: plan) { _ = try file.keep(at: $0) }
    return .empty(.noContent)
  }

  /// `POST /api/v1/uploads/:id/finish`: answered at once; the file is stored afterwards.
  package func finish(_ request: Request) throws -> Response {
    guard let plan = try plan(of: request) else { return Self.unknown }
    let parts = context.parts
    if parts.verdict(plan.id) == nil, parts.finishing(plan.id) == nil {
      let missing = Set(0..<plan.count).subtracting(parts.parts(of: plan))
      guard missing.isEmpty else {
        return .problem(.conflict, "\(missing.count) of \(plan.count) parts are missing")
      }
      let caller = try context.access.caller(of: request.head, Self.scope(plan.kind)).get()
      try parts.note(
        PartialUploads.Finishing(caller: caller.id, label: caller.label, peer: request.peer),
        of: plan)
    }
    if parts.verdict(plan.id) == nil { context.finisher.add(.parts(id: plan.id), for: context) }
    var response = state(of: plan, status: .accepted)
    response.headers["Location"] = "/api/v1/uploads/\(plan.id)"
    response.headers["Retry-After"] = "1"
    return response
  }

  /// `GET /api/v1/uploads/:id`: the progress, and finally the result.
  package func show(_ request: Request) throws -> Response {
    guard let plan = try plan(of: request) else { return Self.unknown }
    return state(of: plan)
  }

  private func state(of plan: PartialUploads.Plan, status: Status = .ok) -> Response {
    let verdict = context.parts.verdict(plan.id)
    let state =
      if let verdict {
        (200...299).contains(verdict.status) ? "done" : "failed"
      } else {
        context.parts.finishing(plan.id) == nil ? "receiving" : "processing"
      }
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("id", plan.id)
    writer.member("state", state)
    writer.key("have")
    writer.beginArray()
    for number in context.parts.parts(of: plan) { writer.integer(number) }
    writer.endArray()
    writer.member("status", verdict?.status)
    writer.endObject()
    var bytes = writer.takeBytes()
    if let verdict {
      // An already written document becomes a member.
      bytes.removeLast()
      bytes += Array(",\"verdict\":".utf8) + verdict.document.array + Array("}".utf8)
    }
    return .json(bytes, status: status)
  }

  /// Returns the plan of the upload, if the same caller announced it.
  private func plan(of request: Request) throws -> PartialUploads.Plan? {
    guard let plan = context.parts.plan(request.parameters["id"] ?? ""),
      case .success(let caller) = try context.access.caller(of: request.head, Self.scope(plan.kind)),
      caller.id == plan.caller
    else { return nil }
    return plan
  }

  private static func scope(_ kind: String) -> TokenScope {
    kind == "symbols" ? .symbols : .ingest
  }

  private static var unknown: Response {
    .problem(.notFound, "no such upload: it was announced too long ago, or by another token")
  }

  package init(context: ServerContext) {
    self.context = context
  }
}

internal import APIDocuments
internal import CrashService
internal import CrashStore
internal import Documents
package import HTTP
internal import Identifiers
internal import JSON
package import ServerCore
internal import ServerStore
internal import Updates

/// The files of releases: adding, publishing, changing them.
package struct ArtefactsEndpoint {
  package let context: ServerContext


  package func list(_ request: Request) throws -> Response {
    let app = try ReleaseRequest.app(of: request)
    return try .refusing {
      let artefacts = try context.service(for: request.head)
        .artefacts(of: app, release: ReleaseRequest.release(of: request))
      return .page(
        try ListPaging(request).page(of: artefacts) { "\($0.number)" }
      ) { $0.write($1) }
    }
  }

  /// `POST /api/v1/artefacts?app=&name=&version=`
  package func add(_ request: Request) throws -> Response {
    let app = try ReleaseRequest.app(of: request)
    guard let name = request.query["name"].map(UploadedFileName.last(in:)), !name.isEmpty else {
      return .problem(
        .badRequest, "name, the name of the file, is missing", code: .invalidParameter,
        parameter: "name")
    }
    guard let file = request.file, file.count > 0 else {
      return .problem(.badRequest, "the body is empty", code: .invalidBody)
    }
    if let refusal = try context.refusal(ofApp: app) { return refusal }
    let change = try ReleaseRequest(request, context)
    return try .refusing {
      let artefact = try change.service.addArtefact(
        file.path, named: name, release: ReleaseRequest.release(of: request), to: app,
        by: change.author)
      try change.finish("add release file", "\(app) #\(artefact.number)")
      return .document(status: .created) { $0.write(artefact) }
    }
  }

  package func edit(_ request: Request) throws -> Response {
    let input = try InputDocument(request)
    let edit = CrashStore.Distribution.Edit(
      notes: try input.text("notes"), isEnabled: try input.flag("enabled"),
      edSignature: try input.text("ed_signature"), dsaSignature: try input.text("dsa_signature"))
    return try change(request, input, "edit release file") { service, number, app, author in
      try service.editArtefact(number, of: app, edit, by: author)
    }
  }

  package func publish(_ request: Request) throws -> Response {
    let input = try InputDocument(request)
    let audience = try Self.audience(input)
    return try change(request, input, "publish release") { service, number, app, author in
      try service.publishArtefact(number, of: app, to: audience, by: author)
    }
  }

  package func withdraw(_ request: Request) throws -> Response {
    let input = try InputDocument(request)
    let audience = try Self.audience(input)
    return try change(request, input, "withdraw release") { service, number, app, author in
      try service.withdrawArtefact(number, of: app, from: audience, by: author)
    }
  }

  package func remove(_ request: Request) throws -> Response {
    let input = try InputDocument(request)
    let (app, number) = try Self.names(in: input)
    let change = try ReleaseRequest(request, context)
    return try .refusing {
      try change.service.removeArtefact(number, of: app, by: change.author)
      try change.finish("remove release file", "\(app) #\(number)")
      return .empty()
    }
  }

  package func missingDebugFiles(_ request: Request) throws -> Response {
    let app = try ReleaseRequest.app(of: request)
    guard let number = request.query["number"].flatMap({ Int($0) }), number > 0 else {
      return .problem(
        .badRequest, "number, the number of the file, is missing", code: .invalidParameter,
        parameter: "number")
    }
    return try .refusing {
      let binaries = try context.service(for: request.head)
        .binariesWithoutDebugFile(inArtefact: number, of: app)
      return .page(
        try ListPaging(request).page(of: Array(binaries.enumerated())) { "\($0.offset)" }
      ) { $0.write($1.element) }
    }
  }

  package func history(_ request: Request) throws -> Response {
    let app = try ReleaseRequest.app(of: request)
    return try .refusing {
      let events = try context.service(for: request.head)
        .distributionHistory(of: app, release: ReleaseRequest.release(of: request))
      let numbered = Array(events.enumerated())
      return .page(
        try ListPaging(request).page(of: numbered) { "\($0.offset)" }
      ) { $0.write($1.element) }
    }
  }

  private static func audience(_ input: InputDocument) throws -> ArtefactAudience {
    let audience = ArtefactAudience(
      groups: try input.texts("groups") ?? [], testers: try input.texts("testers") ?? [],
      isMandatory: try input.flag("mandatory") ?? false)
    guard !audience.groups.isEmpty || !audience.testers.isEmpty else {
      throw input.refusal("at least one group or tester is required")
    }
    return audience
  }

  private static func names(in input: InputDocument) throws -> (app: String, number: Int) {
    guard let app = try input.text("app"), let number = try input.integer("number", from: 1) else {
      throw input.refusal("app and number, the number of the file, are required")
    }
    return (try AppName.checked(app, isMember: true), number)
  }

  private func change(
    _ request: Request, _ input: InputDocument, _ action: String,
    _ body: (any CrashService, Int, String, String) throws -> Artefact
  ) throws -> Response {
    let (app, number) = try Self.names(in: input)
    let change = try ReleaseRequest(request, context)
    return try .refusing {
      let artefact = try body(change.service, number, app, change.author)
      try change.finish(action, "\(app) #\(number)")
      return .document { $0.write(artefact) }
    }
  }

  package init(context: ServerContext) {
    self.context = context
  }
}

/// A request that changes releases, with its author and the follow-up work.
struct ReleaseRequest {
  let service: any CrashService
  /// The label of the token, shown in the history.
  let author: String
  private let context: ServerContext
  private let caller: Access.Caller
  private let peer: String

  init(_ request: Request, _ context: ServerContext) throws {
    self.context = context
    caller = try context.access.caller(of: request.head, .releases).get()
    author = caller.label
    peer = request.peer
    service = try context.service(for: request.head)
  }

  /// Adds a line to the audit log, and makes the change visible to clients at once.
  func finish(_ action: String, _ subject: String) throws {
    try context.audit.note(
      .init(
        time: .now, token: caller.id, label: caller.label, action: action, subject: subject,
        peer: peer))
    try context.updates.refresh()
  }

  /// - Throws: `HTTPError` if it is missing.
  static func app(of request: Request) throws -> String {
    guard let app = request.query["app"] else {
      throw HTTPError.refused(
        .badRequest, "app is missing", code: .invalidParameter, parameter: "app")
    }
    return try AppName.checked(app)
  }

  /// - Throws: `HTTPError` if it is not a version.
  static func release(of request: Request) throws -> Release? {
    guard let text = request.query["version"] else { return nil }
    let release = Release(text)
    guard !release.isEmpty else {
      throw HTTPError.refused(
        .badRequest, "version must be a version such as 1.5.0", code: .invalidParameter,
        parameter: "version")
    }
    return release
  }
}

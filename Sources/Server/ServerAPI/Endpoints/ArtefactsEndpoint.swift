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
    let input = try ArtefactEdit(request)
    return try change(input, request, "edit release file") { service, author in
      try service.editArtefact(input.number, of: input.app, input.edit, by: author)
    }
  }

  package func publish(_ request: Request) throws -> Response {
    let input = try ArtefactPublication(request)
    return try change(input, request, "publish release") { service, author in
      try service.publishArtefact(input.number, of: input.app, to: input.audience, by: author)
    }
  }

  package func withdraw(_ request: Request) throws -> Response {
    let input = try ArtefactWithdrawal(request)
    return try change(input, request, "withdraw release") { service, author in
      try service.withdrawArtefact(input.number, of: input.app, from: input.audience, by: author)
    }
  }

  package func remove(_ request: Request) throws -> Response {
    let input = try ArtefactRemoval(request)
    let change = try ReleaseRequest(request, context)
    return try .refusing {
      try change.service.removeArtefact(input.number, of: input.app, by: change.author)
      try change.finish("remove release file", "\(input.app) #\(input.number)")
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

  package func warnings(_ request: Request) throws -> Response {
    let app = try ReleaseRequest.app(of: request)
    return try .refusing {
      let warnings = try context.service(for: request.head)
        .releaseWarnings(of: app, release: ReleaseRequest.release(of: request))
      return .page(
        try ListPaging(request).page(of: Array(warnings.enumerated())) { "\($0.offset)" }
      ) { $0.write($1.element) }
    }
  }

  /// `GET /api/v1/releases/explain`
  package func explainCheck(_ request: Request) throws -> Response {
    let app = try ReleaseRequest.app(of: request)
    let query = request.query
    guard let platform = query["platform"].flatMap(ArtefactPlatform.init(rawValue:)) else {
      return .problem(
        .badRequest, "platform is missing", code: .invalidParameter, parameter: "platform")
    }
    return try .refusing {
      let question = try CheckQuestion(
        platform: platform,
        installed: ReleaseRequest.release(of: request) ?? Release(version: ""),
        hash: query["hash"]?.lowercased(), system: query["system"], tester: query["tester"],
        group: query["group"], installation: query["install"])
      let explanation = try context.service(for: request.head).explainCheck(question, of: app)
      return .document { $0.write(explanation) }
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

  private func change(
    _ input: some ArtefactRequest, _ request: Request, _ action: String,
    _ body: (any CrashService, _ author: String) throws -> Artefact
  ) throws -> Response {
    let change = try ReleaseRequest(request, context)
    return try .refusing {
      let artefact = try body(change.service, change.author)
      try change.finish(action, "\(input.app) #\(input.number)")
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

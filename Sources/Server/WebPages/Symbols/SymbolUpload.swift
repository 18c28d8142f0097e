internal import APIDocuments
internal import Bytes
internal import CrashService
internal import CrashStore
internal import Files
internal import HTTP
internal import Identifiers
internal import Rendering
internal import ServerCore
internal import ServerStore

/// Uploads debug files from a browser and shows a verdict for each.
struct SymbolUpload: Sendable {
  let context: ServerContext

  /// The maximum number of files in one form.
  private static let mostFiles = 100

  func add(to router: inout Router) {
    var limits = MultipartLimits(body: APILimits.symbols, parts: Self.mostFiles + 1)
    limits.inMemory = .kibibytes(4)
    // Visitors without the right are refused before they send the files.
    router.add(
      "POST", "/symbols", body: .multipart(limits), before: { try refusal(of: $0) },
      refusing: { PageRefusal.page($0, $1, in: context) }
    ) { try take($0) }
  }

  private func refusal(of head: RequestHead) throws -> Response? {
    guard let visitor = try Visitor(head, in: context) else {
      return SignInPages.redirect(toFormOf: head)
    }
    guard !head.isForeign else { return Self.foreign(visitor) }
    guard visitor.account.allows(.symbols) else {
      return PageDocument.problem(
        "Not allowed",
        "Your role, \(visitor.account.role.rawValue), does not allow this: uploads need triage.",
        .forbidden, for: visitor
      ).response
    }
    return StorageFailureResponse.refusal(of: head, in: context)
  }

  private static func foreign(_ visitor: Visitor) -> Response {
    PageDocument.problem(
      "Form refused", "Go back, reload the page, and try again.", .forbidden, for: visitor
    ).response
  }

  private func take(_ request: Request) throws -> Response {
    guard let visitor = try Visitor(request.head, in: context) else {
      return SignInPages.redirect(toFormOf: request.head)
    }
    let token = try request.parts.first { $0.name == "form" && $0.count <= 256 }?.read().text ?? ""
    guard visitor.hasSent(token) else { return Self.foreign(visitor) }
    let files = request.parts.filter { $0.name == "file" && $0.count > 0 }
    guard !files.isEmpty else {
      let call = try PageCall(request, of: visitor, in: context)
      return try call.refusing(ServiceError("choose a file first", .wrongUsage)) {
        try SymbolsView($0).response()
      }
    }
    let endpoint = SymbolsEndpoint(context: context)
    let caller = Access.Caller(
      id: "session", label: visitor.account.name, app: visitor.account.app)
    var verdicts: [DebugFileVerdict] = []
    for file in files {
      let folder = try UploadFolder(in: context.scratch)
      let path = try folder.keep(file, named: file.fileName ?? "upload")
      verdicts += try endpoint.store(
        path, in: folder, release: nil, app: visitor.account.app, for: caller, peer: request.peer)
    }
    return page(verdicts, visitor)
  }

  private func page(_ verdicts: [DebugFileVerdict], _ visitor: Visitor) -> Response {
    let rows = verdicts.map { verdict -> HTML in
      let style = verdict.outcome == .refused ? "damaged" : "found"
      return """
        <tr><td>\(verdict.path)</td><td class="\(style)">\(verdict.outcome.rawValue)</td>\
        <td>\(verdict.reason ?? verdict.kind ?? "")</td>\
        <td class="mono">\(verdict.debugID?.description ?? "")</td></tr>

        """
    }
    let added = verdicts.count { $0.outcome == .added }
    let words: HTML =
      added > 0
      ? "<p role=\"status\">Reports that waited for \(added == 1 ? "it" : "them") are being reprocessed.</p>"
      : rows.isEmpty ? "<p role=\"status\">The upload contains no debug files.</p>" : .none
    return PageDocument(
      title: "Uploaded", section: .symbols, visitor: visitor,
      content: """
        <h1>\(GroupText.count(added, "debug file", "debug files")) added</h1>
        \(words)
        <div class="scroll"><table><thead><tr><th>File</th><th>Verdict</th><th>Kind</th><th>Debug id</th></tr></thead>\
        <tbody>\(rows)</tbody></table></div>
        <p><a class="button" href="/symbols">Missing symbols</a></p>
        """
    ).response
  }
}

extension UploadFolder {
  /// A part of a form as a named file.
  func keep(_ part: FormPart, named name: String) throws -> String {
    switch part.content {
    case .file(let file): return try keep(file, named: name)
    case .bytes(let bytes):
      let path = newPath(named: name)
      try NewFile.write(bytes, to: path, .renewable)
      return path
    }
  }
}

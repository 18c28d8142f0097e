internal import APIDocuments
internal import Bytes
internal import CrashService
internal import CrashStore
internal import HTTP
internal import Identifiers
internal import Pipeline
internal import Rendering
internal import ServerCore
internal import ServerStore
internal import Synchronization

/// Crash files and their attachments from a browser, of a user who is signed in or has an intake link; and the
/// report that each became.
struct FilesPage: Sendable {
  let context: ServerContext

  /// The maximum number of files in one form.
  private static let mostFiles = 100

  /// The one who hands over files.
  private struct Sender {
    let app: String
    /// The address of the page.
    let path: String
    let visitor: Visitor?
    let link: IntakeLink?
  }

  // MARK: Routes

  func add(to router: inout Router) {
    var limits = MultipartLimits(body: APILimits.report, parts: 2 * Self.mostFiles + 1)
    limits.inMemory = .kibibytes(4)
    let refusing: Route.Refusing = { PageRefusal.page($0, $1, in: context) }
    router.add("GET", "/apps/:app/files", refusing: refusing) { request in
      try answer(request) { try page($0, sent: sent(in: request)) }
    }
    router.add("GET", "/files/:secret", refusing: refusing) { request in
      try answer(request) { try page($0, sent: sent(in: request)) }
    }
    // Others are refused before they send the files.
    router.add(
      "POST", "/apps/:app/files", body: .multipart(limits), before: { try refusal(of: $0) },
      refusing: refusing
    ) { request in try answer(request) { try take(request, from: $0) } }
    router.add(
      "POST", "/files/:secret", body: .multipart(limits), before: { try refusal(of: $0) },
      refusing: refusing
    ) { request in try answer(request) { try take(request, from: $0) } }
  }

  private func answer(_ request: Request, _ body: (Sender) throws -> Response) throws -> Response {
    switch try sender(request.head) {
    case .success(let sender): try body(sender)
    case .failure(let refused): refused.response
    }
  }

  private struct Refused: Error {
    let response: Response
  }

  /// Finds out who asks, by the session or by the secret in the address.
  private func sender(_ head: RequestHead) throws -> Result<Sender, Refused> {
    let parts = head.segments.map { String($0) }
    if parts.count == 2, parts[0] == "files" {
      guard let link = try context.links.link(parts[1], now: .now)
      else {
        return .failure(
          Refused(
            response: PageDocument.problem(
              "Link not valid",
              "This link is unknown, has expired or was revoked. Ask for another one.", .notFound,
              for: nil
            ).response))
      }
      return .success(Sender(app: link.app, path: "/files/" + parts[1], visitor: nil, link: link))
    }
    guard let visitor = try Visitor(head, in: context) else {
      return .failure(Refused(response: SignInPages.redirect(toFormOf: head)))
    }
    let app = parts.count == 3 ? parts[1] : ""
    guard visitor.account.allows(.triage) else {
      return .failure(
        Refused(
          response: PageDocument.problem(
            "Not allowed",
            "Your role, \(visitor.account.role.rawValue), does not allow this: it needs triage.",
            .forbidden, for: visitor
          ).response))
    }
    guard visitor.account.app == nil || visitor.account.app == app,
      try context.store.apps.list().contains(where: { $0.name == app })
    else {
      return .failure(
        Refused(
          response: PageDocument.problem(
            "Not found", "There is no app \(app).", .notFound, for: visitor
          ).response))
    }
    return .success(
      Sender(app: app, path: AppsView.path(app) + "/files", visitor: visitor, link: nil))
  }

  private func refusal(of head: RequestHead) throws -> Response? {
    let sender: Sender
    switch try self.sender(head) {
    case .failure(let refused): return refused.response
    case .success(let found): sender = found
    }
    if sender.visitor != nil, head.isForeign { return Self.foreign(sender) }
    let isPublic = sender.link != nil
    if let wait = context.wait(for: head, app: isPublic ? sender.app : nil, isPublic: isPublic) {
      context.metrics.refusedRate.add(1, ordering: .relaxed)
      var response = PageDocument.problem(
        "Too many files", "There were too many files in the last minute. Try again in \(wait) s.",
        .tooManyRequests, for: sender.visitor
      ).response
      response.headers["Retry-After"] = "\(wait)"
      return response
    }
    return StorageFailureResponse.refusal(of: head, in: context)
  }

  private static func foreign(_ sender: Sender) -> Response {
    PageDocument.problem(
      "Form refused", "Go back, reload the page, and try again.", .forbidden, for: sender.visitor
    ).response
  }

  // MARK: Taking files

  private func take(_ request: Request, from sender: Sender) throws -> Response {
    if let visitor = sender.visitor {
      let token =
        try request.parts.first { $0.name == "form" && $0.count <= 256 }?.read().text ?? ""
      guard visitor.hasSent(token) else { return Self.foreign(sender) }
    }
    let files = try request.parts.filter { $0.name == "file" && $0.fileName?.isEmpty == false }
      .prefix(Self.mostFiles).map { try HandedFile($0) }
    let attachments = request.parts.filter { $0.name == "attachment" && $0.count > 0 }
    guard !files.isEmpty else {
      var response = try page(sender, sent: [], problem: "Choose a crash file first.")
      response.status = .badRequest
      return response
    }
    let taken = files.filter { $0.refusal == nil }
    if let link = sender.link, !taken.isEmpty {
      let links = context.links
      guard try links.count(taken.count, of: link.id, now: .now) else {
        var response = try page(
          sender, sent: [],
          problem: link.left.map {
            "Too many files: this link takes \(PageText.count($0, "more file", "more files"))."
          } ?? "This link has ended.")
        response.status = .forbidden
        return response
      }
    }
    var facts =
      sender.link == nil
      ? [IntakeFact.trust: IntakeFact.token]
      : context.shareFacts(of: request.head, app: sender.app)
    facts[IntakeFact.name] = "form"
    facts[IntakeFact.app] = sender.app
    let intake = IntakeEndpoint(context: context)
    var sent: [SentFile] = []
    for file in taken {
      // The attachments go with the first crash file.
      let form = try SubmittedForm([file.part] + (sent.isEmpty ? attachments : []))
      let body = try form.archive(in: context.scratch)
      do throws(IntakeError) {
        sent.append(SentFile(id: try intake.keep(body, facts), name: file.name, file: file))
      } catch {
        return StorageFailureResponse.refusal(error, request.head.id)
      }
    }
    return try page(
      sender, sent: sent, refused: files.filter { $0.refusal != nil }, taken: taken.count)
  }

  // MARK: The page

  /// A file that is in the queue, or was.
  private struct SentFile {
    let id: String
    let name: String
    var file: HandedFile?
  }

  /// The files that the address names: `?sent=ID:NAME`, several times.
  private func sent(in request: Request) -> [SentFile] {
    request.query.items.filter { $0.name == "sent" }.prefix(Self.mostFiles).compactMap { item in
      let parts = item.value.split(separator: ":", maxSplits: 1).map(String.init)
      guard let id = parts.first else { return nil }
      return SentFile(id: id.lowercased(), name: parts.count > 1 ? parts[1] : "file")
    }
  }

  /// - Parameters:
  ///   - taken: Files that were taken since the link was read.
  ///   - problem: Why the form was refused.
  private func page(
    _ sender: Sender, sent: [SentFile], refused: [HandedFile] = [], taken: Int = 0,
    problem: String? = nil
  ) throws -> Response {
    var isWaiting = false
    let rows = try sent.map { file -> HTML in
      let (words, waits) = try outcome(of: file, for: sender)
      isWaiting = isWaiting || waits
      return "<tr><td>\(file.name)</td><td>\(words)</td></tr>\n"
    }
    let others = refused.map { file -> HTML in
      let words: HTML = file.refusal ?? .none
      return "<tr><td>\(file.name)</td><td>\(words)</td></tr>\n"
    }
    let table: HTML =
      rows.isEmpty && others.isEmpty
      ? .none
      : """
      <div class="scroll"><table><thead><tr><th>File</th><th>Result</th></tr></thead>\
      <tbody>\(rows)\(others)</tbody></table></div>

      """
    let again = sent.map { "sent=" + "\($0.id):\($0.name)".inAddress }.joined(separator: "&")
    let look: HTML =
      isWaiting
      ? "<p role=\"status\"><a class=\"button\" href=\"\(sender.path)?\(HTML(edited: again))\">Show the results</a></p>"
      : .none
    let field: HTML =
      sender.visitor.map { "<input type=\"hidden\" name=\"form\" value=\"\($0.formToken)\">" }
      ?? .none
    let back: HTML =
      sender.visitor == nil
      ? .none
      : "<p class=\"quiet\"><a href=\"\(AppsView.path(sender.app))\">\(sender.app)</a></p>"
    let left = sender.link.flatMap { $0.left }.map { max(0, $0 - taken) }
    let words: HTML =
      left.map {
        "<p class=\"quiet\">This link takes \(PageText.count($0, "more file", "more files")).</p>"
      } ?? .none
    return PageDocument(
      title: "Files of \(sender.app)", section: sender.visitor == nil ? nil : .apps,
      visitor: sender.visitor, refresh: nil,
      content: """
        \(back)
        <h1>Hand over crash files of \(sender.app)</h1>
        \(problem.map { "<p class=\"message\" role=\"alert\">\($0)</p>" as HTML } ?? .none)
        \(table)\(look)
        \(left == 0 ? HTML.none : Self.form(sender, field))
        \(words)
        """
    ).response
  }

  private static func form(_ sender: Sender, _ field: HTML) -> HTML {
    """
    <form class="card drop" method="post" action="\(sender.path)" enctype="multipart/form-data">\(field)
    <p><label for="file">Crash files: reports, dumps, logs, mails, or archives of these. Drop them here, or choose \
    them.</label></p>
    <p><input id="file" type="file" name="file" multiple required></p>
    <p><label for="attachment">Attachments of the first crash file, such as a log or a screenshot</label></p>
    <p><input id="attachment" type="file" name="attachment" multiple></p>
    <p><button class="primary">Hand over</button></p></form>
    """
  }

  /// The outcome of a file in words, and whether it is still to come.
  private func outcome(
    of file: SentFile, for sender: Sender
  ) throws -> (words: HTML, isWaiting: Bool) {
    guard let status = try context.queue.status(ofSubmission: file.id), status.app == sender.app
    else { return ("no such file in the last week", false) }
    switch status.outcome {
    case .waiting: return ("received; being read\(begins(file))", true)
    case .quarantined(let reason), .discarded(let reason):
      return ("not a report: \(reason)\(begins(file))", false)
    case .stored(let verdict, _):
      var lines: [HTML] = []
      for part in verdict.stored {
        for report in try context.store.reports.list(ofSubmission: part.digest, app: part.app) {
          let id = String(report.report.prefix(10))
          lines.append(
            sender.visitor == nil
              ? "the report <span class=\"mono\">\(id)</span><br>"
              : """
              the report <a class="mono" href="/reports/\(report.report)">\(id)</a> in \
              <a href="/groups/\(report.group)">\(report.group)</a><br>
              """)
        }
      }
      for count in verdict.counted {
        lines.append("counted in \(sender.visitor == nil ? "its group" : count.group)<br>")
      }
      for refused in verdict.refused {
        lines.append("not a report: \(refused.file): \(refused.reason)<br>")
      }
      if lines.isEmpty { lines = ["nothing in it was a report"] }
      return ("\(lines)", false)
    }
  }

  private func begins(_ file: SentFile) -> HTML {
    file.file?.firstBytes.map { "; it begins with <span class=\"mono\">\($0)</span>" } ?? .none
  }
}

internal import APIDocuments
internal import Archives
package import Bytes
internal import CrashService
internal import CrashStore
internal import Documents
internal import Glibc
package import HTTP
internal import JSON
internal import Pipeline
package import ServerStore
internal import Synchronization

/// `POST /api/v1/reports`: a report of any format, an archive of many, or a form with attachments.
package struct IntakeEndpoint: Sendable {
  package let context: ServerContext

  /// The authorization: a valid token or key, enough room, and the rate limit.
  package var authorization: Route.Authorization {
    { head in
      switch try context.access.caller(of: head, .ingest) {
      case .success(let caller): try refusal(of: head, from: caller)
      case .failure(let refusal): refusal.response
      }
    }
  }

  /// Returns a refusal for a submission of `caller`: too many recently, or no room; `nil` if it is allowed.
  package func refusal(of head: RequestHead, from caller: Access.Caller) throws -> Response? {
    // An app's key is compiled into it: anyone may have it.
    let isPublic = caller.id == Access.appCaller
    if let wait = context.wait(for: head, app: isPublic ? caller.label : nil, isPublic: isPublic) {
      context.metrics.refusedRate.add(1, ordering: .relaxed)
      return .problem(
        .tooManyRequests, "too many submissions per minute; try again in \(wait) s",
        headers: ["Retry-After": "\(wait)"])
    }
    do throws(IntakeError) {
      try context.queue.admit(head.contentLength ?? 0)
    } catch {
      context.metrics.refusedFull.add(1, ordering: .relaxed)
      return StorageFailureResponse.refusal(error, head.id)
    }
    return nil
  }

  /// Stores the submission; it is on disk when this returns.
  package func submit(_ request: Request) throws -> Response {
    let caller = try context.access.caller(of: request.head, .ingest).get()
    let asked = try request.query["app"].map { try AppName.checked($0) }
    if let own = caller.app, let asked, asked != own {
      return .problem(.forbidden, "the key is for \(own), not for \(asked)", code: .otherApp)
    }
    if let app = caller.app ?? asked, let refusal = try context.refusal(ofApp: app) {
      return refusal
    }
    let answers = KnownFixAnswers(context: context, head: request.head)
    var facts = self.facts(of: request.head, from: caller)
    guard request.parts.isEmpty else {
      return try accept(
        form: request.parts, app: caller.app ?? asked, facts: facts, answers: answers)
    }
    facts[IntakeFact.app] = caller.app ?? asked
    facts[IntakeFact.name] = request.query["name"]
    guard request.bytes.count <= context.queue.limits.report else {
      return .problem(
        .contentTooLarge, "a report can have at most \(context.queue.limits.report) bytes")
    }
    guard !request.bytes.isEmpty else {
      return .problem(.badRequest, "the body is empty", code: .invalidBody)
    }
    return try accept(request.bytes, facts, answers: answers, isHeld: true)
  }

  /// Returns facts about the sender: tokens have higher limits, others are charged for what a submission
  /// contains.
  package func facts(of head: RequestHead, from caller: Access.Caller) -> [String: String] {
    caller.id == Access.appCaller
      ? context.shareFacts(of: head, app: caller.label)
      : [IntakeFact.trust: IntakeFact.token]
  }

  /// Stores the files of a form as one submission; it is on disk when this returns.
  ///
  /// - Throws: ``HTTPError`` if it has no file.
  package func accept(
    form parts: [FormPart], app: String?, facts: [String: String], status: Status = .accepted,
    answers: KnownFixAnswers? = nil
  ) throws -> Response {
    var facts = facts
    facts[IntakeFact.name] = "form"
    facts[IntakeFact.app] = app
    let body = try SubmittedForm(parts).archive(in: context.scratch)
    return try accept(body, facts, status: status, answers: answers)
  }

  /// Stores a submission; it is on disk when the answer may be sent.
  ///
  /// - Parameters:
  ///   - answers: Looks up a fix of the crash for a client that waits.
  ///   - isHeld: Whether the answer may have a hold; otherwise the submission is on disk when this returns.
  /// - Throws: `IntakeError`; then nothing of it is stored.
  package func accept(
    _ body: ByteView, _ facts: [String: String], status: Status = .accepted,
    answers: KnownFixAnswers? = nil, isHeld: Bool = false
  ) throws(IntakeError) -> Response {
    let id = IntakeQueue.makeSubmissionID()
    var hold: ResponseHold?
    if isHeld, answers?.wait == nil {
      let own = ResponseHold()
      try keep(body, facts, as: id) { own.end($0.mapError { $0 as any Error }) }
      hold = own
    } else {
      try keep(body, facts, as: id)
    }
    var headers: Headers = ["Location": "/api/v1/submissions/\(id)"]
    var answer: KnownFixAnswers.Answer?
    if let answers, let wait = answers.wait {
      headers["Preference-Applied"] = "wait=\(wait)"
      // The report is on disk: whatever fails from here on, it is accepted.
      do { answer = try answers.answer(toSubmission: id, within: wait) } catch {}
    }
    var writer = JSONWriter()
    writer.beginObject()
    writer.member("status", "accepted")
    writer.member("id", id)
    writer.member("bytes", body.count)
    if let known = answer?.known {
      writer.key("known")
      writer.write(known)
    }
    if let wants = answer?.wants {
      writer.key("wants")
      writer.beginArray()
      for want in wants { writer.string(want) }
      writer.endArray()
    }
    writer.endObject()
    var response = Response.json(writer.takeBytes(), status: status, headers: headers)
    response.hold = hold
    return response
  }

  /// Stores a submission; it is on disk when this returns.
  ///
  /// - Returns: Its id.
  /// - Throws: `IntakeError`; then nothing of it is stored.
  package func keep(
    _ body: ByteView, _ facts: [String: String]
  ) throws(IntakeError) -> String {
    let id = IntakeQueue.makeSubmissionID()
    try keep(body, facts, as: id)
    return id
  }

  private func keep(
    _ body: ByteView, _ facts: [String: String], as id: String
  ) throws(IntakeError) {
    let result: Result<Void, IntakeError>
    do throws(IntakeError) {
      result = .success(try context.queue.submit(record(body, facts, id)))
    } catch {
      result = .failure(error)
    }
    count(result, body.count)
    try result.get()
  }

  /// - Parameter finish: Called when it is on disk, or refused.
  private func keep(
    _ body: ByteView, _ facts: [String: String], as id: String,
    finish: @escaping @Sendable (Result<Void, IntakeError>) -> Void
  ) throws(IntakeError) {
    do throws(IntakeError) {
      try context.queue.submit(record(body, facts, id)) { result in
        count(result, body.count)
        finish(result)
      }
    } catch {
      count(.failure(error), body.count)
      throw error
    }
  }

  private func record(
    _ body: ByteView, _ facts: [String: String], _ id: String
  ) -> IntakeRecord {
    var facts = facts
    facts[IntakeFact.submission] = id
    return IntakeRecord(route: IntakeProtocol.reports, received: .now, facts: facts, body: body)
  }

  private func count(_ result: Result<Void, IntakeError>, _ bytes: Int) {
    guard case .success = result else {
      context.metrics.refusedFull.add(1, ordering: .relaxed)
      return
    }
    context.metrics.accepted.add(1, ordering: .relaxed)
    context.metrics.acceptedBytes.add(bytes, ordering: .relaxed)
  }

  package init(context: ServerContext) {
    self.context = context
  }
}

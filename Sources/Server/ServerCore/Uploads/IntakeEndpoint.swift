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
package struct IntakeEndpoint {
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
    return try accept(request.bytes, facts, answers: answers)
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
    let body = try SubmittedForm(parts).archive(in: context.store.home + "/intake")
    return try accept(body, facts, status: status, answers: answers)
  }

  /// Stores a submission; it is on disk when this returns.
  ///
  /// - Parameter answers: Looks up a fix of the crash for a client that waits.
  /// - Throws: `IntakeError`; then nothing of it is stored.
  package func accept(
    _ body: ByteView, _ facts: [String: String], status: Status = .accepted,
    answers: KnownFixAnswers? = nil
  ) throws(IntakeError) -> Response {
    let id = try keep(body, facts)
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
    return .json(writer.takeBytes(), status: status, headers: headers)
  }

  /// Stores a submission; it is on disk when this returns.
  ///
  /// - Returns: Its id.
  /// - Throws: `IntakeError`; then nothing of it is stored.
  package func keep(
    _ body: ByteView, _ facts: [String: String]
  ) throws(IntakeError) -> String {
    let id = IntakeQueue.makeSubmissionID()
    var facts = facts
    facts[IntakeFact.submission] = id
    do throws(IntakeError) {
      try context.queue.submit(
        IntakeRecord(
          route: IntakeProtocol.reports, received: .now, facts: facts, body: body))
    } catch {
      context.metrics.refusedFull.add(1, ordering: .relaxed)
      throw error
    }
    context.metrics.accepted.add(1, ordering: .relaxed)
    context.metrics.acceptedBytes.add(body.count, ordering: .relaxed)
    context.announceArrival()
    return id
  }

  package init(context: ServerContext) {
    self.context = context
  }
}

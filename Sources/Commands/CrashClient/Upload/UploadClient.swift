internal import APIDocuments
internal import Bytes
internal import CrashService
internal import Crypto
internal import Documents
internal import Files
internal import Glibc
internal import HTTP
package import HTTPClient
internal import Identifiers
internal import JSON

/// A client of a server, for `mayday upload`.
package final class UploadClient {
  private let sender: WebSender
  private let server: String
  private let token: String?
  private let app: String?
  private let release: String?
  private let say: (String) -> Void
  private let warn: (String) -> Void

  /// Size in bytes above which a file is sent in parts: a broken connection costs only one of them.
  private static let wholeLimit = 16 << 20
  /// Microseconds between two requests for a verdict; doubled each time.
  private static let pauses: (first: UInt32, longest: UInt32) = (100_000, 5_000_000)
  /// Maximum number of digests in a request.
  private static let digestLimit = 2_000

  package init(
    server: ServerAddress, token: String?, app: String?, release: String?, sender: WebSender,
    say: @escaping (String) -> Void, warn: @escaping (String) -> Void
  ) {
    self.sender = sender
    self.server = server.text
    self.token = token
    self.app = app
    self.release = release
    self.say = say
    self.warn = warn
  }

  // MARK: Known files

  /// Returns those of `digests` that the server has.
  package func known(_ kind: UploadItem.Kind, _ digests: [String]) throws -> Set<String> {
    var known: Set<String> = []
    var rest = digests[...]
    while !rest.isEmpty {
      let part = rest.prefix(Self.digestLimit)
      rest = rest.dropFirst(part.count)
      let call: APICall
      let answer: WebResponse
      switch kind {
      case .symbols:
        call = .knownDebugFiles
        answer = try ask(
          call, sending: KnownDebugFiles(digests: Array(part), app: app, version: release))
      case .report:
        call = .knownReports
        answer = try ask(call, sending: KnownReports(digests: Array(part), app: app))
      }
      guard answer.status == 200, let list = Self.document(answer)?["known"]?.array else {
        throw ServiceError(
          "\(call.pattern): \(Self.reason(answer)); is it a Mayday server?", .failed)
      }
      known.formUnion(list.compactMap(\.string))
    }
    return known
  }

  // MARK: Sending

  /// Sends a file, and waits until the server has it on its disk.
  ///
  /// - Parameter progress: Called for a file that is sent in parts, with the numbers of bytes sent and in
  ///   total.
  package func send(
    _ item: UploadItem, progress: (_ sent: Int, _ total: Int) -> Void = { _, _ in }
  ) throws -> UploadVerdict {
    let body = try item.body()
    if body.count > Self.wholeLimit { return try sendInParts(item, body, progress) }
    switch item.kind {
    case .symbols:
      let query: [APICall.QueryItem] = [
        ("name", item.name), ("app", app), ("version", release), ("bundle", item.bundle?.name),
      ]
      return verdict(of: try ask(.putDebugFile, query: query, body: body), on: item)
    case .report:
      let query: [APICall.QueryItem] = [("name", item.name), ("app", app)]
      return verdict(of: try ask(.submitReport, query: query, body: body), on: item)
    }
  }

  private func sendInParts(
    _ item: UploadItem, _ body: ByteView, _ progress: (Int, Int) -> Void
  ) throws -> UploadVerdict {
    var plan = NewUpload(
      size: body.count, digest: SHA256.hex(of: body),
      kind: item.kind == .symbols ? .symbols : .report, name: item.name, app: app)
    if item.kind == .symbols { (plan.version, plan.bundle) = (release, item.bundle?.name) }
    // Parts that were there may be deleted by the end, when another client finished the same upload.
    for _ in 0..<2 {
      let answer = try ask(.beginUpload, sending: plan)
      guard answer.status == 201, let document = Self.document(answer),
        let id = document["id"]?.string, let size = document["chunk_size"]?.integer, size > 0
      else { return UploadVerdict(item, .refused, Self.reason(answer)) }
      let have = Set((document["have"]?.array ?? []).compactMap(\.integer))
      let count = (body.count - 1) / size + 1
      if !have.isEmpty {
        say(
          "\(item.path.printable): continuing, \(have.count) of \(count) parts already sent")
      }
      // Only the last part is shorter, and the parts before it are counted in full.
      var sent = min(have.count * size, body.count)
      for number in 0..<count where !have.contains(number) {
        progress(sent, body.count)
        let start = number * size
        let part = body.clamped(start..<min(start + size, body.count))
        let answer = try ask(
          .putPart, [id, "\(number)"], query: [("sha256", SHA256.hex(of: part))], body: part)
        guard (200...299).contains(answer.status) || answer.status == 404 else {
          return UploadVerdict(item, .refused, Self.reason(answer))
        }
        if answer.status == 404 { break }
        sent += part.count
      }
      progress(min(sent, body.count), body.count)
      let end = try ask(.finishUpload, [id], body: .empty)
      if end.status == 202 {
        if let verdict = try verdict(ofUpload: id, on: item) { return verdict }
      } else if ![404, 409].contains(end.status) {
        return verdict(of: end, on: item)
      }
      let digests = item.files.map(\.digest)
      if try known(item.kind, digests).isSuperset(of: digests) {
        return UploadVerdict(item, .known)
      }
    }
    return UploadVerdict(item, .refused, "its parts went missing on the server")
  }

  /// Polls until the server has stored the file, which takes about a minute for every few gigabytes.
  ///
  /// - Returns: `nil` where the server no longer knows the upload.
  private func verdict(ofUpload id: String, on item: UploadItem) throws -> UploadVerdict? {
    var pause = Self.pauses.first
    while true {
      let answer = try ask(.getUpload, [id])
      guard answer.status == 200, let document = Self.document(answer) else { return nil }
      switch document["state"]?.string {
      case "processing":
        SteadyClock.pause(nanoseconds: Int64(pause) * 1_000)
        pause = min(pause * 2, Self.pauses.longest)
      case "done", "failed":
        guard let status = document["status"]?.integer else { return nil }
        return verdict(status, document["verdict"], on: item)
      default: return nil
      }
    }
  }

  private func verdict(of answer: WebResponse, on item: UploadItem) -> UploadVerdict {
    verdict(answer.status, Self.document(answer), on: item)
  }

  private func verdict(
    _ status: Int, _ document: JSONValue?, on item: UploadItem
  ) -> UploadVerdict {
    guard (200...299).contains(status) else {
      return UploadVerdict(item, .refused, Self.reason(status, document))
    }
    let files = document?["files"]?.array ?? []
    let isKnown = !files.isEmpty && files.allSatisfy { $0["verdict"]?.string == "known" }
    var verdict = UploadVerdict(item, isKnown ? .known : .sent)
    if item.kind == .report { verdict.submission = document?["id"]?.string }
    return verdict
  }

  // MARK: Waiting

  /// Maximum time to wait for a submission, which may be queued after others, in seconds.
  private static let patience = 600.0
  /// Pauses between two requests, in seconds.
  private static let filingPauses = (first: 0.1, most: 2.0)

  /// Waits until the server has stored what was sent, and records the outcome.
  package func wait(for verdict: inout UploadVerdict) throws {
    guard let id = verdict.submission else { return }
    var waited = 0.0
    var pause = Self.filingPauses.first
    while waited < Self.patience {
      let answer = try ask(.getSubmissionStatus, [id])
      guard answer.status == 200, let document = Self.document(answer) else {
        let path = try APICall.getSubmissionStatus.address([id])
        throw ServiceError("\(path): \(Self.reason(answer).printable)", .failed)
      }
      switch document["status"]?.string {
      case "waiting": break
      case "stored":
        verdict.outcome = document["duplicate"]?.bool == true ? .known : .stored
        verdict.reports = (document["reports"]?.array ?? []).map { report in
          UploadVerdict.Report(
            id: report["id"]?.string ?? "", group: report["group"]?.string ?? "")
        }
        let refused = document["refused"]?.array ?? []
        if let first = refused.first {
          verdict.reason = "no report in \(first["file"]?.string ?? "a file of it")"
          if refused.count > 1 { verdict.reason? += " and \(refused.count - 1) more" }
        }
        return
      default:
        verdict.outcome = .quarantined
        verdict.reason = document["problem"]?.string
        return
      }
      SteadyClock.pause(seconds: pause)
      waited += pause
      pause = min(pause * 1.5, Self.filingPauses.most)
    }
    throw ServiceError(
      "\(verdict.path.printable): the server has it, but did not process it within "
        + "\(Int(Self.patience)) seconds; ask for submission \(id) later", .failed)
  }

  // MARK: Requests

  private func ask<Body: Documented>(_ call: APICall, sending body: Body) throws -> WebResponse {
    try ask(call, body: call.body(body, as: Body.declaration), type: "application/json")
  }

  private func ask(
    _ call: APICall, _ parts: [String] = [], query: [APICall.QueryItem] = [],
    body: ByteView? = nil, type: String = "application/octet-stream"
  ) throws -> WebResponse {
    var headers = ["Content-Type: \(type)", "Accept: application/json"]
    if let token { headers.append("Authorization: Bearer \(token)") }
    let request = try WebRequest(
      call.method, server + call.address(parts, query), headers: headers, body: body)
    let answer: WebResponse
    do throws(WebError) {
      answer = try sender.send(request) { reason, seconds in
        let wait = seconds < 1.5 ? "a second" : "\(Int(seconds.rounded())) seconds"
        warn("\(reason.printable); trying again in \(wait)")
      }
    } catch {
      throw ServiceError("\(server.printable): \(error.description.printable)", .unreachable)
    }
    if answer.status == 401 || answer.status == 403 {
      let code = Self.document(answer)?["code"]?.string.flatMap { ProblemCode(rawValue: $0) }
      let lines = [Self.reason(answer).printable] + TokenAdvice.lines(for: code)
      throw ServiceError(lines.joined(separator: "\n"), .notAllowed)
    }
    return answer
  }

  private static func document(_ answer: WebResponse) -> JSONValue? {
    try? JSONDocument.parse(answer.body).value
  }

  /// Returns why a server refused: its own text, where it gives one.
  private static func reason(_ answer: WebResponse) -> String {
    reason(answer.status, document(answer))
  }

  private static func reason(_ status: Int, _ document: JSONValue?) -> String {
    if let files = document?["files"]?.array {
      let reasons = files.compactMap { $0["reason"]?.string }
      return reasons.first ?? "the server finds no debug file in it"
    }
    let words = document?["detail"]?.string ?? document?["title"]?.string
    return words.map { "\($0) (\(status))" } ?? "the server answers \(status)"
  }
}

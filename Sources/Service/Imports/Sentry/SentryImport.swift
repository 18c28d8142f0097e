internal import Bytes
internal import CrashInput
internal import CrashService
internal import CrashStore
internal import Crypto
internal import Identifiers
internal import JSON
internal import Pipeline
internal import Scrubbing

/// Imports events that were saved of Sentry: payloads as SDKs sent them, answers of the API, envelopes; issues
/// with their states and comments, and files of debug information.
///
/// An event of the API is stored as the payload that it was made of. The same event counts once.
package struct SentryImport {
  private let context: ImportContext
  private let app: String?
  private var result = ImportResult()
  private var issues: [String: Issue] = [:]
  private var issueOrder: [String] = []
  private var comments: [(path: String, text: String)] = []
  private var releases: [(path: String, version: String)] = []
  private var seen: Set<String> = []
  /// The events that were handed over, by their numbers.
  private var events: [Int: Event] = [:]
  private var next = 0
  private let times = ArrivalTimes()

  private struct Issue {
    var id: String
    var value: JSONValue
    var path: String
    var targets: Set<String> = []
  }

  private struct Event {
    var id: String?
    var issue: String?
    var path: String
  }

  /// - Parameter app: The app of all events; without one, each names its own.
  package init(_ context: ImportContext, app: String?) {
    self.context = context
    self.app = app
  }

  /// - Parameter paths: Folders and files of the export.
  /// - Returns: The outcome.
  /// - Throws: The store's errors; what was stored before stays, and the import can be repeated.
  package consuming func run(
    _ paths: [String], progress: (_ files: Int) -> Void = { _ in }
  ) throws -> ImportResult {
    if let app { try context.store.apps.add(app, secret: nil) }
    let tree = ExportTree(paths)
    for item in tree.unread { result.leave(item.path, item.reason, isDamaged: true) }
    var outcomes: [FileResult] = []
    let now = Timestamp.now
    let walker = InputWalker()
    var done = 0
    let stored = try context.ingest(app: app).run(
      received: now, arrival: { [times] in times.time(of: $0) ?? now },
      onResult: { outcomes.append($0) }
    ) { bring in
      for path in tree.files {
        walker.walk([path]) { read($0, bring) }
        done += 1
        progress(done)
      }
    }
    var loose: [(path: String, reason: String, isForeign: Bool)] = []
    var owners: [String: [StoredSubmission]] = [:]
    for outcome in outcomes { try take(outcome, &loose, &owners) }
    result.reports = stored.reports
    result.known -= stored.reports
    result.attachments += stored.attachments
    try takeReleases()
    var symbols = ImportedSymbols(context: context, app: app)
    for bundle in tree.bundles { symbols.paths.append((bundle, isBundle: true)) }
    for file in loose where file.isForeign { symbols.add(fileOrArchive: file.path) }
    let used = try symbols.take(into: &result) { _ in nil }
    for file in loose where !used.contains(file.path) {
      if try attach(file.path, owners) { continue }
      result.leave(file.path, file.reason, isDamaged: !file.isForeign)
    }
    try takeStates()
    return result
  }

  // MARK: Files

  private mutating func read(
    _ file: InputFile, _ bring: (InputFile) -> InputStep
  ) -> InputStep {
    guard case .success(let bytes) = file.content, ExportDocuments.begins(bytes),
      !Self.isEnvelope(bytes)
    else { return hand(file.content, file.path, Event(path: file.path), bring) }
    let documents = ExportDocuments(bytes)
    let isAlone = documents.values.count == 1 && documents.values.first?.object != nil
    var index = 0
    for value in documents.values {
      let step = read(
        value, file.path, isAlone && documents.problem == nil ? bytes : nil, &index, bring)
      if step == .stop { return .stop }
    }
    if let problem = documents.problem { result.leave(file.path, problem, isDamaged: true) }
    return .next
  }

  /// Whether the second line of a file is the header of an envelope's item.
  private static func isEnvelope(_ bytes: ByteView) -> Bool {
    let head = ExportDocuments(bytes.clamped(0..<64 << 10)).values
    guard head.count >= 2, let type = head[1].text("type") else { return false }
    return head[1].member("length") != nil || type == "event"
      || type == "attachment" && head[1].text("filename") != nil
  }

  /// - Parameter bytes: The bytes of the file if the value is all that is in it.
  private mutating func read(
    _ value: JSONValue, _ path: String, _ bytes: ByteView?, _ index: inout Int,
    _ bring: (InputFile) -> InputStep
  ) -> InputStep {
    if let elements = value.array {
      for element in elements {
        if read(element, path, nil, &index, bring) == .stop { return .stop }
      }
      return .next
    }
    if value.member("data")?.array != nil, value.object?.count ?? 0 <= 3 {
      return read(value.member("data") ?? .null, path, nil, &index, bring)
    }
    if SentryExportEvent.isEvent(value) {
      guard let payload = SentryExportEvent.payload(of: value) else {
        result.leave(
          path,
          "the event \(value.text(["eventID", "id"]) ?? "") has neither an exception nor threads")
        return .next
      }
      return event(payload, payload.document, value.text("groupID"), path, &index, bring)
    }
    let members = ["exception", "threads", "debug_meta"]
    if value.text("event_id") != nil || members.contains(where: { value.member($0) != nil }) {
      return event(
        value, bytes ?? value.document, value.text(["group_id", "groupID"]), path, &index, bring)
    }
    if let id = value.text("id"), value.text("shortId") != nil, value.text("status") != nil {
      if issues[id] == nil { issueOrder.append(id) }
      issues[id] = Issue(id: id, value: value, path: path)
      return .next
    }
    if value.text("type") == "note", let text = value.member("data")?.text("text") {
      comments.append((path, text))
      return .next
    }
    if let version = value.text("version"), value.text("dateCreated") != nil {
      releases.append((path, version))
      return .next
    }
    // It may be a report of another format.
    if let bytes { return hand(.success(bytes), path, Event(path: path), bring) }
    result.leave(
      path, "JSON that is neither an event nor an issue: its members are \(value.memberNames)")
    return .next
  }

  private mutating func event(
    _ value: JSONValue, _ bytes: ByteView, _ issue: String?, _ path: String, _ index: inout Int,
    _ bring: (InputFile) -> InputStep
  ) -> InputStep {
    index += 1
    let id = value.text("event_id")?.lowercased().filter { $0 != "-" }
    // The same event may be there as a payload and as the API answers it.
    if let id, !seen.insert(id).inserted { return .next }
    if let time = value.time("timestamp") ?? value.member("timestamp")?.double.flatMap(Self.time) {
      times.set(min(time, .now), of: next)
    }
    let shown = index == 1 ? path : "\(path)#\(index)"
    return hand(.success(bytes), shown, Event(id: id, issue: issue, path: path), bring)
  }

  /// Seconds since 1970.
  private static func time(_ seconds: Double) -> Timestamp? {
    guard seconds > 0, seconds < 1e11 else { return nil }
    return Timestamp(microseconds: Int(seconds * 1_000_000))
  }

  private mutating func hand(
    _ content: Result<ByteView, InputError>, _ path: String, _ event: Event,
    _ bring: (InputFile) -> InputStep
  ) -> InputStep {
    events[next] = event
    defer { next += 1 }
    return bring(InputFile(path: path, content: content, ordinal: next))
  }

  private mutating func take(
    _ outcome: FileResult, _ loose: inout [(path: String, reason: String, isForeign: Bool)],
    _ owners: inout [String: [StoredSubmission]]
  ) throws {
    let event = events[outcome.ordinal]
    switch outcome.outcome {
    case .attached: break
    case .refused(let reason, let isForeign):
      if let id = event?.id {
        result.leave(outcome.source, "the event \(id): \(reason)", isDamaged: !isForeign)
      } else {
        loose.append((outcome.source, reason, isForeign))
      }
    case .stored:
      result.known += outcome.reportCount
      for reason in outcome.leftOut { result.leave(outcome.source, reason, isDamaged: true) }
      if let id = event?.id { owners[id] = outcome.stored }
      for submission in outcome.stored {
        let reports = try context.store.reports.list(
          ofSubmission: SHA256.hex(submission.digest), app: submission.app)
        for report in reports {
          result.groups.insert(report.group)
          if let issue = issue(of: event) { issues[issue]?.targets.insert(report.group) }
        }
      }
    }
  }

  /// The issue of an event: it says so, or its path does.
  private func issue(of event: Event?) -> String? {
    guard let event else { return nil }
    if let id = event.issue, issues[id] != nil { return id }
    return issue(in: event.path)
  }

  private func issue(in path: String) -> String? {
    let names = PathNames(path)
    return names.parts.reversed().first { issues[$0] != nil }
      ?? issueOrder.first { id in
        issues[id]?.value.text("shortId").map { names.words.contains($0) } ?? false
      }
  }

  /// Attaches a file to the event whose id its path has.
  private mutating func attach(
    _ path: String, _ owners: [String: [StoredSubmission]]
  ) throws -> Bool {
    guard let id = PathNames(path).words.first(where: { owners[$0] != nil }),
      !path.contains("!"), let submissions = owners[id]
    else { return false }
    let bytes = try ByteView(reading: path, limit: AttachmentLimits.bytes)
    let name = path.split(separator: "/").last.map(String.init) ?? path
    let attachment = try PreparedAttachment(
      context.scrubber.scrub(name), context.scrubber.scrub(file: bytes))
    let receipts = try context.store.attachments.add(
      submissions.map {
        LateAttachments(
          submission: $0.digest, app: $0.app, attachments: [attachment], received: .now)
      })
    result.attachments += receipts.reduce(0) { $0 + $1.added }
    return true
  }

  // MARK: Releases and issues

  private mutating func takeReleases() throws {
    guard let app else {
      for release in releases {
        result.leave(release.path, "the release \(release.version): --app says of which app")
      }
      return
    }
    let before = Set(try context.service.releases(of: app).map(\.release))
    for item in releases {
      // `app.tern@1.2.0+57`
      let name = item.version.split(separator: "@").last.map(String.init) ?? item.version
      let parts = name.split(separator: "+", maxSplits: 1).map(String.init)
      let release = Release(version: parts.first ?? name, build: parts.count > 1 ? parts[1] : "")
      guard !before.contains(release) else { continue }
      do {
        _ = try context.service.addReleases([release], to: app)
        result.releases += 1
      } catch let error as ActionError {
        result.leave(item.path, "the release \(item.version): \(error)")
      }
    }
  }

  private mutating func takeStates() throws {
    var notes: [String: [String]] = [:]
    for comment in comments {
      guard let id = issue(in: comment.path) else {
        result.leave(comment.path, "a comment, but no known issue has its id in this path")
        continue
      }
      notes[id, default: []].append(comment.text)
    }
    var byGroup: [String: [SavedGroup]] = [:]
    for id in issueOrder {
      guard let issue = issues[id] else { continue }
      if issue.targets.isEmpty {
        result.leave(
          issue.path, "the issue \(issue.value.text("shortId") ?? id): none of its events is here")
      }
      for target in issue.targets {
        byGroup[target, default: []].append(Self.imported(issue, notes[id] ?? []))
      }
    }
    for (id, others) in byGroup.sorted(by: { $0.key < $1.key }) {
      result.decisions += try SavedGroups(context: context).apply(others, to: id)
    }
  }

  private static func imported(_ issue: Issue, _ comments: [String]) -> SavedGroup {
    let value = issue.value
    let state: SavedGroup.State =
      switch value.text("status") {
      case "resolved", "resolvedInNextRelease": .closed
      case "ignored", "muted", "archived": .ignored
      default: .open
      }
    var imported = SavedGroup(
      origin: "Sentry's issue \(value.text("shortId") ?? issue.id)", state: state)
    if let release = value.member("statusDetails")?.text("inRelease") {
      imported.facts.append("in \(release)")
    }
    if let count = value.text("count") { imported.facts.append("events \(count)") }
    if let count = value.text("userCount") { imported.facts.append("users \(count)") }
    if let first = value.text("firstSeen"), let last = value.text("lastSeen") {
      imported.facts.append("from \(first) to \(last)")
    }
    let written = value.list("activity").filter { $0.text("type") == "note" }
      .compactMap { $0.member("data")?.text("text") }
    imported.notes = written + comments.filter { !written.contains($0) }
    return imported
  }
}

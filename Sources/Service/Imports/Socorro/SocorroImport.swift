internal import Bytes
internal import CrashInput
internal import CrashService
internal import CrashStore
internal import Crypto
internal import Identifiers
internal import JSON
internal import Pipeline

/// Imports crashes that were saved of Socorro: of each the annotations (raw crash), the dumps, and what the
/// server made of them (processed crash).
///
/// The files of a crash have its id in their paths, in any arrangement of folders, as `raw_crash/.../ID`,
/// `dump/ID`, `processed_crash/ID`, or `ID.json`, `ID.dump`, `ID.jsonz`. A dump is stored with the annotations
/// as the form that the client sent; without a dump, the processed crash is the report, and without that the
/// raw crash. The rest is attached.
///
/// Source: Socorro's documentation, "Crash storage".
package struct SocorroImport {
  private let context: ImportContext
  private let app: String?
  private var result = ImportResult()
  private let times = ArrivalTimes()
  private var next = 0

  /// Bytes of the files of crashes in one archive, which may be in any order.
  private static let heldBytes = 512 << 20

  /// - Parameter app: The app of all crashes; without one, each names its product.
  package init(_ context: ImportContext, app: String?) {
    self.context = context
    self.app = app
  }

  /// - Parameter paths: Folders and files.
  /// - Returns: The outcome.
  /// - Throws: The store's errors; what was stored before stays, and the import can be repeated.
  package consuming func run(
    _ paths: [String], progress: (_ files: Int) -> Void = { _ in }
  ) throws -> ImportResult {
    if let app { try context.store.apps.add(app, secret: nil) }
    let tree = ExportTree(paths)
    for item in tree.unread { result.leave(item.path, item.reason, isDamaged: true) }
    // The files of a crash come one after the other.
    var byID: [String: [String]] = [:]
    var order: [String] = []
    var others: [String] = []
    for path in tree.files {
      guard let id = Self.id(in: path) else {
        others.append(path)
        continue
      }
      if byID[id] == nil { order.append(id) }
      byID[id, default: []].append(path)
    }
    var outcomes: [FileResult] = []
    let now = Timestamp.now
    var done = 0
    let stored = try context.ingest(app: app).run(
      received: now, arrival: { [times] in times.time(of: $0) ?? now },
      onResult: { outcomes.append($0) }
    ) { bring in
      for id in order {
        let paths = byID[id] ?? []
        if read(paths, bring) == .stop { return }
        done += paths.count
        progress(done)
      }
      for path in others {
        if read([path], bring) == .stop { return }
        done += 1
        progress(done)
      }
    }
    var loose: [(path: String, reason: String, isForeign: Bool)] = []
    for outcome in outcomes { try take(outcome, &loose) }
    result.reports = stored.reports
    result.known -= stored.reports
    result.attachments += stored.attachments
    var symbols = ImportedSymbols(context: context, app: app)
    for bundle in tree.bundles { symbols.paths.append((bundle, isBundle: true)) }
    for file in loose where file.isForeign { symbols.add(fileOrArchive: file.path) }
    let used = try symbols.take(into: &result) { _ in nil }
    for file in loose where !used.contains(file.path) {
      result.leave(file.path, file.reason, isDamaged: !file.isForeign)
    }
    return result
  }

  /// The id of a crash in a path.
  private static func id(in path: String) -> String? {
    PathNames(path).words.first { AppCenterExportLog.isUUID($0) }?.lowercased()
  }

  // MARK: Files

  /// Hands over the crashes in files on disk that belong together, or in an archive.
  private mutating func read(
    _ paths: [String], _ bring: (InputFile) -> InputStep
  ) -> InputStep {
    var crashes: [String: Crash] = [:]
    var order: [String] = []
    var held = 0
    var step = InputStep.next
    // A file that is gzipped is an archive with one member.
    InputWalker().walk(paths) { file in
      guard case .success(let bytes) = file.content, let id = Self.id(in: file.path) else {
        step = hand(file.content, file.path, nil, nil, bring)
        return step
      }
      guard held + bytes.count <= Self.heldBytes else {
        result.leave(
          file.path, "more than \(Self.heldBytes) bytes of crashes in one archive: unpack it first",
          isDamaged: true)
        return .next
      }
      held += bytes.count
      if crashes[id] == nil {
        crashes[id] = Crash(id: id, path: file.path)
        order.append(id)
      }
      // Files of archives are valid until the next one.
      crashes[id]?.add(file.isMember ? ByteView(bytes.array) : bytes, file.path)
      return .next
    }
    for id in order where step != .stop {
      if let crash = crashes[id] { step = hand(crash, bring) }
    }
    return step
  }

  private mutating func hand(
    _ crash: Crash, _ bring: (InputFile) -> InputStep
  ) -> InputStep {
    var files = crash.others
    let report: ByteView
    if let dump = crash.dumps.first {
      report =
        SocorroForm(
          id: crash.id, annotations: crash.raw ?? crash.processedValue ?? .object([]),
          dump: dump.bytes
        ).bytes
      files += crash.dumps.dropFirst()
      if let processed = crash.processed { files.append(("processed_crash.json", processed)) }
      if let raw = crash.rawBytes { files.append(("raw_crash.json", raw)) }
    } else if let processed = crash.processed {
      report = processed
      if let raw = crash.rawBytes { files.append(("raw_crash.json", raw)) }
    } else if let raw = crash.rawBytes {
      report = raw
    } else {
      for file in files {
        if hand(.success(file.bytes), crash.path, nil, nil, bring) == .stop { return .stop }
      }
      return .next
    }
    let time = crash.time.map { min($0, .now) }
    if hand(.success(report), crash.path, time, nil, bring) == .stop { return .stop }
    for file in files {
      let companion = Companion(
        of: crash.path, called: Array(file.name.utf8), isAttachment: true)
      let path = crash.path + "/" + file.name
      if hand(.success(file.bytes), path, nil, companion, bring) == .stop { return .stop }
    }
    return .next
  }

  private mutating func hand(
    _ content: Result<ByteView, InputError>, _ path: String, _ time: Timestamp?,
    _ companion: Companion?, _ bring: (InputFile) -> InputStep
  ) -> InputStep {
    if let time { times.set(time, of: next) }
    defer { next += 1 }
    return bring(
      InputFile(path: path, content: content, ordinal: next, companion: companion))
  }

  private mutating func take(
    _ outcome: FileResult, _ loose: inout [(path: String, reason: String, isForeign: Bool)]
  ) throws {
    switch outcome.outcome {
    case .attached: break
    case .refused(let reason, let isForeign): loose.append((outcome.source, reason, isForeign))
    case .stored:
      result.known += outcome.reportCount
      for reason in outcome.leftOut { result.leave(outcome.source, reason, isDamaged: true) }
      for submission in outcome.stored {
        let reports = try context.store.reports.list(
          ofSubmission: SHA256.hex(submission.digest), app: submission.app)
        for report in reports { result.groups.insert(report.group) }
      }
    }
  }
}

internal import Bytes
public import CrashInput
internal import CrashStore
internal import Crypto
internal import ReportFormats
internal import TriageModel
public import Workers

/// Parses, symbolicates and groups all files below some paths; nothing is stored.
public struct Triage {
  private let processor: ReportProcessor
  private let width: Int

  /// - Parameter width: The number of threads.
  public init(processor: ReportProcessor, width: Int = Workers.processorCount) {
    self.processor = processor
    self.width = width
  }

  /// Triages files, folders and archives; `-` is standard input.
  public func run(_ paths: [String], walker: InputWalker = InputWalker()) -> TriageResult {
    run(paths.map { InputName(argument: $0) }, walker: walker)
  }

  /// - Parameters:
  ///   - names: Files, folders and archives.
  ///   - walker: The reader of the files, with its limits.
  ///   - progress: Called after each file with the number of finished files.
  public func run(
    _ names: some Sequence<InputName>, walker: InputWalker = InputWalker(),
    progress: @escaping (_ files: Int) -> Void = { _ in }
  ) -> TriageResult {
    var result = TriageResult()
    var table = GroupTable()
    var missing = MissingImageCounter()
    var seen: Set<[UInt8]> = []
    var done = 0
    var log = ChunkedLog()
    var skipped = FileCounts()
    /// The last file, and the number of its reports so far.
    var current = (ordinal: -1, reports: 0)
    let stream = WorkStream<InputFile, TriagedFile>(
      width: width, ahead: width * 4, capacity: PipelineLimits.bytesInFlight(width: width)
    ) {
      [processor] file in
      TriagedFile(of: file, by: processor)
    } consume: { outcome in
      if let refused = log.begin(outcome.coverage) { result.refuse(refused) }
      if outcome.coverage != .further { done += 1 }
      defer { progress(done) }
      if outcome.isMember { result.files.inArchives += 1 }
      // Files that belong to a report are counted, not listed.
      if outcome.isAttachment {
        result.files.attachments += 1
        return
      }
      switch outcome.content {
      case .failure(let reason):
        let refused = RefusedFile(
          source: outcome.source, reason: reason.text, kind: reason.kind)
        if outcome.coverage == .whole || reason.kind != .foreign {
          result.refuse(refused)
        } else {
          log.refuse(refused)
        }
      case .success(let reports):
        if current.ordinal != outcome.ordinal { current = (outcome.ordinal, 0) }
        let taken = min(reports.count, (outcome.limit?.most ?? .max) - current.reports)
        let isNew = !seen.contains(outcome.digest)
        if isNew, taken < reports.count, let limit = outcome.limit {
          result.refuse(
            RefusedFile(source: outcome.source, reason: limit.reason, kind: .unreadable))
          guard taken > 0 else { return }
        }
        guard isNew else {
          if log.countDuplicate() { result.files.duplicates += 1 }
          return
        }
        seen.insert(outcome.digest)
        current.reports += taken
        if log.countReports() { result.files.withReports += 1 }
        for (index, processed) in reports.prefix(taken).enumerated() {
          table.add(processed, id: outcome.ids[index], source: outcome.source)
          missing.count(processed.report)
          result.reports += 1
        }
      }
    }
    walker.walk(names) { file in
      if file.companion?.isAttachment == true {
        skipped.attachments += 1
        if file.isMember { skipped.inArchives += 1 }
        return .next
      }
      var file = file
      // Files beyond the limit are not read at all.
      if current.ordinal == file.ordinal, case .success = file.content,
        let limit = file.archive.map({ ReportLimit(of: $0) }), current.reports >= limit.most
      {
        file = InputFile(
          path: file.path, content: .failure(.limit(limit.reason)), ordinal: file.ordinal,
          companion: file.companion, isMember: file.isMember, archive: file.archive,
          coverage: file.coverage)
      }
      stream.bring(file, weight: file.byteCount)
      return .next
    }
    stream.finish()
    if let refused = log.begin(.whole) { result.refuse(refused) }
    result.files += skipped
    result.groups = table.named
    result.missing = missing.ranked
    return result
  }
}

extension Triage {
  fileprivate struct Reason: Error {
    let text: String
    let kind: RefusedFile.Kind
  }

  /// The outcome of one file.
  fileprivate struct TriagedFile: Sendable {
    let source: String
    /// The file's ``InputFile/ordinal``.
    let ordinal: Int
    let limit: ReportLimit?
    /// The SHA-256 of the bytes; empty without reports.
    let digest: [UInt8]
    let ids: [String]
    let content: Result<[ProcessedReport], Reason>
    /// Whether it is not a report, but belongs to a file in its folder.
    var isAttachment: Bool {
      guard case .failure(let reason) = content else { return false }
      return reason.kind != .unreadable && hasOwner
    }
    private let hasOwner: Bool
    let isMember: Bool
    let coverage: InputFile.Coverage

    init(of file: InputFile, by processor: ReportProcessor) {
      source = file.path
      ordinal = file.ordinal
      limit = file.archive.map { ReportLimit(of: $0) }
      hasOwner = file.companion != nil
      isMember = file.isMember
      coverage = file.coverage
      switch file.content {
      case .failure(let error):
        digest = []
        ids = []
        content = .failure(Reason(text: error.description, kind: error.kind))
      case .success(let bytes):
        do {
          let reports = try processor.process(bytes).map(\.withoutMemory)
          digest = SHA256.digest(of: bytes)
          ids = reports.ids(digest: digest)
          content = .success(reports)
        } catch let error as ParseError {
          digest = []
          ids = []
          content = .failure(
            Reason(
              text: error.refusal, kind: error.kind == .notRecognised ? .foreign : .unreadable))
        } catch {
          digest = []
          ids = []
          content = .failure(Reason(text: "\(error)", kind: .unreadable))
        }
      }
    }
  }
}

extension TriageResult {
  fileprivate mutating func refuse(_ file: RefusedFile) {
    files.count(file.kind)
    refused.append(file)
  }
}

extension GroupTable {
  /// The groups, named `APP-1` and so on in their order.
  fileprivate var named: [TriageGroup] {
    var prefixes = PrefixTable()
    return ranked.map { contents in
      var summary = contents.summary
      summary.id = prefixes.nextID(for: summary.app)
      return TriageGroup(
        summary: summary, exemplar: contents.exemplar, reports: contents.reports,
        keys: contents.keys.sorted(), alternativeKeys: contents.alternativeKeys.sorted())
    }
  }
}

/// Group ids as in the store: a prefix for each app, and numbers.
private struct PrefixTable {
  private var prefixes: [String: String] = [:]
  private var used: Set<String> = []
  private var numbers: [String: Int] = [:]

  mutating func nextID(for app: String) -> String {
    let prefix = prefixes[app] ?? newPrefix(for: app)
    let number = numbers[app, default: 0] + 1
    numbers[app] = number
    return "\(prefix)-\(number)"
  }

  private mutating func newPrefix(for app: String) -> String {
    var attempt = 0
    while !used.insert(AppName.prefix(of: app, attempt: attempt)).inserted { attempt += 1 }
    let prefix = AppName.prefix(of: app, attempt: attempt)
    prefixes[app] = prefix
    return prefix
  }
}

extension InputError {
  /// The kind of a file that is not a report.
  var kind: RefusedFile.Kind {
    switch self {
    case .debugFile: .debugFile
    case .sourceCode: .foreign
    case .file, .tooLarge, .special, .archive, .limit: .unreadable
    }
  }
}

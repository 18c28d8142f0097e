internal import Bytes
internal import CrashInput
internal import CrashModel
internal import CrashStore
internal import Crypto
internal import ReportFormats

/// The outcome of one file, or of a part of a long log.
struct TriagedFile: Sendable {
  struct Reason: Error {
    let text: String
    let kind: RefusedFile.Kind
  }

  let source: String
  /// The file's ``InputFile/ordinal``.
  var ordinal: Int
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
  /// The error that ends reading.
  private(set) var outage: (any Error)?
  private let hasOwner: Bool
  let isMember: Bool
  let coverage: InputFile.Coverage
  /// Whether its bytes were read.
  let isRead: Bool
  let bytes: Int
  private var times = ProcessingTimes()

  var progress: FileProgress {
    var progress = FileProgress(
      source: source, ordinal: ordinal, isContinued: coverage == .further, bytes: bytes)
    switch content {
    case .success(let reports):
      progress.reports = reports.count
      progress.format = reports.first?.report.format.description
    case .failure(let reason): progress.isFailed = reason.kind == .unreadable
    }
    progress.times = times
    return progress
  }

  init(of file: InputFile, by processor: FileProcessor) {
    switch file.content {
    case .failure(let error):
      self.init(file, .failure(Reason(text: error.description, kind: error.kind)))
    case .success(let bytes):
      var times = ProcessingTimes()
      defer { self.times = times }
      do {
        let reports = try processor.process(file, bytes, times: &times).map(\.withoutMemory)
        self.init(file, .success(reports), digest: SHA256.digest(of: bytes))
      } catch let error as ParseError {
        let kind = error.kind == .notRecognised ? RefusedFile.Kind.foreign : .unreadable
        self.init(file, .failure(Reason(text: error.refusal, kind: kind)))
      } catch let error as FailedReading {
        let kind = error.isForeign ? RefusedFile.Kind.foreign : .unreadable
        self.init(file, .failure(Reason(text: error.reason, kind: kind)))
        if FileProcessor.isOutage(error) { outage = error }
      } catch {
        self.init(file, .failure(Reason(text: "\(error)", kind: .unreadable)))
        if FileProcessor.isOutage(error) { outage = error }
      }
    }
  }

  init(
    _ file: InputFile, _ content: Result<[ProcessedReport], Reason>, digest: [UInt8] = []
  ) {
    source = file.path
    ordinal = file.ordinal
    limit = file.archive.map { ReportLimit(of: $0) }
    hasOwner = file.companion != nil
    isMember = file.isMember
    bytes = file.byteCount
    coverage = file.coverage
    if case .success = file.content { isRead = true } else { isRead = false }
    self.content = content
    self.digest = digest
    if case .success(let reports) = content { ids = reports.ids(digest: digest) } else { ids = [] }
  }
}

extension InputError {
  /// The kind of a file that is not a report.
  var kind: RefusedFile.Kind {
    switch self {
    case .debugFile: .debugFile
    case .sourceCode: .foreign
    case .file, .tooLarge, .special, .archive, .remote, .limit: .unreadable
    }
  }
}

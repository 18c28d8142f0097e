public import Batches
internal import Bytes
internal import CrashStore
internal import Identifiers
internal import TriageModel

extension TriageResult {
  /// Groups the reports of a part and counts.
  ///
  /// - Throws: ``BatchError``; ``ParseError`` if the document of a report is damaged, or what is known of reports does
  ///   not fit together.
  public init(_ part: BatchPart) throws {
    self.init()
    let records = GroupRecords(part)
    self.records = records
    try countFiles(in: part)
    let table = try GroupTable(part)
    reports = table.reports
    missing = Self.missing(table.images)
    var prefixes = PrefixTable()
    for contents in try table.ranked() {
      let id = prefixes.nextID(for: contents.summary.app)
      // A damaged one is found before anything is printed.
      _ = try records.read(contents.exemplarPlace)
      groups.append(TriageGroup(contents, id: id, of: records))
    }
  }

  private mutating func countFiles(in part: BatchPart) throws(BatchError) {
    var known: Set<UInt128> = []
    var cursor = RecordCursor<FileFact>(part)
    while let record = try cursor.next() {
      if record.isMember { files.inArchives += 1 }
      for refusal in record.refusals {
        let file = RefusedFile(
          source: record.path, reason: refusal.reason, kind: .init(refusal.kind))
        files.count(file.kind)
        refused.append(file)
      }
      switch record.content {
      case .none: break
      case .attachment: files.attachments += 1
      case .reports:
        // The first of the files with the same bytes is the one that counts.
        let new = record.digests.filter {
          known.insert(ReportDigest.number(ofDigest: $0)).inserted
        }
        if new.isEmpty { files.duplicates += 1 } else { files.withReports += 1 }
      }
    }
  }

  /// The missing images: the app's own first, then those with the most reports.
  private static func missing(_ images: [(image: ImageFact, reports: Int)]) -> [MissingSymbols] {
    images.filter { $0.reports > 0 }
      .map { image, reports in
        MissingSymbols(
          name: image.name, debugID: image.debugID, codeID: image.codeID,
          architecture: image.architecture, reports: reports, isOwn: image.isOwn)
      }
      .sorted {
        ($1.isOwn ? 1 : 0, $1.reports, $0.name, $0.debugID?.description ?? "")
          < ($0.isOwn ? 1 : 0, $0.reports, $1.name, $1.debugID?.description ?? "")
      }
  }
}

extension RefusedFile.Kind {
  fileprivate init(_ kind: FileFact.Refusal.Kind) {
    self =
      switch kind {
      case .unreadable: .unreadable
      case .debugFile: .debugFile
      case .foreign: .foreign
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

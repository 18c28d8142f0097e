public import Batches
public import Bytes
internal import CrashStore
internal import Identifiers
internal import TriageModel

extension TriageResult {
  /// Groups the reports of a batch and counts.
  ///
  /// - Throws: ``ParseError`` if the document of a report is damaged, or what is known of reports does not fit
  ///   together.
  public init(_ batch: Batch) throws(ParseError) {
    self.init()
    count(batch.files)
    reports = batch.reports.count
    missing = try Self.missing(batch)
    var prefixes = PrefixTable()
    for contents in try GroupTable(batch).ranked {
      var summary = contents.summary
      summary.id = prefixes.nextID(for: summary.app)
      groups.append(
        TriageGroup(
          summary: summary, exemplar: try contents.exemplar.report, reports: contents.reports,
          keys: contents.keys.sorted(), alternativeKeys: contents.alternativeKeys.sorted()))
    }
  }

  private mutating func count(_ records: [FileFact]) {
    var known: Set<[UInt8]> = []
    for record in records {
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
        let new = record.digests.filter { known.insert($0).inserted }
        if new.isEmpty { files.duplicates += 1 } else { files.withReports += 1 }
      }
    }
  }

  /// The missing images: the app's own first, then those with the most reports.
  private static func missing(_ batch: Batch) throws(ParseError) -> [MissingSymbols] {
    var counts = [Int](repeating: 0, count: batch.images.count)
    for report in batch.reports {
      for image in report.images {
        guard counts.indices.contains(image) else {
          throw ParseError(.invalid("an image that is not there"), in: "batch reports", at: 0)
        }
        counts[image] += 1
      }
    }
    return zip(batch.images, counts)
      .filter { $0.1 > 0 }
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

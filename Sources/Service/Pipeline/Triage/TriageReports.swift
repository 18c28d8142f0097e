internal import Batches
internal import CrashModel

/// The reports of a group in the order of their files, read while they are listed.
public struct TriageReports: Sequence, Sendable {
  public let count: Int
  private let content: Content

  private enum Content: Sendable {
    case list([TriageReport])
    case runs([ReportRun], GroupRecords)
  }

  public init(_ reports: [TriageReport]) {
    count = reports.count
    content = .list(reports)
  }

  init(_ runs: [ReportRun], count: Int, of records: GroupRecords) {
    self.count = count
    content = .runs(runs, records)
  }

  public func makeIterator() -> AnyIterator<TriageReport> {
    switch content {
    case .list(let reports): return AnyIterator(reports.makeIterator())
    case .runs(let runs, let records):
      do {
        var reports = try ReportRuns(runs, of: records.part)
        return AnyIterator {
          do {
            guard !records.hasFailed else { return nil }
            return try reports.next().map { TriageReport($0) }
          } catch {
            records.note(error)
            return nil
          }
        }
      } catch {
        records.note(error)
        return AnyIterator { nil }
      }
    }
  }
}

extension TriageReport {
  fileprivate init(_ record: ReportFact) {
    self.init(
      id: record.id, source: record.path, format: record.format, time: record.time,
      version: record.version, os: record.os, signature: record.title)
  }
}

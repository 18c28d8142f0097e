internal import Bytes
internal import CrashService
package import JSON
package import Rendering

/// The outcome of a file to upload.
package struct UploadVerdict {
  package enum Outcome: String {
    /// The server accepted it and has it on its disk.
    case sent
    /// The server accepted it and stored its reports; known only where the client waited for that.
    case stored
    /// The server already had it.
    case known
    /// It is neither a debug file nor a crash report.
    case skipped
    /// The server accepted it and found no report in it.
    case quarantined
    case refused

    /// Whether the user has to act.
    package var isFailure: Bool { self == .refused || self == .quarantined }
  }

  /// A report that the server read from it.
  package struct Report {
    package let id: String
    package let group: String

    package init(id: String, group: String) {
      self.id = id
      self.group = group
    }
  }

  package private(set) var path: String
  /// `nil` for a file that is neither a debug file nor a report that can be read.
  package var kind: UploadItem.Kind?
  /// In bytes, without compression.
  package var size: Int?
  package var digest: String?
  package var outcome: Outcome
  /// Why it was refused or skipped.
  package var reason: String?
  /// The id with which the server reports the outcome.
  package var submission: String?
  package var reports: [Report] = []

  package init(_ item: UploadItem, _ outcome: Outcome, _ reason: String? = nil) {
    path = item.path
    kind = item.kind
    size = item.size
    digest = item.files.first?.digest
    self.outcome = outcome
    self.reason = reason
  }

  /// A file that is not sent.
  package init(refusing path: String, _ reason: String) {
    self.init(path, .refused, reason)
  }

  /// A file that is skipped.
  package init(skipping path: String, _ reason: String) {
    self.init(path, .skipped, reason)
  }

  private init(_ path: String, _ outcome: Outcome, _ reason: String) {
    self.path = path
    self.outcome = outcome
    self.reason = reason
  }

  /// Returns the verdict for another file with the same bytes.
  package func ofSame(at path: String) -> UploadVerdict {
    var verdict = self
    verdict.path = path
    return verdict
  }
}

extension JSONWriter {
  package mutating func write(_ verdict: UploadVerdict) {
    beginObject()
    member("file", verdict.path)
    member("kind", verdict.kind?.rawValue)
    if let size = verdict.size { member("size", size) }
    member("sha256", verdict.digest)
    member("verdict", verdict.outcome.rawValue)
    member("reason", verdict.reason)
    member("submission", verdict.submission)
    if !verdict.reports.isEmpty {
      key("reports")
      beginArray()
      for report in verdict.reports {
        beginObject()
        member("id", report.id)
        member("group", report.group)
        endObject()
      }
      endArray()
    }
    endObject()
  }
}

/// Verdicts, one per line; a reason has a line of its own.
package struct UploadVerdictList {
  package let verdicts: [UploadVerdict]

  package func lines(width: Int, styles: Styles) -> [String] {
    guard !verdicts.isEmpty else { return [] }
    var table = TextTable([
      .text("VERDICT"), .text("KIND"), .number("BYTES"), .text("FILE", .atStart),
    ])
    for verdict in verdicts {
      table.add(
        [
          verdict.outcome.rawValue, verdict.kind?.rawValue ?? "",
          verdict.size.map(String.init) ?? "", verdict.path.printable,
        ], style: verdict.outcome.isFailure ? styles.warning : nil)
    }
    return table.lines(width: width, styles: styles, notes: verdicts.map(\.reason))
  }

  package init(verdicts: [UploadVerdict]) {
    self.verdicts = verdicts
  }
}

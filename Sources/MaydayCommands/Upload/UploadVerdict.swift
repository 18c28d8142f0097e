import JSON

/// What became of a file that was to be sent.
struct UploadVerdict {
  enum Outcome: String {
    /// The server took it: it is on its disk.
    case sent
    /// The server had it.
    case known
    case refused
  }

  let path: String
  /// `nil` for a file that is neither a debug file nor a report that can be read.
  var kind: UploadItem.Kind?
  /// In bytes, without compression.
  var size: Int?
  var digest: String?
  let outcome: Outcome
  /// Why it is refused.
  var reason: String?

  init(_ item: UploadItem, _ outcome: Outcome, _ reason: String? = nil) {
    path = item.path
    kind = item.kind
    size = item.size
    digest = item.parts.first?.digest
    self.outcome = outcome
    self.reason = reason
  }

  /// A file that is not sent.
  init(refusing path: String, _ reason: String) {
    self.path = path
    outcome = .refused
    self.reason = reason
  }
}

extension JSONWriter {
  mutating func write(_ verdict: UploadVerdict) {
    beginObject()
    member("file", verdict.path)
    member("kind", verdict.kind?.rawValue)
    if let size = verdict.size { member("size", size) }
    member("sha256", verdict.digest)
    member("verdict", verdict.outcome.rawValue)
    member("reason", verdict.reason)
    endObject()
  }
}

/// Verdicts, a line each; a reason has a line of its own.
struct UploadVerdictList {
  let verdicts: [UploadVerdict]

  func lines(width: Int, styles: Styles) -> [String] {
    guard !verdicts.isEmpty else { return [] }
    var table = TextTable([
      .text("VERDICT"), .text("KIND"), .number("BYTES"), .text("FILE", .atStart),
    ])
    for verdict in verdicts {
      table.add(
        [
          verdict.outcome.rawValue, verdict.kind?.rawValue ?? "",
          verdict.size.map(String.init) ?? "", verdict.path.printable,
        ], style: verdict.outcome == .refused ? styles.warning : nil)
    }
    return table.lines(width: width, styles: styles, notes: verdicts.map(\.reason))
  }
}

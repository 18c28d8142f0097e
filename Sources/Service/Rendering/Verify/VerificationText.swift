internal import Bytes
internal import CrashService
internal import Identifiers
package import JSON
package import Pipeline

/// A report that would be different if it was processed today, as text.
package struct VerificationText {
  package var width = 80
  package var styles = Styles.plain

  package init(width: Int = 80, styles: Styles = .plain) {
    self.width = width
    self.styles = styles
  }

  /// Returns the number of differences shown; fewer if the cause is enough.
  private static func mostDifferences(_ verification: Verification) -> Int {
    verification.causes.contains { $0.debugID != nil } ? 2 : 6
  }

  package func lines(for verification: Verification) -> [String] {
    let group = verification.group.isEmpty ? "" : "  \(verification.group.printable)"
    var lines = [styles.danger("differs") + "  \(verification.report.printable)\(group)"]
    for cause in verification.causes {
      lines += Self.words(for: cause).printable.lines(of: width - 6).enumerated().map {
        ($0 == 0 ? "    - " : "      ") + $1
      }
    }
    guard let documents = verification.documents else { return lines }
    let most = Self.mostDifferences(verification)
    let differences = DocumentDifference.first(
      most, between: documents.stored, and: documents.now)
    for difference in differences {
      lines.append(styles.dim("      " + difference.path.printable.truncated(to: width - 6)))
      for (word, value) in [("kept", difference.stored), ("now", difference.now)] {
        let text = (value ?? "nothing").printable.truncated(to: width - 14)
        lines.append(styles.dim("        \(word.padded(to: 4))  ") + text)
      }
    }
    if differences.count == most {
      lines.append(styles.dim("      … and perhaps more: --json shows up to 100"))
    }
    return lines
  }

  package static func words(for cause: Verification.Cause) -> String {
    switch cause {
    case .engine(let made, let now): "made by version \(made); this is \(now)"
    case .rules(let made, let now):
      "made by rules \(short(made)); these are \(short(now))"
    case .scrubRules(let made, let now):
      "scrubbed by rules \(made ?? "of none"); these are \(now ?? "none")"
    case .symbolCache(let made, let now):
      "made with symbol caches of version \(made ?? 0); now they are of version \(now ?? 0)"
    case .absentDebugFile(let name, let id, let digest):
      "made with \(name ?? "a debug file") (\(id), SHA-256 \(short(digest))), which the store does "
        + "not have: add it with mayday symbols add"
    case .otherDebugFile(let name, let id, let made, let now):
      "made with \(name ?? "a debug file") (\(id), SHA-256 \(short(made))); today another file of "
        + "that id is used (\(short(now)))"
    case .damagedDebugFile(let name, let id, let digest):
      "made with \(name ?? "a debug file") (\(id), SHA-256 \(short(digest))), which is damaged in "
        + "the store: add it again with mayday symbols add"
    case .newDebugFile(let name, let id):
      "made without \(name ?? "the debug file") of \(id), which the store has now"
    case .damage(let reason): "damaged: \(reason)"
    case .unreadable(let reason): "its bytes cannot be read as they were: \(reason)"
    case .unexplained: "version, rules and debug files are the same, and yet the result is not"
    }
  }

  private static func short(_ digest: String?) -> String {
    digest.map { String($0.prefix(12)) } ?? "not recorded"
  }
}

extension JSONWriter {
  package mutating func write(_ verification: Verification) {
    beginObject()
    member("report", verification.report)
    member("group", verification.group.isEmpty ? nil : verification.group)
    member("identical", verification.isIdentical)
    key("causes")
    beginArray()
    for cause in verification.causes {
      beginObject()
      member("cause", cause.word)
      member("text", VerificationText.words(for: cause))
      member("debug_id", cause.debugID?.description)
      member("digest", cause.digest)
      endObject()
    }
    endArray()
    if let documents = verification.documents {
      key("differences")
      beginArray()
      for difference in DocumentDifference.first(
        100, between: documents.stored, and: documents.now)
      {
        beginObject()
        member("path", difference.path)
        member("stored", difference.stored)
        member("now", difference.now)
        endObject()
      }
      endArray()
    }
    endObject()
  }
}

extension Verification.Cause {
  /// The cause's name in JSON and in the sums.
  package var word: String {
    switch self {
    case .engine: "engine"
    case .rules: "rules"
    case .scrubRules: "scrub-rules"
    case .symbolCache: "symbol-cache"
    case .absentDebugFile: "debug-file-absent"
    case .otherDebugFile: "debug-file-other"
    case .damagedDebugFile: "debug-file-damaged"
    case .newDebugFile: "debug-file-new"
    case .damage: "damage"
    case .unreadable: "unreadable"
    case .unexplained: "unexplained"
    }
  }

  fileprivate var debugID: DebugID? {
    switch self {
    case .absentDebugFile(_, let id, _), .otherDebugFile(_, let id, _, _),
      .damagedDebugFile(_, let id, _), .newDebugFile(_, let id):
      id
    default: nil
    }
  }

  /// The digest of the debug file it was made with.
  fileprivate var digest: String? {
    switch self {
    case .absentDebugFile(_, _, let digest), .otherDebugFile(_, _, let digest, _),
      .damagedDebugFile(_, _, let digest):
      digest
    default: nil
    }
  }
}

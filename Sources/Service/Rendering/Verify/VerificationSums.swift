internal import Bytes
internal import CrashService
package import JSON
package import Pipeline

/// The number of reports that differ, by cause, with the first report of each as the example.
package struct VerificationSums {
  package init() {}

  package struct Line {
    package var count: Int
    /// The first report that differs for this cause.
    package let report: String
    package let group: String
    package let cause: Verification.Cause

    package init(count: Int, report: String, group: String, cause: Verification.Cause) {
      self.count = count
      self.report = report
      self.group = group
      self.cause = cause
    }
  }

  package private(set) var count = 0
  package private(set) var differentCount = 0
  private var lines: [String: Line] = [:]

  package var identicalCount: Int { count - differentCount }

  /// The causes, most frequent first.
  package var causes: [Line] {
    lines.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.map(\.value)
  }

  package mutating func add(_ result: Verification) {
    count += 1
    guard !result.isIdentical else { return }
    differentCount += 1
    var seen: Set<String> = []
    for cause in result.causes where seen.insert(cause.word).inserted {
      lines[
        cause.word,
        default: Line(count: 0, report: result.report, group: result.group, cause: cause)
      ]
      .count += 1
    }
  }

  /// Returns a table: the number of reports, the cause, and one of the reports.
  package func text(width: Int, styles: Styles) -> [String] {
    var table = TextTable([.number("REPORTS"), .text("CAUSE"), .text("EXAMPLE", .atEnd)])
    for line in causes {
      let example = [String(line.report.prefix(12)), line.group].filter { !$0.isEmpty }
      table.add([
        String(line.count), line.cause.word, example.joined(separator: "  ").printable,
      ])
    }
    let notes = causes.map { VerificationText.words(for: $0.cause) as String? }
    var lines = table.lines(width: width, styles: styles, notes: notes)
    if causes.reduce(0, { $0 + $1.count }) > differentCount {
      lines += ["", "A report may differ for several causes."]
    }
    return lines
  }
}

extension JSONWriter {
  /// Writes the members of an object: the counts, and the reports by cause.
  package mutating func members(_ sums: VerificationSums) {
    member("reports", sums.count)
    member("identical", sums.identicalCount)
    member("different", sums.differentCount)
    key("causes")
    beginArray()
    for line in sums.causes {
      beginObject()
      member("cause", line.cause.word)
      member("reports", line.count)
      key("example")
      beginObject()
      member("report", line.report)
      member("group", line.group.isEmpty ? nil : line.group)
      member("text", VerificationText.words(for: line.cause))
      endObject()
      endObject()
    }
    endArray()
  }
}

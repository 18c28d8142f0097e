public import Bytes

/// The problem with a query, and its position.
public struct QueryError: Error, Sendable, Hashable {
  /// The problem: `no field 'colour'`.
  public let message: String
  /// The correction.
  public let hint: String?
  /// The query.
  public let text: String
  /// The position in ``text``, counted in Unicode scalars; within its bounds.
  public let range: Range<Int>
  /// Whether to list the fields.
  public let listsFields: Bool

  init(
    _ message: String, in text: String, at range: Range<Int>, hint: String? = nil,
    listsFields: Bool = false
  ) {
    self.message = message
    self.text = text
    let count = text.unicodeScalars.count
    self.range = min(range.lowerBound, count)..<min(max(range.upperBound, range.lowerBound), count)
    self.hint = hint
    self.listsFields = listsFields
  }

  /// Maximum number of columns of the query shown around the position.
  private static let shown = 72

  /// The error for display: the problem, the query with the position marked, and the hint.
  ///
  /// Control characters of the query are shown as `?`.
  public func lines(width: Int = 80) -> [String] {
    let scalars = Array(text.unicodeScalars)
    let room = max(20, min(width - 4, Self.shown))
    var start = 0
    var cut = scalars.count
    if scalars.count > room {
      start = max(0, min(range.lowerBound - room / 3, scalars.count - room))
      cut = start + room
    }
    var shown = start > 0 ? "…" : ""
    var mark = start > 0 ? " " : ""
    for (index, scalar) in scalars.enumerated() where index >= start && index < cut {
      let isControl = scalar.value < 0x20 || (0x7f..<0xa0).contains(scalar.value)
      shown.unicodeScalars.append(isControl ? "?" : scalar)
      if index < range.upperBound || index == range.lowerBound {
        let sign = index < range.lowerBound ? " " : index == range.lowerBound ? "^" : "~"
        mark += String(repeating: sign, count: isControl ? 1 : scalar.columns)
      }
    }
    if range.lowerBound >= scalars.count { mark += "^" }
    if cut < scalars.count { shown += "…" }
    var lines = [message, "  " + shown, "  " + mark]
    if let hint { lines.append(hint) }
    if listsFields { lines += Self.fieldLines(width: width) }
    return lines
  }

  /// The names of the fields, as many per line as fit.
  private static func fieldLines(width: Int) -> [String] {
    var lines = ["Fields:"]
    for (index, name) in QueryField.names.enumerated() {
      let word = name + (index < QueryField.names.count - 1 ? "," : "")
      if lines[lines.count - 1].utf8.count + word.utf8.count + 1 > max(40, width) {
        lines.append(" ")
      }
      lines[lines.count - 1] += " " + word
    }
    return lines
  }
}

extension QueryError: CustomStringConvertible {
  public var description: String { lines().joined(separator: "\n") }
}

extension Unicode.Scalar {
  /// Width in terminal columns: marks have none, East Asian letters and pictures two.
  ///
  /// Source: Unicode Standard Annex 11, the blocks that are wide throughout.
  fileprivate var columns: Int {
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    switch value {
    case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0xa4cf, 0xac00...0xd7a3, 0xf900...0xfaff,
      0xfe30...0xfe6f, 0xff00...0xff60, 0xffe0...0xffe6, 0x1f300...0x1f64f, 0x1f900...0x1f9ff,
      0x20000...0x3fffd:
      return 2
    default: return 1
    }
  }
}

extension QueryError: UserFacingError {
  public var userLines: [String] { lines() }
  public var failureKind: FailureKind { .wrongUsage }
}

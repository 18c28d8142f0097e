import Bytes
import CommandSupport
import CrashModel
import Grouping
import Pipeline
import TriageModel

/// Expected results of rules for reports, one per line.
///
///     # a remark
///     crash.ips      title tern::raise
///     other.ips      same group as crash.ips
///     "a third.ips"  other group than crash.ips
struct RuleExpectations {
  enum Expectation {
    case title(String)
    case sameGroup(as: String)
    case otherGroup(than: String)
  }

  struct Line {
    /// Counted from 1.
    let number: Int
    let report: String
    let expectation: Expectation
  }

  let lines: [Line]

  private static let sizeLimit = 1 << 20

  /// - Throws: ``CommandFailure`` that names the line.
  init(file path: String) throws {
    let text = try ByteView(reading: path, limit: Self.sizeLimit).text
    var lines: [Line] = []
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated()
    {
      let rest = line.drop { $0 == " " || $0 == "\t" }
      if rest.isEmpty || rest.hasPrefix("#") { continue }
      guard let expectation = Self.line(rest, index + 1) else {
        throw CommandFailure(
          "\(path.printable):\(index + 1): after the report, title TEXT, same group as REPORT, or"
            + " other group than REPORT is expected", .wrongUsage)
      }
      lines.append(expectation)
    }
    self.lines = lines
  }

  private static func line(_ text: Substring, _ number: Int) -> Line? {
    guard let (report, rest) = word(text) else { return nil }
    let expectation: Expectation
    if let title = rest.after("title ") {
      expectation = .title(String(title))
    } else if let other = rest.after("same group as "), let (name, end) = word(other), end.isEmpty {
      expectation = .sameGroup(as: name)
    } else if let other = rest.after("other group than "), let (name, end) = word(other),
      end.isEmpty
    {
      expectation = .otherGroup(than: name)
    } else {
      return nil
    }
    return Line(number: number, report: report, expectation: expectation)
  }

  /// The first word, or the text in quotation marks, and the rest after whitespace.
  private static func word(_ text: Substring) -> (String, Substring)? {
    let isQuoted = text.hasPrefix("\"")
    let body = isQuoted ? text.dropFirst() : text
    let word = body.prefix { isQuoted ? $0 != "\"" : $0 != " " && $0 != "\t" }
    var rest = body[word.endIndex...]
    if isQuoted {
      guard rest.hasPrefix("\"") else { return nil }
      rest = rest.dropFirst()
    }
    while rest.last?.isWhitespace == true { rest = rest.dropLast() }
    return word.isEmpty ? nil : (String(word), rest.drop { $0 == " " || $0 == "\t" })
  }
}

extension Substring {
  /// The text after a prefix; `nil` without the prefix, or if nothing follows it.
  fileprivate func after(_ start: String) -> Substring? {
    guard hasPrefix(start) else { return nil }
    let rest = dropFirst(start.count).drop { $0 == " " }
    return rest.isEmpty ? nil : rest
  }
}

extension RuleExpectations {
  /// An expectation that was not met.
  struct Miss {
    let line: Line
    let words: String
  }

  /// - Parameter signature: Returns the signature of the one report in a file.
  /// - Throws: What `signature` throws.
  func misses(_ signature: (String) throws -> Signature) throws -> [Miss] {
    var known: [String: Signature] = [:]
    func signed(_ report: String) throws -> Signature {
      if let known = known[report] { return known }
      let made = try signature(report)
      known[report] = made
      return made
    }
    return try lines.compactMap { line in
      let found = try signed(line.report)
      switch line.expectation {
      case .title(let title):
        guard found.text != title else { return nil }
        return Miss(line: line, words: "the title is \(found.text), not \(title)")
      case .sameGroup(let other):
        let second = try signed(other)
        guard !Self.isOneGroup(found, second) else { return nil }
        return Miss(
          line: line, words: "\(found.text), and \(other) is \(second.text): another group")
      case .otherGroup(let other):
        guard Self.isOneGroup(found, try signed(other)) else { return nil }
        return Miss(line: line, words: "\(found.text), as \(other): the same group")
      }
    }
  }

  /// Whether the two reports, on their own, would share a group.
  private static func isOneGroup(_ one: Signature, _ other: Signature) -> Bool {
    guard one.key != other.key else { return true }
    let roots = KeyPartition.roots(
      of: [one.key: Set(one.exactAlternativeKeys), other.key: Set(other.exactAlternativeKeys)],
      weak: [one.key: Set(one.weakAlternativeKeys), other.key: Set(other.weakAlternativeKeys)])
    return roots[one.key] == roots[other.key]
  }
}

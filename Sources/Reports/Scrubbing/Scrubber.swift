public import Bytes
internal import Crypto
internal import Patterns
internal import Synchronization

/// Removes whatever the rules of a home match from reports and files.
///
/// The same text and rules give the same result, and scrubbing twice changes nothing more.
public final class Scrubber: Sendable {
  public let rules: ScrubRules
  private let blank: TextScrubber
  private let spare = Mutex<[TextScrubber]>([])

  /// - Throws: ``ScrubError`` when the rules are too large together.
  public init(_ rules: ScrubRules) throws(ScrubError) {
    self.rules = rules
    do throws(PatternError) {
      blank = try TextScrubber(rules.rules)
    } catch {
      throw ScrubError(line: 1, reason: error.reason)
    }
  }

  /// A part of a text to remove.
  public struct Find: Equatable, Sendable {
    /// The range in bytes.
    public let range: Range<Int>
    /// The index of the rule that matched.
    public let rule: Int
  }

  /// The parts of `text` that the rules match.
  ///
  /// - Complexity: O(n).
  public func finds(in text: ByteView) -> [Find] {
    withMachine { machine in
      let bytes = text.array
      return machine.finds(in: bytes.span).map { Find(range: $0.range, rule: $0.rule) }
    }
  }

  /// The text without the rules' matches.
  ///
  /// - Complexity: O(n).
  public func scrub(_ text: String) -> String {
    guard text.utf8.count > 3 else { return text }
    return withMachine { $0.scrub(text, rules.rules) }
  }

  /// The file without the rules' matches if it is UTF-8 text; otherwise unchanged.
  ///
  /// - Complexity: O(n).
  public func scrub(file: ByteView) -> ByteView {
    guard !rules.rules.isEmpty, Self.isText(file) else { return file }
    return withMachine { machine in
      let bytes = file.array
      return machine.scrub(bytes, rules.rules).map(ByteView.init) ?? file
    }
  }

  /// The form in which submissions are stored.
  public func submission(_ bytes: ByteView) -> ByteView {
    rules.submissions == .scrub ? scrub(file: bytes) : bytes
  }

  /// A stable pseudonym for a user whose name must not be shown: the same for the same user.
  public func user(_ name: String) -> String {
    scrub(name) == name ? name : "user-" + SHA256.hex(of: ByteView(name.utf8)).prefix(16)
  }

  /// The value of a tag or property.
  public func value(_ value: String, of name: String) -> String {
    rules.isSecret(name) && !value.isEmpty ? "[secret]" : scrub(value)
  }

  private static func isText(_ file: ByteView) -> Bool {
    for offset in 0..<file.count where file[offset] == 0 { return false }
    return String(validating: file.array, as: UTF8.self) != nil
  }

  private func withMachine<Result>(_ body: (inout TextScrubber) -> Result) -> Result {
    var machine = spare.withLock { $0.popLast() } ?? blank
    defer { spare.withLock { $0.append(machine) } }
    return body(&machine)
  }
}

extension TextScrubber {
  fileprivate mutating func scrub(_ text: String, _ rules: [ScrubRule]) -> String {
    scrub(Array(text.utf8), rules).map { String(decoding: $0, as: UTF8.self) } ?? text
  }

  /// - Returns: `nil` where nothing is found.
  fileprivate mutating func scrub(_ text: [UInt8], _ rules: [ScrubRule]) -> [UInt8]? {
    let finds = finds(in: text.span)
    guard !finds.isEmpty else { return nil }
    var output: [UInt8] = []
    output.reserveCapacity(text.count)
    var done = 0
    for find in finds {
      output += text[done..<find.range.lowerBound]
      output += rules[find.rule].replacement
      done = find.range.upperBound
    }
    return output + text[done...]
  }
}

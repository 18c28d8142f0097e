internal import CrashModel

/// One line of a list.
final class ListedRule: Sendable {
  let pattern: NamePattern
  /// List and line: `death.rules:12`.
  let id: String
  let frameClass: FrameClass?
  // The options after the pattern.
  let dropsAbove: Bool
  let onlyAtBottom: Bool
  let onlyOutsideApp: Bool
  /// Whether the function is the app's own, though it is at the bottom of a stack.
  let isEntry: Bool
  let module: NamePattern?
  /// Whether it holds for functions of scripts too; no other rule does.
  let holdsForScripts: Bool
  /// Whether a name alone is enough to give the class.
  var isUnconditional: Bool {
    frameClass != nil && !onlyAtBottom && !onlyOutsideApp && module == nil
  }
  /// The origin of an image, in `images.rules`.
  let origin: ImageOrigin?

  /// The rules of `list`, in order.
  ///
  /// The lists are part of the program, and a test reads each of them: a line that is not a rule is a bug.
  static func rules(of list: RuleList, frameClass: FrameClass? = nil) -> [ListedRule] {
    lines(of: list.text).map { number, line in
      do throws(RuleError) {
        return try ListedRule(line, id: "\(list.name):\(number)", frameClass: frameClass)
      } catch {
        preconditionFailure("\(error)")
      }
    }
  }

  /// The lines that are rules, with their numbers from 1.
  static func lines(of text: String) -> [(number: Int, line: Substring)] {
    // Bytes, since every process reads the lists at its start.
    text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
      .compactMap { index, line in
        line.isEmpty || line.starts(with: "# ".utf8) ? nil : (index + 1, Substring(line))
      }
  }

  /// - Throws: ``RuleError`` when `line` has no pattern or an option that does not exist.
  init(_ line: Substring, id: String, frameClass: FrameClass?) throws(RuleError) {
    let bytes = NameBytes(line.utf8)
    let end = bytes.find("  ") ?? bytes.count
    let text = NameBytes(bytes[..<end])
    pattern = NamePattern(text)
    self.id = id
    self.frameClass = frameClass
    let blank = UInt8(ascii: " ")
    if text.isEmpty || text.first == blank || text.last == blank
      || text.contains(UInt8(ascii: "\t"))
    {
      throw RuleError(
        id: id, problem: "\"\(String(decoding: text, as: UTF8.self))\" is not a pattern")
    }
    // Most rules have no options.
    let options = end < bytes.count ? Self.options(bytes[end...]) : []
    dropsAbove = options.contains("above")
    onlyAtBottom = options.contains("bottom")
    onlyOutsideApp = options.contains("notapp")
    isEntry = options.contains("entry")
    holdsForScripts = options.contains("scripts")
    module = options.first { $0.hasPrefix("module:") }.map {
      NamePattern(NameBytes($0.utf8.dropFirst(7)))
    }
    origin = options.lazy.compactMap { ImageOrigin(rawValue: $0) }.first
    for option in options
    where !["above", "bottom", "notapp", "entry", "scripts"].contains(option)
      && !option.hasPrefix("module:") && ImageOrigin(rawValue: option) == nil
    {
      throw RuleError(id: id, problem: "\(option) is not an option")
    }
  }

  /// The options after a pattern, each after two blanks or more.
  private static func options(_ text: ArraySlice<UInt8>) -> [String] {
    var options: [String] = []
    var rest = NameBytes(text)
    while !rest.isEmpty {
      rest = NameBytes(rest.drop { $0 == UInt8(ascii: " ") })
      let end = rest.find("  ") ?? rest.count
      options.append(String(decoding: rest[..<end], as: UTF8.self))
      rest = NameBytes(rest[end...])
    }
    return options
  }
}

/// A line of a list that cannot be read.
struct RuleError: Error, CustomStringConvertible {
  /// List and line: `death.rules:12`.
  let id: String
  let problem: String

  var description: String { "\(id): \(problem)" }
}

/// The origin of an image.
enum ImageOrigin: String, Sendable {
  case app, system
  /// A library of a platform whatever its path, even if its debug file was uploaded.
  case platform
  /// In a folder that belongs to one package of a Linux distribution: the app's if that is such a package
  /// too.
  case package
  case undecided
}

internal import CrashModel

/// One line of a list.
final class ListedRule: Sendable {
  let pattern: NamePattern
  /// List and line: `death.rules:12`.
  let id: String
  let frameClass: FrameClass?
  // The words after the pattern.
  let dropsAbove: Bool
  let onlyAtBottom: Bool
  let onlyOutsideApp: Bool
  /// Whether the function is the app's own, though it stands at the bottom of a stack.
  let isEntry: Bool
  let module: NamePattern?
  /// Whether it holds for functions of scripts, too; no other rule does.
  let holdsForScripts: Bool
  /// Whether a name alone is enough to give the class.
  var isUnconditional: Bool {
    frameClass != nil && !onlyAtBottom && !onlyOutsideApp && module == nil
  }
  /// Whose an image is, in `images.rules`.
  let origin: ImageOrigin?

  /// The rules of `list`, in order.
  ///
  /// The lists are a part of the program, and a test reads each: a line that is not a rule is our own
  /// mistake.
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
    var text = line
    var options: [Substring] = []
    while let gap = text.lastDoubleBlank {
      options.append(text[text.index(gap, offsetBy: 2)...].drop { $0 == " " })
      text = text[..<gap]
    }
    pattern = NamePattern(text)
    self.id = id
    self.frameClass = frameClass
    dropsAbove = options.contains("above")
    onlyAtBottom = options.contains("bottom")
    onlyOutsideApp = options.contains("notapp")
    isEntry = options.contains("entry")
    holdsForScripts = options.contains("scripts")
    module = options.first { $0.hasPrefix("module:") }.map { NamePattern($0.dropFirst(7)) }
    origin = options.lazy.compactMap { ImageOrigin(rawValue: String($0)) }.first
    let blank = UInt8(ascii: " ")
    if text.isEmpty || text.utf8.first == blank || text.utf8.last == blank
      || text.utf8.contains(UInt8(ascii: "\t"))
    {
      throw RuleError(id: id, problem: "\"\(text)\" is not a pattern")
    }
    for option in options
    where !["above", "bottom", "notapp", "entry", "scripts"].contains(option)
      && !option.hasPrefix("module:") && ImageOrigin(rawValue: String(option)) == nil
    {
      throw RuleError(id: id, problem: "\(option) is not an option")
    }
  }
}

/// A line of a list that cannot be read.
struct RuleError: Error, CustomStringConvertible {
  /// List and line: `death.rules:12`.
  let id: String
  let problem: String

  var description: String { "\(id): \(problem)" }
}

extension Substring {
  fileprivate var lastDoubleBlank: Substring.Index? {
    let bytes = utf8
    var index = bytes.endIndex
    while index > bytes.startIndex {
      let before = bytes.index(before: index)
      if bytes[before] == 0x20, before > bytes.startIndex,
        bytes[bytes.index(before: before)] == 0x20
      {
        return bytes.index(before: before)
      }
      index = before
    }
    return nil
  }
}

/// Whose an image is.
enum ImageOrigin: String, Sendable {
  case app, system
  /// A library of a platform whatever its path, and even when its debug file was given.
  case platform
  /// In a folder that belongs to one package of a Linux distribution: of the app when that is such a
  /// package too.
  case package
  case undecided
}

internal import CrashModel

/// One line of a list.
struct ListedRule {
  let pattern: NamePattern
  /// The name of the list: `death.rules`.
  let list: String
  /// Counted from 1.
  let line: Int
  let frameClass: FrameClass?
  let options: RuleFile.Options
  /// The pattern of an image's name, and its distance from the start of the line.
  let module: (bytes: NameBytes, distance: Int)?
  /// The origin of an image, in `images.rules`.
  let origin: ImageOrigin?

  /// List and line: `death.rules:12`.
  var id: String { "\(list):\(line)" }

  /// The lines that are rules, with their numbers from 1 and their places in the text.
  static func lines(of text: [UInt8]) -> [(number: Int, range: Range<Int>)] {
    text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
      .compactMap { index, line in
        line.isEmpty || line.starts(with: "# ".utf8) ? nil : (index + 1, line.indices)
      }
  }

  /// - Throws: ``RuleError`` when `text` has no pattern or an option that does not exist.
  init(
    _ text: ArraySlice<UInt8>, list: String, line: Int, frameClass: FrameClass?
  ) throws(RuleError) {
    let bytes = NameBytes(text)
    let end = bytes.find("  ") ?? bytes.count
    let pattern = NameBytes(bytes[..<end])
    let blank = UInt8(ascii: " ")
    self.pattern = NamePattern(pattern)
    self.list = list
    self.line = line
    self.frameClass = frameClass
    func error(_ problem: String) -> RuleError {
      RuleError(id: "\(list):\(line)", problem: problem)
    }
    if pattern.isEmpty || pattern.first == blank || pattern.last == blank
      || pattern.contains(UInt8(ascii: "\t"))
    {
      throw error("\"\(pattern.text)\" is not a pattern")
    }
    var options = RuleFile.Options()
    var module: (bytes: NameBytes, distance: Int)?
    var origin: ImageOrigin?
    for range in Self.options(bytes, from: end) {
      let option = NameBytes(bytes[range])
      switch option.text {
      case "above": options.insert(.above)
      case "bottom": options.insert(.bottom)
      case "notapp": options.insert(.notApp)
      case "entry": options.insert(.entry)
      case "scripts": options.insert(.scripts)
      case let name where name.hasPrefix("module:"):
        module = module ?? (option.from(7), range.lowerBound + 7)
      case let name:
        guard let found = ImageOrigin(rawValue: name) else {
          throw error("\(name) is not an option")
        }
        origin = origin ?? found
      }
    }
    (self.options, self.module, self.origin) = (options, module, origin)
  }

  /// Where the options after a pattern are, each after two blanks or more.
  private static func options(_ bytes: NameBytes, from start: Int) -> [Range<Int>] {
    var options: [Range<Int>] = []
    var start = start
    while start < bytes.count {
      while bytes.at(start) == UInt8(ascii: " ") { start += 1 }
      let end = bytes.find("  ", from: start) ?? bytes.count
      options.append(start..<end)
      start = end
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

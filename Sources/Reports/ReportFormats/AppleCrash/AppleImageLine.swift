internal import Bytes
internal import CrashModel
internal import Identifiers

/// A line of `Binary Images:`.
///
///     START - END NAME ARCH  <UUID> PATH                     iOS
///     START - END +BUNDLE (VERSION - BUILD) <UUID> PATH      macOS; + marks code that is not Apple's
///     START - END +NAME ARCH (VERSION - BUILD) <UUID> PATH   SDKs
///     START -  ???  NAME VERSION (BUILD)  <UUID>  PATH       resource reports; no END, UUID or PATH
///     START <UUID>                                           stackshots of iOS 7
///
/// END is the last byte of the image.
///
/// Source: reports of iOS 6 to 18 and macOS 10.8 to 15, of PLCrashReporter and of KSCrash.
struct AppleImageLine {
  var image: LoadedImage
  /// The report's name of the image, if its path has another.
  var reportedName: String
  /// Whether the line only says that some addresses lie in no image.
  var isPlaceholder = false

  /// - Parameters:
  ///   - line: The line without blanks at either end.
  ///   - hasVersionInName: Whether a version may follow the name, as in resource reports.
  init?(_ line: RawSpan, hasVersionInName: Bool) {
    // spindump marks the kernel's images with `*`.
    var at = [UInt8(ascii: "+"), UInt8(ascii: "*")].contains(line.byteOrZero(0)) ? 1 : 0
    guard let token = AppleFrameLine.hexadecimalToken(line, at: at),
      let start = line.part(token).unsignedNumber
    else { return nil }
    image = LoadedImage(name: "", base: Address(start))
    at = token.upperBound
    func skipBlanks() { at = line.skippingBlanks(from: at) }
    skipBlanks()
    if at < line.byteCount, line.byte(at) == UInt8(ascii: "-") {
      at += 1
      skipBlanks()
      if let token = AppleFrameLine.hexadecimalToken(line, at: at) {
        let last = line.part(token).unsignedNumber ?? start
        guard last >= start else { return nil }
        // The whole address space denotes addresses outside all images.
        isPlaceholder = last - start == .max
        if last > start && !isPlaceholder { image.size = last - start + 1 }
        at = token.upperBound
      } else if line.has("???", at: at) {
        at += 3
      } else {
        return nil
      }
      skipBlanks()
    } else if at >= line.byteCount || line.byte(at) != UInt8(ascii: "<") {
      return nil
    }
    if at < line.byteCount, line.byte(at) == UInt8(ascii: "+") {
      at += 1
      skipBlanks()
    }

    let rest = line.from(at)
    var name = rest
    if let id = Self.identity(rest) {
      image.debugID = DebugID(digits: rest.part((id.lowerBound + 1)..<(id.upperBound - 1)))
      name = rest.upTo(id.lowerBound).trimmed
      image.path = Self.path(rest.from(id.upperBound).trimmed)
    } else if let slash = rest.find(" /") {
      name = rest.upTo(slash).trimmed
      image.path = Self.path(rest.from(slash).trimmed)
    }
    reportedName = ""
    takeName(name, hasVersionInName: hasVersionInName)
    let last = image.path.map { AppleNames.lastPart($0) } ?? ""
    image.name = last.isEmpty ? reportedName : last
    if image.name.isEmpty { image.name = "???" }
  }

  private mutating func takeName(_ text: RawSpan, hasVersionInName: Bool) {
    var name = text
    var hasGroup = false
    if name.byteCount > 0, name.byte(name.byteCount - 1) == UInt8(ascii: ")"),
      let open = name.findLast(" (")
    {
      let group = name.part((open + 2)..<(name.byteCount - 1)).text
      hasGroup = true
      if Self.architectures.contains(group) {
        image.architecture = Architecture(group)
      } else if group != "*" && group != "???" {
        image.version = group
      }
      name = name.upTo(open).trimmed
    }
    if let blank = name.findLast(" ") {
      let last = name.from(blank + 1)
      let word = last.text
      if image.architecture == nil, Self.architectures.contains(word) {
        image.architecture = Architecture(word)
        name = name.upTo(blank).trimmed
      } else if hasVersionInName, hasGroup, last.byteCount > 0, last.byte(0).isDigit {
        image.version = word
        name = name.upTo(blank).trimmed
      }
    }
    reportedName = name.text
    if reportedName == "???" { reportedName = "" }
  }

  /// `<` and `>` around 32 hexadecimal digits with or without dashes.
  private static func identity(_ text: RawSpan) -> Range<Int>? {
    var from = 0
    while let open = text.find(UInt8(ascii: "<"), from: from) {
      from = open + 1
      var at = open + 1
      while at < text.byteCount, at - open <= 48,
        text.byte(at).hexadecimalDigit != nil || text.byte(at) == UInt8(ascii: "-")
      {
        at += 1
      }
      if at < text.byteCount, at - open > 32, text.byte(at) == UInt8(ascii: ">") {
        return open..<(at + 1)
      }
    }
    return nil
  }

  private static func path(_ text: RawSpan) -> String? {
    guard text.byteCount > 0, !(text.byteCount == 3 && text.has("???")) else { return nil }
    // Jailbreak tools put the package manager's data after the path.
    if text.byte(text.byteCount - 1) == UInt8(ascii: "}"), let brace = text.find(" {") {
      return text.upTo(brace).trimmed.text
    }
    return text.text
  }

  private static let architectures: Set<String> = [
    "arm64", "arm64e", "arm64_32", "armv6", "armv7", "armv7s", "armv7k", "armv7f", "arm", "x86_64",
    "x86_64h", "i386", "x86", "ppc", "ppc64",
  ]
}

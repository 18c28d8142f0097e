package import CrashModel
internal import CrashService
internal import ReportDocument

/// A frame, split into the parts that App Center's API shows.
package struct AppCenterFrame {
  package let frame: Frame
  /// The module's name, if only an address is known.
  package let image: String?
  package private(set) var className: String?
  package private(set) var method: String?
  package private(set) var isClassMethod = false
  package private(set) var parameters: String?

  /// The language of code without addresses, as far as the system tells.
  private let managedLanguage: String?

  package init(_ frame: Frame, of report: CrashReport) {
    self.frame = frame
    switch report.appCenterPlatform {
    case "android" where frame.address == nil: managedLanguage = "Java"
    case "xamarin" where frame.address == nil: managedLanguage = "CSharp"
    default: managedLanguage = nil
    }
    image = frame.image.flatMap {
      report.images.indices.contains($0) ? report.images[$0].name : nil
    }
    guard let function = frame.function else { return }
    if function.hasSuffix("]"), function.hasPrefix("-[") || function.hasPrefix("+[") {
      let words = function.dropFirst(2).dropLast().split(separator: " ", maxSplits: 1)
      className = words.first.map(String.init)
      method = words.count == 2 ? String(words[1]) : nil
      isClassMethod = function.hasPrefix("+")
      return
    }
    let (mark, open) = Self.marks(in: function)
    let end = open ?? function.endIndex
    if let open { parameters = Self.parameters(in: function[function.index(after: open)...]) }
    if let mark {
      className = String(function[..<mark.lowerBound])
      method = String(function[mark.upperBound..<end])
    } else {
      method = String(function[..<end])
    }
  }

  /// Returns the text up to the closing bracket; what follows is a result or a qualifier.
  private static func parameters(in rest: Substring) -> String? {
    var depth = 0
    for index in rest.indices {
      if rest[index] == "(" { depth += 1 }
      guard rest[index] == ")" else { continue }
      if depth == 0 { return String(rest[..<index]) }
      depth -= 1
    }
    return nil
  }

  /// Returns the last separator between names, and the start of the parameters. Text in brackets has its own
  /// dots and colons.
  private static func marks(in name: String) -> (Range<String.Index>?, String.Index?) {
    var mark: Range<String.Index>?
    var depth = 0
    var index = name.startIndex
    while index < name.endIndex {
      let next = name.index(after: index)
      switch name[index] {
      case "(" where depth == 0 && index > (mark?.upperBound ?? name.startIndex):
        return (mark, index)
      case "(", "<", "[", "{": depth += 1
      case ")", ">", "]", "}": depth = max(0, depth - 1)
      case "." where depth == 0 && index > name.startIndex && next < name.endIndex:
        mark = index..<next
      case ":" where depth == 0 && next < name.endIndex && name[next] == ":":
        let end = name.index(after: next)
        if index > name.startIndex && end < name.endIndex { mark = index..<end }
        index = end
        continue
      default: break
      }
      index = next
    }
    return (mark, nil)
  }

  /// The frame as in the report.
  package var raw: String {
    frame.symbol ?? frame.function ?? frame.address.map { "\($0)" } ?? "unknown"
  }

  /// The frame for display.
  package var formatted: String {
    var text = frame.function ?? frame.address.map { "\($0)" } ?? "unknown"
    if frame.function == nil, let image { text = image + " " + text }
    guard let file = frame.file else { return text }
    return text + " (" + file + (frame.line.map { ":\($0)" } ?? "") + ")"
  }

  /// The API's name of the language.
  package var language: String {
    if frame.function?.hasPrefix("-[") == true || frame.function?.hasPrefix("+[") == true {
      return "Objective-C"
    }
    let end = frame.file?.split(separator: ".").last.map(String.init)?.lowercased()
    switch end {
    case "swift": return "Swift"
    case "java", "kt": return "Java"
    case "cs": return "CSharp"
    case "js", "jsx", "ts", "tsx", "bundle": return "JavaScript"
    case "m": return "Objective-C"
    case "mm": return "Objective-Cpp"
    case "c": return "C"
    case "cpp", "cc", "cxx", "hpp": return "Cpp"
    default: return managedLanguage ?? "Unknown"
    }
  }
}

extension CrashReport {
  /// The frame that represents the report: the first app frame of the crashed stack, or otherwise its first
  /// frame. The causes of an exception come first, the deepest before the others; of several causes, the
  /// first with its own causes.
  package var appCenterReason: AppCenterFrame? {
    var stacks: [[Frame]] = []
    if let exception = reason.exception {
      stacks = exception.causesFirst(depth: 0)
    }
    if let crashedThread, threads.indices.contains(crashedThread) {
      stacks.append(threads[crashedThread].frames)
    }
    let frames = stacks.joined()
    return (frames.first { $0.inApp == true } ?? frames.first).map { AppCenterFrame($0, of: self) }
  }

  /// The API's name of the platform that a stack ran on.
  package var appCenterPlatform: String {
    let kit = ((tags[.wrapperName] ?? "") + " " + (tags[.sdkName] ?? "")).lowercased()
    if tags[.minidump] != nil { return "ndk" }
    for name in ["react-native", "xamarin", "unity"] where kit.contains(name) { return name }
    switch os.name ?? "" {
    case "iOS", "iPadOS", "macOS", "tvOS", "watchOS", "visionOS": return "ios"
    case "Android": return "android"
    default: return "other"
    }
  }
}

extension LanguageException {
  /// Returns the stacks of its causes, then its own, to the same depth as in documents of reports.
  fileprivate func causesFirst(depth: Int) -> [[Frame]] {
    guard depth < CrashReport.maximumExceptionDepth else { return [frames] }
    return inner.flatMap { $0.causesFirst(depth: depth + 1) } + [frames]
  }
}
